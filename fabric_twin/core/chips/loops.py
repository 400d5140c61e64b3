"""What is wrong with the waveguides of a ring: each is one closed loop through all endpoints."""

from collections.abc import Iterator, Sequence

import numpy as np

from fabric_twin.core.audit.places import some
from fabric_twin.core.chips.mistake import Mistake
from fabric_twin.core.chips.netlist import Loop, Mask, RingNetlist, wanted_order
from fabric_twin.core.chips.ring import BACKWARDS, Ring, serial

#: A mistake of a loop: its code, and the endpoints that tell it from others of the code.
_What = tuple[str, tuple[int, ...]]


def loop_mistakes(netlist: RingNetlist, gone: Mask) -> Iterator[Mistake]:
    """Every mistake of waveguides; those with the same are told together."""
    ring, found = netlist.ring, dict[_What, list[str]]()
    absent = set((np.flatnonzero(gone) + 1).tolist())
    for waveguide in ring.waveguides:
        for what in _whats(ring, waveguide, netlist.loops.get(waveguide), absent):
            found.setdefault(what, []).append(waveguide)
    for (code, endpoints), waveguides in found.items():
        said, cost = _said(code, endpoints, many=len(waveguides) > 1)
        named = some(waveguides, "waveguides")
        places = tuple(waveguides)
        cost, parts = cost or _lost(ring, waveguides), len(waveguides)
        exactly = (*waveguides, " ".join(map(str, endpoints)))
        yield Mistake(code, f"{named} {said}", cost, places, parts, exactly)


def _whats(ring: Ring, waveguide: str, loop: Loop | None, absent: set[int]) -> Iterator[_What]:
    if loop is None:
        yield "waveguide-missing", ()
        return
    backwards = waveguide == BACKWARDS
    passes = loop.passes[::-1] if backwards else loop.passes
    if not loop.closed:
        yield "loop-open", (passes[-1], passes[0]) if not backwards else (passes[0], passes[-1])
    wanted = [at for at in wanted_order(ring, "") if at not in absent]
    if skipped := tuple(at for at in wanted if at not in passes):
        yield "endpoint-skipped", skipped
    wanted = [at for at in wanted if at in passes]
    if turned(passes) != turned(wanted):
        yield "wrong-order", turned(passes)


def turned(order: Sequence[int]) -> tuple[int, ...]:
    """The same loop, told from its lowest endpoint: where one begins to tell it means nothing."""
    first = order.index(min(order)) if order else 0
    return (*order[first:], *order[:first])


def _said(code: str, endpoints: Sequence[int], *, many: bool) -> tuple[str, str]:
    """What is wrong with a waveguide, and what that takes away where it is not all of it."""
    be, pass_, them = ("are", "pass", "them") if many else ("is", "passes", "it")
    if code == "loop-open":
        return f"{be} open between endpoints {endpoints[0]} and {endpoints[1]}", ""
    if code == "endpoint-skipped":
        who = f"endpoint{'s' * (len(endpoints) > 1)} {some([str(at) for at in endpoints])}"
        return f"{pass_} by {who}", f"there, nothing is sent on {them} and nothing is heard"
    if code == "wrong-order":
        begins = ", ".join(map(str, endpoints[:8])) + ", ..." * (len(endpoints) > 8)
        told = f"{pass_} the endpoints in another order than the design: {begins}"
        return told, "what is sent at once on all waveguides is not heard at once"
    return f"{be} missing", ""


def _lost(ring: Ring, waveguides: Sequence[str]) -> str:
    """What a ring lacks without some of its waveguides."""
    data = [name for name in waveguides if name.startswith("d")]
    lost = [ring.carries(name) for name in waveguides]
    said = f"the ring lacks {some(lost)}"
    return f"{said}: {serial(ring.data - len(data))}" if data else said
