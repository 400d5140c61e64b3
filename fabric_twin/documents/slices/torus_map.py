"""The torus of a slice: its cubes layer by layer, and how each axis closes.

z 1 of 2                     z 2 of 2
y [ 3 ]-[ 4 ]                y [ 7 ]-[ 8 ]         the number is the slot
  [ 1 ]-[ 2 ] x                [ 5 ]-[ 6 ] x
"""

from dataclasses import dataclass

from fabric_twin.core.cube import AXES, Cube
from fabric_twin.core.slices.shapes import twist
from fabric_twin.core.slices.slice import Slice
from fabric_twin.documents.pods.legend import Owner
from fabric_twin.documents.sheet import Document, table


@dataclass(frozen=True)
class TorusCell:
    """A cube in its place; under a cube a chip, whose name is its place in the cube."""

    across: int
    up: int
    name: str
    summary: str


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


def torus_map(pod: str, made: Slice, cube: Cube, owner: Owner) -> Document:
    """Draw where the cubes of a slice stand."""
    sides = made.shape.grid(cube)
    places = list(made.places(cube))
    named = [(at, str(slot), f"slot {slot}") for at, slot in places]
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
                TorusCell(at[0], up - 1 - (at[1] if len(at) > 1 else 0), name, said)
                for at, name, said in named
                if (at[2] if len(at) > 2 else 0) == z
            ),
        )
        for z in range(deep)
    ]
    many = "chips of one cube" if made.chips else f"{len(made.slots)} cubes"
    return Document(
        kind="torus-map",
        name=made.name,
        title=f"Torus of {made.name}",
        lines=(f"Pod {pod}: {made.shape}, {made.shape.chips:,} chips, {many}",),
        tables=(
            table("Cubes", "place,slot", ((" ".join(map(str, at)), slot) for at, slot in places)),
        ),
        drawing=TorusMap(
            layers=tuple(layer for layer in layers if layer.cells),
            columns=across,
            rows=up,
            closes=_closes(made, cube),
            owner=owner,
            chips=bool(made.chips),
        ),
    )


def _chip(chip: tuple[int, ...], corner: tuple[int, ...]) -> tuple[tuple[int, ...], str, str]:
    name = ".".join(map(str, chip))
    return tuple(n - first for n, first in zip(chip, corner, strict=True)), name, f"chip {name}"


def _closes(made: Slice, cube: Cube) -> tuple[str, ...]:
    if made.chips:
        return ("by copper within the cube, without wraparound",)
    grid = made.shape.grid(cube)
    shifts = twist(grid) if made.shape.twisted else {}
    said = []
    for axis, many in enumerate(grid):
        name = AXES[axis].lower()
        ring = f"{name}: a ring of {many}" if many > 1 else f"{name}: each cube onto itself"
        shift = [f"{n} along {AXES[a].lower()}" for a, n in enumerate(shifts.get(axis, ())) if n]
        said.append(f"{ring}, shifted by {' and '.join(shift)}" if shift else ring)
    return tuple(said)
