"""What a cube or block tells by OpenConfig: all that is used of it, and nothing else is read.

A name is written with its module where the module changes, or without: so some are here twice.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from fabric_twin.dialects import openconfig as oc
from fabric_twin.switches.answer_json import as_kind, value_of
from fabric_twin.switches.conversation import Told
from fabric_twin.switches.openconfig_tree import tree_of

_NAN = float("nan")


class _Node(Struct, frozen=True, gc=False):
    """A node of the tree; what is not told is as it is here."""


class Instant(_Node, frozen=True):
    """A level now."""

    instant: float = _NAN


class LaneState(_Node, frozen=True):
    """Light of one lane."""

    output: Instant = field(name="output-power", default=Instant())
    input: Instant = field(name="input-power", default=Instant())


class Lane(_Node, frozen=True):
    """A lane of a module, by its number: the order of an answer's is the server's."""

    index: int
    state: LaneState = LaneState()


class Lanes(_Node, frozen=True):
    """The lanes of a module."""

    channel: tuple[Lane, ...] = ()


class ModuleState(_Node, frozen=True):
    """What a module is, and how it does."""

    serial: Any = field(name="serial-no", default=None)
    part: Any = field(name="vendor-part", default=None)
    temperature: Instant = Instant()
    errors: Instant = field(name="pre-fec-ber", default=Instant())
    reflection: Instant = field(name=oc.REFLECTION, default=Instant())


class Module(_Node, frozen=True):
    """A pluggable module."""

    state: ModuleState = ModuleState()
    lanes: Lanes = field(name="physical-channels", default=Lanes())


class State(_Node, frozen=True):
    """Whether a part or a link works."""

    oper: Any = field(name="oper-status", default=None)


class Component(_Node, frozen=True):
    """A module, or another part such as a tray."""

    name: str
    state: State = State()
    qualified: Module | None = field(name=oc.TRANSCEIVER, default=None)
    plain: Module | None = field(name="transceiver", default=None)

    @property
    def module(self) -> Module | None:
        """The module that it is, if it is one."""
        return self.qualified or self.plain


class Components(_Node, frozen=True):
    """Modules and other parts."""

    component: tuple[Component, ...] = ()


class Speed(_Node, frozen=True):
    """What a port runs at, and what it is set to."""

    negotiated: Any = field(name="negotiated-port-speed", default=None)
    port: Any = field(name="port-speed", default=None)


class Ethernet(_Node, frozen=True):
    """The Ethernet of an interface."""

    state: Speed = Speed()


class Interface(_Node, frozen=True):
    """A link, by the name of its port."""

    name: str
    state: State = State()
    qualified: Ethernet | None = field(name=oc.ETHERNET, default=None)
    plain: Ethernet | None = field(name="ethernet", default=None)

    @property
    def speed(self) -> Speed:
        """How fast it is, as far as it is told."""
        return (self.qualified or self.plain or Ethernet()).state


class Interfaces(_Node, frozen=True):
    """Links."""

    interface: tuple[Interface, ...] = ()


class NeighbourState(_Node, frozen=True):
    """Who is heard."""

    system: Any = field(name="system-name", default=None)
    port: Any = field(name="port-id", default=None)
    description: Any = field(name="port-description", default=None)


class Heard(_Node, frozen=True):
    """One who is heard at a port; where the port has strands, at that strand."""

    id: Any = None
    state: NeighbourState = NeighbourState()


class Neighbours(_Node, frozen=True):
    """Who are heard at a port."""

    neighbor: tuple[Heard, ...] = ()


class Listening(_Node, frozen=True):
    """A port that listens."""

    name: str
    neighbors: Neighbours = Neighbours()


class ListeningPorts(_Node, frozen=True):
    """Ports that listen."""

    interface: tuple[Listening, ...] = ()


class Lldp(_Node, frozen=True):
    """Whom ports hear."""

    interfaces: ListeningPorts = ListeningPorts()


class SystemState(_Node, frozen=True):
    """What the cube calls itself."""

    hostname: Any = None


class System(_Node, frozen=True):
    """Who the cube is."""

    state: SystemState = SystemState()


class CubeAnswer(_Node, frozen=True):
    """The tree of a cube."""

    qualified_components: Components | None = field(name=oc.COMPONENTS, default=None)
    plain_components: Components | None = field(name="components", default=None)
    qualified_interfaces: Interfaces | None = field(name=oc.INTERFACES, default=None)
    plain_interfaces: Interfaces | None = field(name="interfaces", default=None)
    qualified_lldp: Lldp | None = field(name=oc.LLDP, default=None)
    plain_lldp: Lldp | None = field(name="lldp", default=None)
    qualified_system: System | None = field(name=oc.SYSTEM, default=None)
    plain_system: System | None = field(name="system", default=None)

    @property
    def components(self) -> tuple[Component, ...]:
        """Modules and other parts."""
        return (self.qualified_components or self.plain_components or Components()).component

    @property
    def interfaces(self) -> tuple[Interface, ...]:
        """Links."""
        return (self.qualified_interfaces or self.plain_interfaces or Interfaces()).interface

    @property
    def listening(self) -> tuple[Listening, ...]:
        """Ports that listen for neighbours."""
        return (self.qualified_lldp or self.plain_lldp or Lldp()).interfaces.interface

    @property
    def hostname(self) -> Any:
        """What it calls itself."""
        return (self.qualified_system or self.plain_system or System()).state.hostname

    @property
    def is_nothing(self) -> bool:
        """Whether it tells nothing that is used."""
        return self == CubeAnswer()


def cube_answer(told: Sequence[Told]) -> CubeAnswer:
    """What was told, whole or cut into parts."""
    if len(told) == 1 and not told[0][0]:
        whole: CubeAnswer = value_of(told[0][1], CubeAnswer)
        return whole
    return as_kind(tree_of(told), CubeAnswer)
