"""A netlist: what stands on the rings of a chip, as CSV.

A row is of many parts at once: of all rings, endpoints, senders and bits that it names, each with
each. Waveguides are those of its bits, wavelengths those of its senders, one by one. So a design is
about 130 rows, and a ring may also be written part by part.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.chips.chip import Chip
from fabric_twin.core.chips.netlist import Loop, RingNetlist, Tuned, wanted_order
from fabric_twin.core.chips.ring import BACKWARDS, Ring
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.chips.runs import Runs
from fabric_twin.inventory.mistakes import MOST, Mistake, MistakesInFile
from fabric_twin.inventory.sheet_mistakes import rows_by_line
from fabric_twin.inventory.text import decoded

HEADER = ("ring", "part", "endpoint", "sender", "bit", "waveguide", "wavelength")
#: What a row of each part has beside its ring; the other cells are empty.
PARTS = {
    "loop": ("endpoint", "waveguide"),
    "modulator": ("endpoint", "bit", "waveguide", "wavelength"),
    "filter": ("endpoint", "sender", "bit", "waveguide", "wavelength"),
    "fifo": ("endpoint", "sender"),
}
#: A ring part by part is 4 MB; a chip would be 300.
LARGEST = 32 * 2**20
_SMALLER = "Write runs, such as 1..64, or one ring at a time"


class _Refused(ValueError):
    """A cell that cannot be used: its column, what is wrong, and what to do."""

    def __init__(self, column: str, what: str, remedy: str) -> None:
        super().__init__(what)
        self.column, self.what, self.remedy = column, what, remedy


def read_netlist(data: bytes, source: str, rings: Sequence[Ring]) -> list[RingNetlist]:
    """What a file says of some rings of a chip, or a refusal of all that is wrong with it."""
    text = decoded(data, source, LARGEST, _SMALLER, "netlist")
    reading = _Reading(rings)
    found: list[Mistake] = []
    try:
        rows = ((line, row) for line, row in rows_by_line(text) if any(row))
        _check_header(next(rows, (1, []))[1], source)
        for line, row in rows:
            try:
                reading.take(row)
            except _Refused as refused:
                found.append(Mistake(line, refused.column, refused.what, refused.remedy))
                if len(found) == MOST:
                    break
    except csv.Error as error:
        what = f"it cannot be read as CSV ({error})"
        raise UnusableInput(what, where=source, remedy="Save it as CSV") from None
    if found:
        raise MistakesInFile(source, found)
    return list(reading.netlists)


def _check_header(row: Sequence[str], source: str) -> None:
    if tuple(cell.strip().lower() for cell in row) != HEADER:
        raise UnusableInput(
            "the first row is not the header of a netlist",
            where=f"{source}, line 1",
            remedy=f"Begin with {','.join(HEADER)}",
        )


class _Reading:
    """The rows of a file, one after the other, on the rings they are of."""

    def __init__(self, rings: Sequence[Ring]) -> None:
        self.netlists = [RingNetlist.empty(ring) for ring in rings]
        most = max(ring.endpoints for ring in rings)
        numbers = [str(number) for number in range(1, most + 1)]
        bits = [str(number) for number in range(1, rings[0].data + 1)]
        self._runs = {
            "ring": Runs("ring", [ring.name for ring in rings]),
            "endpoint": Runs("endpoint", numbers),
            "sender": Runs("sender", numbers),
            "bit": Runs("bit", bits),
            "waveguide": Runs("waveguide", rings[0].waveguides),
            "wavelength": Runs("wavelength", numbers),
        }

    def take(self, row: Sequence[str]) -> None:
        """Put what a row says where it belongs."""
        if len(row) != len(HEADER):
            what = f"the row has {counted(len(row), 'cell')}, the header {len(HEADER)}"
            raise _Refused("", what, "Give every row a cell for every column")
        cells = dict(zip(HEADER, map(str.strip, row), strict=True))
        part = cells.pop("part").lower()
        if part not in PARTS:
            raise _Refused("part", f"there is no part {part[:20]!r}", f"Use {', '.join(PARTS)}")
        for column in HEADER[2:]:
            if cells[column] and column not in PARTS[part]:
                raise _Refused(column, f"a {part} has no {column}", "Leave the cell empty")
        rings = self._read("ring", cells)
        at = {column: self._read(column, cells, part) for column in PARTS[part]}
        for number in rings:
            self._put(self.netlists[number], part, at)

    def _read(self, column: str, cells: dict[str, str], part: str = "") -> tuple[int, ...]:
        runs = self._runs[column]
        may_close = part == "loop" and column == "endpoint"
        try:
            return runs.read(cells[column], may_close=may_close)
        except ValueError as error:
            raise _Refused(column, str(error), f"Use {runs.all_of_them}, each once") from None

    def _put(self, netlist: RingNetlist, part: str, at: dict[str, tuple[int, ...]]) -> None:
        ring = netlist.ring
        for column in ("endpoint", "sender", "wavelength"):
            if column in at and max(at[column]) >= ring.endpoints:
                what = f"{ring.name} has no {column} {max(at[column]) + 1}"
                raise _Refused(column, what, f"Use 1 to {ring.endpoints}")
        if part == "loop":
            self._loop(netlist, at)
        elif part == "fifo":
            cells = np.ix_(at["endpoint"], at["sender"])
            _once(netlist.fifos[cells], part, ring)
            netlist.fifos[cells] = True
        elif part == "modulator":
            _tune(netlist.modulators, part, at, ("endpoint", "bit"), ring)
        else:
            _tune(netlist.filters, part, at, ("endpoint", "sender", "bit"), ring)

    def _loop(self, netlist: RingNetlist, at: dict[str, tuple[int, ...]]) -> None:
        passes = tuple(number + 1 for number in at["endpoint"])
        closed = len(passes) > 1 and passes[0] == passes[-1]
        for number in at["waveguide"]:
            name = netlist.ring.waveguides[number]
            if name in netlist.loops:
                what = f"waveguide {name} of {netlist.ring.name} is there twice"
                raise _Refused("waveguide", what, "Write each in one row")
            netlist.loops[name] = Loop(passes[:-1] if closed else passes, closed)


def _tune(
    tuned: Tuned, part: str, at: dict[str, tuple[int, ...]], axes: tuple[str, ...], ring: Ring
) -> None:
    """Set parts to the waveguides of their bits, and to the wavelengths of who sends."""
    who = axes[-2]
    cells = np.ix_(*(at[axis] for axis in axes))
    _once(tuned.waveguide[cells] > 0, part, ring)
    shape = tuple(len(at[axis]) for axis in axes)
    for held, column, axis in (
        (tuned.waveguide, "waveguide", "bit"),
        (tuned.wavelength, "wavelength", who),
    ):
        given, many = np.array(at[column], dtype=np.int8) + 1, len(at[axis])
        if len(given) not in (1, many):
            what = f"{counted(len(given), column)} for {counted(many, axis)}"
            raise _Refused(column, what, f"Give one for each {axis}, or one for all")
        along = given if axis == "bit" else given[:, None]
        held[cells] = np.broadcast_to(along, shape)


def _once(there: NDArray[np.bool_], part: str, ring: Ring) -> None:
    if there.any():
        many = int(there.sum())
        what = f"{counted(many, part)} of {ring.name} {'is' if many == 1 else 'are'} there twice"
        raise _Refused("", what, "Write each in one row")


def write_netlist(chip: Chip, rings: Sequence[Ring], out: TextIO) -> None:
    """Write what the design wants of some rings: of all that are alike in the same rows."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    named = Runs("ring", [ring.name for ring in chip.rings])
    alike: dict[tuple[int, int], list[Ring]] = {}
    for ring in rings:
        alike.setdefault((ring.columns, ring.rows), []).append(ring)
    for same in alike.values():
        local = named.written(chip.rings.index(ring) for ring in same if ring is not chip.rings[-1])
        name = " ".join(filter(None, (local, chip.rings[-1].name * (chip.rings[-1] in same))))
        writer.writerows((name, *row) for row in _designed(same[0]))


def _designed(ring: Ring) -> Iterator[tuple[str, ...]]:
    """The rows of one ring, without its name."""
    waveguide = Runs("waveguide", ring.waveguides).written
    number = Runs("endpoint", [str(at + 1) for at in range(ring.endpoints)]).written
    bits = f"1..{ring.data}"
    data = waveguide(range(ring.data))
    forth = [at for at, name in enumerate(ring.waveguides) if name != BACKWARDS]
    back = [ring.waveguides.index(BACKWARDS)]
    for guides in (forth, back):
        order = [at - 1 for at in wanted_order(ring, ring.waveguides[guides[0]])]
        yield ("loop", f"{number(order)} {number(order[:1])}", "", "", waveguide(guides), "")
    everyone = number(range(ring.endpoints))
    yield ("modulator", everyone, "", bits, data, everyone)
    for at in range(ring.endpoints):
        others = number(_others(ring, at))
        yield ("filter", str(at + 1), others, bits, data, others)
    for at in range(ring.endpoints):
        yield ("fifo", str(at + 1), number(_others(ring, at)), "", "", "")


def _others(ring: Ring, at: int) -> Iterable[int]:
    return (other for other in range(ring.endpoints) if other != at)
