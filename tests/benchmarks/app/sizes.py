"""How much is loaded: what figures are told of, and the least that shows that a benchmark works."""

from collections.abc import Collection
from dataclasses import dataclass

from fabric_twin.core.designs.ironwood import DESIGN


@dataclass(frozen=True)
class Size:
    """Ironwood pods, and the slices in them."""

    pods: tuple[str, ...]
    #: Slots that hold a cube.
    slots: int
    #: The slice of all of a pod's cubes, and its circuits.
    largest: str
    circuits: int
    #: Slices of pods that are not one large one.
    slices: tuple[str, ...]
    #: Rows of each kind that are saved one by one, to know what that takes.
    sample: int
    #: Every so many pages and lists are asked for.
    every: int = 1
    #: Whether each is asked for once before it is counted and timed.
    warm: bool = True

    @property
    def cables(self) -> int:
        """Cables of a pod."""
        return DESIGN.cables * self.slots // DESIGN.slots

    @property
    def numbers(self) -> Collection[int]:
        """The slots that hold a cube."""
        return range(1, self.slots + 1)

    @property
    def broken(self) -> Collection[int]:
        """Cubes of which a fibre breaks: few of them, since otherwise the switch is to blame."""
        return range(1, min(self.slots // 4, 10) + 1)


WHOLE = Size(
    pods=tuple(f"iw{number}" for number in range(1, 11)),
    slots=DESIGN.slots,
    largest="16x16x36",
    circuits=6912,
    slices=("8x16x16", "8x8x8", "4x8x8", "4x4x8", "4x4x4", "2x2x1") * 2,
    sample=40,
)
SMALL = Size(
    pods=("iw3", "iw6"),
    slots=8,
    largest="8x8x8",
    circuits=384,
    slices=(),
    sample=1,
    every=40,
    warm=False,
)
