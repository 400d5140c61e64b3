"""A switch dies under slices that run: they bear its maintenance, and get their circuits back.

A pod of its own, whose simulator writes down every Set: a slice of 64 cubes, one of two, one of
one, and one inside a cube. The switch is killed, and one audit says what each slice keeps. Its
order is walked on a phone, whose step is locked once it answers; it came back empty, and the
order's ticket returns its circuits. Then its maintenance lets the slices bear it. It is dead once
more while it is repaired. Its return brings the circuits back, and light shows a mirror that got
worse.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.pods.names import Names
from fabric_twin.stack.demo.api import post
from fabric_twin.stack.simulated_fabric import USER
from tests.e2e.conftest import PROGRAM, Running, go, wait_until
from tests.e2e.day.hand import Hand, act, run, state_is
from tests.e2e.demo_fabric import Fabric
from tests.our_rows import check_sets, sets_of, switches_set

Picture = Callable[[Page, str], Path]
POD, SLOTS, SWITCH = "bears", "1-68", "bears-ocs-x-3-2"
SWITCHES = Names(DESIGN.layout, POD).switches
#: Shape and slots by name; the last is inside a cube, and has no circuit.
SLICES = {
    "lone": ("4x4x4", "67"),
    "pair": ("4x4x8", "65-66"),
    "train": ("16x16x16", "1-64"),
    "chips": ("2x2x1", "68"),
}
BEARING = ("lone", "pair", "train")
#: One circuit of each cube is on each switch.
BORNE = 1 + 2 + 64
PORTS = [[SWITCH, f"{port}{side}"] for port in range(1, 1 + DESIGN.slots) for side in "AB"]
BEAR = "Let slices bear it and be slower"


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the simulator writes down the Sets that come."""
    return tmp_path_factory.mktemp("bearing") / "sets"


@pytest.fixture(scope="module")
def plant(stack: Running, sets: Path) -> Iterator[Fabric]:
    """The devices of a pod of 68 cubes."""
    password = (stack.folder / "fabric-password").read_text().strip()
    known = {"FABRIC_TWIN_GNMI_USER": USER, "FABRIC_TWIN_GNMI_PASSWORD": password}
    command = [PROGRAM, "simulate", "--design", "ironwood", "--pod", POD, "--slots", SLOTS]
    command += ["--sets", sets, "--tls", stack.folder / "fabric", "--json"]
    with subprocess.Popen(
        command, env=os.environ | known, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as simulator:
        assert simulator.stdout
        yield Fabric(stack, json.loads(simulator.stdout.readline()))
        simulator.kill()


@pytest.fixture
def pod(stack: Running, twin: Any, plant: Fabric) -> Iterator[Any]:
    """The pod, loaded, with its slices made by tickets; removed at the end."""
    api = stack.api()
    hall = api.dcim.locations.get(name="Demo hall")
    wish = {"pod": POD, "design": "ironwood", "location": hall.id, "slots": SLOTS}
    run_job(api, "Load pod", **wish, address=plant.address)
    pod = twin.pods.get(name=POD)
    for name, (shape, slots) in SLICES.items():
        wish = {"name": name, "shape": shape, "slots": slots}
        asked = twin.tickets.create(pod=pod.id, kind="slice", wish=wish, reason="It is to run")
        post(api, f"tickets/{asked.id}/emergency/", said="The run is urgent")
        post(api, f"tickets/{asked.id}/start/")
        wait_until(lambda key=asked.id: twin.tickets.get(key).state.value == "done", patience=300)
    yield pod
    wait_until(stack.is_quiet)
    for made in twin.slices.filter(pod=POD):
        made.delete()
    wait_until(stack.is_quiet)
    run_job(api, "Remove pod", pod=pod.id, hardware=True, dryrun=False)


def run_job(api: Any, name: str, **data: Any) -> None:
    """A job of the App, to its good end."""
    job = api.extras.jobs.get(name=name)
    result = api.extras.jobs.run(job_id=job.id, data=data).job_result
    wait_until(lambda: result.full_details() and result.date_done)
    assert result.status.value == "SUCCESS", name


def has_capacity(hand: Hand, twin: Any, x: float) -> None:
    """Each slice has this much of X left, on its page and over REST, and all of Y and Z."""
    for name in SLICES:
        [made] = twin.slices.filter(pod=POD, name=name)
        go(hand.page, f"/plugins/fabric-twin/slices/{made.id}/")
        row = hand.page.get_by_role("row", name="Capacity", exact=False)
        if name in BEARING:
            assert dict(made)["capacity"] == {"x": x, "y": 1, "z": 1}
            assert made.slowest_link == (1 if x == 1 else 0.5)
            expect(row).to_contain_text(f"X {x:.4g}, Y 1, Z 1")
        else:
            assert made.capacity is None
            expect(row).to_have_count(0)


def audited(hand: Hand, pod: Any, words: str) -> None:
    """From the page of the pod to the result of its audit, which says so."""
    go(hand.page, f"/plugins/fabric-twin/pods/{pod.id}/")
    hand.link("Audit")
    hand.click(hand.page.get_by_role("button", name="Run Job"))
    expect(hand.page.get_by_text(words).first).to_be_visible(timeout=120_000)


def repaired(
    hand: Hand, boss: Hand, phone: Page, twin: Any, stack: Running, plant: Fabric, broken: int
) -> None:
    """The order of a dead switch, from its finding's page: once it answers, hands are stopped, and
    what slices lack there is asked for and comes back.
    """
    page, finding = hand.page, hand.page.url
    hand.link("Repair order")
    hand.button("See what it would take")
    expect(page.locator("#what-it-would-be")).to_contain_text("No slice is interrupted")
    hand.button("Make the order")
    expect(page.get_by_text(f"Made {POD}-w")).to_be_visible()
    address, [order] = page.url, twin.work_orders.filter(pod=POD)
    post(stack.api(), f"work-orders/{order.id}/assign/", assignee="admin")
    go(phone, f"{address}do/")
    aisle, heading = Hand(phone), phone.get_by_role("heading", level=1)
    aisle.button("Start")
    expect(heading).to_contain_text("Go to ")
    aisle.button("Done")
    expect(heading).to_contain_text("Reseat", ignore_case=True)
    expect(phone.get_by_role("button", name="Done", exact=True)).to_be_visible()
    plant.control("/mend", number=broken)
    plant.control("/faults", kind="boots-empty", device=SWITCH)
    phone.reload()
    expect(phone.locator("#locked")).to_contain_text(f"{SWITCH} answers again")
    # The look has called an audit, which closes the finding and the order.
    wait_until(lambda: twin.tickets.filter(pod=POD, kind="return"), patience=120)
    [back] = twin.tickets.filter(pod=POD, kind="return")
    go(hand.page, address)
    expect(page.get_by_text(f"{SWITCH}: {back.name} brings back what slices lack")).to_be_visible()
    go(hand.page, finding)
    came_back = f"Came back: 0 of {BORNE} circuits of 3 slices are made again"
    expect(page.get_by_text(came_back).first).to_be_visible()
    go(boss.page, f"/plugins/fabric-twin/tickets/{back.id}/")
    act(boss, "Approve")
    state_is(boss.page, "Approved")
    act(boss, "Start now")
    state_is(boss.page, "Done")


def test_slices_bear_a_switch_that_died_until_it_is_returned(
    hand: Hand,
    boss: Hand,
    phone: Page,
    twin: Any,
    stack: Running,
    plant: Fabric,
    pod: Any,
    sets: Path,
    picture: Picture,
) -> None:
    page, before, first = hand.page, plant.carried(SWITCHES), len(sets_of(sets))
    assert (len(before[SWITCH]), sum(map(len, before.values()))) == (BORNE, BORNE * len(SWITCHES))
    has_capacity(hand, twin, 1)

    # It dies, and one audit says what each slice keeps.
    broken = plant.control("/faults", kind="switch-down", device=SWITCH)
    audited(hand, pod, f"{POD}: 1 finding")
    [finding] = twin.findings.filter(pod=POD, is_there=True)
    assert (finding.code, finding.cause.split()[0]) == ("switch-down", SWITCH)
    told = {dict(hit)["name"]: dict(hit)["capacity_after"] for hit in finding.slices_hit}
    assert told == {name: {"x": 0.9375, "y": 1, "z": 1} for name in BEARING}
    has_capacity(hand, twin, 0.9375)
    go(hand.page, f"/plugins/fabric-twin/findings/{finding.id}/")
    for name in BEARING:
        expect(page.get_by_text(f"{name}: X 1 -> 0.9375", exact=True)).to_be_visible()

    repaired(hand, boss, phone, twin, stack, plant, broken["number"])
    assert plant.carried(SWITCHES) == before
    has_capacity(hand, twin, 1)

    # Its maintenance lets the slices bear it.
    audited(hand, pod, f"{POD}: 0 findings")
    [switch] = twin.switches.filter(pod=POD, device=SWITCH)
    go(hand.page, f"/plugins/fabric-twin/switches/{switch.id}/")
    hand.link("Maintenance")
    hand.click(page.get_by_label(BEAR))
    hand.button("See what it would do")
    would = page.locator("#what-it-would-be")
    expect(would).to_contain_text("3 slices are slower until it is returned")
    would.scroll_into_view_if_needed()
    picture(page, "bear-maintenance")
    hand.button("Make the draft")
    run(hand, boss, *BEARING)
    assert plant.carried(SWITCHES) == before | {SWITCH: frozenset()}
    has_capacity(hand, twin, 0.9375)
    [train] = twin.slices.filter(pod=POD, name="train")
    go(hand.page, f"/plugins/fabric-twin/slices/{train.id}/")
    detours = page.locator("svg.drawing[aria-label='Detours of train']")
    expect(detours).to_contain_text("detours 64")
    detours.scroll_into_view_if_needed()
    picture(page, "bear-slice")

    # It is dead again while it is repaired, which is no finding any more.
    broken = plant.control("/faults", kind="switch-down", device=SWITCH)
    audited(hand, pod, f"{POD}: 0 findings")
    plant.control("/mend", number=broken["number"])

    # A mirror lost some light, and not too much: what comes back is qualified.
    plant.control("/faults", kind="lossy-mirror", device=SWITCH, port="7A", loss_db=0.6)
    wish = {"ports": PORTS}
    back = twin.tickets.create(pod=pod.id, kind="return", wish=wish, reason="It is repaired")
    go(hand.page, f"/plugins/fabric-twin/tickets/{back.id}/")
    run(hand, boss)
    worse = boss.page.get_by_role("row", name="its path loses 0.6 dB more than on")
    expect(worse.first).to_contain_text(f"7A to 23B on {SWITCH}")
    assert plant.carried(SWITCHES) == before
    has_capacity(hand, twin, 1)
    # Nothing was ever asked of any other switch.
    assert switches_set(sets, first) == {SWITCH}
    check_sets(sets)
