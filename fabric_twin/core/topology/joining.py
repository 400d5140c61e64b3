"""A block that is to join a network: which ports it gets, beside the blocks that are there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.network import LONGEST_CABLE_M, Block, Network, free_port, ports_of

#: Rates of a strand, in Gbit/s; and the longest name of an owner.
LEAST_RATE, MOST_RATE, LONGEST_OWNER = 0.001, 999_999, 64


@dataclass(frozen=True)
class NewBlock:
    """A block that is wished for; of one that is recorded as planned the name is enough."""

    name: str
    strands: int | None = None
    #: What a strand carries, in Gbit/s.
    rate_gbps: float | None = None
    #: The first of its ports on every switch; by default the lowest where it has room.
    first_port: int | None = None
    #: Whose it is, where a topology keeps owners apart.
    owner: str = ""
    #: Where it stands, by the name or id of a location, if that is not where its switches are; and
    #: metres of its cables, if it is another building.
    location: str = ""
    cable_m: float | None = None

    def __post_init__(self) -> None:
        """Refuse a length that no cable has."""
        if self.cable_m is not None and not 0.01 <= self.cable_m <= LONGEST_CABLE_M:
            raise UnusableInput(
                f"{self.cable_m:g} metres is no length of its cables",
                where=f"block {self.name[:60]}",
                remedy=f"Give at most {LONGEST_CABLE_M:,}, such as 1800",
            )

    def as_json(self) -> dict[str, Any]:
        """What is given of it."""
        return {name: value for name, value in vars(self).items() if value not in (None, "")}


def beside(network: str, switches: int, there: Sequence[Block], new: NewBlock) -> Block:
    """The new block with its ports, or a refusal.

    >>> there = [Block("ab01", 12, 400, 1), Block("ab02", 12, 400, 7)]
    >>> beside("dc1", 2, there, NewBlock("ab03", 12, 400)).first_port
    4
    """
    where = f"block {new.name[:60]}"
    if new.strands is None or new.rate_gbps is None:
        raise unknown_block(network, new)
    if not LEAST_RATE <= new.rate_gbps <= MOST_RATE:
        raise UnusableInput(
            f"{new.rate_gbps:g} Gbit/s is no rate of a strand",
            where=where,
            remedy=f"Give {LEAST_RATE} to {MOST_RATE:,}, such as 400",
        )
    if len(new.owner) > LONGEST_OWNER:
        raise UnusableInput(
            f"its owner's name has {len(new.owner)} characters",
            where=where,
            remedy=f"Give at most {LONGEST_OWNER}",
        )
    first = new.first_port if new.first_port is not None else 1
    block = Block(new.name, new.strands, float(new.rate_gbps), first)
    if new.first_port is None:
        Network(network, switches, (block,))  # its strands fit the switches
        free = free_port(there, switches, new.strands)
        if free is None:
            raise UnusableInput(
                f"no {ports_of(new.strands, switches)} ports in a row are free on every switch",
                where=where,
                remedy="Give it fewer strands, or take another block away first",
            )
        block = Block(new.name, new.strands, float(new.rate_gbps), free)
    Network(network, switches, (block,))  # it is whole by itself
    _check_free(block, there, switches)
    Network(network, switches, (*there, block))
    return block


def _check_free(block: Block, there: Sequence[Block], switches: int) -> None:
    """Refuse a port that a block has which is there: it is the new one that gives way."""
    last = block.first_port + ports_of(block.strands, switches) - 1
    for other in there:
        end = other.first_port + ports_of(other.strands, switches) - 1
        if block.first_port <= end and other.first_port <= last:
            free = free_port(there, switches, block.strands)
            port = max(block.first_port, other.first_port)
            raise UnusableInput(
                f"port {port} of every switch is another block's",
                where=f"block {block.name}",
                remedy=f"Let it begin at {free}" if free else "No place is wide enough for it",
            )


def unknown_block(network: str, new: NewBlock, *, leaves: bool = False) -> UnusableInput:
    """The refusal of a block that is not recorded, or that the user may not view: the same."""
    known = f"network {network} has no block of this name that you may view"
    return UnusableInput(
        known if leaves else f"{known}, and of a new one strands and rate are not given",
        where=f"block {new.name[:60]}",
        remedy="Name one that it has" if leaves else "Give both, or name a block that is planned",
    )
