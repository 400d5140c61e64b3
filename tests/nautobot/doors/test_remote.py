"""`fabric-twin remote` against a live Nautobot: with the App, with core records, behind a proxy."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabric_twin.cli import main
from tests.nautobot.bases.processes.bad_proxy import BREAK, proxy, without_app
from tests.nautobot.bases.processes.remote_records import EXCHANGED, THROUGH
from tests.nautobot.bases.processes.remote_runs import Live, Remote, running
from tests.nautobot.bases.processes.serving import serving

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving("remote_records") as said:
        yield Live(*said)


@pytest.fixture(scope="module")
def core(live: Live) -> Iterator[str]:
    """The address of the same server as if it had no App: a proxy says 404 for the App's API."""
    with proxy(live.address, without_app) as (address, _):
        yield address


@pytest.fixture
def remote(live: Live, monkeypatch: pytest.MonkeyPatch) -> Remote:
    """Run `fabric-twin remote`; as the administrator, against the server itself, unless told."""
    monkeypatch.setattr("fabric_twin.remote.patience.FIRST_PAUSE", 0.001)

    return running(live)


def rows(result: Result) -> dict[str, dict[str, str]]:
    assert result.exit_code == 0, result.stderr
    return {row["cable"]: row for row in csv.DictReader(io.StringIO(result.stdout))}


def rows_of(result: Result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(result.stdout)))


def in_order(result: Result) -> list[str]:
    return sorted(result.stdout.splitlines())


@pytest.mark.parametrize("pod", ["mine", "other"])
def test_a_sheet_of_core_records_is_the_sheet_of_the_app(
    remote: Remote, core: str, pod: str
) -> None:
    by_app, by_core = remote("cutsheet", "--pod", pod), remote("cutsheet", "--pod", pod, url=core)
    assert by_core.stderr == ""
    assert in_order(by_core) == in_order(by_app)
    assert len(rows(by_app)) == {"mine": 72, "other": 73}[pod]


def test_a_sheet_has_lengths_labels_statuses_and_paths_through_panels(
    remote: Remote, core: str
) -> None:
    sheet = rows(remote("cutsheet", "--pod", "mine", url=core))
    assert sheet["mine-c001:1.1.1/X-"] == {
        "cable": "mine-c001:1.1.1/X-",
        "a_device": "mine-c001-t01",
        "a_port": "1.1.1/X-",
        "b_device": "mine-ocs-x-1-1",
        "b_port": "1B",
        "status": "connected",
        "length_m": "3.6576",
        "label": "'=A 17",
    }
    planned = sheet["mine-c003:1.1.1/X-"]
    assert (planned["status"], planned["length_m"]) == ("planned", "2.5")
    through = sheet[THROUGH]
    assert (through["b_device"], through["b_port"]) == ("mine-ocs-x-1-1", "1A")


def test_a_guest_gets_the_pod_that_he_may_see(remote: Remote, live: Live, core: str) -> None:
    whole = in_order(remote("cutsheet", "--pod", "mine"))
    for url in (live.address, core):
        assert in_order(remote("cutsheet", "--pod", "mine", url=url, token=live.guest)) == whole
    no = remote("cutsheet", "--pod", "other", token=live.guest)
    assert (no.exit_code, no.stdout) == (2, "")
    assert "there is no pod other, or you may not see it" in no.stderr
    no = remote("cutsheet", "--pod", "other", url=core, token=live.guest)
    assert (no.exit_code, no.stdout) == (2, "")
    assert "no device is named after pod other, or none that you may see" in no.stderr


def test_half_of_a_pod_is_refused_by_the_app(remote: Remote, live: Live) -> None:
    no = remote("cutsheet", "--pod", "mine", token=live.trainee)
    assert (no.exit_code, no.stdout) == (2, "")
    assert "trainee may not view" in no.stderr


def test_half_of_a_pod_out_of_core_records_comes_with_a_warning(
    remote: Remote, live: Live, core: str
) -> None:
    result = remote("cutsheet", "--pod", "mine", "--design", "small", url=core, token=live.trainee)
    sheet = rows(result)
    assert len(sheet) == 48
    assert [row["b_device"] for row in sheet.values()].count("") == 16
    assert result.stderr == (
        f"fabric-twin: {core}, pod mine: 16 cables have an end that you may not see; it is written "
        "as not known.\n"
        f"fabric-twin: {core}, pod mine: 24 of 72 cables of the design are not recorded, or not "
        "visible to you.\n"
    )


def test_core_records_are_audited_here(remote: Remote, core: str) -> None:
    result = remote("audit", "--pod", "mine", "--design", "small", "--json", url=core)
    report = json.loads(result.stdout)
    assert (result.exit_code, report["cables"], report["expected"]) == (1, 71, 72)
    assert report["summary"] == {"missing": 1, "swapped": 1}
    assert report["findings"][0]["cables"] == list(EXCHANGED)
    assert result.stderr == "fabric-twin: 1 row with status 'planned' was left out.\n"


def test_maps_show_whose_a_circuit_is_where_the_app_knows(
    remote: Remote, core: str, tmp_path: Path
) -> None:
    words = ("render", "port-map", "--pod", "mine", "--switch", "x-1-1", "--format", "csv")
    for url, owner in (("", "train-1"), (core, "")):
        where = {"url": url} if url else {}
        done = remote(*words, "--design", "small", "-o", str(tmp_path), **where)
        assert done.exit_code == 0, done.stderr
        [file] = tmp_path.iterdir()
        ports = {row["port"]: row for row in csv.DictReader(file.open())}
        assert file.name == "mine-ocs-x-1-1-port-map.csv"
        assert ports["1A"]["cable"] == THROUGH
        assert ports["1A"]["owner"] == owner


@pytest.mark.parametrize("bad", [503, BREAK])
@pytest.mark.parametrize("pod", ["mine", "other"])
def test_a_bad_proxy_makes_it_slower_and_no_different(
    remote: Remote, core: str, bad: int | str, pod: str
) -> None:
    def mood(number: int, _path: str) -> int | str | None:
        return bad if number % 2 else None

    with proxy(core, mood) as (address, asked):
        result = remote("cutsheet", "--pod", pod, url=address)
    assert in_order(result) == in_order(remote("cutsheet", "--pod", pod, url=core))
    again = result.stderr.count("asked again in")
    assert again == len(asked) // 2 > 0


def test_pages_hold_no_more_than_they_should(
    remote: Remote, core: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = remote("cutsheet", "--pod", "mine", url=core).stdout
    for name, size in {"core_cables.TRAYS": 2, "core_cables.SWITCHES": 5, "server.PAGE": 4}.items():
        monkeypatch.setattr(f"fabric_twin.remote.{name}", size)
    with proxy(core, lambda *_: None) as (address, asked):
        assert remote("cutsheet", "--pod", "mine", url=address).stdout == whole
    # Five pages of 18 devices, three of trays, three of switches, half cables, paths.
    assert asked.count("/api/graphql/") == 5 + 3 + 3 + 1 + 1


def test_a_job_is_run_and_its_refusal_told(live: Live) -> None:
    from fabric_twin.remote.access import Access
    from fabric_twin.remote.jobs import await_job, run_job
    from fabric_twin.remote.pods import find_pod
    from fabric_twin.remote.refusals import JobRefused
    from fabric_twin.remote.server import Server

    server = Server(Access(live.address, live.guest), print)
    job = ("fabric_twin.tasks.export_cut_sheet", "ExportCutSheet", "Export cut sheet")
    key = run_job(server, *job, {"pod": find_pod(server, "mine").pk})
    assert await_job(server, key, job[2], 60, lambda *_: None)["status"]["value"] == "SUCCESS"
    server = Server(Access(live.address, live.trainee), print)
    key = run_job(server, *job, {"pod": find_pod(server, "mine").pk})
    with pytest.raises(JobRefused, match=r"may not view"):
        await_job(server, key, job[2], 60, lambda *_: None)


def test_a_sync_that_is_refused_is_no_server_that_failed(remote: Remote, live: Live) -> None:
    done = remote("sync", "--pod", "mine", "--json", token=live.guest)
    where, what = f"{live.address}, pod mine", "none of its devices has an address"
    remedy = "Give them the address where they answer gNMI"
    assert (done.exit_code, done.stderr) == (2, f"fabric-twin: {where}: {what}. {remedy}.\n")
    assert json.loads(done.stdout) == {"error": {"what": what, "where": where, "remedy": remedy}}


@pytest.fixture(scope="module")
def audited(live: Live) -> Result:
    """The guest has let the server audit the pod."""
    env = {"NAUTOBOT_URL": live.address, "NAUTOBOT_TOKEN": live.guest}
    words = ["remote", "audit", "--pod", "mine", "--json"]
    result = CliRunner().invoke(main, words, env=env, prog_name="fabric-twin")
    assert result.exit_code == 1, result.output
    return result


def test_the_app_audits_as_core_records_are_audited_here(
    remote: Remote, audited: Result, core: str
) -> None:
    here = remote("audit", "--pod", "mine", "--design", "small", "--json", url=core)
    assert json.loads(audited.stdout) == json.loads(here.stdout)
    assert audited.exit_code == 1
    said = r"fabric-twin: mine audit \d+: 2 findings, \d new, 0 gone; the gate is fail.\n"
    assert re.fullmatch(said, audited.stderr)


def test_maps_tell_what_the_app_knows(
    remote: Remote, live: Live, audited: Result, tmp_path: Path
) -> None:
    assert audited.exit_code == 1
    words = ("render", "face-map", "--pod", "mine", "--format", "csv", "-o", str(tmp_path))
    done = remote(*words, "--cube", "1")
    assert done.exit_code == 0, done.stderr
    [file] = tmp_path.iterdir()
    wrong = {row["port"]: row["wrong"] for row in csv.DictReader(file.open())}
    assert wrong["1.2.1/Y+"].startswith(f"swapped: {EXCHANGED[0]} and {EXCHANGED[1]}")
    no = remote(*words, "--cube", "1", token=live.trainee)
    assert (no.exit_code, no.stdout) == (2, "")
    assert "trainee may not view" in no.stderr


@pytest.mark.parametrize("form", [(), ("--csv",), ("--html",)])
def test_every_form_is_what_the_command_line_writes_itself(
    remote: Remote, audited: Result, core: str, form: tuple[str, ...]
) -> None:
    here = remote("audit", "--pod", "mine", "--design", "small", *form, url=core)
    there = remote("audit", "--pod", "mine", *form)
    assert (there.exit_code, there.stdout) == (1, here.stdout)


def test_findings_are_listed_with_their_lives(remote: Remote, live: Live, audited: Result) -> None:
    listed = remote("findings", "--pod", "mine", "--json", token=live.guest)
    assert listed.exit_code == 1
    found = json.loads(listed.stdout)
    reported = json.loads(audited.stdout)["findings"]
    assert (found["version"], found["pod"]) == (1, "mine")
    by_id = {one["id"]: one for one in reported}
    assert {one["id"] for one in found["findings"]} == by_id.keys()
    for finding in found["findings"]:
        of_run = by_id[finding["id"]]
        assert {key: finding[key] for key in of_run} == of_run
        assert (finding["state"], finding["reopened"], finding["mended"]) == ("open", 0, None)
    missing = next(one for one in found["findings"] if one["code"] == "missing")
    text = remote("findings", "--pod", "mine")
    assert text.stdout.startswith("Pod mine: 2 findings.\n\n")
    since = missing["opened"][:16].replace("T", " ")
    assert (
        f"missing  error  {missing['id']}  open since {since}\n   {missing['cause']}.\n"
    ) in text.stdout
    table = rows_of(remote("findings", "--pod", "mine", "--csv"))
    assert [row["code"] for row in table] == [one["code"] for one in found["findings"]]


def test_no_findings_of_a_state(remote: Remote, audited: Result) -> None:
    none = remote("findings", "--pod", "mine", "--state", "working")
    assert (none.exit_code, none.stdout) == (0, "Pod mine: no findings.\n")
