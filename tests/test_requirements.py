"""The pins of requirements/ cover what is asked for, by hash and from nowhere in particular."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "requirements"
COMPILED = sorted(FOLDER.glob("*.txt"))


def pins(name: str) -> dict[str, str]:
    text = (FOLDER / f"{name}.txt").read_text()
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", text, re.MULTILINE))


def asked(name: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    if name == "run":
        lines = project["dependencies"]
    else:
        lines = (FOLDER / f"{name}.in").read_text().splitlines()
    if name == "dev":
        lines += chain.from_iterable(project["optional-dependencies"].values())
    wanted = [Requirement(line) for line in lines if not line.startswith("#")]
    return [requirement for requirement in wanted if requirement.name != project["name"]]


@pytest.mark.parametrize("name", ["bootstrap", "run", "dev"])
def test_everything_asked_for_is_pinned_within_its_range(name: str) -> None:
    pinned = pins(name)
    for wanted in asked(name):
        assert wanted.name in pinned, "make lock"
        assert wanted.specifier.contains(pinned[wanted.name]), f"{wanted}: make lock"


def test_tests_run_on_the_versions_users_install() -> None:
    assert pins("run").items() <= pins("dev").items()


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.name)
def test_no_pin_names_an_address_or_a_folder(path: Path) -> None:
    text = path.read_text()
    assert "://" not in text
    assert not re.search(r"(^|\s)/", text)


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.name)
def test_every_pin_has_a_hash(path: Path) -> None:
    assert re.findall(r"^[a-z0-9-]+==.*", path.read_text(), re.MULTILINE) == re.findall(
        r"^([a-z0-9-]+==.*)\n    --hash=sha256:", path.read_text(), re.MULTILINE
    )
