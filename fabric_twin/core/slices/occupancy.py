"""What of a pod is in use, unhealthy or free, and where the next slice goes.

Any free cubes make a slice, so whole cubes never fragment: a slice of n cubes fits exactly when n
cubes are free. Only slices under a cube leave gaps; they share a cube as long as one has room:

    a wish of a static plant is a box of its grid: see `boxes.py`
    a wish under a cube goes to    1. the smallest gap of a cube that is shared already
                                   2. an idle cube that an unhealthy port keeps from whole slices
                                   3. a free cube, the lowest slot first

Where a slice may bear switches that are out, cubes with unhealthy ports make whole slices as well,
once the others are used up: those first that lost least (`bearing_cubes.py`).
"""

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from fabric_twin.core.design import Design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.slices.arrangement import STEPS_A_SHAPE
from fabric_twin.core.slices.bearing_cubes import BearingCubes
from fabric_twin.core.slices.blocks import Sides, Taken, blocks_of
from fabric_twin.core.slices.boxes import largest_boxes, place_box
from fabric_twin.core.slices.shapes import (
    NAMED,
    Shape,
    check_shape,
    largest_shapes,
    largest_shapes_that,
)
from fabric_twin.core.slices.slice import Slice


class Occupancy:
    """The cubes of a pod that may be used, and the slices that stand on them."""

    def __init__(
        self,
        design: Design,
        slots: Iterable[int] | None = None,
        *,
        held_back: int = 0,
        mate: Column | None = None,
        bear: int | None = None,
        anywhere: bool | None = None,
    ) -> None:
        self.design = design
        self.allowed = frozenset(range(1, design.slots + 1) if slots is None else slots)
        #: Free cubes that are kept for repairs: no slice may take the last so many.
        self.held_back = held_back
        #: How many switches a join of a slice to come may lack; none where nobody can ask for it.
        self.bear = bear
        #: Whether a box of a static plant may begin where its sides do not divide the place; none
        #: where nobody can ask for it.
        self.anywhere = anywhere
        self.slices: dict[str, Slice] = {}
        #: Slots whose cube cannot be used at all.
        self.unhealthy: set[int] = set()
        #: Slots whose cube is somebody else's to decide about: healthy, and not to be had.
        self.reserved: set[int] = set()
        #: How many unhealthy ports each slot has; whole cubes need every port, parts need none.
        self.unhealthy_ports: Counter[int] = Counter()
        #: The chips in use of each slot, as bits.
        self.taken: dict[int, Taken] = dict.fromkeys(range(1, design.slots + 1), 0)
        #: Cubes that a slice of whole cubes may take.
        self.free: set[int] = set(self.allowed)
        #: Idle cubes that only slices under a cube may take.
        self.parts_only: set[int] = set()
        #: Cubes with some chips in use and some not.
        self.shared: set[int] = set()
        self._blocks = blocks_of(design.cube)
        self._full: Taken = (1 << design.cube.size) - 1
        self._mate = design.layout.mate if mate is None else mate
        #: Unhealthy ports, also those that no cube's cable is on.
        self.failed_ports: set[int] = set()

    def copy(self, slots: Iterable[int] | None = None) -> "Occupancy":
        """The same once more, to be changed apart; only these slots may be used, where named."""
        allowed = self.allowed if slots is None else self.allowed.intersection(slots)
        other = Occupancy(
            self.design,
            allowed,
            held_back=self.held_back,
            mate=self._mate,
            bear=self.bear,
            anywhere=self.anywhere,
        )
        for slot in self.unhealthy:
            other.fail(slot)
        for slot in self.reserved:
            other.reserve(slot)
        for port in self.failed_ports:
            other.fail_port(port)
        for made in self.slices.values():
            other.add(made)
        return other

    @property
    def healthy(self) -> int:
        """How many cubes may be used and are healthy."""
        return len(self.allowed - self.unhealthy)

    def place(self, shape: Shape, *, anywhere: bool = False) -> Slice | None:
        """Where a slice would stand now, or nothing; always the same for the same occupancy."""
        grid = shape.grid(self.design.cube)
        if not grid:
            return self._place_part(shape)
        need = shape.cubes(self.design.cube)
        if need > len(self.free) - self.held_back:
            return self._place_bearing(shape)
        if not self.design.medium.is_switched:
            slots = self.place_box(grid, anywhere=anywhere)
            return Slice("", shape, slots) if slots else None
        return Slice("", shape, tuple(sorted(self.free)[:need]))

    def place_box(
        self, grid: Sides, *, anywhere: bool = False, of: AbstractSet[int] | None = None
    ) -> tuple[int, ...] | None:
        """The first box of these sides of free cubes, or `of` others, that has all its cables."""
        cut = {self._ends(port) for port in self.failed_ports} - {frozenset[int]()}
        usable, anywhere = self.free if of is None else of, anywhere or bool(self.anywhere)
        return place_box(self.design.layout, grid, usable, anywhere=anywhere, cut=cut)

    def _place_bearing(self, shape: Shape) -> Slice | None:
        """Without switches there is none to lack: a static plant bears nothing."""
        if not self.bear or not self.design.medium.is_switched:
            return None
        return self.bearing_cubes.place(shape, self.bear)

    @property
    def bearing_cubes(self) -> BearingCubes:
        """The idle cubes for a slice that may bear, as things stand."""
        return BearingCubes(
            self.design,
            self._mate,
            frozenset(self.free),
            frozenset(self.parts_only),
            self.held_back,
            frozenset(self.failed_ports),
        )

    def _place_part(self, shape: Shape) -> Slice | None:
        gaps = (
            (hole, -self.taken[slot].bit_count(), slot)
            for slot in self.shared
            if (hole := self._blocks.hole(self.taken[slot], shape.chips))
        )
        if best := min(gaps, default=None):
            (_, start), _, slot = best
        elif self.parts_only:
            start, slot = 0, min(self.parts_only)
        elif len(self.free) > self.held_back:
            start, slot = 0, min(self.free)
        else:
            return None
        return Slice("", shape, (slot,), self._blocks.lay(shape.sides, start))

    def allocate(self, name: str, shape: Shape) -> Slice:
        """Place a slice and put it there, or refuse with what would fit."""
        check_shape(self.design, shape)
        place = self.place(shape)
        if place is None:
            raise self.refusal(shape)
        made = Slice(name, shape, place.slots, place.chips, place.without)
        self.add(made)
        return made

    def add(self, made: Slice) -> None:
        """Put a slice where it says it stands, or refuse what is there twice."""
        where = f"slice {made.name}"
        if made.name in self.slices:
            raise NotPossible(
                "there is a slice of this name", where=where, remedy="Give it another name"
            )
        wanted = self._blocks.mask(made.chips) if made.chips else self._full
        for slot in made.slots:
            if both := self.taken[slot] & wanted:
                raise NotPossible(
                    f"{both.bit_count()} chips of the cube in slot {slot} are in use by "
                    f"{', '.join(other.name for other in self.on(slot))}",
                    where=where,
                    remedy="Let every chip be of one slice",
                )
        self.slices[made.name] = made
        for slot in made.slots:
            self.taken[slot] |= wanted
            self._sort(slot)

    def release(self, name: str) -> Slice:
        """Take a slice away; its chips are free at once."""
        made = self.slices.pop(name)
        wanted = self._blocks.mask(made.chips) if made.chips else self._full
        for slot in made.slots:
            self.taken[slot] &= ~wanted
            self._sort(slot)
        return made

    def on(self, slot: int) -> list[Slice]:
        """The slices on a cube."""
        return [made for made in self.slices.values() if slot in made.slots]

    def fail(self, slot: int) -> list[Slice]:
        """A cube is down: say which slices that stops. They stay until they are released."""
        self.unhealthy.add(slot)
        self._sort(slot)
        return self.on(slot)

    def repair(self, slot: int) -> None:
        """A cube is up again."""
        self.unhealthy.discard(slot)
        self._sort(slot)

    def reserve(self, slot: int) -> None:
        """A cube is kept from slices to come: a ticket or an order has it, or a hand joined it."""
        self.reserved.add(slot)
        self._sort(slot)

    def fail_port(self, port: int) -> list[Slice]:
        """A port, of a switch or a cube, is down: say which slices of whole cubes that stops."""
        ends = self._ends(port)
        if port not in self.failed_ports:
            self.failed_ports.add(port)
            self._count_port(ends, 1)
        there = self.slices.values() if ends else ()
        return [made for made in there if not made.chips and ends.issubset(made.slots)]

    def repair_port(self, port: int) -> None:
        """A port is up again."""
        if port in self.failed_ports:
            self.failed_ports.remove(port)
            self._count_port(self._ends(port), -1)

    def _count_port(self, ends: frozenset[int], one: int) -> None:
        """Without switches a cube does without a cable, in a box that does not have both ends."""
        if self.design.medium.is_switched:
            for slot in ends:
                self.unhealthy_ports[slot] += one
                self._sort(slot)

    def _ends(self, port: int) -> frozenset[int]:
        """The cubes that its cable is on: both of a static plant; none where there is no cable."""
        layout, far = self.design.layout, int(self._mate[port])
        return frozenset(
            int(layout.slot[end]) for end in (port, far) if 0 <= end < layout.cube_ports
        )

    def _sort(self, slot: int) -> None:
        """Put a cube among the free, the shared, or neither."""
        taken = self.taken[slot]
        usable = slot in self.allowed and slot not in self.unhealthy and slot not in self.reserved
        whole = self.unhealthy_ports[slot] == 0
        for group, belongs in (
            (self.free, usable and not taken and whole),
            (self.parts_only, usable and not taken and not whole),
            (self.shared, usable and 0 < taken < self._full),
        ):
            if belongs:
                group.add(slot)
            else:
                group.discard(slot)

    def refusal(self, shape: Shape) -> NotPossible:
        """Why a shape has no place now, and what has."""
        need = shape.cubes(self.design.cube)
        many, what = (need, "cube") if need else (shape.chips, "chip")
        wish = f"{many} {what}{'s' * (many != 1)}" + ("" if need else " of one cube")
        free = max(0, len(self.free) - self.held_back)
        what = f"{shape} takes {wish}, and {self.standing()}"
        if need and need <= free:  # only a static plant refuses what is free
            grid = shape.grid(self.design.cube)
            elsewhere = self.place_box(grid, anywhere=True)
            box = "x".join(map(str, grid))
            return NotPossible(
                f"{what}, but this plant is static, and no box of {box} cubes is free"
                + " and has all its cables" * bool(self.failed_ports)
                + " at multiples of its sides" * bool(elsewhere),
                where="slice",
                remedy=f"Let it begin anywhere: it fits at slot {elsewhere[0]}"
                if elsewhere and self.anywhere is not None
                else self.what_fits(),
            )
        if need and self.bear is not None and self.design.medium.is_switched:
            what += self.bearing_cubes.words(shape, self.bear)
        return NotPossible(what, where="slice", remedy=self.what_fits())

    def standing(self) -> str:
        """How many cubes are free, and why the others are not."""
        idle = {slot for slot in self.allowed - self.unhealthy if not self.taken[slot]}
        others = {
            "in use": self.healthy - len(idle),
            "reserved or joined by hand": len(idle & self.reserved),
            "unhealthy": len(self.allowed & self.unhealthy),
            "with an unhealthy port": len(self.parts_only),
            "held back": min(self.held_back, len(self.free)),
        }
        said = ", ".join(f"{count} {which}" for which, count in others.items() if count)
        free = max(0, len(self.free) - self.held_back)
        return f"{free} of {len(self.allowed)} cubes are free" + (f" ({said})" if said else "")

    def _shapes_that_fit(self) -> list[str]:
        cube, free = self.design.cube, max(0, len(self.free) - self.held_back)
        cubes = self.bearing_cubes
        usable = len(cubes.usable(self.bear)) if self.bear else free
        if not usable:
            return []
        if usable == free:
            return list(largest_shapes(cube, usable))

        # Cubes that lost something cannot always be joined to each other.
        def fits(shape: Shape) -> bool:
            few = shape.cubes(cube) <= free
            return few or cubes.place(shape, self.bear or 0, steps=STEPS_A_SHAPE) is not None

        return list(largest_shapes_that(cube, usable, fits))

    def _boxes_that_fit(self) -> list[str]:
        most = len(self.free) - self.held_back
        boxes = largest_boxes(self.design.layout, most, self.place_box)
        chips = self.design.cube.chips
        return [
            Shape(tuple(side * of for side, of in zip(box, chips, strict=True))).text
            for box in boxes[:NAMED]
        ]

    def what_fits(self) -> str:
        """The largest shapes that have a place now."""
        cube = self.design.cube
        if self.design.medium.is_switched and (shapes := self._shapes_that_fit()):
            # A search for an order of cubes that lost something has an end.
            that = "found to fit" if self.bear and self.parts_only else "that fit"
            return f"The largest {cube.dimensions}D shapes {that} now: {', '.join(shapes)}"
        if not self.design.medium.is_switched and (boxes := self._boxes_that_fit()):
            return f"The largest boxes that fit now: {', '.join(boxes)}"
        for box in self._blocks.boxes[1:]:
            if self.place(part := Shape(tuple(sorted(box)))):
                return f"The largest shape under a cube that fits now: {part.text}"
        return "Nothing fits now: release a slice, or repair a cube"
