"""The truth about findings, from the list of faults of the simulator and from nothing else.

A spot is a cable with the ports at its ends, called by the port at the cube; a port that no cable
belongs to; or a device, by its name.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.errors import UnusableInput
from fabric_twin.simulator.faults.book import Fault, FaultBook

Spot = int | str
Spots = frozenset[Spot]
Place = tuple[str, str]

_NO_ANSWER = {"stale", "switch-down", "cube-down"}
#: Codes that tell of some kinds; of all others tells any code that is not here (`_OF_LIGHT`).
_OWN = {
    "feed-lost": {"power-lost"},
    "fan-lost": {"fan-lost"},
    "copper-down": {"copper-down"},
    "wrong-serial": {"wrong-serial"},
    "addresses-exchanged": {"identity-exchanged"},
    "tray-down": {"tray-down", "cube-down"},
    **dict.fromkeys(("silent", "stale", "absent"), _NO_ANSWER),
    **dict.fromkeys(("switch-down", "switch-rebooting", "cube-down"), _NO_ANSWER),
}
#: A switch may be taken for dark where all of its cables are.
_NOT_OF_LIGHT = set().union(*_OWN.values()) - {"switch-down"}


def may_tell(code: str, kind: str) -> bool:
    """Whether a finding of this code may tell of a fault of this kind."""
    return code in _OWN[kind] if kind in _OWN else code not in _NOT_OF_LIGHT


#: Faults of a cable and its two ends, which show where light passes them.
_OF_CABLES = frozenset({"swapped", "misplugged", "missing", "broken"})


def may_show(witness: "Witness", circuits: Circuits) -> set[int]:
    """The faults of cables that light shows, as nothing else is wrong on their paths."""
    names = witness.book.pod.points.names
    joined: dict[Spot, Spot] = {}
    for switch, *ends in circuits.named(names):
        [one], [other] = (witness.spots([(switch, end)]) for end in ends)
        joined |= {one: other, other: one}
    shown = set()
    for number, fault in witness.faults.items():
        if fault.kind.name not in _OF_CABLES:
            continue
        mine = witness.spots_of(fault)
        across = {joined[spot] for spot in mine if spot in joined}
        ends = {name for spot in mine | across for name in witness.devices(spot)}
        others = [f for n, f in witness.faults.items() if n != number]
        # A circuit that joins two that were exchanged shows nothing of it.
        if across - mine and not any(
            (mine | across | ends) & witness.spots_of(other) for other in others
        ):
            shown.add(number)
    return shown


@dataclass
class Witness:
    """Knows where each fault is."""

    book: FaultBook
    _spots: dict[int, Spots] = field(default_factory=dict)

    @property
    def faults(self) -> dict[int, Fault]:
        """The faults that there are, by number."""
        return self.book.there

    def told(self, codes: Iterable[str], places: Iterable[Place]) -> set[int]:
        """The faults that there are of which a finding of these codes at these places may tell."""
        spots, words = self.spots(places), list(codes)
        return {
            number
            for number, fault in self.faults.items()
            if any(may_tell(word, fault.kind.name) for word in words)
            and spots & self.spots_of(fault)
        }

    # Where

    def spots(self, places: Iterable[Place]) -> Spots:
        """The spots of places as findings name them."""
        return frozenset(spot for place in places for spot in self._at(*place))

    def spots_of(self, fault: Fault) -> Spots:
        """The spots that a fault is at, and shows at."""
        if fault.number not in self._spots:
            self._spots[fault.number] = self._of(fault)
        return self._spots[fault.number]

    def _of(self, fault: Fault) -> Spots:
        pod, wish = self.book.pod, fault.wish
        spots: set[Spot] = set()
        for key in ("cable", "other"):
            if key in wish and "/" in str(wish[key]):
                spots.add(int(pod.intended.a[pod.plant.find(wish[key])]))
        for key in ("device", "other"):
            if key in wish and "/" not in str(wish[key]):
                named = str(wish.get("port", ""))
                spots |= set(self._at(wish[key], named)) if named else self._whole(wish[key])
        return frozenset(spots)

    def devices(self, spot: Spot) -> set[str]:
        """The tray or cube, and the switch, that a cable is between."""
        if isinstance(spot, str):
            return {spot}
        pod = self.book.pod
        names, far = pod.points.names, int(pod.intended.mate[spot])
        tray = names.port(spot)[0]
        found = {tray, tray.rpartition("-t")[0]}
        return found | ({names.port(far)[0]} if far >= 0 else set())

    def cables_of(self, switch: str) -> list[str]:
        """The cables that belong to a switch, in the order of its ports."""
        pod, names = self.book.pod, self.book.pod.points.names
        ports = pod.intended.b.tolist()
        mine = [row for row, port in enumerate(ports) if names.port(port)[0] == switch]
        return [pod.plant.names[row] for row in sorted(mine, key=lambda row: ports[row])]

    def ends(self, cable: str) -> tuple[Place, Place]:
        """Where a cable belongs: at the cube, and at the switch."""
        pod, row = self.book.pod, self.book.pod.plant.find(cable)
        names = pod.points.names
        return names.port(int(pod.intended.a[row])), names.port(int(pod.intended.b[row]))

    def _at(self, device: str, port: str) -> list[Spot]:
        """One port, both ports of a circuit, or the device itself."""
        try:
            found = [self.book.pod.points.find_port(device, name) for name in port.split()]
        except UnusableInput:
            found = []
        mate, cubes_end = self.book.pod.intended.mate, self.book.pod.design.layout.cube_ports
        belongs = [int(mate[at]) if at >= cubes_end and mate[at] >= 0 else at for at in found]
        return [*belongs] or [device]

    def _whole(self, device: str) -> set[Spot]:
        """A device with all that is in it; a tray also as its cube."""
        pod = self.book.pod
        names, layout = pod.points.names, pod.design.layout
        mine = {name for name in names.devices if name == device or name.startswith(f"{device}-t")}
        of_mine = np.isin(np.array(names.devices)[layout.device], sorted(mine))
        ports = [names.port(int(port)) for port in np.flatnonzero(of_mine)]
        cube = device.rpartition("-t")[0] or device
        return {device, cube, *mine, *self.spots(ports)}
