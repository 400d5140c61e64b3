"""Where a mistake is, in names and in words: devices, ports, faces, cubes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.audit.repair import Repair
from fabric_twin.core.audit.turns import Turn
from fabric_twin.core.cabling.plant import Intended, Recorded
from fabric_twin.core.slots import format_slots

#: A device and a port on it; both empty where it is not known.
End = tuple[str, str]

#: How many names a sentence bears.
MOST = 3


def some(names: Sequence[str], what: str = "") -> str:
    """Join names into a phrase, and count those that would make it too long."""
    if len(names) <= 1:
        return "".join(names)
    if len(names) <= MOST:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{', '.join(names[: MOST - 1])} and {len(names) - MOST + 1:,} more {what}".rstrip()


@dataclass(frozen=True)
class Stray:
    """A cable that is not where the rule wants it, with the ends a drawing needs."""

    cable: str
    #: The end that stays.
    stays: End
    #: Where the other end stands; None where the cable is missing.
    stands: End | None
    #: Where the other end is wanted; None where nothing needs the cable.
    wanted: End | None


class Places:
    """Names the ends of recorded cables and the places they share."""

    def __init__(self, intended: Intended, recorded: Recorded, found: Differences) -> None:
        self._intended, self._recorded, self._pair = intended, recorded, found.pair
        self._layout, self._names = intended.names.layout, intended.names

    def cable(self, row: int) -> str:
        """The name of a recorded cable."""
        return self._recorded.cables[row]

    def order(self, repair: Repair) -> tuple[list[str], list[int]]:
        """What repairs are sorted by: the names of their cables, whatever the order of rows."""
        return sorted(map(self.cable, repair.rows)), sorted(repair.missing)

    def end(self, row: int, end: str) -> End:
        """Where one end of a cable stands, as recorded; two empty strings if not known."""
        return self._recorded.ends(self._names, row)[end == "b"]

    def pair(self, pair: int) -> tuple[End, End]:
        """Both ports of a pair that the rule joins."""
        a, b = int(self._intended.a[pair]), int(self._intended.b[pair])
        return self._names.port(a), self._names.port(b)

    def knows(self, end: End) -> bool:
        """Whether the design has such a port."""
        return int(self._names.find([end[0]], [end[1]])[0]) >= 0

    def switches_of(self, turns: Sequence[Turn]) -> list[str]:
        """The switches whose cables were moved; none in a plant without switches."""
        layout, far = self._layout, self._intended.b
        ports = {int(far[self._pair[turn.target]]) for turn in turns}
        devices = {int(layout.device[port]) for port in ports if port >= layout.cube_ports}
        return [self._names.device(device) for device in sorted(devices)]

    def port(self, port: int) -> End:
        """A port of the design by name."""
        return self._names.port(port)

    def bundle_of(self, turns: Sequence[Turn]) -> str:
        """The bundle whose cables were moved (see `bundle`)."""
        return self.bundle(sorted({int(self._pair[turn.target]) for turn in turns}))

    def cable_of(self, pair: int) -> str:
        """The default name of the cable that a pair wants; empty if a recorded cable has it."""
        name = self._names.cable(int(self._intended.a[pair]))
        return "" if name in self._recorded_names else name

    @cached_property
    def _recorded_names(self) -> frozenset[str]:
        return frozenset(self._recorded.cables)

    def strays(self, mistake: Iterable[Repair]) -> list[Stray]:
        """Cables that were turned, then those that nothing needs, then those that are missing."""
        turned, surplus, missing = [], [], []
        by_cable = attrgetter("cable")
        for repair in mistake:
            for turn in repair.turns:
                stays = self.end(turn.row, "b" if turn.end == "a" else "a")
                stands, wanted = self.end(turn.row, turn.end), self.port(turn.target)
                turned.append(Stray(self.cable(turn.row), stays, stands, wanted))
            surplus += [
                Stray(self.cable(row), self.end(row, "a"), self.end(row, "b"), None)
                for row in repair.surplus
            ]
            for pair in repair.missing:
                first, second = self.pair(pair)
                missing.append(Stray(self.cable_of(pair), first, None, second))
        return sorted(turned, key=by_cable) + sorted(surplus, key=by_cable) + missing

    def faults(self, mistake: Iterable[Repair]) -> list[str]:
        """Each wrong cable and each missing one by its ports alone."""
        facts = []
        for repair in mistake:
            for row in repair.rows:
                ends = sorted((self.end(row, "a"), self.end(row, "b")))
                facts.append("=".join(" ".join(end) for end in ends))
            facts += [
                "missing " + "=".join(" ".join(end) for end in self.pair(pair))
                for pair in repair.missing
            ]
        return facts

    def bundle(self, pairs: Sequence[int]) -> str:
        """The cubes, faces or switches whose cables these are, where they are most of them."""
        layout, a, b = self._layout, self._intended.a, self._intended.b
        per_cube = layout.ports_per_cube
        per_face = per_cube // len(layout.cube.faces)
        at = a[list(pairs)]
        cubes = sorted(set((at // per_cube + 1).tolist()))
        if 2 * len(at) > per_cube * len(cubes):
            return f"cube{'s' * (len(cubes) > 1)} {format_slots(cubes)}"
        switches = sorted(set(layout.device[b[list(pairs)]].tolist()))
        if layout.switches and len(switches) * layout.radix < 2 * len(at):
            names = [self._names.device(device) for device in switches]
            return f"switch{'es' * (len(names) > 1)} {some(names)}"
        faces = sorted(set((at // per_face).tolist()))
        if 2 * len(at) > per_face * len(faces):
            kinds = layout.cube.faces
            places = [divmod(face, len(kinds)) for face in faces]
            names = [f"{kinds[kind]} of cube {cube + 1}" for cube, kind in places]
            return f"face{'s' * (len(faces) > 1)} {some(names)}"
        return ""


def natural(end: End) -> tuple[str, int, str]:
    """Sort ports of a device as they are counted: 2A before 10A."""
    device, port = end
    number, rest = _counted(port)
    return device, number, rest


def on_panels(ends: Sequence[End]) -> str:
    """Say on which devices and ports: `iw1-ocs-x-3-2 ports 7A to 9A`."""
    devices: dict[str, list[str]] = {}
    for device, port in sorted(set(ends), key=natural):
        devices.setdefault(device, []).append(port)
    said = [
        f"{device} port{'s' * (len(ports) > 1)} {some(_runs(ports))}"
        for device, ports in devices.items()
    ]
    return some(said, "devices")


def _runs(ports: Sequence[str]) -> list[str]:
    """Sorted ports, with three or more that follow each other as `first to last`."""
    runs: list[list[str]] = []
    for port in ports:
        number, rest = _counted(port)
        if runs and _counted(runs[-1][-1]) == (number - 1, rest):
            runs[-1].append(port)
        else:
            runs.append([port])
    return [name for run in runs for name in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]


def _counted(port: str) -> tuple[int, str]:
    """The number that a port's name begins with, and the rest of it."""
    rest = port.lstrip("0123456789")
    return int(port[: len(port) - len(rest)][:9] or 0), rest
