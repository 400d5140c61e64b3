"""Discovery of a simulated fabric over gNMI, each in a process of its own."""

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.inventory.addresses import HEADER
from fabric_twin.inventory.journal import Journal
from fabric_twin.services.discovery.discover import discover

PROGRAM = Path(sys.executable).with_name("fabric-twin")
pytestmark = pytest.mark.integration

SWITCH, SLOTS = "p1-ocs-x-1-1", range(1, 7)


def test_mistakes_of_hands_are_found_by_light_and_explained_by_the_audit(simulate, run):
    pod = simulate("tpu-v4-cwdm8")
    pod.break_it(kind="swapped", cable="p1-c001:4.1.1/X+", other="p1-c002:4.1.1/X+")
    pod.break_it(kind="missing", cable="p1-c003:1.1.1/X-")
    sheet = pod.folder / "seen.csv"
    done = pod.discover("-o", str(sheet), "--rounds", "6")
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "     575  shown by light",
        "       1  dark: no light through any circuit",
    ]
    rows = list(csv.DictReader(sheet.read_text().splitlines()))
    assert len(rows) == 576
    swapped = next(row for row in rows if row["cable"] == "p1-c001:4.1.1/X+")
    assert (swapped["b_device"], swapped["b_port"], swapped["seen"]) == (SWITCH, "2A", "light")
    assert -10 < float(swapped["rx_dbm"]) < 5
    report = json.loads(run("audit", str(sheet), *pod.pod, "--slots", "1-6", "--json").stdout)
    assert report["summary"] == {"swapped": 1, "dark": 1}
    assert pod.circuits() == {}
    assert not pod.journal.exists()


def test_strands_that_are_exchanged_are_a_crossed_pair(simulate, run):
    pod = simulate("tpu-v4")
    pod.break_it(kind="crossed", cable="p1-c001:4.1.1/X+")
    sheet = pod.folder / "seen.csv"
    done = pod.discover("-o", str(sheet), "--rounds", "6")
    assert done.returncode == 0, done.stderr
    report = json.loads(run("audit", str(sheet), *pod.pod, "--slots", "1-6", "--json").stdout)
    assert report["summary"] == {"crossed-pair": 1}


def test_a_pod_in_service_keeps_its_circuits(simulate):
    pod = simulate("tpu-v4-cwdm8")
    pod.set(SWITCH, ("1A", "2B"), ("2A", "1B"))
    before = pod.circuits()
    done = pod.discover("--json", "--in-service")
    assert done.returncode == 0, done.stderr
    assert pod.circuits() == before
    report = json.loads(done.stdout)
    assert report["summary"] == {"in-use": 4, "light": 572}
    assert report["circuits_in_use"] == 2


def test_circuits_that_may_be_interrupted_come_back(simulate):
    pod = simulate("tpu-v4-cwdm8")
    pod.set(SWITCH, ("1A", "2B"), ("2A", "1B"))
    before = pod.circuits()
    done = pod.discover("--json", "--interrupt")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["summary"] == {"light": 576}
    assert pod.circuits() == before


@pytest.mark.parametrize("option", ["--in-service", "--interrupt"])
def test_a_killed_discovery_is_taken_back_by_the_next(simulate, option):
    pod = simulate("tpu-v4-cwdm8")
    pod.set(SWITCH, ("1A", "2B"), ("2A", "1B"))
    before = pod.circuits()
    process = pod.begin(option)
    process.kill()
    process.communicate()
    assert pod.circuits() != before
    assert pod.journal.exists()
    done = pod.discover("--restore")
    assert (done.returncode, done.stdout) == (0, "")
    assert "circuits were taken back" in done.stderr
    assert pod.circuits() == before
    assert not pod.journal.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_discovery_that_is_told_to_stop_leaves_all_as_it_was(simulate, number):
    pod = simulate("tpu-v4-cwdm8")
    pod.set(SWITCH, ("1A", "2B"))
    before = pod.circuits()
    process = pod.begin("--interrupt")
    process.send_signal(number)
    said, told = process.communicate(timeout=60)
    assert (process.returncode, said) == (128 + number, "")
    assert "it was stopped; every circuit is as it was before" in told
    assert pod.circuits() == before
    assert not pod.journal.exists()


def test_two_at_once_are_one_too_many(simulate):
    pod = simulate("tpu-v4-cwdm8")
    process = pod.begin()
    second = pod.discover()
    process.terminate()
    process.communicate(timeout=60)
    assert second.returncode == 1
    assert "another discovery of this pod is under way" in second.stderr


def test_a_switch_that_is_down_is_named_and_the_rest_is_discovered(simulate):
    pod = simulate("tpu-v4-cwdm8")
    pod.break_it(kind="switch-down", device=SWITCH)
    done = pod.discover("--json", "--rounds", "4")
    assert done.returncode == 3, done.stderr
    report = json.loads(done.stdout)
    assert list(report["unanswered"]) == [SWITCH]
    assert report["summary"] == {"dark": 24, "light": 552}


def test_a_switch_that_was_away_for_a_round_keeps_nothing_of_the_rounds_before(simulate):
    pod = simulate("tpu-v4-cwdm8")
    pod.set(SWITCH, ("1A", "2B"), ("2A", "1B"))
    before, said = pod.circuits(), []

    def away_in_round_2(what, _):
        said.append(what)
        if len(said) == 1:
            pod.break_it(kind="silent", device=SWITCH)
        elif len(said) == 2:
            pod.mend_all()

    with pod.open(SLOTS) as fabric:
        journal = Journal(pod.journal)
        options = {"slots": SLOTS, "interrupt": True, "progress": away_in_round_2}
        report = discover(find_design(pod.design), "p1", fabric, journal, **options)
    assert set(report.unanswered) == {SWITCH}
    # Round 1 left one of its twelve circuits out; the others were still there.
    assert report.summary == {"light": 552, "in-use-elsewhere": 22, "dark": 2}
    assert pod.circuits() == before
    assert not pod.journal.exists()


@pytest.mark.parametrize("kind", ["ignores-changes", "halves-changes", "idle-mirrors"])
def test_a_switch_that_acknowledges_and_does_not_do_makes_nothing_untrue(simulate, kind):
    pod, said = simulate("tpu-v4-cwdm8"), []

    def lies_in_rounds_2_and_3(*_):
        said.append(kind)
        if len(said) == 1:
            pod.break_it(kind=kind, device=SWITCH)
        elif len(said) == 3:
            pod.mend_all()

    design = find_design(pod.design)
    with pod.open(SLOTS) as fabric:
        options = {"slots": SLOTS, "progress": lies_in_rounds_2_and_3}
        report = discover(design, "p1", fabric, Journal(pod.journal), **options)
    assert pod.circuits() == {}
    assert len(said) >= 3
    assert report.not_made
    assert "odd" not in report.summary
    rule = intended_plant(design, "p1", SLOTS)
    names, ends = rule.names, zip(rule.a.tolist(), rule.b.tolist(), strict=True)
    wanted = {names.cable(a): names.port(b) for a, b in ends}
    assert {row.cable: row.b for row in report.cables if row.b[0]}.items() <= wanted.items()


def test_what_cannot_be_put_back_is_told_with_its_cause_and_is_still_noted(simulate):
    pod = simulate("tpu-v4-cwdm8")
    pod.set(SWITCH, ("1A", "2B"))
    before = pod.circuits()
    process = pod.begin("--interrupt")
    process.kill()
    process.communicate()
    pod.break_it(kind="ignores-changes", device=SWITCH)
    refused = pod.discover("--restore")
    assert refused.returncode == 3
    assert f"{SWITCH}: it is not as it was: it is still configured. Mend" in refused.stderr
    assert pod.journal.exists()
    pod.mend_all()
    assert pod.discover("--restore").returncode == 0
    assert pod.circuits() == before


def test_devices_may_have_addresses_and_drivers_of_their_own(simulate, tmp_path):
    own = tmp_path / "own.json"
    pod = simulate("tpu-v4-cwdm8", "--own-addresses", str(own), "--polatis", SWITCH)
    said = json.loads(own.read_text())
    rows = [
        (device, address, "", "")
        for device, address in said["addresses"].items()
        if device != SWITCH
    ]
    sheet = tmp_path / "addresses.csv"
    with sheet.open("w") as out:
        csv.writer(out).writerows([HEADER, *rows, (SWITCH, said["polatis"][SWITCH], "", "polatis")])
    where = ["--insecure", "--journal", str(pod.journal), "--json", "--targets"]
    for targets in (own, sheet):
        done = subprocess.run(
            [PROGRAM, "discover", *pod.pod, *where, str(targets)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["summary"] == {"light": 576}
        assert pod.circuits() == {}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Give --target HOST:PORT, or --targets FILE."),
        (("--target", "127.0.0.1:99999"), "--target: '127.0.0.1:99999' is not an address"),
        (("--target", "gateway"), "'gateway' is not an address"),
        (("--targets", "none.csv"), "none.csv: it cannot be read"),
        (("--targets", "-"), "standard input: it has no address of p1-ocs-x-1-1"),
    ],
)
def test_where_devices_answer_must_be_said(run, options, words):
    pod = ("--design", "tpu-v4-cwdm8", "--pod", "p1", "--insecure")
    refused = run("discover", *pod, *options, stdin="device,address\np1-c001,127.0.0.1:1\n")
    assert refused.exit_code == 2
    assert words in refused.stderr


def test_exchanged_addresses_are_named(simulate):
    pod = simulate("tpu-v4-cwdm8")
    pod.break_it(kind="addresses-exchanged", device=SWITCH, other="p1-ocs-z-4-2")
    done = pod.discover("--json")
    assert json.loads(done.stdout)["exchanged"] == [[SWITCH, "p1-ocs-z-4-2"]]


def test_a_fabric_that_does_not_answer_is_exit_3(tmp_path, run):
    where = ["--target", "127.0.0.1:1", "--insecure", "--journal", str(tmp_path / "j.json")]
    done = run("discover", "--design", "tpu-v4-cwdm8", "--pod", "p1", "--slots", "1", *where)
    assert done.exit_code == 3
    assert done.stdout == ""
    assert "fabric-twin: " in done.stderr
