"""Where the traffic of a cube port goes whose circuit its slice does without.

7:4.3.2 -copper- 7:4.4.2, port, cable, switch port, circuit, ... port, 9:1.4.2 -copper- 9:1.3.2
"""

from collections.abc import Mapping
from dataclasses import dataclass

from fabric_twin.core.slices.bearing import Bearing, Detour
from fabric_twin.core.slices.lost_links import links_of_a_face
from fabric_twin.core.slices.slice import CircuitNumbers


@dataclass(frozen=True)
class PortDetour:
    """The way from one cube port to the port that its own circuit would join it to."""

    #: The cube port that it goes by at this end, and where it ends.
    by: int
    end: int
    #: The chips it passes by copper at either end, in words.
    out: str
    back: str
    #: Why the port has no circuit.
    why: str


def detours_by_port(bearing: Bearing, why: Mapping[CircuitNumbers, str]) -> dict[int, PortDetour]:
    """The detour of every cube port of a slice that has one, from both of its ends."""
    found = {}
    for detour in bearing.detours:
        half = len(detour.way) // 2
        plus, minus = detour.way[:half], detour.way[half:]
        reason = why.get(detour.lost_circuit, "")
        for sign, here, there in ((0, plus, minus), (1, minus[::-1], plus[::-1])):
            found[_port(bearing, detour, detour.lost, sign, here[0][0])] = PortDetour(
                by=_port(bearing, detour, detour.by, sign, here[0][0]),
                end=_port(bearing, detour, detour.lost, 1 - sign, there[0][0]),
                out=_chips(here),
                back=_chips(there),
                why=reason,
            )
    return found


def _port(bearing: Bearing, detour: Detour, link: int, sign: int, slot: int) -> int:
    layout = bearing.intended.design.layout
    face = 2 * detour.axis + sign
    return (slot - 1) * layout.ports_per_cube + face * links_of_a_face(layout) + link


def _chips(way: tuple[tuple[int, ...], ...]) -> str:
    return " to ".join(".".join(map(str, chip)) for _, *chip in way)
