"""Bundles of an order are checked by light: one by one, as soon as hands are done with them.

    install   its ports are joined to those of an idle cube for a moment, which hears who is there
    others    an audit of its places, with the fabric

What light refuses is to be done again, at the rack where the crew stands first; a cube of which
light has agreed to every bundle joins the pod.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.db.models import Q

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.core.orders.checking import Look, Verdict, look
from fabric_twin.core.orders.life import Act, OrderIs, StepIs
from fabric_twin.core.orders.order import Bundle, Kind
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import Do, End
from fabric_twin.core.plant import Intended
from fabric_twin.models import Cube, OpticalCircuit, OrderEvent, Reservation, WorkOrder
from fabric_twin.repositories.audit_runs import How, run_audit
from fabric_twin.repositories.auditing import Scope
from fabric_twin.repositories.observing import observe_scope
from fabric_twin.repositories.order_cubes import qualify_cubes
from fabric_twin.repositories.order_fabric import fabric_of
from fabric_twin.repositories.order_rows import (
    AGREES,
    WRONG,
    core_of,
    held,
    keep_steps,
    progress_of,
    ready,
    say,
)
from fabric_twin.repositories.orders import act_by_itself, finish_by_itself
from fabric_twin.repositories.permissions import require
from fabric_twin.repositories.reading import IN_SERVICE, PodRecord
from fabric_twin.repositories.reservations import Places, give_back, place, places_of, reserve
from fabric_twin.services.check_bundle import SETTLE, Looked, check_bundle
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import Pair

_LOCK = 0x7057_0B0D
#: Cables that a line of history names.
_MOST = 5


@dataclass(frozen=True)
class Checked:
    """What light says of a bundle."""

    bundle: str
    agrees: bool
    #: Cables that are not where they are meant, or dark; and those whose light is poor.
    wrong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    #: Why nobody could look.
    why: str = ""


def check_bundles(
    order: WorkOrder, user: Any, bundles: Collection[str] = (), *, settle: float = SETTLE
) -> list[Checked]:
    """Look by light at some bundles, or at all that hands are done with, and keep what it says."""
    require(user, "do", WorkOrder, [order.pk])
    order = WorkOrder.objects.select_related("pod", "assignee").get(pk=order.pk)
    core = core_of(order)
    if unknown := sorted(set(bundles) - core.by_bundle.keys()):
        raise UnusableInput(
            f"the order has no bundle {unknown[0][:60]!r}",
            where=str(order),
            remedy="Name one of the order",
        )
    if not order.is_open:
        raise NotPossible(
            f"the order is {order.state}", where=str(order), remedy="Audit its places instead"
        )
    named = list(bundles) or ready(progress_of(order))
    if not named:
        return []
    if order.kind != Kind.INSTALL or not PodRecord(order.pod).design.layout.switches:
        return _audited(order, user, named)
    with _one_check_at_a_time(order):
        return [_checked(order, core.by_bundle[name], settle) for name in named]


def _audited(order: WorkOrder, user: Any, named: Collection[str]) -> list[Checked]:
    """Have the places of bundles audited; the audit keeps what it says of each."""
    numbers = order.steps.filter(
        Q(bundle__in=named) | Q(finding__key__in=named), port__isnull=False
    ).values_list("port__number", flat=True)
    ports = frozenset(numbers)
    how = How(look=observe_scope, user=user)
    run_audit(order.pod, Scope(ports=ports) if ports else Scope(), how)
    states = dict(order.steps.filter(do=Do.CHECK, bundle__in=named).values_list("bundle", "state"))
    whys = dict(order.steps.filter(do=Do.CHECK, bundle__in=named).values_list("bundle", "why"))
    return [Checked(n, states.get(n) == StepIs.VERIFIED, why=whys.get(n, "")) for n in named]


@contextmanager
def _one_check_at_a_time(order: WorkOrder) -> Iterator[None]:
    """Two looks at one order would take each other's circuits away; who dies lets go."""
    key = [_LOCK, order.pk.int & 0x7FFF_FFFF]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        if not cursor.fetchone()[0]:
            raise NotPossible(
                "a check of it is under way", where=str(order), remedy="Wait for what it says"
            )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)


def _checked(order: WorkOrder, bundle: Bundle, settle: float) -> Checked:
    """Look at one bundle of an installation."""
    try:
        verdict = _Looking(order, bundle, settle).verdict()
    except FabricTwinError as refusal:
        order.steps.filter(do=Do.CHECK, bundle=bundle.name).update(why=str(refusal))
        return Checked(bundle.name, agrees=False, why=str(refusal))
    keep_verdict(order, verdict)
    return Checked(bundle.name, verdict.agrees, verdict.wrong, verdict.weak)


class _Looking:
    """One look at a bundle, and the ports that it borrows meanwhile."""

    def __init__(self, order: WorkOrder, bundle: Bundle, settle: float) -> None:
        self.order, self.bundle, self.settle = order, bundle, settle
        self.core, self.record = core_of(order), PodRecord(order.pod)
        slots = sorted({*self.record.slots(IN_SERVICE), *self.core.slots})
        self.intended: Intended = self.record.intended(slots)

    def verdict(self) -> Verdict:
        """Borrow ports, look, and give them back."""
        switches = sorted(
            {laid.b[0] for laid in self.core.cables if laid.bundle == self.bundle.name}
        )
        idle = self._idle()
        cubes = {self.record.names.cube(slot) for slot in (*idle, *self.core.slots)}
        with fabric_of(self.record, {*switches, *cubes}) as fabric:
            in_use, stale = self._shown(fabric, switches)
            with transaction.atomic():
                seen = self._look(idle, in_use)
                borrowed = self._borrow(seen)
            try:
                looked = Looked.at(self.intended, seen)
                return check_bundle(self.intended, fabric, looked, stale, self.settle)
            finally:
                give_back(self.order, borrowed)

    def _idle(self) -> list[int]:
        """Slots of cubes that stand, do nothing, answer, and are nobody's."""
        cubes = Cube.objects.filter(pod=self.order.pod, reservations__isnull=True)
        answer = set(cubes.exclude(address="").values_list("slot", flat=True))
        return [slot for slot in self.record.free if slot in answer]

    def _own(self) -> set[End]:
        return {laid.b for laid in self.core.cables if laid.bundle == self.bundle.name}

    def _shown(
        self, fabric: Fabric, switches: Collection[str]
    ) -> tuple[Circuits, Mapping[str, set[Pair]]]:
        """Circuits that must not be touched; and those that an earlier look left on our ports."""
        numbers = {name: number for number, name in enumerate(self.record.names.switches)}
        rows: set[tuple[int, int, int]] = set()
        stale: dict[str, set[Pair]] = defaultdict(set)
        of = OpticalCircuit.objects.filter(switch__pod=self.order.pod, wanted=True).order_by()
        rows.update(of.values_list("switch__number", "a", "b"))
        own = self._own_simplex()
        for name, state in fabric.read_circuits(switches).all().items():
            for a, b in {*state.configured, *state.carried}:
                row = numbers[name], int(a[:-1]), int(b[:-1])
                if row not in rows and ((name, a) in own or (name, b) in own):
                    stale[name].add((a, b))
                else:
                    rows.add(row)
        return _columns(rows), stale

    def _own_simplex(self) -> set[End]:
        return {port for end in self._own() for port in simplex(end)}

    def _look(self, idle: Collection[int], in_use: Circuits) -> Look:
        """The round that shows the bundle; what others have reserved is as good as in use."""
        numbers = {pk: number for number, (pk, _, _) in self.record.switches.items()}
        others = Reservation.objects.filter(switch__pod=self.order.pod).exclude(order=self.order)
        names = self.record.names.switches
        own = self._own_simplex()
        rows = {
            (numbers[switch], port, port)
            for switch, port in others.order_by().values_list("switch", "port")
            if not {(names[numbers[switch]], f"{port}{side}") for side in "AB"} & own
        }
        known = set(zip(*(c.tolist() for c in (in_use.switch, in_use.a, in_use.b)), strict=True))
        return look(self.intended, self.core, self.bundle, idle=idle, in_use=_columns(known | rows))

    def _borrow(self, seen: Look) -> Places:
        """Hold the ports of the round, so that no ticket comes between."""
        keys = {number: pk for number, (pk, _, _) in self.record.switches.items()}
        c = seen.circuits
        ports = {
            place(keys[switch], port)
            for switch, a, b in zip(c.switch.tolist(), c.a.tolist(), c.b.tolist(), strict=True)
            for port in (f"{a}A", f"{b}B")
        }
        held(self.order)
        wanted = Places(frozenset(ports) - places_of(self.order).ports)
        reserve(self.order, wanted)
        return wanted


def _columns(rows: Collection[tuple[int, int, int]]) -> Circuits:
    table = np.array(sorted(rows), np.int32).reshape(-1, 3)
    return Circuits(table[:, 0], table[:, 1], table[:, 2])


def keep_verdict(order: WorkOrder, verdict: Verdict) -> None:
    """Write down what light says of a bundle, and what follows from it."""
    name = verdict.bundle.name
    with transaction.atomic():
        there = held(order)
        before = progress_of(there)
        if verdict.agrees:
            after = before.light(name, agrees=True)
            keep_steps(there, before, after)
            say(there, AGREES, name)
            qualify_cubes(there, after.qualified())
            finish_by_itself(there, after)
            return
        refused = OrderEvent.objects.filter(order=there, what=WRONG, said__startswith=f"{name}: ")
        rack = _racks(before, verdict.bundle)[refused.count() % 2]
        ports = verdict.ports(before.order, rack)
        after = before.light(name, agrees=False, wrong=ports)
        if name in after.set_aside:
            keep_steps(there, before, after)
            say(there, WRONG, f"{name} is set aside: something of it cannot be done")
            finish_by_itself(there, after)
            return
        bad = (*verdict.wrong, *verdict.weak)
        more = f" and {len(bad) - _MOST} more" if len(bad) > _MOST else ""
        said = f"{name}: {', '.join(bad[:_MOST])}{more}; again at {rack}"
        checks = [s.number for s in before.order.steps if s.do == Do.CHECK and s.bundle == name]
        keep_steps(there, before, after, why=dict.fromkeys(checks, said))
        say(there, WRONG, said)
        if there.state == OrderIs.AWAITING_LIGHT:
            act_by_itself(there, Act.REOPEN, said)


def _racks(progress: Progress, bundle: Bundle) -> tuple[str, str]:
    """Where a bundle is done again: where the crew stands, and where its other ends are."""
    racks = [step.rack for step in progress.order.steps if step.bundle == bundle.name]
    near = next((rack for rack in racks if rack != bundle.rack), bundle.rack)
    return bundle.rack, near
