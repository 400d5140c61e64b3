"""What tests share: the command line in this process, and how many examples hypothesis tries."""

import os
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

from fabric_twin.cli import main

# `quick` is `make test`; `thousands` is what a release is held to (HYPOTHESIS_PROFILE=thousands).
_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# In CI the same examples every time: new ones are looked for before a change is committed.
_CI = bool(os.environ.get("CI"))
settings.register_profile("quick", max_examples=100, derandomize=_CI, **_CALM)
settings.register_profile("thousands", max_examples=5000, **_CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run `fabric-twin` with some arguments; `stdin` is what it reads."""

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(main, list(arguments), input=stdin, prog_name="fabric-twin")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
