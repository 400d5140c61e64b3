"""What the page of the API asks is asked of a server, and answered as the page shows."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Running

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
#: Kind and content of every block, in the order of the page.
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LEFT_OUT = "..."


def agrees(shown: Any, said: Any) -> bool:
    """Whether an answer is the one that is shown; `...` ends a text or a list that goes on."""
    if isinstance(shown, dict) and isinstance(said, dict):
        return shown.keys() == said.keys() and all(agrees(shown[key], said[key]) for key in shown)
    if isinstance(shown, list) and isinstance(said, list):
        if shown[-1:] == [LEFT_OUT]:
            shown, said = shown[:-1], said[: len(shown) - 1]
        return len(shown) == len(said) and all(map(agrees, shown, said))
    if isinstance(shown, str) and shown.endswith(LEFT_OUT):
        return isinstance(said, str) and said.startswith(shown.removesuffix(LEFT_OUT))
    return bool(shown == said)


@pytest.fixture
def environment(stack: Running) -> dict[str, str]:
    for program in ("curl", "jq"):
        if shutil.which(program) is None:
            if os.environ.get("CI"):
                pytest.fail(f"CI must run this: apt-get install {program}")
            pytest.skip(f"there is none here: apt-get install {program}")
    return {**os.environ, "NAUTOBOT": stack.address, "TOKEN": stack.token}


def test_what_is_asked_is_answered_as_shown(environment: dict[str, str]) -> None:
    before, shown = "", []
    for (kind, text), (after, answer) in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
        if kind != "bash":
            continue
        if after != "json":
            before += text
            continue
        # Each block alone, after the variables of those before it.
        script = f"set -euo pipefail\n{before}{text}"
        done = subprocess.run(
            ["bash", "-c", script], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (text, done.stderr)
        assert agrees(json.loads(answer), json.loads(done.stdout)), (text, done.stdout)
        before += "".join(f"{line}\n" for line in text.splitlines() if re.match(r"[A-Z]+=", line))
        shown.append(text)
    assert len(shown) == len([kind for kind, _ in BLOCKS if kind == "json"])


def test_the_program_of_the_page_runs(environment: dict[str, str]) -> None:
    (program,) = (text for kind, text in BLOCKS if kind == "python")
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    circuits = done.stdout.splitlines()
    assert len(circuits) == 16
    assert all(re.fullmatch(r"iw1-ocs-x-1-1 \d+A-\d+B", circuit) for circuit in circuits)
