"""What is handed out: the wheel and the sdist hold what they should, and run on their own."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# One worker builds for all of them.
pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("packaging")]


def uv(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "uv", *arguments, "--quiet"], cwd=ROOT, check=True)


def build(source: Path, out: Path, kind: str) -> Path:
    uv("build", source, f"--{kind}", "--no-build-isolation", "--python", sys.executable, "-o", out)
    [built] = out.glob("fabric_twin-*")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def wheel_from_sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As installing the sdist would make it, with the pinned hatchling."""
    sdist = build(ROOT, tmp_path_factory.mktemp("sdist"), "sdist")
    return build(sdist, tmp_path_factory.mktemp("wheel_from_sdist"), "wheel")


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return sorted(name for name in archive.namelist() if ".dist-info/" not in name)


def test_the_wheel_holds_the_package_with_its_linked_folders_and_nothing_else(wheel: Path) -> None:
    held = names(wheel)
    assert {"fabric_twin/py.typed", "fabric_twin/tasks/__init__.py"} <= set(held)
    assert any(name.startswith("fabric_twin/documents/templates/") for name in held)
    assert all(name.startswith("fabric_twin/") for name in held)


def test_the_sdist_makes_the_same_wheel(wheel: Path, wheel_from_sdist: Path) -> None:
    assert names(wheel_from_sdist) == names(wheel)


@pytest.mark.parametrize("source", ["wheel", "wheel_from_sdist"])
def test_it_runs_in_an_empty_environment(
    source: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv")
    scripts = tmp_path / "venv" / "bin"
    install = ["pip", "install", "--python", scripts / "python"]
    uv(*install, "--require-hashes", "-r", ROOT / "requirements/run.txt")
    uv(*install, "--no-deps", request.getfixturevalue(source))
    command = [scripts / "fabric-twin", "designs"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    assert "ironwood" in shown.stdout
