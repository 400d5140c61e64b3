"""Modulators, filters and FIFOs that a ring lacks, and what it lacks with them."""

from collections.abc import Iterator

import numpy as np

from fabric_twin.core.chips.boxes import Box, boxes
from fabric_twin.core.chips.mistake import Mistake, listed, on_waveguides, places
from fabric_twin.core.chips.netlist import Mask, RingNetlist, still_wanted
from fabric_twin.core.chips.ring import Ring, serial


def missing(netlist: RingNetlist, gone: Mask) -> Iterator[Mistake]:
    """Every cause; nothing is said of endpoints of which all is gone."""
    ring, pairs = netlist.ring, still_wanted(netlist, gone)

    wanted = np.broadcast_to(~gone[:, None], netlist.modulators.there.shape)
    for box in boxes(wanted & ~netlist.modulators.there, wanted, [(), (0,), (1,)]):
        yield _modulators(ring, box, box.size(wanted))

    wanted = np.broadcast_to(pairs[:, :, None], netlist.filters.there.shape)
    whole = [(), (0,), (1,), (2,), (0, 2)]
    for box in boxes(wanted & ~netlist.filters.there, wanted, whole):
        yield _filters(ring, box, box.size(wanted))

    for box in boxes(pairs & ~netlist.fifos, pairs, [(), (0,), (1,)]):
        yield _fifos(box, box.size(pairs))


def not_needed(netlist: RingNetlist) -> Iterator[Mistake]:
    """Filters and FIFOs by which an endpoint would hear itself."""
    own = np.eye(netlist.ring.endpoints, dtype=np.bool_)
    filters = netlist.filters.there & own[:, :, None]
    for box in boxes(filters, filters, []):
        said = f"endpoint {box.one(0)} has a filter for itself{on_waveguides(box.some(2))}"
        yield _unexpected(said, box, filters)
    fifos = netlist.fifos & own
    for box in boxes(fifos, fifos, []):
        yield _unexpected(f"endpoint {box.one(0)} has a FIFO for itself", box, fifos)


def _modulators(ring: Ring, box: Box, parts: int) -> Mistake:
    who, bits = box.one(0), box.some(1)
    said = f"endpoint {who} has no modulator" if who else "no endpoint has a modulator"
    if bits:
        whose = "its words lack" if who else "the ring lacks"
        cost = f"{whose} bit {listed(bits)}: {serial(ring.data - len(bits))}"
    else:
        cost = "nobody hears it" if who else "nobody can send"
    said += on_waveguides(bits)
    return Mistake("modulator-missing", said, cost, places(who, bits), parts, (str(box),))


def _filters(ring: Ring, box: Box, parts: int) -> Mistake:
    who, sender, bits = box.one(0), box.one(1), box.some(2)
    said = f"endpoint {who} has no filter" if who else "no endpoint has a filter"
    said += f" for endpoint {sender}" if sender else ""
    if sender:
        cost = f"{'it is' if who else 'all others are'} deaf to endpoint {sender}"
    elif bits:
        whose = "what is sent to it lacks" if who else "the ring lacks"
        cost = f"{whose} bit {listed(bits)}: {serial(ring.data - len(bits))}"
    else:
        cost = "it is deaf to all others" if who else "nobody hears anybody"
    said += on_waveguides(bits)
    return Mistake("filter-missing", said, cost, places(who, bits), parts, (str(box),))


def _fifos(box: Box, parts: int) -> Mistake:
    who, senders = box.one(0), box.some(1)
    said = f"endpoint {who} has no FIFO" if who else "no endpoint has a FIFO"
    of = "all others"
    if senders:
        of = f"endpoint{'s' * (len(senders) > 1)} {listed(senders)}"
        said += f" for {of}"
    cost = f"{'it loses' if who else 'all others lose'} the words of {of}"
    return Mistake("fifo-missing", said, cost, places(who), parts, (str(box),))


def _unexpected(said: str, box: Box, of: Mask) -> Mistake:
    cost = "nothing is lost, and it takes room"
    at, parts = places(box.one(0)), box.size(of)
    return Mistake("unexpected", said, cost, at, parts, (str(box),), harmless=True)
