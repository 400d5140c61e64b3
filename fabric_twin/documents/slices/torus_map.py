"""The torus of a slice: its cubes layer by layer, and how each axis closes.

z 1 of 2                     z 2 of 2
y [ 3 ]-[ 4 ]                y [ 7 !1]-[ 8 ]       the number is the slot, !1 one finding
  [ 1 ]-[ 2 ] x                [ 5 ]-[ 6 ] x
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fabric_twin.core.counted import counted
from fabric_twin.core.cube import AXES, Cube
from fabric_twin.core.findings.noted import Noted, only_unseen
from fabric_twin.core.slices.shapes import twist
from fabric_twin.core.slices.slice import Slice
from fabric_twin.documents.pods.legend import Owner
from fabric_twin.documents.sheet import Document, table

#: Where a cube or a chip stands, its name, all of it in a line, and its findings.
_Named = tuple[tuple[int, ...], str, str, Sequence[Noted]]
#: Findings of a cube that are written out.
MOST = 5


@dataclass(frozen=True)
class TorusCell:
    """A cube in its place; under a cube a chip, whose name is its place in the cube."""

    across: int
    up: int
    name: str
    summary: str
    #: How many findings are at the cube, and whether none of them is seen since.
    findings: int = 0
    unseen: bool = False


@dataclass(frozen=True)
class Layer:
    """Everything at one place along the last axis."""

    title: str
    cells: tuple[TorusCell, ...]


@dataclass(frozen=True)
class TorusMap:
    """The drawing's facts."""

    layers: tuple[Layer, ...]
    columns: int
    rows: int
    #: How each axis closes, in words.
    closes: tuple[str, ...]
    owner: Owner
    chips: bool
    #: What findings tell of the cube that its chips are of: which of them are hit, nobody says.
    notes: tuple[str, ...] = ()

    @property
    def marks(self) -> frozenset[bool]:
        """The marks of findings that there are: for each, whether none is seen since."""
        cells = (cell for layer in self.layers for cell in layer.cells)
        return frozenset(cell.unseen for cell in cells if cell.findings)


def torus_map(
    pod: str,
    made: Slice,
    cube: Cube,
    owner: Owner,
    findings: Mapping[int, Sequence[Noted]] | None = None,
    gaps: tuple[str, ...] = (),
    wraps: tuple[bool, ...] = (),
) -> Document:
    """Draw where the cubes of a slice stand; `findings` has those of each slot.

    `wraps` says of a static plant which axes cables close; circuits close every one.
    """
    told = findings or {}
    sides = made.shape.grid(cube)
    places = list(made.places(cube))
    named: list[_Named] = [
        (at, str(slot), _summary(slot, told), told.get(slot, ())) for at, slot in places
    ]
    if made.chips:
        corner = tuple(map(min, zip(*made.chips, strict=True)))
        far = tuple(map(max, zip(*made.chips, strict=True)))
        sides = tuple(last - first + 1 for first, last in zip(corner, far, strict=True))
        named = [_chip(chip, corner) for chip in made.chips]
    across, up, deep = (*sides, 1, 1)[:3]
    layers = [
        Layer(
            f"{AXES[2].lower()} {z + 1} of {deep}" if len(sides) > 2 else "",
            tuple(
                TorusCell(
                    across=at[0],
                    up=up - 1 - (at[1] if len(at) > 1 else 0),
                    name=name,
                    summary=said,
                    findings=len(noted),
                    unseen=only_unseen(noted),
                )
                for at, name, said, noted in named
                if (at[2] if len(at) > 2 else 0) == z
            ),
        )
        for z in range(deep)
    ]
    many = "chips of one cube" if made.chips else counted(len(made.slots), "cube")
    return Document(
        kind="torus-map",
        name=made.name,
        title=f"Torus of {made.name}",
        lines=(f"Pod {pod}: {made.shape}, {made.shape.chips:,} chips, {many}", *gaps),
        tables=(
            table(
                "Cubes",
                "place,slot,findings",
                (
                    (" ".join(map(str, at)), slot, "; ".join(map(str, told.get(slot, ()))))
                    for at, slot in places
                ),
            ),
        ),
        drawing=TorusMap(
            layers=tuple(layer for layer in layers if layer.cells),
            columns=across,
            rows=up,
            closes=_closes(made, cube, wraps),
            owner=owner,
            chips=bool(made.chips),
            notes=tuple(f"! {one}" for one in _first(told.get(made.slots[0], ())))
            if made.chips
            else (),
        ),
        gaps=gaps,
    )


def _chip(chip: tuple[int, ...], corner: tuple[int, ...]) -> _Named:
    name = ".".join(map(str, chip))
    return tuple(n - first for n, first in zip(chip, corner, strict=True)), name, f"chip {name}", ()


def _summary(slot: int, told: Mapping[int, Sequence[Noted]]) -> str:
    """A cube in a line, with what is wrong there."""
    return "; ".join([f"slot {slot}", *_first(told.get(slot, ()))])


def _first(told: Sequence[Noted]) -> list[str]:
    more = [f"and {len(told) - MOST} more"] if len(told) > MOST else []
    return [*map(str, told[:MOST]), *more]


def _closes(made: Slice, cube: Cube, wraps: tuple[bool, ...]) -> tuple[str, ...]:
    if made.chips:
        return ("by copper within the cube, without wraparound",)
    grid = made.shape.grid(cube)
    shifts = twist(grid) if made.shape.twisted else {}
    said = []
    for axis, many in enumerate(grid):
        name = AXES[axis].lower()
        if wraps and not wraps[axis]:
            said.append(f"{name}: {counted(many, 'cube')}, open")
            continue
        ring = f"{name}: a ring of {many}" if many > 1 else f"{name}: each cube onto itself"
        shift = [f"{n} along {AXES[a].lower()}" for a, n in enumerate(shifts.get(axis, ())) if n]
        said.append(f"{ring}, shifted by {' and '.join(shift)}" if shift else ring)
    return tuple(said)
