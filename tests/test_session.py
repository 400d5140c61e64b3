"""How every run of tests begins, and what no test module does."""

import ast
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests import session

TESTS = Path(__file__).parent


def test_new_golden_files_are_not_written_in_ci(
    monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.setenv("ACCEPT", "1")
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.UsageError, match="ACCEPT=1 writes what tests should compare with"):
        session.pytest_configure(pytestconfig)


def test_who_ignores_interrupts_does_not_make_tests_ignore_them() -> None:
    script = (
        "import signal, tests.session\n"
        "tests.session.heed_interrupts()\n"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    said = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$0" -c "$1"', sys.executable, script],
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "True\n"


@pytest.mark.parametrize(
    "settings", ["pyproject.toml", "tests/nautobot/pytest.ini", "tests/e2e/pytest.ini"]
)
def test_each_of_the_three_runs_begins_so(settings: str) -> None:
    path = TESTS.parent / settings
    if path.suffix == ".toml":
        options = tomllib.loads(path.read_text())["tool"]["pytest"]["ini_options"]["addopts"]
    else:
        read = ConfigParser()
        read.read(path)
        options = shlex.split(read["pytest"]["addopts"])
    assert "tests.session" in options


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports from, each with its last name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_no_test_module_imports_another() -> None:
    of_tests = {path.stem for path in TESTS.rglob("test_*.py")}
    assert {
        path: names
        for path in TESTS.rglob("*.py")
        if (names := {name for name in imports(path) if of_tests & set(name.split("."))})
    } == {}
