"""The units of docs/production.md: systemd takes them, and the page names each."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.production.page import PAGE, UNITS, started_by


@pytest.mark.parametrize("unit", sorted(path.stem for path in UNITS.glob("*.service")))
def test_systemd_takes_the_units(unit: str, tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd here")
    program = tmp_path / "bin" / "nautobot-server"
    program.parent.mkdir()
    program.touch(0o755)
    copy = tmp_path / f"{unit}.service"
    copy.write_text((UNITS / copy.name).read_text().replace("/opt/nautobot", str(tmp_path)))
    done = subprocess.run(
        ["systemd-analyze", "verify", copy],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_names_every_unit_and_every_unit_runs_nautobot() -> None:
    page = PAGE.read_text()
    for path in UNITS.glob("*.service"):
        assert f"(systemd/{path.name})" in page
        assert started_by(path.stem).startswith("/opt/nautobot/bin/nautobot-server ")
