"""In and out by docs/production.md: what it tells people to type is typed, in that order.

a Nautobot with data -- the wheel, the services of the units --> a pod by light, a ticket
      '--<-- its pages open, its data is there <-- the App is left --<--'
"""

import re
import shutil
import subprocess
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.e2e.conftest import wait_until
from tests.production.page import PAGE, ROOT, UNITS, fences, started_by
from tests.production.site import PASSWORD, Site
from tests.wheels import build, uv

# One machine, from its first step to its last.
pytestmark = pytest.mark.integration

INSTALL = ("## Install", "Workers and `watch_fabric` get in with")
POD = ("Over REST, with a token", "Without switches at hand")
LEAVING = ("**Leaving.**", "Statuses, roles, custom fields")
USER = "fabric"
TOKEN = "0123456789abcdef0123456789abcdef01234567"  # noqa: S105
#: Nautobot's own pages that failed after somebody left, and its REST.
PAGES = ("", "extras/approval-workflows/", "extras/scheduled-jobs/", "extras/job-results/")
LISTS = ("extras/approval-workflows/", "extras/object-changes/", "extras/scheduled-jobs/")
PEOPLE = f"""
from nautobot.users.models import Token, User
admin = User.objects.create_superuser("admin", password="{PASSWORD}")
Token.objects.create(user=admin, key="{TOKEN}")
"""
DATA = """
from nautobot.dcim.models import Location, LocationType
from nautobot.extras.models import Status
kind = LocationType.objects.create(name="Campus")
active = Status.objects.get(name="Active")
Location.objects.create(name="Building 7", location_type=kind, status=active)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with TemporaryDirectory(prefix="fabric-twin-site-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        built = folder / "wheel"
        build(ROOT, built, "wheel")
        site = Site(folder)
        venv.create(site.root, with_pip=True)
        python = ("--python", site.scripts / "python")
        uv(
            "pip",
            "install",
            *python,
            "--require-hashes",
            "-r",
            ROOT / "requirements/production.txt",
        )
        try:
            site.start_servers()
            yield site
        finally:
            site.close()


@pytest.fixture(scope="module")
def gateway(
    simulate: Callable[..., Any], site: Site, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A fabric of four cubes that answers over TLS, and how services get in."""
    with pytest.MonkeyPatch.context() as own:
        own.setenv("FABRIC_TWIN_GNMI_USER", USER)
        own.setenv("FABRIC_TWIN_GNMI_PASSWORD", PASSWORD)
        keys = tmp_path_factory.mktemp("keys")
        running = simulate("--tls", str(keys), pod="iw1")
    site.environment |= {
        "FABRIC_TWIN_GNMI_USER": USER,
        "FABRIC_TWIN_GNMI_PASSWORD": PASSWORD,
        "FABRIC_TWIN_GNMI_CA": str(keys / "fabric-twin.pem"),
    }
    return str(running.said["gnmi"])


@pytest.mark.timeout(1800)  # four minutes, where nothing else runs
def test_in_and_out_again(site: Site, gateway: str) -> None:
    a_nautobot_with_data(site)
    install(site)
    a_pod_by_light(site, gateway)
    a_ticket_is_submitted(site)
    going_back_needs_a_word(site)
    leave(site)
    nautobot_goes_on(site)


def a_nautobot_with_data(site: Site) -> None:
    """Its database had the App once, and somebody who looks sees nothing of it."""
    site.type_words("nautobot-server init --disable-installation-metrics")
    configure(site, 'PLUGINS = ["fabric_twin"]')
    [wheel] = (site.folder / "wheel").glob("*.whl")
    site.type_words(f"pip install --quiet --no-deps {wheel}")
    site.type_words("nautobot-server leave_fabric_twin --drop-data")
    configure(site, "PLUGINS = []")
    site.type_words("pip uninstall --quiet --yes fabric-twin")
    site.typed |= {"TOKEN": TOKEN, "NAUTOBOT_URL": f"http://127.0.0.1:{site.port}"}
    site.shell(PEOPLE + DATA)


def install(site: Site) -> None:
    """Steps 1 to 6; then the doctor has nothing to say but of cookies and approvers."""
    for name in ("nautobot", "nautobot-worker", "nautobot-scheduler"):
        shutil.copy(UNITS / f"{name}.service", site.units)
    *steps, doctor = fences(*INSTALL)
    for fence in steps:
        if fence.language == "python":
            configure(site, fence.text)
        else:
            site.type(fence)
    assert set(site.services) == {
        "nautobot", "nautobot-worker", "nautobot-scheduler", "fabric-twin-watch"
    }  # fmt: skip
    wait_until(lambda: site.get("login/") == 200, lambda: site.logs("nautobot"), 300)
    wait_until(lambda: "** BAD" not in site.tried(doctor), lambda: site.tried(doctor), 300)
    looked_at = re.findall(r"^  LOOK  ([^:]+):", site.tried(doctor), re.MULTILINE)
    cookies = "SESSION_COOKIE_SECURE and CSRF_COOKIE_SECURE"
    assert looked_at == ["scheduler", "approvers", cookies]


def a_pod_by_light(site: Site, gateway: str) -> None:
    """Loaded, synced and audited by jobs of the worker, over REST as the page writes it."""
    site.typed["GATEWAY"] = gateway
    load, again = fences(*POD)
    first = load.text.partition("\n")[0]  # a function, which the shell of a person knows later
    site.type(load)
    wait_until(lambda: site.results("Load pod") == ["SUCCESS"], site.logs, 300)
    site.type_words(f"{first}\n{again.text}")
    wait_until(lambda: site.results("Audit pod") == ["SUCCESS"], site.logs, 300)
    wait_until(lambda: site.results("Sync pod") == ["SUCCESS"], site.logs, 300)
    runs = site.api("plugins/fabric-twin/audit-runs/?state=done&depth=0")["results"]
    assert any("52" in str(run) for run in runs), runs
    assert site.api("plugins/fabric-twin/findings/")["count"] == 0


def a_ticket_is_submitted(site: Site) -> None:
    [pod] = site.api("plugins/fabric-twin/pods/?name=iw1")["results"]
    wish = {"pod": pod["id"], "kind": "slice", "wish": {"shape": "4x4x8"}}
    ticket = site.api("plugins/fabric-twin/tickets/", wish)
    site.api(f"plugins/fabric-twin/tickets/{ticket['id']}/submit/", {})
    assert site.api("extras/approval-workflows/")["count"] == 1


def going_back_needs_a_word(site: Site) -> None:
    told = site.refused("nautobot-server migrate fabric_twin 0008")
    assert re.search(r"to take back [\w, ]*\b0009_nothing_is_lost\b[\w, ]* drops", told)
    assert "FABRIC_TWIN_DROP_DATA=yes" in told


def leave(site: Site) -> None:
    """As the page says; what it tells of is gone, and PLUGINS is empty."""
    services, out, after = fences(*LEAVING)
    site.type(services)
    assert site.services == {}
    assert not (site.units / "fabric-twin-watch.service").exists()
    site.type(out)
    config = site.root / "nautobot_config.py"
    config.write_text(config.read_text() + "\nPLUGINS = []\n")
    site.type(after)


def nautobot_goes_on(site: Site) -> None:
    """Its pages open, its data and the cables that were loaded are there; nothing of ours runs."""
    site.start("nautobot")
    wait_until(lambda: site.get("login/") == 200, lambda: site.logs("nautobot"), 300)
    answers = {page: site.page(page) for page in PAGES}
    assert set(answers.values()) == {200}, answers
    for path in LISTS:
        assert "results" in site.api(path), path
    assert site.api("dcim/locations/?name=Building+7")["count"] == 1
    assert site.api("dcim/cables/")["count"] == 384
    enabled = site.api("extras/scheduled-jobs/?enabled=true")["results"]
    assert [job["name"] for job in enabled if "fabric_twin" in str(job)] == []


def configure(site: Site, text: str) -> None:
    config = site.root / "nautobot_config.py"
    config.write_text(f"{config.read_text()}\n{text}\n")


@pytest.mark.parametrize("unit", sorted(path.stem for path in UNITS.glob("*.service")))
def test_systemd_takes_the_units(unit: str, site: Site) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd here")
    copy = site.folder / f"{unit}.service"
    copy.write_text(site.here((UNITS / copy.name).read_text()))
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
