"""A switch that cannot tell who it is, confirmed by light: a test circuit between two known cubes.

idle cube 3 -- its cable -- 3A | the switch | 5B -- its cable -- idle cube 5
they hear each other: only the switch of this axis and index joins these two ports
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from nautobot.users.models import User

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.discovery.rounds import ports_of
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.identity import Answering, ConfirmedBy, Told
from fabric_twin.core.kinds import Verb
from fabric_twin.models import AuditRun, Switch
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.operations.audits.light_tests import (
    Tested,
    Wish,
    idle_slots,
    light_test,
    part_left_over,
    place_of_test,
)
from fabric_twin.operations.audits.run_lease import queue_run, take_lease
from fabric_twin.operations.audits.who_answers import answering_at, confirm, told_by
from fabric_twin.operations.pods.poll import PATIENCE
from fabric_twin.operations.pods.sync import sync_pod
from fabric_twin.repositories.addresses import targets_of
from fabric_twin.repositories.credentials import pod_accesses
from fabric_twin.repositories.permissions import require
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord
from fabric_twin.services.discovery import neighbours
from fabric_twin.switches.fabric import open_fabric


class Hearing(NamedTuple):
    """What cubes tell of their neighbours."""

    #: The slots of the cubes that answered.
    answered: set[int]
    #: Which strand hears which.
    pairs: set[tuple[int, int]]


def check_confirmable(switch: Switch, user: User | None) -> Told:
    """Ask it who it is, which it should not be able to tell; and see that cubes are idle."""
    require(user, "connect", Switch, [switch.pk])
    sync_pod(switch.pod, user, devices={str(switch)})
    switch.pod.to_core().check_can(Verb.CONFIRM_BY_CIRCUIT, NotPossible)
    told = told_by(switch)
    if answering_at(switch) is not Answering.NOT_CONFIRMED or not told.is_nothing:
        raise NotPossible(
            "it can tell who it is, or does not answer",
            where=str(switch),
            remedy="See on its page who answers, and confirm that",
        )
    _two_idle(PodRecord(switch.pod), switch)
    return told


def _two_idle(record: PodRecord, switch: Switch) -> list[int]:
    """The slots of at least two cubes that do nothing."""
    return _enough(idle_slots(record), switch)


def _enough(slots: list[int], switch: Switch) -> list[int]:
    """At least two of them."""
    if len(slots) < 2:
        raise NotPossible(
            "a test circuit needs two idle cubes that answer",
            where=str(switch),
            remedy="Release a slice, see that cubes answer, or confirm it by what its label says",
        )
    return slots


def confirm_by_circuit(switch: Switch, user: User | None) -> str:
    """Let light say that the switch at an address is the recorded one; what was seen, in words."""
    told = check_confirmable(switch, user)
    run = queue_run(switch.pod, scope=ScopeChoices.SWITCH, light=True, places=place_of_test(switch))
    try:
        lease = take_lease(run)
        part_left_over(run.pod, besides=run)
        record = PodRecord(run.pod)
        plant = by_strand(record.intended())
        before = _who_hears(record, plant, idle_slots(record))
        wish = _wish(record, plant, switch, before.answered)
        with light_test(run, lease, wish) as tested:
            said = _heard(record, plant, switch, tested, before)
    finally:
        _forget(run)
    confirm(switch, user, told, said, ConfirmedBy.TEST_CIRCUIT)
    return said


def _wish(record: PodRecord, plant: Intended, switch: Switch, answered: set[int]) -> Wish:
    """The A port of one idle cube on the switch; another idle cube is its partner.

    Of cubes that answered: of the others it is not known whom they heard before.
    """
    idle = _two_idle(record, switch)
    layout, (slot, *_) = plant.names.layout, _enough([s for s in idle if s in answered], switch)
    silent = set(idle) - answered
    first = layout.cube_ports + switch.number * layout.ports_per_switch
    mine = np.flatnonzero(layout.slot[: layout.cube_ports] == slot)
    home = plant.want[mine]
    here = mine[(home >= first) & (home < first + layout.radix)]
    device, port = plant.names.port(int(here[0]))
    # By the name of the cable's port, whatever strand it is.
    looked = Proof(Look.LIGHT, device, port.partition(":")[0])
    return Wish((looked,), frozenset({slot, *silent}), frozenset({str(switch)}))


def _heard(
    record: PodRecord, plant: Intended, switch: Switch, tested: Tested, before: Hearing
) -> str:
    """What two cubes hear of each other over the test circuits; a refusal where they do not.

    Cubes that heard each other before do so by another way: that does not show which switch it is.
    """
    if not len(tested.made):
        raise NotPossible(
            "it did not make the test circuit",
            where=str(switch),
            remedy="See whether its ports are free, and who answers at its address",
        )
    ends = _strands(plant, tested.made)
    both = {way for pair in ends for way in (pair, pair[::-1])}
    if both & before.pairs:
        raise NotPossible(
            "its two cubes heard each other before, over another circuit",
            where=str(switch),
            remedy="Take that circuit away first: it may be on the switch that should answer",
        )
    slots = {int(plant.names.layout.slot[end]) for pair in ends for end in pair}
    now = _who_hears(record, plant, slots)
    if silent := sorted(slots - (before.answered & now.answered)):
        raise NotPossible(
            f"{', '.join(map(plant.names.cube, silent))} did not answer both before and while the "
            "test circuit was there",
            where=str(switch),
            remedy="Try again once it answers, or confirm it by what its label says",
        )
    hears = both & now.pairs
    if not hears:
        a, b = (" ".join(plant.names.port(end)) for end in ends[0])
        raise NotPossible(
            f"{a} and {b} do not hear each other over its test circuit",
            where=str(switch),
            remedy="Another switch answers at its address, or a cable is not where it should be: "
            "look at its label",
        )
    near, far = (" ".join(plant.names.port(end)) for end in min(hears))
    return f"{near} hears {far} over its test circuit"


def _who_hears(record: PodRecord, plant: Intended, slots: Collection[int]) -> Hearing:
    """Which strands of some cubes hear which."""
    names = plant.names
    racks = {names.cube(slot) for slot in slots}
    targets = targets_of(record.pod, IN_SERVICE, racks)
    with open_fabric((), targets.cubes, pod_accesses(record.pod), PATIENCE) as fabric:
        states = fabric.read_neighbours().given
    claims = neighbours.Hearing(names).listen(states).tolist()
    pairs = {(near, far) for near, far in enumerate(claims) if far >= 0}
    return Hearing({slot for slot in slots if names.cube(slot) in states}, pairs)


def _strands(plant: Intended, circuits: Circuits) -> list[tuple[int, int]]:
    """The strands at both ends of circuits."""
    a, b = ports_of(plant.names.layout, circuits)
    return list(zip(plant.want[a].tolist(), plant.want[b].tolist(), strict=True))


def _forget(run: AuditRun) -> None:
    """A test is no audit; where its circuit may be left, the next audit finds it by its run."""
    if run.reservations.exists():
        AuditRun.objects.filter(pk=run.pk).update(
            state=RunStateChoices.LOST, message="Its test circuit may still be there."
        )
    else:
        run.delete()
