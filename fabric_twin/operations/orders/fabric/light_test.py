"""Light-test a bundle over circuits that are made for it and removed again.

    7A  a port worked on   --- 3B  an idle cube's       heard? how much is lost? errors?

The ports are the order's meanwhile, so no ticket comes between; what slices use is not touched.
After a repair at a drained port, or a move between idle ports, a technician sees
nothing without this: no circuit, no light.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from time import time

import numpy as np
from django.db import transaction
from django.db.models import Q

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.orders.checking import (
    Look,
    NothingShines,
    Verdict,
    ends_of,
    ends_plugged,
    look_at,
)
from fabric_twin.core.orders.order import Bundle, Kind
from fabric_twin.core.orders.steps import End
from fabric_twin.core.tickets.life import State
from fabric_twin.models import OpticalCircuit, Reservation, WorkOrder
from fabric_twin.operations.audits.light_evidence import Shown
from fabric_twin.operations.audits.light_tests import idle_slots
from fabric_twin.operations.orders.blocks import without_address
from fabric_twin.operations.orders.cable_ends import Plugging
from fabric_twin.operations.orders.fabric.read_port import fabric_of
from fabric_twin.operations.orders.propose import owners_of_ports
from fabric_twin.operations.orders.record import core_of, held
from fabric_twin.operations.site_limits import site_limits
from fabric_twin.repositories.light_history import baseline_of
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord
from fabric_twin.repositories.reservations import Places, place, places_of, release_places, reserve
from fabric_twin.services.orders.check_bundle import Looked, check_bundle
from fabric_twin.services.tickets.light import Light
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import Pair


def tests_itself(order: WorkOrder) -> bool:
    """Whether bundles of an order are looked at over circuits of its own, and not by audits.

    Those of an installation are, since what comes tells whom it hears. A block without an address
    tells nothing: its labels were read at both ends, and an audit looks at what was reported.
    """
    is_install = order.kind == Kind.INSTALL and order.pod.to_core().medium.is_switched
    return is_install and not without_address(order)


def unlit(order: WorkOrder, record: PodRecord, names: Collection[str]) -> set[str]:
    """Bundles worked on at ports without a circuit, where no light passes.

    Of an installation none: every bundle of one is looked at over circuits of its own.
    """
    core = core_of(order)
    there = order.pod.switches.exclude(address="").exists()
    is_lit = record.design.medium is Medium.OPTICAL
    if not (there and names and is_lit) or core.kind == Kind.INSTALL:
        return set()
    lit, found, intended = owners_of_ports(record).keys(), set(), record.intended()
    for name in names:
        _, far = _ends(order, intended, core.by_bundle[name])
        plugged = set(_named(intended, far))
        if plugged and plugged.isdisjoint(lit):
            found.add(name)
    return found


def _ends(order: WorkOrder, intended: Intended, bundle: Bundle) -> tuple[Column, Column]:
    """Where the strands of a bundle end; a cable that was moved where it is recorded since."""
    core = core_of(order)
    if core.kind != Kind.MOVE:
        return ends_of(intended, core, bundle)
    plant, columns = by_strand(intended), []
    switches = set(plant.names.switches)
    for _, ends in Plugging(order).ends_of(bundle.cables).values():
        near = [end for end in ends.values() if end[0] not in switches]
        far = [end for end in ends.values() if end[0] in switches]
        if len(near) == len(far) == 1 and near[0][0]:
            columns.append(ends_plugged(plant, near[0], far[0]))
    if len(columns) < len(bundle.cables) or any((c < 0).any() for pair in columns for c in pair):
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    near_all, far_all = zip(*columns, strict=True)
    return np.concatenate(near_all), np.concatenate(far_all)


def _named(intended: Intended, ports: Iterable[int]) -> Iterator[End]:
    names = by_strand(intended).names
    return (names.port(int(port)) for port in ports)


class Looking:
    """One look at a bundle, and the ports that it borrows meanwhile."""

    def __init__(self, order: WorkOrder, bundle: Bundle, settle: float) -> None:
        self.order, self.bundle, self.settle = order, bundle, settle
        self.core, self.record = core_of(order), PodRecord(order.pod)
        slots = sorted({*self.record.slots(IN_SERVICE), *self.core.slots})
        self.intended: Intended = self.record.intended(slots)

        self.near, self.far = _ends(order, self.intended, bundle)
        self.own = set(_named(self.intended, self.far))

    def shown(self, verdict: Verdict) -> Shown:
        """The ports that it saw, and whether it measured them."""
        names = self.intended.names
        plugs = {int(port) // names.layout.strands for port in self.near}
        ports = frozenset({*self.own, *(names.port(port) for port in plugs)})
        return Shown(ports, measured=verdict.measured)

    def some_are_lent(self) -> bool:
        """Whether an audit or a ticket that runs holds something that could shine: not for long."""
        soon = Q(run__isnull=False) | Q(ticket__state=State.RUNNING)
        of_cubes = Q(cube__pod=self.order.pod, cube__slot__in=self.record.idle)
        names = {switch for switch, _ in self.own}
        of_ports = Q(switch__pod=self.order.pod, switch__device__name__in=names)
        return bool(Reservation.objects.filter(soon, of_cubes | of_ports).exists())

    @property
    def _by_strand(self) -> bool:
        return by_strand(self.intended) is not self.intended

    def verdict(self) -> Verdict:
        """Borrow ports, look, and give them back; a path is poor only if two partners say so."""
        switches = sorted({switch for switch, _ in self.own})
        idle = idle_slots(self.record)
        mine = {self.record.names.cube(slot) for slot in self._slots(self.near)}
        if mute := mine & without_address(self.order):
            raise NothingShines(
                f"{min(mute)} has no address, so nobody says what it hears",
                where=min(mute),
                remedy="Give it one, or let the ticket that brings its ports back look at light",
            )
        cubes = mine | {self.record.names.cube(slot) for slot in idle}
        with fabric_of(self.record, {*switches, *cubes}) as fabric:
            verdict, partners = self._looked(fabric, switches, idle)
            others = [slot for slot in idle if slot not in partners]
            if self.core.kind != Kind.INSTALL and not verdict.agrees and others:
                try:
                    verdict, _ = self._looked(fabric, switches, others)
                except NothingShines:
                    return verdict
            return verdict

    def _looked(
        self, fabric: Fabric, switches: Collection[str], idle: list[int]
    ) -> tuple[Verdict, set[int]]:
        """What light says with partners among some cubes; and whose these were."""
        in_use, stale = self._shown(fabric, switches)
        with transaction.atomic():
            seen = self._look(idle, in_use)
            borrowed = self._borrow(seen)
        try:
            looked = Looked.at(self.intended, seen)
            light = self._light(fabric) if self.bundle.finding else None
            limits = site_limits()
            verdict = check_bundle(
                self.intended, fabric, looked, stale, self.settle, light, limits=limits
            )
            return verdict, self._slots(seen.hears)
        finally:
            release_places(self.order, borrowed)

    def _light(self, fabric: Fabric) -> Light | None:
        """Who measures what paths lose; in a paired plant neighbours and errors must do."""
        if self.intended.design.layout.strands > 1 or self._by_strand:
            return None
        baseline = baseline_of(self.record, datetime.now(UTC).date())
        return Light(self.intended, fabric, baseline, site_limits(), time)

    def _slots(self, strands: Iterable[int]) -> set[int]:
        layout = by_strand(self.intended).names.layout
        return {int(layout.slot[strand]) for strand in strands} - {0}

    def _shown(
        self, fabric: Fabric, switches: Collection[str]
    ) -> tuple[Circuits, Mapping[str, set[Pair]]]:
        """Circuits that must not be touched; and those that an earlier look left on our ports."""
        numbers = {name: number for number, name in enumerate(self.record.names.switches)}
        rows: set[tuple[int, int, int]] = set()
        stale: dict[str, set[Pair]] = defaultdict(set)
        of = OpticalCircuit.objects.filter(switch__pod=self.order.pod, wanted=True).order_by()
        rows.update(of.values_list("switch__number", "a", "b"))
        own = self.own
        for name, state in fabric.read_circuits(switches).all().items():
            for a, b in {*state.configured, *state.carried}:
                row = numbers[name], int(a[:-1]), int(b[:-1])
                if row not in rows and ((name, a) in own or (name, b) in own):
                    stale[name].add((a, b))
                else:
                    rows.add(row)
        return _columns(rows), stale

    def _look(self, idle: Collection[int], in_use: Circuits) -> Look:
        """The round that shows the bundle; what others have in hand is as good as in use."""
        numbers = {pk: number for number, (pk, _, _) in self.record.switches.items()}
        held_ports = Reservation.objects.filter(switch__pod=self.order.pod).order_by()
        names, layout = self.record.names.switches, self.record.design.layout
        rows = {
            (numbers[switch], port) for switch, port in held_ports.values_list("switch", "port")
        }
        # Its own bundle's ports are held, and out of service, for this; others are not lent.
        for port in self.record.unhealthy_ports:
            if port >= layout.cube_ports:
                switch, at = divmod(port - layout.cube_ports, layout.ports_per_switch)
                rows.add((switch, at % layout.radix + 1))
        busy = {
            (switch, port, port)
            for switch, port in rows
            if not {(names[switch], f"{port}{side}") for side in "AB"} & self.own
        }
        known = set(zip(*(c.tolist() for c in (in_use.switch, in_use.a, in_use.b)), strict=True))
        return look_at(
            self.intended,
            self._as_looked_at(),
            self.near,
            self.far,
            idle=idle,
            in_use=_columns(known | busy),
        )

    def _as_looked_at(self) -> Bundle:
        """The bundle by its cables; what mends a finding looks at those that it touches."""
        if not self.bundle.finding:
            return self.bundle
        names = by_strand(self.intended).names
        first = self.near[:: names.layout.strands].tolist()
        return replace(self.bundle, cables=tuple(" port ".join(names.port(n)) for n in first))

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
    return Circuits(*np.array(sorted(rows), np.int32).reshape(-1, 3).T)
