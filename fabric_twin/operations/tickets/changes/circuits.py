"""Which circuits the inventory wants while a ticket is carried out, state by state.

    state 0    as the records were when the draft was made
    state k    what its stages leave after stage k, each circuit of its slice

Stages say what switches change. Records know more: circuits that nobody wants and switches show,
circuits that are wanted and missing, circuits that only change their owner. These are noted with
the plan (`records`), and so the records can be taken back as exactly as light can.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from fabric_twin.core.circuits.plans import Circuit, Key, Plan
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.tickets.course import Course, Pair
from fabric_twin.models import OpticalCircuit, Pod, Slice
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.circuits import (
    circuit_rows,
    circuits_at,
    insert_circuits,
    note_seen,
    numbers_of,
)
from fabric_twin.repositories.reservations import Place, place


@dataclass(frozen=True)
class _Row:
    """A circuit of the database."""

    pk: str
    slice: UUID | None
    wanted: bool
    seen: bool


class TicketCircuits:
    """The circuits of one ticket, as the inventory wants them."""

    def __init__(self, pod: Pod, course: Course, records: Mapping[str, Any]) -> None:
        self._pod, self._course = pod, course
        self._owners = {name: UUID(key) for name, key in records.get("owners", {}).items()}
        self._left_over = _keys(records, "left_over")
        self._anyway = _keys(records, "anyway")
        self._lost = {(s, a, b): owner for s, a, b, owner in records.get("lost", ())}
        self._passed_on = {
            (s, a, b): (before, after) for s, a, b, before, after in records.get("passed_on", ())
        }
        rows = pod.switches.order_by("number").values_list("device__name", "pk")
        self._switches: dict[str, UUID] = dict(rows)
        self._names = {pk: name for name, pk in self._switches.items()}

    @property
    def keys(self) -> set[Key]:
        """Every circuit that it may change in the records."""
        return {*self._course.own, *self._lost, *self._passed_on}

    @property
    def places(self) -> frozenset[Place]:
        """Every port that it changes: nobody else may, while it is open."""
        return frozenset(
            place(self._switch(switch), port) for switch, *ports in self.keys for port in ports
        )

    @property
    def owners(self) -> Mapping[str, UUID]:
        """The records of slices by the names that the plan has."""
        return self._owners

    def wanted_at_last(self) -> dict[Key, str]:
        """The circuits that are wanted once it is done, also where no stage switches anything."""
        return self.wanted(len(self._course.stages), done=True)

    def wanted(self, state: int, *, done: bool = False) -> dict[Key, str]:
        """The circuits of the ticket that are wanted in a state, and the slice of each."""
        own = self._course.own
        there = self._course.states[state]
        found = {key: c.owner for key, c in there.items() if key not in self._left_over}
        found |= {key: own[key].owner for key in self._anyway}
        found |= {
            key: after if state or done else before
            for key, (before, after) in self._passed_on.items()
            if state or done or before is not None
        }
        if state == 0:
            found |= self._lost
        return found

    def write_at_last(self) -> None:
        """Make the circuits wanted those that the ticket leads to."""
        self.write(len(self._course.stages), done=True)

    def write(self, state: int, *, done: bool = False) -> None:
        """Make the circuits wanted those of a state. Seen ones stay seen."""
        target = {key: self._owner(owner) for key, owner in self.wanted(state, done=done).items()}
        rows, stamp = self._rows(), timezone.now()
        gone = [row for key, row in rows.items() if row.wanted and key not in target]
        # First what goes: a port is in one circuit that is wanted.
        circuits_at(row.pk for row in gone if row.seen).update(
            wanted=False, slice=None, last_updated=stamp
        )
        remove(circuits_at(row.pk for row in gone if not row.seen))
        changed: dict[UUID | None, list[str]] = {}
        for key, owner in target.items():
            row = rows.get(key)
            if row and not (row.wanted and row.slice == owner):
                changed.setdefault(owner, []).append(row.pk)
        for owner, keys in changed.items():
            circuits_at(keys).update(wanted=True, slice=owner, last_updated=stamp)
        new = [key for key in target if key not in rows]
        insert_circuits(
            (self._switches[s], int(a[:-1]), int(b[:-1]), target[s, a, b]) for s, a, b in new
        )

    def note_shown(self, shown: Mapping[str, frozenset[Pair]], at: datetime) -> None:
        """Write what some switches of the pod showed, and when."""
        rows = {self._switches[name]: numbers_of(pairs) for name, pairs in shown.items()}
        note_seen(rows, at)

    def is_at(self, state: int) -> str:
        """Empty where the records are as they should be in a state, else the first difference."""
        target = {key: self._owner(owner) for key, owner in self.wanted(state).items()}
        now = {key: row.slice for key, row in self._rows().items() if row.wanted}
        for s, a, b in sorted(target.keys() ^ now.keys()):
            is_wanted = "is not wanted any more" if (s, a, b) in target else "is wanted now"
            return f"{a} to {b} on {s} {is_wanted}"
        for s, a, b in sorted(key for key in target if target[key] != now[key]):
            return f"{a} to {b} on {s} is another slice's"
        return ""

    def in_the_way(self, accepted: Collection[tuple[UUID, int, int]] = ()) -> str:
        """A circuit that is wanted on a port of the ticket, and is not its own; empty: none is.

        Its own are also those that it accepts.
        """
        mine, places = self.keys, {*self.places}
        for switch, a, b in accepted:
            places |= {Place(switch, "A", a), Place(switch, "B", b)}
        switches = {one.switch for one in places}
        rows = OpticalCircuit.objects.filter(switch__in=switches, wanted=True)
        columns = rows.order_by("switch__number", "a").values_list(
            "switch", "a", "b", "slice__name"
        )
        for switch, a, b, owner in columns:
            name = self._names[switch]
            taken = not places.isdisjoint({Place(switch, "A", a), Place(switch, "B", b)})
            is_own = (name, f"{a}A", f"{b}B") in mine or (switch, a, b) in accepted
            if taken and not is_own:
                whose = f" of slice {owner}" if owner else ""
                return f"{a}A to {b}B on {name}{whose} is wanted now"
        return ""

    def _rows(self) -> dict[Key, _Row]:
        """The ticket's circuits that the database has."""
        wanted, switches = self.keys, {switch for switch, _, _ in self.keys}
        found = OpticalCircuit.objects.filter(
            switch__in=[self._switches[name] for name in switches if name in self._switches]
        )
        rows = {}
        columns = ("slice", "wanted", "seen", "switch")
        for made, is_wanted, seen, switch, pk, a, b in circuit_rows(found, *columns):
            key = self._names[switch], f"{a}A", f"{b}B"
            if key in wanted:
                rows[key] = _Row(pk, made, is_wanted, seen)
        return rows

    def _switch(self, name: str) -> UUID:
        if name not in self._switches:
            raise NotPossible(
                f"the pod has no record of the switch {name}",
                where=f"pod {self._pod.name}",
                remedy="Bind the switch with the job Adopt pod first",
            )
        return self._switches[name]

    def _owner(self, name: str) -> UUID | None:
        return self._owners[name] if name else None


def records_of(
    pod: Pod,
    course: Course,
    plan: Plan,
    slices: Mapping[UUID, str],
    not_wanted: Collection[Key] = (),
) -> dict[str, Any]:
    """What a plan's stages do not say of the records, as these are now.

    `slices` are those that the ticket makes, releases or moves; what is `not_wanted` any more goes
    from the records alone. A circuit that is somebody else's and stands on a port of the plan is
    refused: the plan was made of another present.
    """
    handed = {before.key: after.owner for before, after in plan.passed_on}
    kept = {circuit.key for circuit in plan.keep}
    own, at_first = course.own, course.states[0]
    ports = course.ports | {port for before, _ in plan.passed_on for port in before.ports}
    owners = {name: str(pk) for pk, name in slices.items()}
    found: dict[str, list[list[Any]]] = {name: [] for name in _KINDS}
    for circuit, made, wanted, seen in _circuits(pod):
        key = circuit.key
        on_port = not ports.isdisjoint(circuit.ports)
        goes = made in slices and key not in kept
        if key in handed:
            found["passed_on"].append([*key, circuit.owner if wanted else None, handed[key]])
        elif key in own:
            if wanted != (key in at_first):
                found["anyway" if wanted else "left_over"].append([*key])
        elif wanted and (goes or key in not_wanted or (on_port and not (made or seen))):
            found["lost"].append([*key, circuit.owner])
        elif wanted and on_port:
            raise NotPossible(
                f"{circuit} stands on a port of the plan",
                where=f"pod {pod.name}",
                remedy="Plan it again: something came between",
            )
        else:
            continue
        if made:
            owners[circuit.owner] = str(made)
    # Slices that stand, and get circuits of theirs back.
    other = {circuit.owner for circuit in plan.add} - owners.keys() - {""}
    rows = Slice.objects.filter(pod=pod, name__in=other).order_by().values_list("name", "pk")
    owners |= {name: str(key) for name, key in rows}
    return {"owners": owners, **{name: sorted(rows, key=str) for name, rows in found.items()}}


#: What of a ticket's circuits is noted beside its stages.
_KINDS = ("left_over", "anyway", "lost", "passed_on")


def _circuits(pod: Pod) -> Iterator[tuple[Circuit, UUID | None, bool, bool]]:
    """Every circuit of a pod: its slice, and whether it is wanted, and seen."""
    switches = dict(pod.switches.order_by().values_list("pk", "device__name"))
    rows = OpticalCircuit.objects.filter(switch__pod=pod)
    columns = ("slice__name", "slice", "wanted", "seen", "switch")
    for owner, made, wanted, seen, switch, _, a, b in circuit_rows(rows, *columns):
        yield Circuit(switches[switch], f"{a}A", f"{b}B", owner or ""), made, wanted, seen


def _keys(records: Mapping[str, Any], name: str) -> frozenset[Key]:
    return frozenset((s, a, b) for s, a, b in records.get(name, ()))
