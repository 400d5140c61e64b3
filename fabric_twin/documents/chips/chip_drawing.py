"""A chip as a drawing: each region with its ring, and the ring of level 1 through their tiles.

Or one ring: its endpoints as the light passes them, and what stands at one of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from fabric_twin.core.chips.chip import Chip
from fabric_twin.core.chips.design import ChipDesign
from fabric_twin.core.chips.ring import BACKWARDS, OTHERS, Ring
from fabric_twin.core.counted import counted
from fabric_twin.documents.rendering import render

Point = tuple[float, float]
#: A region: the room for its ring, from its edge, and below that for its tile and name.
SIDE, MARGIN, BAND, GAP = 76, 8, 28, 8
#: An endpoint of one ring.
WIDE, TALL = 70, 50
LEFT, TOP = 30, 70


@dataclass(frozen=True)
class Place:
    """A region, an endpoint or a waveguide: where it is drawn, and what is said of it."""

    x: float
    y: float
    name: str
    told: str


def draw_chip(design: ChipDesign) -> str:
    """All regions of a chip."""
    chip, across = design.chip, design.chip.rings[-1]
    columns, rows = chip.regions
    step_x, step_y = SIDE + GAP, SIDE + BAND + GAP
    at = [
        (LEFT + number % columns * step_x, TOP + number // columns * step_y)
        for number in range(chip.many_regions)
    ]
    tiles = [(x + SIDE - 3, y + SIDE + 5) for x, y in at]
    regions = [
        Place(x, y, str(number), f"region {number}: ring {ring.name}, {chip.endpoints} cores")
        for number, (x, y), ring in zip(range(1, len(at) + 1), at, chip.rings, strict=False)
    ]
    wide, tall = columns * step_x - GAP, rows * step_y - GAP
    over = [tiles[number - 1] for number in across.order]
    facts = {
        "title": f"{design.name}: {design.title}",
        "lines": _counts(chip),
        "regions": regions,
        "side": SIDE,
        "band": BAND,
        "snake": _path([(MARGIN + x, MARGIN + y) for x, y in _snake(chip)], MARGIN / 2),
        "over": _path(over, LEFT - 12),
        "tiles": tiles,
        "wide": LEFT + wide + LEFT,
        "foot": TOP + tall + 26,
    }
    return render(["chip/chip.svg"], facts)


def draw_ring(design: ChipDesign, ring: Ring) -> str:
    """One ring of a chip, and the parts of one endpoint."""
    at = {
        number + 1: (LEFT + number % ring.columns * WIDE, TOP + number // ring.columns * TALL)
        for number in range(ring.endpoints)
    }
    what = "region" if ring.name == design.chip.rings[-1].name else "core"
    endpoints = [
        Place(x, y, str(number), f"{what} {number}: wavelength {number}")
        for number, (x, y) in at.items()
    ]
    through = [(at[number][0] + WIDE / 2, at[number][1] + TALL - 12) for number in ring.order]
    grid_wide = max(ring.columns * WIDE, 520)
    guides = _waveguides(ring, TOP + ring.rows * TALL + 76)
    many = counted(len(ring.waveguides), "waveguide")
    guides_said = f"{counted(ring.endpoints, 'endpoint')} on {many}"
    parts_said = f"{ring.filters:,} filters, {ring.fifos:,} FIFOs"
    facts = {
        "title": f"{design.name}: ring {ring.name}",
        "lines": (f"{guides_said}: {ring.modulators:,} modulators, {parts_said}",),
        "endpoints": endpoints,
        "box": (WIDE - 12, TALL - 8),
        "loop": _path(through, LEFT - 12),
        "arrows": [_arrow(a, b) for a, b in pairwise(through)],
        "guides": guides,
        "parts": _parts_at(ring, guides),
        "at": f"At endpoint {min(12, ring.endpoints)}",
        "wide": LEFT + grid_wide + LEFT,
        "foot": guides[-1].y + 30,
    }
    return render(["chip/ring.svg"], facts)


def _counts(chip: Chip) -> tuple[str, ...]:
    columns, rows = chip.mesh
    return (
        (
            f"{chip.cores:,} cores on {counted(len(chip.rings), 'ring')}; "
            f"a mesh of {columns} x {rows} beside them, {chip.mesh_links:,} links, without wrap"
        ),
    )


def _snake(chip: Chip) -> list[Point]:
    """The loop of a region within its square."""
    ring, room = chip.rings[0], SIDE - 2 * MARGIN
    step = room / max(ring.columns - 1, ring.rows - 1, 1)
    places = (((at - 1) % ring.columns, (at - 1) // ring.columns) for at in ring.order)
    return [(x * step, y * step) for x, y in places]


def _path(points: Sequence[Point], left: float) -> str:
    """A loop through points; it goes back to the first on the left of all, and under the last."""
    (first_x, first_y), (last_x, last_y) = points[0], points[-1]
    back = f"H{left:g}V{first_y:g}H{first_x:g}"
    if last_x > first_x:  # an odd number of rows ends on the right: below what was passed
        back = f"V{last_y + 8:g}{back}"
    rest = "".join(f"L{x:g} {y:g}" for x, y in points[1:])
    return f"M{first_x:g} {first_y:g}{rest}{back}"


def _arrow(a: Point, b: Point) -> str:
    """A tip half way from one endpoint to the next, along or down."""
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    if a[1] == b[1]:
        way = 1 if b[0] > a[0] else -1
        return f"M{x + 4 * way:g} {y:g}l{-8 * way:g} -4v8Z"
    return f"M{x:g} {y + 4:g}l-4 -8h8Z"


def _waveguides(ring: Ring, top: float) -> list[Place]:
    """The waveguides, a line each; of many for data or metadata only the first two and the last."""
    shown = []
    for letter, names in groupby(ring.waveguides, lambda name: name if name in OTHERS else name[0]):
        run = list(names)
        shown += run if len(run) <= 4 or letter in OTHERS else [*run[:2], "", run[-1]]
    return [
        Place(LEFT + 62, top + 17 * number, name, _carries(ring, name))
        for number, name in enumerate(shown)
    ]


def _carries(ring: Ring, name: str) -> str:
    if not name:
        return "..."
    return ring.carries(name) + ", the other way round" * (name == BACKWARDS)


def _parts_at(ring: Ring, guides: Iterable[Place]) -> list[tuple[str, float, float]]:
    """Modulator and filters on each waveguide for data that is drawn."""
    data = [guide for guide in guides if guide.name.startswith("d")]
    filters = min(3, ring.endpoints - 1)
    return [
        (kind, guide.x + at, guide.y)
        for guide in data
        for kind, at in (("modulator", 40), *(("filter", 90 + 26 * n) for n in range(filters)))
    ]
