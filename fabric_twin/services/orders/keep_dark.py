"""Block ports while a technician works there, and read back whether they are dark."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.orders.port_lock import PortSeen
from fabric_twin.core.orders.steps import End
from fabric_twin.switches.changes import Hold
from fabric_twin.switches.fabric import Answers, Fabric
from fabric_twin.switches.states import SwitchState


@dataclass(frozen=True)
class Seen:
    """What switches show of their ports."""

    ports: Mapping[End, PortSeen]
    #: Switches that did not answer, and why.
    silent: Mapping[str, FabricTwinError] = field(default_factory=dict)
    #: Those that did.
    heard: frozenset[str] = frozenset()
    #: Those of which cubes show, by light, that they are dead.
    dead: frozenset[str] = frozenset()

    @property
    def live(self) -> frozenset[End]:
        """Ports that are in a circuit."""
        return frozenset(port for port, seen in self.ports.items() if seen.in_circuit)

    def check_released(self, ports: Collection[End]) -> None:
        """Refuse where a port of these is not seen released, by switches that were told to."""
        for device, error in self.silent.items():
            raise NotPossible(
                f"its ports may still be blocked: {error.what}",
                where=device,
                remedy="Release them once it answers",
            )
        for device, port in sorted(port for port in ports if port[0] in self.heard):
            seen = self.ports.get((device, port))
            if seen is None or seen.blocked:
                raise NotPossible(
                    "it is still blocked" if seen else "its switch shows no such port now",
                    where=f"{device} port {port}",
                    remedy="See what its switch says, and release it then",
                )


def see_ports(fabric: Fabric, switches: Iterable[str], within: float | None = None) -> Seen:
    """Read all ports of some switches; one without a conversation is silent like any other.

    So is one that has not answered within so many seconds, where they are counted.
    """
    there = [name for name in set(switches) if name in fabric.switches]
    return seen_of(fabric.read_switches(there, within))


def keep_dark(fabric: Fabric, block: Collection[End] = (), release: Collection[End] = ()) -> Seen:
    """Block simplex ports or release them, and read back what their switches show."""
    holds: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for place, ports in enumerate((block, release)):
        for switch, port in ports:
            if switch in fabric.switches:
                holds[switch][place].add(port)
    return seen_of(fabric.hold({name: Hold(*map(frozenset, held)) for name, held in holds.items()}))


def seen_of(answers: Answers[SwitchState]) -> Seen:
    """What answers of switches show of their ports."""
    ports: dict[End, PortSeen] = {}
    for name, state in answers.given.items():
        used = {port for pair in (*state.configured, *state.carried) for port in pair}
        ports |= {
            (name, port): PortSeen(its.force_blocked, port in used)
            for port, its in state.ports.items()
        }
    return Seen(ports, answers.missing, frozenset(answers.given))
