"""A command of Nautobot's that fails says why."""

import sys
from pathlib import Path

import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.nautobot_server import reason, run_to_end

#: How `nautobot-server migrate` ends that PostgreSQL refused.
REFUSED = """
  Applying dcim.0001_initial...Traceback (most recent call last):
  File "/venv/bin/nautobot-server", line 8, in <module>
psycopg2.errors.InsufficientPrivilege: permission denied for schema public
LINE 1: CREATE TABLE "django_migrations"
                     ^

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/venv/bin/nautobot-server", line 8, in <module>
    sys.exit(main())
django.db.utils.ProgrammingError: permission denied for schema public
LINE 1: CREATE TABLE "django_migrations"
                     ^

"""


def test_the_reason_is_the_exception_and_not_the_last_line() -> None:
    assert reason(REFUSED.splitlines()) == (
        "django.db.utils.ProgrammingError: permission denied for schema public"
    )


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("CommandError: Unknown command\n\n", "CommandError: Unknown command"),
        ("Traceback (most recent call last):\n  File cut off", ""),
        ("\n\n", ""),
    ],
)
def test_without_an_exception_it_is_the_last_that_was_said(said: str, why: str) -> None:
    assert reason(said.splitlines()) == why


def test_a_command_that_says_nothing_is_refused_with_its_code(tmp_path: Path) -> None:
    log = tmp_path / "migrate.log"
    command = [sys.executable, "-c", "import sys; sys.exit(4)", "migrate"]
    with pytest.raises(StackRefused) as refused:
        run_to_end(command, {}, log)
    assert refused.value.what == f"{Path(sys.executable).name} migrate failed: it exited with 4"
    assert refused.value.where == str(log)
