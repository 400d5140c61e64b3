"""Maintenance by pages alone, with clicks counted: asked for, carried out, and taken back.

A cube is cleared by moving its slice. From a switch no slice of whole cubes can move: they are
interrupted, and while another ticket holds one of their ports the page says so and leads there.
"""

from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import Running, go, wait_until
from tests.e2e.day.hand import Hand, act, run, state_is, undo
from tests.e2e.demo_fabric import Fabric

#: What the review counted; and with *interrupt*, which it did not try.
LOOK, LOOK_TO_INTERRUPT = 2, 2
#: To the other ticket, and withdraw it.
WAY_OUT = 3
#: The form and the draft; submitted, approved, begun; each slice that is drained, and their page.
DRAFT, CARRY_OUT, DRAINED = 2, 6, 2
#: Asked for, approved, undone.
BACK = 6
SWITCH, CUBE, MOVES = "iw1-ocs-z-1-1", 60, "eval-4"
INTERRUPT = "Interrupt slices that cannot move"


def slots(twin: Any, name: str) -> list[int]:
    """Where a slice stands."""
    [made] = twin.slices.filter(pod="iw1", name=name)
    return sorted(part.cube.slot for part in twin.slice_parts.filter(slice=made.id, depth=1))


def status(twin: Any, kind: str, **one: Any) -> str:
    """The status of a record."""
    [record] = getattr(twin, kind).filter(pod="iw1", depth=1, **one)
    return str(record.status.name)


def test_a_cube_is_cleared_and_its_slice_comes_back(hand: Hand, boss: Hand, twin: Any) -> None:
    before = slots(twin, MOVES)
    assert CUBE in before
    [cube] = twin.cubes.filter(pod="iw1", slot=CUBE)
    go(hand.page, f"/plugins/fabric-twin/cubes/{cube.id}/")
    hand.link("Maintenance")
    hand.button("See what it would do")
    expect(hand.page.locator("#what-it-would-be")).to_contain_text(f"the slice {MOVES}")
    assert hand.counted() <= LOOK
    hand.button("Make the draft")
    run(hand, boss, MOVES)
    assert hand.counted() + boss.counted() <= 1 + CARRY_OUT + DRAINED + 1
    assert CUBE not in slots(twin, MOVES)
    assert status(twin, "cubes", slot=CUBE) == "Out"

    undo(hand, boss, MOVES)
    assert hand.counted() + boss.counted() <= BACK + DRAINED + 1
    assert slots(twin, MOVES) == before
    assert status(twin, "cubes", slot=CUBE) == "Active"


def test_a_switch_is_cleared_by_interrupting_mended_and_taken_back(
    hand: Hand, boss: Hand, twin: Any, stack: Running
) -> None:
    fabric, held = Fabric(stack), wait_for_ticket(twin)
    [switch] = twin.switches.filter(pod="iw1", device=SWITCH)
    address = f"/plugins/fabric-twin/switches/{switch.id}/"
    go(hand.page, address)
    hand.link("Maintenance")
    hand.button("See what it would do")
    would = hand.page.locator("#what-it-would-be")
    expect(would).to_contain_text("every cube has a cable on what is out")
    assert hand.counted() <= LOOK

    # A release that waits for its approval holds the ports of one of the slices.
    hand.click(hand.page.get_by_label(INTERRUPT))
    hand.button("See what it would do")
    refused = would.get_by_role("alert")
    expect(refused).to_contain_text(f"of {SWITCH} is reserved by ticket {held.name}")
    assert hand.counted() <= LOOK_TO_INTERRUPT
    hand.click(refused.get_by_role("link", name=held.name))
    act(hand, "Withdraw")
    state_is(hand.page, "Withdrawn")
    assert hand.counted() <= WAY_OUT

    go(hand.page, address)
    hand.link("Maintenance")
    hand.click(hand.page.get_by_label(INTERRUPT))
    hand.button("Make the draft")
    stand_still = ("train-12", "eval-3", "eval-4")
    run(hand, boss, *stand_still)
    assert hand.counted() + boss.counted() <= DRAFT + 1 + CARRY_OUT + DRAINED + len(stand_still)
    assert status(twin, "switches", device=SWITCH) == "Maintenance"

    # It is repaired meanwhile: nobody is told that it does not answer.
    broken = fabric.control("/faults", kind="switch-down", device=SWITCH)
    go(hand.page, address)
    hand.button("Sync")
    expect(hand.page.get_by_text("0 of 1 device answered").first).to_be_visible()
    assert not [one for one in twin.findings.filter(is_there=True) if SWITCH in one.cause]
    fabric.control("/mend", number=broken["number"])
    hand.counted()

    undo(hand, boss)
    assert hand.counted() + boss.counted() <= BACK
    assert status(twin, "switches", device=SWITCH) == "Active"
    wait_until(stack.is_quiet)
    assert not [one for one in twin.findings.filter(is_there=True) if SWITCH in one.cause]
    # Others find a release that waits, as before.
    wish = {"slice": "eval-3"}
    twin.tickets.create(pod=held.pod.id, kind="release", wish=wish, submit=True, reason=held.reason)


def wait_for_ticket(twin: Any) -> Any:
    """The ticket of the demo that waits for its approval."""
    [waits] = twin.tickets.filter(pod="iw1", kind="release", state="submitted")
    return waits
