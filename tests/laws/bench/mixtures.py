"""Plants with mistakes, for hypothesis to draw."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from . import words
from .mistakes import Codes, Hand, Impossible
from .more_mistakes import MISTAKES, turned
from .plant import Plant

Mistake = Callable[[Hand], Codes]
Draw = st.DrawFn


@dataclass
class Mixture:
    """A plant, how many mistakes were made in it, and the codes each alone may have."""

    plant: Plant
    made: list[str]
    codes: list[Codes]
    #: How many findings the mistakes can explain: as many, unless they are laid over each other.
    weight: int = 0


@st.composite
def slot_lists(draw: Draw, kind: words.Kind, full: bool) -> tuple[int, ...]:
    """Three to twelve slots with holes; now and then all of them."""
    if full and draw(st.integers(0, 40)) == 40:
        return tuple(range(1, kind.slots + 1))
    first = draw(st.sampled_from((1, 5, kind.slots - 12)))
    count = draw(st.sampled_from((3, 4, 6, 10)))
    hole = draw(st.sampled_from((None, 1, 4)))
    slots = [slot for slot in range(first, first + count) if hole is None or slot != first + hole]
    return tuple(slots) if len(slots) > 2 else (first, first + 2, first + 3)


@st.composite
def plants(draw: Draw, *, full: bool = False) -> Plant:
    """A right plant of any design, sometimes with a substitution."""
    kind = words.KINDS[draw(st.sampled_from(sorted(words.KINDS)))]
    slots = draw(slot_lists(kind, full))
    substituted = {}
    if kind.spares and draw(st.integers(0, 4)) == 4:
        switch, side = draw(st.sampled_from(sorted(words.switch_panels(kind))))
        number = draw(st.sampled_from(slots))
        spare = draw(st.sampled_from(kind.spares))
        substituted = {(switch, f"{number}{side}"): (switch, f"{spare}{side}")}
    return Plant(kind.name, slots, substituted)


@st.composite
def _focus(draw: Draw, plant: Plant) -> list[str]:
    """Cables of everywhere, or of a corner of the pod where mistakes are likely to meet."""
    where = draw(st.sampled_from(("everywhere", "switches", "cube", "corner")))
    if where == "everywhere":
        return list(plant.rows)
    slots = draw(st.lists(st.sampled_from(plant.slots), min_size=1, max_size=2))
    names = words.switches(plant.kind)
    switches = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2))

    def near(at: words.Place) -> bool:
        if where == "cube":
            return at.slot in slots
        here = words.switch_of(plant.kind, at) in switches
        return here or (where == "corner" and at.slot in slots and at.axis == "X")

    return [cable for cable, at in words.homes(plant.kind, plant.slots).items() if near(at)]


def hand_of(draw: Draw, plant: Plant, near: list[str], apart: bool = False) -> Hand:
    """A hand that hypothesis guides."""

    def choose(choices: Sequence[Any]) -> Any:
        return choices[draw(st.integers(0, len(choices) - 1))]

    return Hand(plant, choose, near, apart)


def make(draw: Draw, hand: Hand, kinds: tuple[Mistake, ...], most: int, least: int) -> Mixture:
    """Make some mistakes, as many as there is room for."""
    mixture = Mixture(hand.plant, [], [])
    for mistake in draw(st.lists(st.sampled_from(kinds), min_size=least, max_size=most)):
        try:
            codes = mistake(hand)
        except Impossible:
            continue
        if mistake is not turned:
            mixture.made.append(mistake.__name__)
            mixture.codes.append(codes)
            mixture.weight += hand.weigh()
    return mixture


@st.composite
def mixtures(
    draw: Draw,
    *,
    kinds: tuple[Mistake, ...] = MISTAKES,
    most: int = 8,
    least: int = 0,
    apart: bool | None = None,
    full: bool = False,
) -> Mixture:
    """A plant with up to so many mistakes, apart from each other or one over the other."""
    plant = draw(plants(full=full))
    apart = draw(st.booleans()) if apart is None else apart
    near = draw(_focus(plant))

    hand = hand_of(draw, plant, near, apart)
    mixture = make(draw, hand, kinds, most, least)
    note(f"{plant.kind.name} slots {plant.slots} substituted {plant.substituted} {mixture.made}")
    for line in plant.log[:80]:
        note(line)
    return mixture
