"""What a slice bears, as text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from fabric_twin.core.cube import AXES
from fabric_twin.core.slices.bearing import Bearing, Detour

#: Reasons, and detours, shown to a person; programs get all.
IN_TEXT = 4


def write_text(bearing: Bearing, out: TextIO) -> None:
    """For a terminal: the capacity that is left, what is not made and why, and the detours."""
    if not bearing.made.without:
        out.write("Every circuit of its torus is made.\n")
        return
    out.write(f"{capacity_left(bearing)}.\n")
    reasons = Counter(why for _, why in bearing.reasons())
    _first(
        (f"Without {many:,} circuit{'s' * (many != 1)}: {why}." for why, many in reasons.items()),
        "reasons",
        out,
    )
    many = len(bearing.detours)
    out.write(f"{many:,} detour{'s' * (many != 1)}; --json lists them:\n")
    _first((f"  {_alike(detours, bearing)}" for detours in bearing.alike_detours()), "ways", out)


def _first(lines: Iterable[str], what: str, out: TextIO) -> None:
    """The first of some lines, and how many more there are."""
    lines = list(lines)
    out.writelines(f"{line}\n" for line in lines[:IN_TEXT])
    if (more := len(lines) - IN_TEXT) > 0:
        out.write(f"  and {more:,} more {what}; --json has them all\n")


def capacity_left(bearing: Bearing) -> str:
    """The capacity of each axis, and of the slowest link, in words."""
    left = ", ".join(f"{AXES[axis]} {share:.4g}" for axis, share in enumerate(bearing.capacity))
    if 0 in bearing.capacity:
        return f"Capacity left: {left}. A join has no circuit left"
    most = bearing.most_on_a_circuit
    shares = f"{most} detour{'s share' if most != 1 else ' shares'} a circuit"
    return f"Capacity left: {left}. Slowest link: 1/{most + 1}, where {shares}"


def _alike(detours: Sequence[Detour], bearing: Bearing) -> str:
    """Detours between the same indices, with the first as an example."""
    first = detours[0]
    joins = f"{len(detours):,} join{'s' * (len(detours) != 1)}"
    return (
        f"{AXES[first.axis]} {index_of(first.axis, first.lost, bearing)} by "
        f"{index_of(first.axis, first.by, bearing)} at {joins}: {way_of(first, bearing)}"
    )


def index_of(axis: int, link: int, bearing: Bearing) -> str:
    """An index as people write it, with its lane where it has several: `3,2` or `3,2/1`."""
    layout = bearing.intended.design.layout
    index, lane = divmod(link, layout.lanes)
    said = ",".join(map(str, layout.cube.indices(axis)[index]))
    return f"{said}/{lane + 1}" if layout.lanes > 1 else said


def way_of(detour: Detour, bearing: Bearing) -> str:
    """The way of a detour: copper, the circuit, copper.

    7:4.3.2 to 7:4.4.2, iw1-ocs-x-4-2 7A-9B, 9:1.4.2 to 9:1.3.2
    """
    switch, a, b = detour.by_circuit
    half = len(detour.way) // 2
    circuit = f"{bearing.intended.names.switches[switch]} {a}A-{b}B"
    return ", ".join((_copper(detour.way[:half]), circuit, _copper(detour.way[half:])))


def _copper(chips: Sequence[tuple[int, ...]]) -> str:
    return " to ".join(f"{slot}:{'.'.join(map(str, chip))}" for slot, *chip in chips)
