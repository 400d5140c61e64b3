"""What only the simulator knows: which fault a finding speaks of, and whether it can be seen."""

from dataclasses import dataclass

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.simulator.faults.book import Fault
from fabric_twin.simulator.pod import SimulatedPod

CABLING = frozenset(
    {
        *("swapped", "rotated", "shifted", "reversed", "bundle-swapped", "wrong-port"),
        *("wrong-side", "wrong-index", "wrong-axis", "missing", "dark"),
    }
)
LIGHT = frozenset({"high-loss", "high-reflection", "high-ber", "dark"})
#: As what each kind may be found.
CODES: dict[str, frozenset[str]] = {
    "swapped": CABLING,
    "misplugged": CABLING,
    "missing": CABLING,
    "broken": frozenset({"dark"}),
    "dirty": LIGHT,
    "dying-transceiver": frozenset({"high-loss"}),
    "wrong-transceiver": frozenset({"wrong-part"}),
    "wrong-serial": frozenset({"wrong-serial"}),
    "tray-down": frozenset({"tray-down", "cube-down"}),
    "cube-down": frozenset({"cube-down"}),
    "copper-down": frozenset({"copper-down"}),
    "stuck-mirror": frozenset({"port-failed"}),
    "lossy-mirror": frozenset({"high-loss", "dark"}),
    "board-out": frozenset({"board-out"}),
    "feed-lost": frozenset({"power-lost", "switch-down"}),
    "fan-lost": frozenset({"fan-lost"}),
    "switch-down": frozenset({"switch-down"}),
    "switch-rebooting": frozenset({"switch-down"}),
}
#: Kinds that show only where light should pass.
BY_LIGHT = frozenset({"swapped", "misplugged", "missing", "broken", "dirty", "lossy-mirror"})
#: Kinds that only a whole audit asks for.
BY_NIGHT = frozenset({"wrong-transceiver", "wrong-serial"})


@dataclass(eq=False)
class Life:
    """What became of one fault."""

    fault: Fault
    #: Cube ports of the plant that it is at, for kinds that show by light.
    strands: tuple[int, ...]
    #: When a run could have seen it first, and when one did.
    in_sight: float | None = None
    found: float | None = None
    gone: float | None = None
    #: Someone was sent, and it is there still; and was it found after that?
    botched: float | None = None
    found_again: float | None = None

    @property
    def kind(self) -> str:
        """What kind of fault it is."""
        return self.fault.kind.name


def life_of(pod: SimulatedPod, intended: Intended, fault: Fault) -> Life:
    """Begin to follow a fault."""
    layout, wish = intended.names.layout, fault.wish
    cables = [str(wish[key]) for key in ("cable", "other") if key in wish]
    strands = [int(pod.plant.a[pod.plant.find(cable)]) for cable in cables]
    if fault.kind.name in ("dirty", "lossy-mirror", "stuck-mirror"):
        port = pod.points.find_port(str(wish["device"]), str(wish["port"]))
        strands.append(port if port < layout.cube_ports else int(intended.mate[port]))
    return Life(fault, tuple(strand for strand in strands if strand >= 0))


def speaks_of(intended: Intended, finding: Finding, life: Life) -> bool:
    """Whether a finding names the place of a fault, by a code that fits its kind."""
    wish, places = life.fault.wish, set(finding.ports)
    if finding.code not in CODES[life.kind]:
        return False
    if life.kind in ("tray-down", "cube-down"):
        device = str(wish["device"])
        return any(device.startswith(at) for at, port in places if not port)
    if "link" in wish:
        return (wish["device"], wish["link"]) in places
    if "unit" in wish and finding.code != "switch-down":
        return finding.code in CODES[life.kind] and any(at == wish["device"] for at, _ in places)
    if life.strands:
        names = intended.names
        ports = [at for strand in life.strands for at in (strand, int(intended.mate[strand]))]
        own = {names.port(port) for port in ports if port >= 0}
        cables = {str(wish[key]) for key in ("cable", "other") if key in wish}
        return bool(own & places or cables & set(finding.cables))
    return any(at == wish["device"] and port == wish.get("port", "") for at, port in places)
