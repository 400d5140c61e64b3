"""A slice that stays and does without circuits: what it keeps, and what that costs it.

job-a, 8x8x16    maintenance of x-3-2    16 links go dark, one at each join of X
                 X 1 -> 0.9375           each goes by a neighbour: the slowest link has 1/2
"""

from dataclasses import dataclass
from typing import Any

from fabric_twin.core.cube import AXES
from fabric_twin.core.slices.bearing import Bearing, share_json
from fabric_twin.core.slices.slice import Slice, slice_circuits


@dataclass(frozen=True, eq=False)
class Bears:
    """What one slice bears, or would bear."""

    #: The slice as it then is: `without` has also what goes now.
    made: Slice
    #: With all that it lacks before, and then; also circuits that it wants and no switch shows.
    before: Bearing
    after: Bearing
    #: Links of its torus that go dark.
    links: int

    @property
    def keeps_a_link(self) -> bool:
        """Whether each of its joins does."""
        return 0 not in self.after.capacity

    @property
    def keeps(self) -> str:
        """What is left of the axes that lose something: `X keeps 0.9375`.

        An axis loses nothing where another join of it lacks as much already.
        """
        pairs = enumerate(zip(self.before.capacity, self.after.capacity, strict=True))
        left = [f"{AXES[axis]} keeps {after:.4g}" for axis, (was, after) in pairs if after != was]
        return ", ".join(left) or "capacity as before"

    def as_json(self) -> dict[str, Any]:
        """For programs, and for a ticket's record."""
        return {
            "name": self.made.name,
            "shape": str(self.made.shape),
            "links": self.links,
            "capacity_before": self.before.by_axis,
            "capacity_after": self.after.by_axis,
            "slowest_link": share_json(self.after.slowest_link),
            "detours": len(self.after.detours),
        }

    def slice_json(self) -> dict[str, Any]:
        """The slice as it then is, in the contract's form: a file of what is in use takes it."""
        intended = self.after.intended
        circuits = slice_circuits(intended.design, self.made, intended.mate)
        then = Bearing(intended, self.made, self.after.failed, self.after.whys)
        return self.made.as_json(intended.names, circuits) | then.as_json()
