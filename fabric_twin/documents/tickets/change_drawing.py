"""A change of circuits drawn port by port: each switch before and after, stage by stage.

    iw1-ocs-x-1-1, stage 1      before          after
                                1A       1B     1A --.  .-- 1B
                                2A       2B     2A --'><'-- 2B

Switches that do the same with the same ports are drawn once, with their names: a slice is as many
pictures as it has axes, and not one a switch.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fabric_twin.core.audit.places import natural
from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.tickets.called import OF_PODS, Called
from fabric_twin.documents.sheet import Document

#: Circuits of one picture, pictures in all, and switches named on one: the files have the rest.
MOST_LINES, MOST_CARDS, MOST_NAMES = 24, 36, 200
#: A page is so wide and high; so many pictures stand side by side.
WIDTH, HEIGHT, ACROSS = 1122, 794, 3
LEFT, TOP, GAP = 32, 84, 16
CARD = (WIDTH - 2 * LEFT - (ACROSS - 1) * GAP) // ACROSS
#: Within a picture: where its ports begin, and how high each is.
HEAD, ROW = 62, 17


@dataclass(frozen=True)
class Line:
    """A circuit between two heights."""

    a: int
    b: int
    told: str


@dataclass(frozen=True)
class Label:
    """A port at a height."""

    name: str
    y: int


@dataclass(frozen=True)
class Card:
    """What some switches do in a stage, before and after."""

    title: str
    #: The text below the title, and the names of switches that its tooltip shows.
    said: str
    names: str
    #: Where its page is: the first switch.
    switch: str
    a: tuple[Label, ...]
    b: tuple[Label, ...]
    goes: tuple[Line, ...]
    comes: tuple[Line, ...]
    more: int
    height: int
    x: int = 0
    y: int = 0


@dataclass(frozen=True)
class Change:
    """Pictures on pages; a page of Nautobot shows all below each other."""

    pages: tuple[tuple[Card, ...], ...]
    cards: tuple[Card, ...]
    width: int
    height: int
    #: Stages and switches that are in the files alone.
    left_out: int


def change_drawing(
    name: str, title: str, stages: Sequence[Stage], words: Called = OF_PODS
) -> Document:
    """What each stage does, port by port, in bounds."""
    groups = list(_groups(stages))
    cards = [_card(words, *group) for group in groups[:MOST_CARDS]]
    below, height = _laid_out(cards)
    drawn = Change(
        pages=tuple(_pages(cards)),
        cards=below,
        width=WIDTH,
        height=height,
        left_out=len(groups) - len(cards),
    )
    return Document("change", name, title, _lines(words, stages), (), drawn)


def _lines(words: Called, stages: Sequence[Stage]) -> tuple[str, ...]:
    remove, add = (sum(len(getattr(one, do)) for one in stages) for do in ("remove", "add"))
    switches = len({c.switch for stage in stages for c in (*stage.remove, *stage.add)})
    many = len(stages)
    where = f"on {switches:,} switch{'es' * (switches != 1)}, in {many} stage{'s' * (many != 1)}"
    return (f"{words.circuits.capitalize()}: remove {remove:,}, add {add:,}, {where}",)


#: A stage, the switches that do the same in it, and what the first of them does.
Group = tuple[int, list[str], list[Circuit], list[Circuit]]


def _groups(stages: Sequence[Stage]) -> Iterator[Group]:
    for number, stage in enumerate(stages, 1):
        goes, comes = _by_switch(stage.remove), _by_switch(stage.add)
        alike: dict[object, list[str]] = {}
        for switch in dict.fromkeys((*goes, *comes)):
            mark = tuple(
                frozenset((c.a, c.b, c.owner) for c in which.get(switch, ()))
                for which in (goes, comes)
            )
            alike.setdefault(mark, []).append(switch)
        for switches in alike.values():
            yield number, switches, goes.get(switches[0], []), comes.get(switches[0], [])


def _by_switch(circuits: Iterable[Circuit]) -> dict[str, list[Circuit]]:
    found: dict[str, list[Circuit]] = {}
    for circuit in circuits:
        found.setdefault(circuit.switch, []).append(circuit)
    return found


def _card(
    words: Called, stage: int, switches: list[str], goes: list[Circuit], comes: list[Circuit]
) -> Card:
    first, *others = switches
    shown = _some(goes, comes)
    sides = [_heights(ports) for ports in zip(*((c.a, c.b) for c in shown), strict=True)]
    heights = dict(sides[0]), dict(sides[1])
    more = len(goes) + len(comes) - len(shown)
    drawn = {id(circuit) for circuit in shown}
    beside = f" and {len(others)} more alike" if others else ""
    return Card(
        title=f"{first}{beside}",
        said=f"stage {stage}: remove {len(goes):,}, add {len(comes):,}{' on each' * bool(others)}",
        names=", ".join(switches[:MOST_NAMES]),
        switch=first,
        a=tuple(Label(name, y) for name, y in sides[0]),
        b=tuple(Label(name, y) for name, y in sides[1]),
        goes=tuple(_line(words, c, "goes", *heights) for c in goes if id(c) in drawn),
        comes=tuple(_line(words, c, "comes", *heights) for c in comes if id(c) in drawn),
        more=more,
        height=HEAD + ROW * max(map(len, sides)) + (ROW if more else 0) + 8,
    )


def _some(goes: list[Circuit], comes: list[Circuit]) -> list[Circuit]:
    """As many as are drawn, in the order of their ports; of those that go at least some."""
    ordered = [sorted(some, key=lambda c: natural(("", c.a))) for some in (goes, comes)]
    room = max(MOST_LINES - len(comes), MOST_LINES // 2)
    kept = ordered[0][:room]
    return kept + ordered[1][: MOST_LINES - len(kept)]


def _heights(ports: Iterable[str]) -> list[tuple[str, int]]:
    names = sorted(set(ports), key=lambda name: natural(("", name)))
    return [(name, HEAD + ROW * row + ROW // 2) for row, name in enumerate(names)]


def _line(words: Called, circuit: Circuit, does: str, a: dict[str, int], b: dict[str, int]) -> Line:
    told = words.joined(circuit.a, circuit.b)
    return Line(a[circuit.a], b[circuit.b], f"{told} of {circuit.owner or 'nobody'} {does}")


def _rows(cards: Sequence[Card]) -> Iterator[Sequence[Card]]:
    for first in range(0, len(cards), ACROSS):
        yield cards[first : first + ACROSS]


def _placed(row: Sequence[Card], y: int) -> Iterator[Card]:
    for column, card in enumerate(row):
        yield Card(**{**vars(card), "x": LEFT + column * (CARD + GAP), "y": y})


def _laid_out(cards: Sequence[Card]) -> tuple[tuple[Card, ...], int]:
    """All below each other, and how high that is."""
    placed: list[Card] = []
    y = TOP
    for row in _rows(cards):
        placed += _placed(row, y)
        y += max(card.height for card in row) + GAP
    return tuple(placed), y


def _pages(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Cut into sheets of paper."""
    placed: list[Card] = []
    y = TOP
    for row in _rows(cards):
        high = max(card.height for card in row)
        if placed and y + high > HEIGHT - LEFT:
            yield tuple(placed)
            placed, y = [], TOP
        placed += _placed(row, y)
        y += high + GAP
    if placed:
        yield tuple(placed)
