"""What is found so far of what real switches do though nobody expects it, and what is left of it
once the remedy is done."""

from typing import Any

import pytest

from fabric_twin.dialects.sonic import DIALECTS

from .bench import Bench, ring_of
from .places import SLOTS, SURPRISES

X11, X22 = "p1-ocs-x-1-1", "p1-ocs-x-2-2"
FOUND: dict[str, tuple[dict[str, Any], str, bool]] = {
    "boots-empty": ({}, f"{X11} has not circuits 1A-2B, 2A-3B and 2 more circuits", True),
    "boots-old": (
        {},
        f"{X11} has not circuits 1A-2B, 2A-3B and 2 more circuits "
        "and has circuits 1A-4B, 2A-1B and 2 more circuits, which nobody wants",
        True,
    ),
    "stale-circuit": (
        {"port": "1A", "to": "141B"},
        f"{X11} has circuit 1A-141B, which nobody wants",
        False,
    ),
    "board-pulled": (
        {"unit": 1},
        f"{X11} ports 1A, 1B and 34 more: 36 mirrors have no power, though no board is out; "
        "until it is mended p1-c001, p1-c002 and 16 more make no torus along X",
        False,
    ),
    "answers-for-another": (
        {"other": X22},
        f"{X22} answers at the address of {X11}",
        False,
    ),
    "saves-slowly": ({}, "", True),
}


def bench() -> Bench:
    """A pod whose switches had other circuits before."""
    bench = Bench.build("ironwood", SLOTS, dialect=DIALECTS["upstream"])
    wanted = bench.wanted.circuits
    bench.apply(ring_of(bench.intended, SLOTS, turn=3))
    bench.apply(wanted)
    assert bench.diagnose().findings == ()
    return bench


@pytest.mark.parametrize("kind", SURPRISES)
def test_a_surprise_is_found_as_far_as_it_is(kind: str) -> None:
    wish, cause, is_mended = FOUND[kind]
    there = bench()
    there.break_it(kind, device=X11, **wish)
    found = there.diagnose().findings
    told = [(finding.code, finding.cause) for finding in found]
    assert told == ([(SURPRISES[kind], cause)] if cause else [])
    for finding in found:
        there.carry_out(finding.remedy)
    assert [f.code for f in there.diagnose().findings] == ([] if is_mended else [SURPRISES[kind]])


def test_nothing_tells_another_switch_where_both_have_the_same_circuits() -> None:
    there = bench()
    there.switch_serials = []
    there.break_it("answers-for-another", device=X11, other=X22)
    assert there.diagnose().findings == ()
