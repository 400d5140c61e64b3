"""Where a mistake is, in names and in words: devices, ports, faces, cubes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.audit.repair import Repair
from fabric_twin.core.audit.turns import Turn
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.fabric import Bundle
from fabric_twin.core.fabric.plant import End, IntendedPlant, Recorded

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

    def __init__(self, intended: IntendedPlant, recorded: Recorded, found: Differences) -> None:
        self._intended, self._recorded, self._pair = intended, recorded, found.pair
        self._names = intended.names

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
        far, switch = self._intended.b, self._intended.fabric.switches.of
        numbers = {int(switch[far[self._pair[turn.target]]]) for turn in turns}
        return [self._names.device(number) for number in sorted(numbers - {-1})]

    def units_of(self, strays: Iterable[Stray]) -> list[str]:
        """The units that some cables come from."""
        fabric = self._intended.fabric
        ends = [
            (at, end)
            for at, stray in enumerate(strays)
            for end in (stray.stays, stray.stands)
            if end
        ]
        found = self._names.find([end[0] for _, end in ends], [end[1] for _, end in ends])
        known: dict[int, list[int]] = {}
        for (at, _), port in zip(ends, found.tolist(), strict=True):
            if port >= 0:
                known.setdefault(at, []).append(port)
        units = {int(fabric.unit[fabric.near_first(ports)[0]]) for ports in known.values()}
        return [self._names.unit(number) for number in sorted(units - {0})]

    def because(self, code: str) -> str:
        """What is wrong with a port, where that is a key of the fabric; else empty."""
        keys = self._intended.fabric.keys
        return next((key.because for key in keys if key.code == code), "")

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
        """The bundles whose cables these are, where they are most of them: `cubes 1-4`."""
        fabric, rows = self._intended.fabric, list(pairs)
        if 2 * len(rows) <= fabric.least_bundle:
            return ""
        near, far = self._intended.a[rows], self._intended.b[rows]
        bundles = [(bundle, bundle.of[near]) for bundle in fabric.bundles]
        # Whole units before switches, and these before parts of a unit.
        switches = fabric.switches
        bundles[1:1] = [(switches, fabric.switch_of(near, far)), (switches, switches.of[far])]
        for bundle, of in bundles:
            numbers = sorted(set(of.tolist()))
            if numbers[0] >= 0 and 2 * len(rows) > bundle.size[numbers].sum():
                return self._bundled(bundle, numbers)
        return self._of_one_switch(near, far)

    def _of_one_switch(self, near: Column, far: Column) -> str:
        """The switch that has an end of each of these cables, near or far."""
        switches = self._intended.fabric.switches
        ends = switches.of[near], switches.of[far]
        for number in {int(of[0]) for of in ends if of[0] >= 0}:
            is_all = ((ends[0] == number) | (ends[1] == number)).all()
            if is_all and 2 * len(near) > switches.size[number]:
                return self._bundled(switches, [number])
        return ""

    def _bundled(self, bundle: Bundle, numbers: list[int]) -> str:
        if bundle is self._intended.fabric.switches:
            names: Sequence[str] = [self._names.device(number) for number in numbers]
        else:
            names = self._names.bundled(bundle.noun, numbers)
        return f"{bundle.plural if len(numbers) > 1 else bundle.noun} {some(names)}"

    def is_one(self, said: str) -> bool:
        """Whether it is a single bundle that `bundle` named."""
        fabric = self._intended.fabric
        nouns = (bundle.noun for bundle in (*fabric.bundles, fabric.switches))
        return said.startswith(tuple(f"{noun} " for noun in nouns))


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
