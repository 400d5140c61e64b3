"""In and out by docs/production.md: what it tells people to type is typed, in that order.

a Nautobot with data -- the wheel, the services of the units --> a pod by light
                             another host's worker gets the pod <--'
                                '--> RabbitMQ has the queue --> a ticket
      '--<-- its pages open, its data is there <-- the App is left --<--'
"""

import re
import shutil
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.e2e.conftest import wait_until
from tests.production.page import PAGE, ROOT, UNITS, Fence, fences
from tests.production.rabbitmq import Rabbit, rabbitmq_is_here
from tests.production.site import PASSWORD, Site
from tests.wheels import build, uv

# One machine, from its first step to its last, in ten to twelve minutes of its processor.
pytestmark = [
    pytest.mark.integration,
    pytest.mark.timeout(1800),
    pytest.mark.weekly,
]

INSTALL = ("## Install", "Workers and `watch_fabric` get in with")
POD = ("Over REST, with a token", "Without switches at hand")
HALL = ("### A queue for each site", "Audits after changes, tickets")
RABBITMQ = ("### RabbitMQ for the queue", "Nautobot alone runs no job over RabbitMQ")
LEAVING = ("**Leaving.**", "Statuses, roles, custom fields")
#: What the drop-in of the other host calls its worker.
HALL_WORKER = "celery@hall-2"
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


@pytest.fixture(scope="module")
def rabbit(site: Site) -> Iterator[Rabbit | None]:
    """Debian's RabbitMQ, not started; none where there is none."""
    rabbit = Rabbit(site.folder / "rabbitmq") if rabbitmq_is_here() else None
    yield rabbit
    if rabbit:
        rabbit.stop()


def test_in_and_out_again(site: Site, gateway: str, rabbit: Rabbit | None) -> None:
    a_nautobot_with_data(site)
    install(site)
    a_pod_by_light(site, gateway)
    another_host_gets_the_pod(site)
    if rabbit:
        rabbitmq_has_the_queue(site, rabbit)
    a_ticket_is_submitted(site)
    going_back_needs_a_word(site)
    leaving_is_refused_while_services_run(site)
    leave(site)
    nautobot_goes_on(site)
    if not rabbit:
        pytest.skip("all was shown but RabbitMQ: apt-get install rabbitmq-server")


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
    all_works(site)
    looked_at = re.findall(r"^  LOOK  ([^:]+):", site.tried(doctor), re.MULTILINE)
    cookies = "SESSION_COOKIE_SECURE and CSRF_COOKIE_SECURE"
    assert looked_at == ["scheduler", "approvers", cookies]


def all_works(site: Site) -> None:
    """The web server answers, and the doctor finds nothing that does not work."""
    *_, doctor = fences(*INSTALL)
    wait_until(lambda: site.get("login/") == 200, lambda: site.logs("nautobot"), 300)
    wait_until(lambda: "** BAD" not in site.tried(doctor), lambda: site.tried(doctor), 300)


def a_pod_by_light(site: Site, gateway: str) -> None:
    """Loaded, synced and audited by jobs of the worker, over REST as the page writes it."""
    site.typed["GATEWAY"] = gateway
    load, _ = fences(*POD)
    site.type(load)
    all_well(site, "Load pod", 1)
    synced_and_audited(site)


def synced_and_audited(site: Site) -> None:
    """By jobs, as the page asks for them: every device answers, and nothing is wrong."""
    _, again = fences(*POD)
    before = {job: len(site.runs(job)) for job in ("Sync pod", "Audit pod")}
    over_rest(site, again)
    for job, many in before.items():
        all_well(site, job, many + 1)
    assert site.runs("Sync pod")[-1].result.startswith("iw1: 52 of 52 devices answered;")
    assert site.runs("Audit pod")[-1].result.startswith("iw1: 0 findings,")


def over_rest(site: Site, fence: Fence) -> None:
    """Type what needs the function that was typed before the pod was loaded."""
    load, _ = fences(*POD)
    function = load.text.partition("\n")[0]
    site.type_words(f"{function}\n{fence.text}")


def all_well(site: Site, job: str, many: int) -> None:
    """As many runs of a job end, each of them well."""

    def ended() -> bool:
        return [run.status for run in site.runs(job)] == ["SUCCESS"] * many

    wait_until(ended, lambda: f"{site.runs(job)}\n{site.logs()}", 300)


def another_host_gets_the_pod(site: Site) -> None:
    """Its worker runs the jobs of the pod from then on, and the first host's all others."""
    drop_in, queue = fences(*HALL)
    site.start_on_host("hall-2", drop_in)
    over_rest(site, queue)
    all_works(site)
    in_the_hall(site)


def in_the_hall(site: Site) -> None:
    """What is asked for of the pod runs there; what is of no pod does not."""
    synced_and_audited(site)
    assert site.runs("Sync pod")[-1].worker == HALL_WORKER
    assert site.runs("Audit pod")[-1].worker == HALL_WORKER
    before = len(site.runs("Sync pod"))
    site.api("extras/jobs/Sync%20pod/run/", {"data": {}})
    all_well(site, "Sync pod", before + 2)
    of_all, of_the_pod = site.runs("Sync pod")[-2:]
    assert of_all.worker == site.runs("Load pod")[0].worker != HALL_WORKER
    assert of_all.result == "iw1: a job of its own syncs it, on the queue hall-2"
    assert of_the_pod.worker == HALL_WORKER


def rabbitmq_has_the_queue(site: Site, rabbit: Rabbit) -> None:
    """The same by the same workers, restarted; and each says what Nautobot cannot ask RabbitMQ."""
    rabbit.start()
    site.broker = f"127.0.0.1:{rabbit.port}"
    site.shim("rabbitmqctl", rabbit.tool())
    for fence in fences(*RABBITMQ):
        site.type(fence)
    drop_in, _ = fences(*HALL)
    hall = site.start_on_host("hall-2", drop_in)
    all_works(site)
    in_the_hall(site)
    for worker in ("nautobot-worker", hall):
        said = re.search(
            r"Signal handler .*load_canceled_on_start.* raised",
            (site.folder / f"{worker}.log").read_text(),
        )
        assert said, f"mended in Nautobot: take that error out of {PAGE.name}"


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


def leaving_is_refused_while_services_run(site: Site) -> None:
    told = site.refused("nautobot-server leave_fabric_twin --drop-data")
    assert "fabric_twin: these still run: watch_fabric" in told
    assert site.api("plugins/fabric-twin/pods/")["count"] == 1


def leave(site: Site) -> None:
    """As the page says, on both hosts; what it tells of is gone, and PLUGINS is empty."""
    services, out, after = fences(*LEAVING)
    site.stop("nautobot-worker-hall-2")
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
