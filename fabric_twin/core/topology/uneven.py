"""Pairs whose links are uneven over switches, as an audit finds them: one finding a pair."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from fabric_twin.core.audit.findings import Finding, finding_id
from fabric_twin.core.audit.places import some
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.topology.standing import NetworkStands
from fabric_twin.core.topology.wiring import BlockNames

CODE = "topology-odd"


@dataclass(frozen=True)
class SpreadLinks(Step):
    """Move circuits to other switches: work for a plan, not for a technician."""

    do: ClassVar[str] = "spread-links"
    network: str
    one: str
    other: str

    def __str__(self) -> str:
        return (
            f"ask for a new topology of {self.network}: it spreads the links of {self.one} and "
            f"{self.other} evenly over switches; or acknowledge this, if they may stay"
        )


def uneven_links(stands: NetworkStands, names: BlockNames) -> Iterator[Finding]:
    """A finding for each pair that has more links on a switch, or fewer, than its share and one.

    Nothing is lost by it: when a switch fails, the pair loses more than it has to.
    """
    devices = {block.name: names.cube(block.first_port) for block in stands.network.blocks}
    for pair, rows in groupby(stands.odd(), lambda odd: (odd.one, odd.other)):
        odd = list(rows)
        one, other = (devices[name] for name in pair)
        on_switch = [(names.switches[row.switch - 1], row.here) for row in odd]
        least, most, links = odd[0].least, odd[0].most, odd[0].links
        said = some([f"{here} on {switch}" for switch, here in on_switch], "switches")
        yield Finding(
            id=finding_id([f"{CODE} {' '.join(sorted(pair))}"]),
            code=CODE,
            cause=f"Of the {links} links of {one} and {other} there are {said}, and each switch "
            f"should have {least} to {most}",
            strays=(),
            remedy=(SpreadLinks(names.pod, one, other),),
            places=((one, ""), (other, ""), *((switch, "") for switch, _ in on_switch)),
            evidence={"links": links, "on_switch": dict(on_switch)},
            looks=(Proof(Look.EVEN, *sorted((one, other))),),
        )
