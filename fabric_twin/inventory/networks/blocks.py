"""Block files: the blocks of a network and how many switches they stand over, as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.network import Block, Network
from fabric_twin.inventory.json_files import list_of, read_object, text_of, unlike, whole_number

_SHAPE = (
    '{"version": 1, "switches": 16, "blocks": [{"name": "ab01", "strands": 64, "rate_gbps": 400}]}'
)


@dataclass(frozen=True)
class BlocksRead:
    """A network, and whose blocks are whose."""

    network: Network
    #: Names of blocks by owner; blocks without one are in none.
    owners: Mapping[str, tuple[str, ...]]


def read_blocks(data: bytes, source: str, network: str) -> BlocksRead:
    """Read a block file, or refuse it whole.

    A block without a `first_port` begins after the one before it, so that a file that only grows
    at its end moves nobody.
    """
    content = read_object(data, source, _SHAPE)
    switches = whole_number(content.get("switches"), '"switches"', source, _SHAPE)
    rows = list_of(content, "blocks", source, _SHAPE, needed=True)
    if not rows or not switches:
        raise unlike("there are no blocks, or no switches", source, _SHAPE)
    blocks: list[Block] = []
    owners: dict[str, list[str]] = {}
    for number, row in enumerate(rows, 1):
        where = f"{source}, block {number}"
        block = _block(row, where, switches, blocks)
        blocks.append(block)
        if owner := text_of(row, "owner", where, _SHAPE, default=""):
            owners.setdefault(owner, []).append(block.name)
    try:
        made = Network(network, switches, tuple(blocks))
    except UnusableInput as refusal:
        raise UnusableInput(
            refusal.what, where=f"{source}, {refusal.where}", remedy=refusal.remedy
        ) from None
    return BlocksRead(made, {owner: tuple(names) for owner, names in owners.items()})


def _block(row: Any, where: str, switches: int, before: list[Block]) -> Block:
    name = text_of(row, "name", where, _SHAPE)
    strands = whole_number(row.get("strands"), '"strands"', where, _SHAPE)
    rate = row.get("rate_gbps")
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0.001 <= rate < 1e6:
        raise unlike('"rate_gbps" is no rate', where, _SHAPE)
    first = row.get("first_port")
    if first is None:
        last = before[-1] if before else None
        first = last.first_port + max(last.strands // switches // 2, 1) if last else 1
    return Block(name, strands, float(rate), whole_number(first, '"first_port"', where, _SHAPE))
