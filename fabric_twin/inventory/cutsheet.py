"""Cut sheets: one row per cable, end to end, as CSV.

A sheet is read whole or refused whole, with all of its mistakes at once, each with line and column.
What can be read but is not of the design is left to the audit.
"""

import contextlib
import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice
from typing import TextIO

from fabric_twin.core.csv_cells import escape, unescape
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.plant import IntendedPlant
from fabric_twin.inventory.cable_names import name_cables
from fabric_twin.inventory.sheet_mistakes import SheetLines
from fabric_twin.inventory.text import decoded

HEADER = ("cable", "a_device", "a_port", "b_device", "b_port", "status", "length_m", "label")
NEEDED = HEADER[:5]
#: NetBox's columns for ours, of its import and of its export; there a cable's name is its label.
NETBOX = {
    "side_a_device": "a_device",
    "side_a_name": "a_port",
    "side_b_device": "b_device",
    "side_b_name": "b_port",
    "device a": "a_device",
    "termination a": "a_port",
    "device b": "b_device",
    "termination b": "b_port",
}
#: Columns of exports that name no port, and where a sheet is got instead.
NAMELESS = {
    "termination a": "Export all data from NetBox, or show the columns Device A and Device B",
    "termination_a_id": "Take it from Nautobot by `fabric-twin remote cutsheet`: its own export "
    "of cables has keys for names",
}
#: A pod's sheet is about 1 MB; this is more than forty of the largest.
LARGEST = 64 * 2**20
LONGEST_CELL = 255
CONNECTED = "connected"
_CHUNK = 20_000

_BREAK = re.compile(r"[\n\r\t]")

Row = list[str]
Progress = Callable[[int], None]
#: What is wrong with a cell, and what to do; None where nothing is.
Rule = Callable[[str], tuple[str, str] | None]


@dataclass(frozen=True)
class CutSheet:
    """The cables of a sheet, as columns: those that are connected, unless every one was wanted."""

    cable: Sequence[str]
    a_device: Sequence[str]
    a_port: Sequence[str]
    b_device: Sequence[str]
    b_port: Sequence[str]
    #: How many rows were left out, by their status.
    left_out: Counter[str]
    #: Length and label by the cable's name, where they were asked for and are written.
    written: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: The status of each cable, where every one was wanted.
    status: Sequence[str] = ()

    @property
    def columns(self) -> tuple[Sequence[str], ...]:
        """Names of cables, then device and port of both ends."""
        return (self.cable, self.a_device, self.a_port, self.b_device, self.b_port)


def read_cut_sheet(
    data: bytes,
    source: str,
    progress: Progress,
    *,
    written: bool = False,
    every: bool = False,
    rules: Mapping[str, Rule] | None = None,
) -> CutSheet:
    """Read a sheet, or refuse it; lengths and labels are read when they are `written` on.

    Cables that are not connected are left out, unless `every` one is wanted. `rules` are more that
    the cells of a column have to keep.
    """
    text = decoded(data, source, LARGEST, "Give one pod's sheet at a time")
    rows = _rows(text, source, progress)
    place = SheetLines(text, source)
    if not rows or not text.strip():
        raise UnusableInput(
            "the file is empty", where=source, remedy="Give a sheet with a header and a row a cable"
        )
    header, body = rows[0], rows[1:]
    at = _columns(header, place)
    if set(map(len, body)) - {len(header)}:
        for number, row in enumerate(body):
            if len(row) != len(header):
                what = f"the row has {len(row)} cells, the header {len(header)}"
                place.note(number, "", what, "Give every row a cell for every column")
                body[number] = [""] * len(header)  # the others are looked through without it
    columns = list(zip(*body, strict=True)) if body else [()] * len(header)
    odd = not text.isascii() or any(character in text for character in "'\" \t")
    picked = {
        name: _clean(columns[at[name]], name, place, odd=odd)
        for name in (HEADER if written else (*NEEDED, "status"))
        if name in at
    }
    _keep_rules(picked, rules or {}, place)
    _name(picked, len(body), place)
    _check(picked, place)
    place.refuse()
    about = _about(picked) if written else {}
    status = [cell.lower() or CONNECTED for cell in picked.pop("status", ())]
    if every:
        everything = status or [CONNECTED] * len(body)
        return CutSheet(**picked, left_out=Counter(), written=about, status=everything)
    left_out = Counter(status)
    del left_out[CONNECTED]
    if left_out:
        keep = [cell == CONNECTED for cell in status]
        picked = {name: list(compress(picked[name], keep)) for name in NEEDED}
    return CutSheet(**picked, left_out=left_out, written=about)


def write_cut_sheet(intended: IntendedPlant, out: TextIO) -> None:
    """Write the sheet of a plant as it should be."""
    names = intended.names
    cables = names.cables(intended.a)
    (a_device, a_port), (b_device, b_port) = names.ends(intended.a), names.ends(intended.b)
    rows = zip(cables, a_device, a_port, b_device, b_port, strict=True)
    write_rows(((*row, CONNECTED, "", "") for row in rows), out)


def write_rows(rows: Iterable[Iterable[str]], out: TextIO) -> None:
    """Write a sheet of these cables; a cell for every column of the header."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows([escape(cell) for cell in row] for row in rows)


def _rows(text: str, source: str, progress: Progress) -> list[Row]:
    """All rows that are not blank."""
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    rows: list[Row] = []
    try:
        while chunk := list(islice(reader, _CHUNK)):
            rows += filter(any, chunk)
            progress(reader.line_num)
    except csv.Error as error:
        if "unexpected end" in str(error) or "field limit" in str(error):
            raise UnusableInput(
                "a quote is opened and never closed"
                if "unexpected end" in str(error)
                else f"a cell is longer than {csv.field_size_limit():,} characters",
                where=f"{source}, line {_last_whole_row(text) + 1}",
                remedy='Close every quote, and write "" for a quote within a quoted cell',
            ) from None
        raise UnusableInput(
            f"the row is not CSV ({error})",
            where=f"{source}, line {reader.line_num}",
            remedy='Quote a cell that holds a quote, and write it as ""',
        ) from None
    return rows


def _last_whole_row(text: str) -> int:
    """The line on which the last row ends that can be read."""
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    ends = 0
    with contextlib.suppress(csv.Error):
        for _ in reader:
            ends = reader.line_num
    return ends


def _columns(header: Row, place: SheetLines) -> dict[str, int]:
    """Find the columns that are read."""
    given = [cell.strip().lower() for cell in header]
    names = [NETBOX.get(name, name) for name in given]
    is_netbox = bool(set(given) & set(NETBOX))
    if "cable" not in names and "label" in names and is_netbox:
        names[names.index("label")] = "cable"
    missing = [name for name in NEEDED if name not in names]
    if missing and not (is_netbox and missing == ["cable"]):
        raise UnusableInput(
            f"the header lacks {', '.join(missing)}",
            where=place.of(-1),
            remedy=_remedy(header, given),
        )
    twice = [name for name in HEADER if names.count(name) > 1]
    if twice:
        raise UnusableInput(
            f"the column {twice[0]} is there twice",
            where=place.of(-1),
            remedy="Take one of them out",
        )
    return {name: names.index(name) for name in HEADER if name in names}


def _remedy(header: Row, given: list[str]) -> str:
    """How to get a sheet that has its columns."""
    if len(header) == 1 and re.search(r"[;\t|]", header[0]):
        return "Separate the columns with commas"
    elsewhere = (remedy for column, remedy in NAMELESS.items() if column in given)
    return next(elsewhere, f"Begin the sheet with {','.join(NEEDED)}")


def _name(columns: dict[str, Sequence[str]], rows: int, place: SheetLines) -> None:
    """Name the cables that have no name by their ends."""
    cables = columns.setdefault("cable", [""] * rows)
    if "" not in cables:
        return
    a, b = (
        list(zip(columns[f"{side}_device"], columns[f"{side}_port"], strict=True)) for side in "ab"
    )
    connected = [
        cell.lower() in ("", CONNECTED) for cell in columns.get("status", ()) or [""] * rows
    ]
    columns["cable"] = name_cables(cables, a, b, connected)
    for number, name in enumerate(columns["cable"]):
        if len(name) > LONGEST_CELL and not cables[number]:
            what = f"the cable has no name, and its ends are longer than {LONGEST_CELL} characters"
            place.note(number, "cable", what, "Give it a name of its own")


def _clean(column: Sequence[str], name: str, place: SheetLines, *, odd: bool) -> Sequence[str]:
    """Cells without the blanks around them or the apostrophe before a formula; none too long."""
    if odd:
        column = [unescape(cell.strip()) for cell in column]
    if max(map(len, column), default=0) > LONGEST_CELL or (odd and _BREAK.search("".join(column))):
        for number, cell in enumerate(column):
            if len(cell) > LONGEST_CELL or _BREAK.search(cell):
                what = (
                    f"is longer than {LONGEST_CELL} characters"
                    if len(cell) > LONGEST_CELL
                    else "holds a line break or a tab"
                )
                place.note(number, name, f"the cell {what}", "Write one name in the cell")
    return column


def _keep_rules(
    columns: Mapping[str, Sequence[str]], rules: Mapping[str, Rule], place: SheetLines
) -> None:
    """Note the cells that break a rule of their column."""
    for name in rules.keys() & columns.keys():
        broken = {cell: said for cell in set(columns[name]) if (said := rules[name](cell))}
        for number, cell in enumerate(columns[name] if broken else ()):
            if cell in broken:
                place.note(number, name, *broken[cell])


def _about(columns: dict[str, Sequence[str]]) -> dict[str, tuple[str, str]]:
    """Take length and label out of the columns."""
    blank = [""] * len(columns["cable"])
    both = (columns.pop(name, blank) for name in ("length_m", "label"))
    return dict(zip(columns["cable"], zip(*both, strict=True), strict=True))


def _check(columns: dict[str, Sequence[str]], place: SheetLines) -> None:
    """Note cables that nothing names, names given twice, and half ends."""
    cables = columns["cable"]
    distinct = set(cables)
    if len(distinct) < len(cables) or "" in distinct:
        first: dict[str, int] = {}
        for number, cable in enumerate(cables):
            if not cable or first.setdefault(cable, number) != number:
                what = (
                    f"the cable {cable!r} is there already ({place.of(first[cable])})"
                    if cable
                    else "the cable has neither a name nor an end"
                )
                place.note(number, "cable", what, "Give every cable a name of its own")
    for side in "ab":
        devices, ports = columns[f"{side}_device"], columns[f"{side}_port"]
        if "" not in devices and "" not in ports:
            continue
        for number, (device, port) in enumerate(zip(devices, ports, strict=True)):
            if bool(device) != bool(port):
                empty, other = ("port", "device") if device else ("device", "port")
                place.note(
                    number,
                    f"{side}_{empty}",
                    f"the cell is empty, but {side}_{other} is {device or port!r}",
                    "Fill it, or leave both cells empty if the end is not known",
                )
