"""The links of a network, drawn: a matrix of blocks, and a strip for each switch.

       ab01  ab02  ab03        above the diagonal how many links a pair has,
ab01    .     8     2/3        2 of 3 where one is out; below it the load
ab02   50%    .     2
ab03   25%   25%    .          ocs-01  A [======--  ]   = in a circuit, - free
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from fabric_twin.core.counted import counted
from fabric_twin.core.topology.network import SIDES, USED, Network, SwitchEnd
from fabric_twin.core.topology.standing import NetworkStands, PairStands
from fabric_twin.documents.sheet import Document, table

#: Loads up to which a pair looks alike, and how; above the last its own links do not carry it.
LOOKS = ((0.0, "free"), (0.5, "owner-1"), (1.0, "owner-3"))
OVER, LESS = "unhealthy", "owner-2"
_COLUMNS = "block,to,links,work,asks Gbit/s,carries Gbit/s,load"
JOINED, FREE, OUT, NO_BLOCK = "in a circuit", "free", "out", "no block"


@dataclass(frozen=True)
class Cell:
    """A pair, seen from one of its blocks."""

    row: int
    column: int
    text: str
    look: str
    summary: str


@dataclass(frozen=True)
class Run:
    """Ports of one side of a switch that follow each other and are used alike."""

    first: int
    many: int
    state: str
    side: int


@dataclass(frozen=True)
class Strip:
    """A switch: its ports in runs."""

    name: str
    joined: int
    runs: tuple[Run, ...]
    out: bool


@dataclass(frozen=True)
class LinkMatrix:
    """The drawing's facts."""

    #: Names of blocks as they are drawn, and as links know them.
    blocks: tuple[str, ...]
    cells: tuple[Cell, ...]
    strips: tuple[Strip, ...]
    #: First port and width of every block, by its number.
    places: tuple[tuple[int, int], ...]
    #: Each look and what it means.
    key: tuple[tuple[str, str], ...]
    #: Whether anybody asks for anything: else loads are not drawn.
    asked: bool


def link_matrix(
    stands: NetworkStands,
    told: str = "",
    gaps: tuple[str, ...] = (),
    switches: Mapping[int, tuple[str, bool]] | None = None,
    called: Callable[[str], str] = str,
) -> Document:
    """Draw a network; `told` says which demand it is held against.

    `switches` has what each is called, by its number from 0, and whether it is out; `called` says
    what blocks are.
    """
    network = stands.network
    pairs = list(stands.pairs())
    shown = [pair._replace(one=called(pair.one), other=called(pair.other)) for pair in pairs]
    links, left = sum(pair.links for pair in pairs), sum(pair.left for pair in pairs)
    lines = [
        f"{counted(len(network.blocks), 'block')} over {counted(network.switches, 'switch')}, "
        f"{counted(links, 'link')}" + f", {left:,} of them work" * (left != links)
    ]
    lines += [told] * bool(told)
    return Document(
        kind="link-matrix",
        name=network.name,
        title=f"Links of network {network.name}",
        lines=(*lines, *gaps),
        tables=(table("Links", _COLUMNS, map(_row, shown)),),
        drawing=LinkMatrix(
            blocks=tuple(called(block.name) for block in network.blocks),
            cells=tuple(_cells(network, pairs, called)),
            strips=tuple(_strips(stands, switches or {})),
            places=tuple((block.first_port, network.ports_of(block)) for block in network.blocks),
            key=(
                ("free", "no load"),
                ("owner-1", "to 50%"),
                ("owner-3", "to 100%"),
                (LESS, "some links are out, the others carry it"),
                (OVER, "more than its own links carry, or none is left"),
            ),
            asked=any(pair.asked for pair in pairs),
        ),
        gaps=gaps,
    )


def _row(pair: PairStands) -> tuple[str | int, ...]:
    return (
        *(pair.one, pair.other, pair.links, pair.left),
        *(_gbps(pair.asked), _gbps(pair.carried), _percent(pair)),
    )


def _gbps(rate: float) -> str:
    return f"{round(rate, 1):,g}"


def _percent(pair: PairStands) -> str:
    if not pair.asked:
        return ""
    return f"{pair.load:.0%}" if pair.carried else "no link"


def _cells(
    network: Network, pairs: Sequence[PairStands], called: Callable[[str], str]
) -> Sequence[Cell]:
    at = {block.name: number for number, block in enumerate(network.blocks)}
    cells = []
    for pair in pairs:
        one, other = at[pair.one], at[pair.other]
        said = (
            f"{called(pair.one)} and {called(pair.other)}: {counted(pair.links, 'link')}"
            + f", {pair.left} of them work" * (pair.left != pair.links)
            + f"; {_gbps(pair.asked)} of {_gbps(pair.carried)} Gbit/s asked for" * bool(pair.asked)
        )
        text = str(pair.links) if pair.left == pair.links else f"{pair.left}/{pair.links}"
        look = _look(pair)
        cells.append(Cell(one, other, text, look, said))
        if pair.asked:
            cells.append(Cell(other, one, _percent(pair), look, said))
    return cells


def _look(pair: PairStands) -> str:
    if pair.load > 1 or (pair.links and not pair.left):
        return OVER
    return (
        LESS if pair.left < pair.links else next(look for most, look in LOOKS if pair.load <= most)
    )


def _strips(stands: NetworkStands, switches: Mapping[int, tuple[str, bool]]) -> Sequence[Strip]:
    network = stands.network
    joined = {
        SwitchEnd(one.switch, port, side)
        for one in stands.circuits
        for side, port in enumerate((one.a, one.b))
    }
    held = {port for block in network.blocks for port in network.places_of(block)}
    on_switch = Counter(one.switch for one in stands.circuits)
    strips = []
    for switch in range(1, network.switches + 1):
        runs = []
        for side in range(len(SIDES)):
            ends = [SwitchEnd(switch, port, side) for port in range(1, USED + 1)]
            states = [_state(end, joined, held, stands) for end in ends]
            for state, run in groupby(zip(states, ends, strict=True), lambda pair: pair[0]):
                ports = [end.port for _, end in run]
                runs.append(Run(ports[0], len(ports), state, side))
        many = on_switch[switch]
        name, out = switches.get(switch - 1, (network.switch_name(switch), False))
        strips.append(Strip(name, many, tuple(runs), out))
    return strips


def _state(end: SwitchEnd, joined: set[SwitchEnd], held: set[int], stands: NetworkStands) -> str:
    if end.port not in held:
        return NO_BLOCK
    if end in stands.out:
        return OUT
    return JOINED if end in joined else FREE
