"""What pages, papers and refusals call what a ticket changes: in a cluster, slices are jobs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.circuits.plans import Circuit


@dataclass(frozen=True)
class Called:
    """The words for a kind of fabric."""

    pod: str = "pod"
    cube: str = "cube"
    chip: str = "chip"
    slot: str = "slot"
    slice: str = "slice"
    circuit: str = "circuit"
    circuits: str = "circuits"
    #: The circuits of a ticket as a heading, and the columns of the two ports.
    heading: str = "Circuits"
    a: str = "a"
    b: str = "b"
    owner: str = "owner"
    #: What a slice loses while something is changed.
    link: str = "link"
    links: str = "links"
    #: Between the two ports of a circuit, and before the name of one.
    between: str = "to"
    before_port: str = ""

    def told(self, circuit: Circuit) -> str:
        """A circuit with its switch and its owner."""
        of = f" of {circuit.owner}" if circuit.owner else ""
        return f"{self.joined(circuit.a, circuit.b)} on {circuit.switch}{of}"

    def joined(self, a: str, b: str) -> str:
        """A circuit by its ports: `7A to 9B`; a flow entry by where packets come in and go out."""
        return f"{self.port(a)} {self.between} {self.port(b)}"

    def port(self, name: str) -> str:
        """A port of a switch: a packet switch has no sides."""
        return name if self is OF_PODS else name.rstrip("AB")


OF_PODS = Called()
OF_CLUSTERS = Called(
    pod="cluster",
    cube="group",
    chip="processor",
    slot="group",
    slice="job",
    circuit="entry",
    circuits="entries",
    heading="Flow entries",
    a="in",
    b="out",
    owner="job",
    link="entry",
    links="entries",
    between="->",
    before_port="port ",
)


def called(plan: Mapping[str, Any]) -> Called:
    """The words for what a plan changes: one of rings says which entries go with a switch."""
    return OF_CLUSTERS if "gone" in plan else OF_PODS
