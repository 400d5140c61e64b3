"""How long a cable is: up from its port, along above the racks, and down to the other.

         +-----------------------------------+   the cableway, above all racks
         |                                   |
    ~~~~ o  a tray's port             switch o ~~~~   slack at both ends

Its length is that of the next standard cable.
"""

from dataclasses import dataclass
from math import ceil

from fabric_twin.core.orders.floor import Floor

UNIT_M = 0.04445


@dataclass(frozen=True)
class Cableway:
    """How cables run, in metres [A]."""

    height_m: float = 2.6
    #: At each end: the way to the rack's side, and a loop to spare.
    slack_m: float = 1.5
    #: Lengths that are sold; beyond the longest, whole tens.
    standard_m: tuple[int, ...] = (3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)

    def run_m(self, floor: Floor, a: str, b: str) -> float:
        """What a cable between two devices measures, slack and all."""
        up = sum(self.height_m - UNIT_M * floor.unit_of.get(device, 1) for device in (a, b))
        spots = (floor.spot(floor.rack(device)) for device in (a, b))
        return up + floor.cable_m(*spots) + 2 * self.slack_m

    def length_m(self, floor: Floor, a: str, b: str) -> int:
        """The standard cable that reaches; 0 where nobody knows how far a building is."""
        ends = floor.spot(a), floor.spot(b)
        if ends[0].building != ends[1].building:
            return ceil(floor.between_m(*ends))
        run = self.run_m(floor, a, b)
        return next((length for length in self.standard_m if length >= run), 10 * ceil(run / 10))
