"""From present circuits to wanted ones: what stays, what goes, what comes, and in which stages.

    present   7A-9B   8A-8B             4A-4B            keep    4A-4B
    wanted    7A-8B           5A-5B     4A-4B            remove  7A-9B 8A-8B   add  7A-8B 5A-5B

    stage 1   + 5A-5B                   its ports are free: nothing is interrupted
    stage 2   - 7A-9B - 8A-8B + 7A-8B   what must give way, with what it gives way to
    stage 3   (nothing here)            what goes and nobody waits for

A circuit in only one of the two states must be switched at least once, and here is switched
exactly once: the plan is as small as any plan can be.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from fabric_twin.core.errors import NotPossible

#: A switch, an A port and a B port; or a switch and one port.
Key = tuple[str, str, str]
Port = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Circuit:
    """One cross-connect by name, as a circuit file has it; without an owner it is nobody's."""

    switch: str
    a: str
    b: str
    owner: str = ""
    #: Where it was read, for refusals.
    where: str = field(default="", compare=False, repr=False)

    @property
    def key(self) -> Key:
        """What a switch knows of it: a change of owner is none of light."""
        return self.switch, self.a, self.b

    @property
    def ports(self) -> tuple[Port, Port]:
        """Both ends."""
        return (self.switch, self.a), (self.switch, self.b)

    def __str__(self) -> str:
        of = f" of {self.owner}" if self.owner else ""
        return f"{self.a} to {self.b} on {self.switch}{of}"

    def as_json(self) -> dict[str, str]:
        """As a circuit file has it."""
        return {"switch": self.switch, "a": self.a, "b": self.b, "owner": self.owner}


@dataclass(frozen=True)
class Stage:
    """One bulk Set to each switch concerned, whose deletes come before its adds."""

    remove: tuple[Circuit, ...] = ()
    add: tuple[Circuit, ...] = ()

    @property
    def undone(self) -> "Stage":
        """The stage that takes this one back; it is as safe, for the states are the same two."""
        return Stage(remove=self.add, add=self.remove)

    def as_json(self) -> dict[str, Any]:
        """As the contract has it."""
        return {name: [c.as_json() for c in getattr(self, name)] for name in ("remove", "add")}


@dataclass(frozen=True)
class Plan:
    """A change of circuits, stage by stage."""

    #: Circuits that may change and stay as they are.
    keep: tuple[Circuit, ...]
    stages: tuple[Stage, ...]
    #: Circuits that only change their owner: no light is switched.
    passed_on: tuple[tuple[Circuit, Circuit], ...]
    #: Owners of present circuits who lose none and gain none.
    untouched_owners: tuple[str, ...]
    #: Fewer circuits than this no plan can switch.
    lower_bound: int

    @cached_property
    def remove(self) -> tuple[Circuit, ...]:
        """What goes, in the order it goes."""
        return tuple(circuit for stage in self.stages for circuit in stage.remove)

    @cached_property
    def add(self) -> tuple[Circuit, ...]:
        """What comes, in the order it comes."""
        return tuple(circuit for stage in self.stages for circuit in stage.add)

    @cached_property
    def interrupted(self) -> dict[str, tuple[int, int]]:
        """How many circuits each owner loses, and gains; those who lose the most first."""
        lost = Counter(circuit.owner for circuit in self.remove)
        gained = Counter(circuit.owner for circuit in self.add)
        return {owner: (many, gained[owner]) for owner, many in lost.most_common()}

    @property
    def undone(self) -> tuple[Stage, ...]:
        """The stages that lead back to the start."""
        return tuple(stage.undone for stage in reversed(self.stages))

    def as_json(self) -> dict[str, Any]:
        """As the contract has it."""
        return {
            "version": 1,
            "keep": len(self.keep),
            "remove": [circuit.as_json() for circuit in self.remove],
            "add": [circuit.as_json() for circuit in self.add],
            "stages": [stage.as_json() for stage in self.stages],
            "untouched_owners": list(self.untouched_owners),
            "lower_bound": self.lower_bound,
        }


def make_plan(present: Sequence[Circuit], wanted: Sequence[Circuit]) -> Plan:
    """Plan from one whole state to another; no circuit twice in either.

    A circuit that is in both with another owner stays as it is: only the record changes.
    """
    check_ports(wanted)
    have = {circuit.key: circuit for circuit in present}
    want = {circuit.key: circuit for circuit in wanted}
    remove = [circuit for circuit in present if circuit.key not in want]
    add = [circuit for circuit in wanted if circuit.key not in have]
    keep = tuple(circuit for circuit in wanted if circuit.key in have)
    passed_on = tuple((have[c.key], c) for c in keep if have[c.key].owner != c.owner)
    touched = {circuit.owner for circuit in [*remove, *add]}
    touched |= {circuit.owner for pair in passed_on for circuit in pair}
    owners = {circuit.owner for circuit in present} - {""}
    return Plan(
        keep=keep,
        stages=_stages(remove, add),
        passed_on=passed_on,
        untouched_owners=tuple(sorted(owners - touched)),
        lower_bound=len(have.keys() ^ want.keys()),
    )


def make_plan_for(owner: str, present: Sequence[Circuit], wanted: Sequence[Circuit]) -> Plan:
    """Plan for one owner: only these circuits may change, and those absent from the wish go.

    What the wish says of other owners' circuits is left out of account; `wish_of` reads it so.
    """
    ours = [circuit for circuit in present if circuit.owner == owner]
    others = [circuit for circuit in present if circuit.owner != owner]
    return make_plan_beside(others, ours, wish_of(owner, wanted))


def make_plan_beside(
    others: Sequence[Circuit], ours: Sequence[Circuit], wanted: Sequence[Circuit]
) -> Plan:
    """Plan from some circuits to others, beside circuits that must stay as they are."""
    kept = {circuit.key for circuit in ours}
    check_ports([circuit for circuit in wanted if circuit.key not in kept], held=others)
    plan = make_plan(ours, wanted)
    owners = {circuit.owner for circuit in others} - {""}
    return replace(plan, untouched_owners=tuple(sorted(owners.union(plan.untouched_owners))))


def shared_ports(circuits: Iterable[Circuit]) -> list[tuple[Circuit, Circuit]]:
    """Circuits that have a port with one before them, which no switch can do."""
    circuits = list(circuits)
    ports = {(c.switch, c.a) for c in circuits} | {(c.switch, c.b) for c in circuits}
    if len(ports) == 2 * len(circuits):  # as almost always, and ten times as quick to see
        return []
    holder: dict[Port, Circuit] = {}
    both = []
    for circuit in circuits:
        first = [holder.setdefault(port, circuit) for port in circuit.ports]
        both += [(other, circuit) for other in dict.fromkeys(first) if other is not circuit]
    return both


def wish_of(owner: str, wanted: Iterable[Circuit]) -> list[Circuit]:
    """What of a wish is this owner's: circuits that name the owner, or nobody (as slices do)."""
    return [
        circuit if circuit.owner else Circuit(*circuit.key, owner, circuit.where)
        for circuit in wanted
        if circuit.owner in {owner, ""}
    ]


def check_ports(wanted: Iterable[Circuit], held: Iterable[Circuit] = ()) -> None:
    """Refuse a wish that puts a port in two circuits, its own or one that must not change."""
    holder = {port: circuit for circuit in held for port in circuit.ports}
    not_ours = set(holder)
    for circuit in wanted:
        for port in circuit.ports:
            other = holder.setdefault(port, circuit)
            if other is not circuit:
                raise NotPossible(
                    f"{circuit} breaks the rule port-in-two-circuits: {port[1]} is in {other}",
                    where=circuit.where,
                    remedy="Choose other cubes, or let what holds the port be released first"
                    if port in not_ours
                    else "Leave one of the two out",
                )


def _stages(remove: Sequence[Circuit], add: Sequence[Circuit]) -> tuple[Stage, ...]:
    """Part a change into the fewest stages that interrupt nothing before they must: at most three.

    1. What finds its ports free comes first. It interrupts nobody; should a port not tune, the
       plan stops here with every present circuit still lit.
    2. What must give way goes, with what needs its ports, in one Set a switch. Many exchanges
       share the stage because each is local to its switch: one that fails leaves dark only its
       own circuits, which were to go anyway, and undoing the stage relights them.
    3. What goes and nobody waits for goes last: until all that is wanted is proven, it still runs.

    One stage for all would be as safe for the ports, but a failure would then find everything
    interrupted at once. Stages without a circuit are left out.
    """
    leaving = {port for circuit in remove for port in circuit.ports}
    coming = {port for circuit in add for port in circuit.ports}
    gives_way = [not coming.isdisjoint(circuit.ports) for circuit in remove]
    waits = [not leaving.isdisjoint(circuit.ports) for circuit in add]
    stages = (
        Stage(add=tuple(c for c, waiting in zip(add, waits, strict=True) if not waiting)),
        Stage(
            remove=tuple(c for c, giving in zip(remove, gives_way, strict=True) if giving),
            add=tuple(c for c, waiting in zip(add, waits, strict=True) if waiting),
        ),
        Stage(remove=tuple(c for c, giving in zip(remove, gives_way, strict=True) if not giving)),
    )
    return tuple(stage for stage in stages if stage.remove or stage.add)
