"""Block files: the blocks of a network and how many switches they stand over, as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.network import LONGEST_CABLE_M, Block, Network, free_port, ports_of
from fabric_twin.inventory.json_files import (
    check_keys,
    list_of,
    read_object,
    text_of,
    unlike,
    whole_number,
)

_SHAPE = (
    '{"version": 1, "switches": 16, "blocks": [{"name": "ab01", "strands": 64, "rate_gbps": 400}]}'
)
_KEYS = ("version", "switches", "blocks")
_OF_BLOCK = (
    *("name", "strands", "rate_gbps", "first_port", "owner"),
    *("location", "cable_m", "draining"),
)


@dataclass(frozen=True)
class BlocksRead:
    """A network, and whose blocks are whose."""

    network: Network
    #: Names of blocks by owner; blocks without one are in none.
    owners: Mapping[str, tuple[str, ...]]
    #: Metres of the cables of a block, and where it stands, by its name, where the file says so.
    cable_m: Mapping[str, float]
    locations: Mapping[str, str]
    #: Names of blocks that are to leave: they get no links.
    draining: frozenset[str]

    @property
    def takes(self) -> frozenset[str]:
        """Blocks that take links."""
        return frozenset(self.network.by_name) - self.draining


def read_blocks(
    data: bytes,
    source: str,
    network: str,
    *,
    in_use: bool = False,
    recorded: Mapping[str, int] = MappingProxyType({}),
) -> BlocksRead:
    """Read a block file, or refuse it whole.

    A block without a `first_port` begins after the one before it. Where circuits are there
    already (`in_use`), each block needs one: a block that is put between two others would move
    those after it, and their circuits would be taken for circuits of others. One that is
    `recorded` has the first port of its record, where the file does not say it.
    """
    content = read_object(data, source, _SHAPE)
    check_keys(content, _KEYS, source)
    switches = whole_number(content.get("switches"), '"switches"', source, _SHAPE)
    rows = list_of(content, "blocks", source, _SHAPE, needed=True)
    if not rows or not switches:
        raise unlike("there are no blocks, or no switches", source, _SHAPE)
    blocks: list[Block] = []
    owners: dict[str, list[str]] = {}
    cable_m: dict[str, float] = {}
    locations: dict[str, str] = {}
    draining: set[str] = set()
    for number, row in enumerate(rows, 1):
        where = f"{source}, block {number}"
        block = _block(row, where, switches, blocks, recorded)
        blocks.append(block)
        if owner := text_of(row, "owner", where, _SHAPE, default=""):
            owners.setdefault(owner, []).append(block.name)
        if location := text_of(row, "location", where, _SHAPE, default=""):
            locations[block.name] = location
        if (metres := row.get("cable_m")) is not None:
            cable_m[block.name] = _cable_m(metres, where)
        if _is_draining(row, where):
            draining.add(block.name)
    if in_use:
        _check_placed(rows, blocks, switches, source)
    try:
        made = Network(network, switches, tuple(blocks))
    except UnusableInput as refusal:
        raise UnusableInput(
            refusal.what, where=f"{source}, {refusal.where}", remedy=refusal.remedy
        ) from None
    if len(draining) == len(blocks):
        raise UnusableInput(
            "all blocks drain, so none takes links",
            where=source,
            remedy='Take "draining" away from those that stay',
        )
    owned = {owner: tuple(names) for owner, names in owners.items()}
    return BlocksRead(made, owned, cable_m, locations, frozenset(draining))


def _check_placed(rows: Sequence[Any], blocks: Sequence[Block], switches: int, source: str) -> None:
    """Refuse a block that does not say where its ports begin."""
    said = [row.get("first_port") is not None for row in rows]
    placed = [block for block, is_said in zip(blocks, said, strict=True) if is_said]
    if len(placed) < len(blocks):
        block = blocks[number := said.index(False)]
        free = free_port(placed, switches, block.strands)
        raise UnusableInput(
            f'{block.name} has no "first_port", and there are circuits already',
            where=f"{source}, block {number + 1}",
            remedy=f'Write where its strands are wired; "first_port": {free} is the lowest free'
            if free
            else "Write where its strands are wired; no place is wide enough for a new block",
        )


def _block(
    row: Any, where: str, switches: int, before: list[Block], recorded: Mapping[str, int]
) -> Block:
    name = text_of(row, "name", where, _SHAPE)
    check_keys(row, _OF_BLOCK, where)
    strands = whole_number(row.get("strands"), '"strands"', where, _SHAPE)
    rate = row.get("rate_gbps")
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0.001 <= rate < 1e6:
        raise unlike('"rate_gbps" is no rate', where, _SHAPE)
    first = row.get("first_port", recorded.get(name))
    if first is None:
        last = before[-1] if before else None
        first = last.first_port + max(ports_of(last.strands, switches), 1) if last else 1
    return Block(name, strands, float(rate), whole_number(first, '"first_port"', where, _SHAPE))


def _cable_m(value: Any, where: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0.01 <= value <= LONGEST_CABLE_M:
        raise UnusableInput(
            '"cable_m" is no length of its cables',
            where=where,
            remedy=f"Write metres, at most {LONGEST_CABLE_M:,}, such as 1800",
        )
    return float(value)


def _is_draining(row: Mapping[str, Any], where: str) -> bool:
    value = row.get("draining", False)
    if not isinstance(value, bool):
        raise unlike('"draining" is neither true nor false', where, _SHAPE)
    return value
