"""What a drain does to slices: which move, which lose circuits until the order ends, how long.

port 7A, to be worked on
  a slice, where the switch is dead has lost these circuits already; nothing more goes
  a slice that may bear it          stays, and does without these circuits until the order ends
  a slice that finds other cubes    moves there; its job stops for about a minute
  a slice that finds none           keeps its circuits, and the port is in use: nobody may work
      with *interrupt*              loses the circuits on these ports until the order has ended
  a circuit that no slice has       stays, or with *interrupt* goes
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.steps import End
from fabric_twin.core.proposals.effects import MoveSlice
from fabric_twin.core.proposals.proposal import Proposal
from fabric_twin.core.slots import format_slots

#: Seconds that the job of a slice stands still while the slice moves: switched, tuned, read [A].
MOVE_S = 60.0
#: What a person may choose where a slice cannot move.
INTERRUPT = (
    "Choose interrupt: its circuits on these ports are removed and come back when the order has "
    "ended; or let what is in the way end first"
)
#: The same where all of them could bear it.
BEAR = "Or let slices bear it: then interrupt is not needed"

#: What a slice is called for a user who may not see it.
UNSEEN = "a slice that you may not see"


@dataclass(frozen=True)
class Hit:
    """One slice on the ports that will be worked on."""

    name: str
    shape: str
    #: The slots of its cubes now; and after its move, where it moves.
    slots: tuple[int, ...]
    to: tuple[int, ...]
    #: How many of its circuits are removed, to move or to stand still.
    circuits: int
    #: Why it cannot move; empty where it does.
    why: str
    #: About how long it is without them.
    seconds: float
    #: Whether it stays and does without these circuits; and what it then keeps, in words.
    bears: bool = False
    keeps: str = ""
    #: What it would keep if it were let bear it, in words; empty where that is no choice.
    would_keep: str = ""
    #: Whether it is so already, by a switch that is dead: the work takes nothing more.
    already: bool = False

    @property
    def offer(self) -> str:
        """What the choice to let it bear the work would mean, in words."""
        return f"bears it if you let it: {self.would_keep}" if self.would_keep else ""

    @property
    def moves(self) -> bool:
        """Whether it goes to other cubes."""
        return not (self.why or self.bears)


@dataclass(frozen=True)
class Impact:
    """What a drain means for slices, before anybody asks for its ticket."""

    hits: tuple[Hit, ...] = ()
    #: Circuits on these ports that no slice has.
    by_hand: tuple[Circuit, ...] = ()
    #: Circuits that stay on these ports whatever is chosen.
    left: tuple[Circuit, ...] = ()

    @cached_property
    def stuck(self) -> tuple[Hit, ...]:
        """Slices that can neither move nor bear it."""
        return tuple(hit for hit in self.hits if hit.why)

    @property
    def needs_interrupt(self) -> bool:
        """Whether the ports can be cleared only by removing what cannot move."""
        return bool(self.stuck or self.by_hand)

    @property
    def names(self) -> frozenset[str]:
        """All slices that it may name."""
        left = {circuit.owner for circuit in self.left if circuit.owner}
        return frozenset({hit.name for hit in self.hits} | left)

    def why_stuck(self, seen: Collection[str]) -> str:
        """What cannot move and why, in a sentence; slices that are not `seen` are not named."""
        said = [
            f"{f'slice {hit.name}' if hit.name in seen else UNSEEN} cannot move: {hit.why}"
            for hit in self.stuck
        ]
        said += [f"{circuit} was made by hand and stays" for circuit in self.by_hand]
        return _some(said)

    @property
    def takes_nothing(self) -> bool:
        """Whether no slice loses anything by it, and no circuit that was made by hand."""
        return not self.by_hand and all(hit.already for hit in self.hits)

    def offering(self, bearing: "Impact") -> "Impact":
        """The same, with what slices would keep that bear it in another impact of these ports."""
        keeps = {hit.name: hit.keeps for hit in bearing.hits if hit.bears}
        hits = [
            hit if hit.bears else replace(hit, would_keep=keeps.get(hit.name, ""))
            for hit in self.hits
        ]
        return replace(self, hits=tuple(hits))

    @property
    def bearing_suffices(self) -> bool:
        """Whether nothing is in the way any more if slices are let bear it."""
        return not self.by_hand and all(hit.would_keep for hit in self.stuck)

    def check(self, where: str, *, interrupt: bool, seen: Collection[str]) -> None:
        """Refuse a drain after which the ports would still be in use."""
        if self.needs_interrupt and not interrupt:
            raise NotPossible(self.why_stuck(seen), where=where, remedy=INTERRUPT)
        if self.left:
            told = [
                one if not one.owner or one.owner in seen else replace(one, owner=UNSEEN)
                for one in self.left
            ]
            said = [f"the circuit {one} is wanted and its switch does not show it" for one in told]
            raise NotPossible(
                _some(said), where=where, remedy="Mend the circuit first: a ticket for drift does"
            )


def impact_of(interrupting: Proposal, ports: Collection[End], seconds: float) -> Impact:
    """What a drain with *interrupt* does to slices; without it, those that are stuck stay.

    `seconds` is how long work takes, and so how long a slice that cannot move stands still.
    """
    now, removed = interrupting.now, interrupting.plan.remove
    many = Counter(circuit.owner for circuit in removed)
    hits = [
        Hit(
            *(one.before.name, str(one.before.shape), one.before.slots, one.after.slots),
            *(many[one.before.name], "", MOVE_S),
        )
        for one in interrupting.effects
        if isinstance(one, MoveSlice)
    ]
    standing = now.occupancy.slices
    hits += [
        Hit(
            *(one.made.name, str(one.made.shape), one.made.slots, ()),
            *(many[one.made.name], "", seconds),
            bears=True,
            keeps=one.keeps,
        )
        for one in interrupting.bears
    ]
    hits += [
        Hit(one.name, one.shape, standing[one.name].slots, (), many[one.name], one.why, seconds)
        for one in interrupting.stranded
    ]
    moving = {hit.name for hit in hits if hit.moves}
    gone, there = {circuit.key for circuit in removed}, set(ports)
    on_them = [circuit for circuit in now.circuits if not there.isdisjoint(circuit.ports)]
    return Impact(
        hits=tuple(sorted(hits, key=lambda hit: (hit.moves, hit.name))),
        by_hand=tuple(c for c in removed if not c.owner and c.key not in now.left_over),
        left=tuple(c for c in on_them if c.key not in gone and c.owner not in moving),
    )


def where_it_goes(hit: Hit) -> str:
    """What happens to a slice, in words for a table."""
    if hit.already:
        return f"nothing more: without the dead switch it is at {hit.keeps}"
    if hit.bears:
        return f"stays and bears it: {hit.keeps}"
    if not hit.moves:
        return f"stays: {hit.why}"
    left, taken = set(hit.slots) - set(hit.to), set(hit.to) - set(hit.slots)
    if not taken:
        return "moves within its cube"
    return f"moves from cube {format_slots(sorted(left))} to {format_slots(sorted(taken))}"


def _some(said: list[str], most: int = 3) -> str:
    more = f"; and {len(said) - most:,} more" if len(said) > most else ""
    return "; ".join(said[:most]) + more
