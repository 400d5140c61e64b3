"""Circuits for a light test of findings: made while an audit looks, and no longer.

    not seen since --> ports that nothing uses --> reserved --> joined --> the audit looks
                                                                  |
         released, once the switches no longer show them <-- parted --'

The ports are the run's meanwhile. What a killed worker left, the next audit takes away first.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis.case import chosen
from fabric_twin.core.diagnosis.pictures import Mask
from fabric_twin.core.diagnosis.proof_circuits import proof_circuits
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.findings.proof import Proof
from fabric_twin.core.pods.names import Names
from fabric_twin.core.tickets.course import by_switch
from fabric_twin.models import AuditRun, Cube, Finding, OpticalCircuit, Pod, Reservation, Switch
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.audits.finding_rows import proof_of
from fabric_twin.operations.audits.run_lease import RunLease
from fabric_twin.operations.hooks import ports_in_hand
from fabric_twin.operations.pods.poll import PATIENCE
from fabric_twin.repositories.addresses import targets_of
from fabric_twin.repositories.credentials import some_accesses
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.repositories.pod_record import IN_SERVICE, USABLE, PodRecord
from fabric_twin.repositories.ports_out import simplex_ports
from fabric_twin.repositories.reservations import Places, place, port_names, release_places, reserve
from fabric_twin.switches.changes import Change
from fabric_twin.switches.fabric import Fabric, open_fabric

log = logging.getLogger("fabric_twin.audits")
#: Letters that are kept of what a run is of.
_PLACES = 255
#: Why ports are nobody else's to use.
IN_CIRCUIT, OUT_OF_SERVICE = "a circuit is on it", "it is out of service"
OF_TICKET, OF_ORDER = "a ticket holds it", "a work order holds it"
OF_TEST, WORKED_ON = "a light test holds it", "it is worked on"
SILENT_SWITCH = "its switch did not answer"
#: Which ports are so, strand by strand, by why.
Busy = Mapping[str, Mask]
#: Seconds in which neighbours announce themselves.
SETTLE = 2.0
#: Seconds before the end of a lease after which no switch is told anything.
_IN_TIME = 30.0


@dataclass(frozen=True, eq=False)
class Tested:
    """Test circuits: those that switches were told to make, and those that they show."""

    told: Circuits
    made: Circuits


@dataclass(frozen=True)
class Wish:
    """What a test is to show."""

    proof: tuple[Proof, ...]
    #: Cubes that are not to be partners.
    without: frozenset[int] = frozenset()
    #: Switches that nobody has confirmed: to confirm them is what the test is for.
    unconfirmed: frozenset[str] = frozenset()


@contextmanager
def light_test(run: AuditRun, lease: RunLease, wish: Wish | None = None) -> Iterator[Tested]:
    """Join ports to those of idle cubes, as far as nothing uses them; then part them.

    By default what is joined is what is not seen since.
    """
    record = PodRecord(run.pod)
    wish = wish or Wish(_unseen(record))
    plant, proof = by_strand(record.intended()), wish.proof
    idle = [slot for slot in idle_slots(record) if slot not in wish.without]
    held = any_of(held_ports(record, plant.names))
    rough = proof_circuits(plant, proof, idle, held, turn=run.number)
    switches = {switch for switch, _, _ in rough.named(plant.names)}
    with fabric_of_test(record, switches, wish.unconfirmed) as fabric:
        shown = any_of(shown_ports(plant.names, fabric))
        with transaction.atomic():
            lock_rows(run.pod_id)
            # While switches answered, somebody may have taken what was free.
            fresh = PodRecord(run.pod)
            busy = shown | any_of(held_ports(fresh, plant.names))
            idle = [slot for slot in idle_slots(fresh) if slot not in wish.without]
            told = proof_circuits(plant, proof, idle, busy, turn=run.number)
            _reserve(run, fresh, told)
        with parted_in_the_end(run, record, fabric):
            yield Tested(told, _made(lease, record, fabric, told))
            lease.renew()


@contextmanager
def parted_in_the_end(run: AuditRun, record: PodRecord, fabric: Fabric) -> Iterator[None]:
    """Whatever happens, circuits on the ports of a run go, and the ports are released."""
    try:
        yield
    finally:
        _part(run, record, fabric)


def part_left_over(pod: Pod, besides: AuditRun) -> None:
    """Take away what runs left that did not come to their end; who is silent is asked next time."""
    runs = AuditRun.objects.filter(pod=pod, reservations__isnull=False).exclude(pk=besides.pk)
    for run in runs.distinct().order_by("number"):
        record = PodRecord(pod)
        switches = {switch for switch, _ in port_names(run.reservations.all())}
        try:
            # A switch whose own test was not ended is spoken to for that, also unconfirmed: at the
            # address that the test was made at.
            rows = Switch.objects.filter(device__name__in=switches, pod=pod).select_related(
                "device"
            )
            its_own = {str(switch) for switch in rows if run.places == place_of_test(switch)}
            with fabric_of_test(record, switches, frozenset(its_own)) as fabric:
                _part(run, record, fabric)
        except FabricTwinError as refusal:
            # The ports stay reserved, and the next audit tries again.
            log.warning("%s: what %s left is still there: %s", pod.name, run, refusal)


def place_of_test(switch: Switch) -> str:
    """What a run is of that confirms a switch: which, and where it answers.

    Who views runs may not view addresses: they are told apart, and not shown.
    """
    answers = salted_hmac(__name__, f"{switch.address} {switch.target}").hexdigest()[:12]
    return f"test circuit {answers} on {switch}"[:_PLACES]


def _unseen(record: PodRecord) -> tuple[Proof, ...]:
    """What is left to be seen of findings, the oldest first."""
    rows = Finding.objects.filter(pod=record.pod, seen=False).exclude(
        state=FindingStateChoices.MENDED
    )
    proofs = rows.order_by("first_seen", "key").values_list("proof", flat=True)
    return tuple(dict.fromkeys(one for kept in proofs for one in proof_of(kept)))


def idle_slots(record: PodRecord) -> list[int]:
    """Slots of cubes that stand, do nothing, answer, and are nobody's.

    Of a network, places of blocks that take links: which of their strands are free, circuits say.
    """
    if record.is_network:
        blocks = record.pod.blocks.exclude(address="").filter(status__name__in=USABLE)
        answering = set(blocks.values_list("pk", flat=True))
        return [slot for (pk, _, _), slots in record.blocks if pk in answering for slot in slots]
    cubes = Cube.objects.filter(pod=record.pod, reservations__isnull=True)
    answer = set(cubes.exclude(address="").values_list("slot", flat=True))
    return [slot for slot in record.idle if slot in answer]


def any_of(busy: Busy) -> Mask:
    """All ports that are busy, whatever the reason."""
    ports: Mask = np.logical_or.reduce(list(busy.values()))
    return ports


def held_ports(record: PodRecord, names: Names) -> Busy:
    """Ports that somebody uses or holds, or that are out of service."""
    rows: dict[str, list[tuple[int, str]]] = defaultdict(list)
    circuits = OpticalCircuit.objects.filter(switch__pod=record.pod).order_by()
    for number, a, b in circuits.values_list("switch__number", "a", "b"):
        rows[IN_CIRCUIT] += [(number, f"{a}A"), (number, f"{b}B")]
    held = Reservation.objects.filter(switch__pod=record.pod).order_by()
    columns = "switch__number", "port", "side", "ticket", "order"
    for number, port, side, ticket, order in held.values_list(*columns):
        why = OF_TICKET if ticket else OF_ORDER if order else OF_TEST
        rows[why].append((number, f"{port}{side}"))
    whole = record.design.layout
    for port in record.unhealthy_ports:
        if port >= whole.cube_ports:
            switch, at = divmod(port - whole.cube_ports, whole.ports_per_switch)
            rows[OUT_OF_SERVICE].append((switch, whole.port_names[whole.ports_per_cube + at]))
    found = {why: simplex_ports(record, some) for why, some in rows.items()}
    found[WORKED_ON] = ports_in_hand(record, timezone.now())
    busy = {why: np.zeros(len(names.layout.mate), np.bool_) for why in found}
    for why, ports in found.items():
        busy[why][names.layout.cube_ports + ports] = True
    return busy


def shown_ports(names: Names, fabric: Fabric) -> Busy:
    """Ports of all circuits that switches show; every port of a switch that does not answer."""
    layout = names.layout
    circuits, silent = (np.zeros(len(layout.mate), np.bool_) for _ in range(2))
    answers = fabric.read_circuits(list(fabric.switches)).given
    at = {name: n for n, name in enumerate(layout.port_names[layout.ports_per_cube :])}
    numbers = {name: number for number, name in enumerate(names.switches)}
    for name, number in numbers.items():
        first = layout.cube_ports + number * layout.ports_per_switch
        state = answers.get(name)
        if state is None:
            silent[first : first + layout.ports_per_switch] = True
            continue
        for pair in {*state.configured, *state.carried}:
            # Ports that the design does not have are nobody's.
            circuits[[first + at[port] for port in pair if port in at]] = True
    return {IN_CIRCUIT: circuits, SILENT_SWITCH: silent}


def fabric_of_test(
    record: PodRecord, switches: set[str], unconfirmed: frozenset[str] = frozenset()
) -> Fabric:
    """Conversations with some switches, and with every cube, as far as they have addresses."""
    devices = switches | {rack for _, rack, _ in record.cubes.values()}
    targets = targets_of(record.pod, IN_SERVICE, devices)
    accesses = some_accesses(record.pod, devices)
    asked = [
        replace(target, unconfirmed=True) if target.name in unconfirmed else target
        for target in targets.switches
    ]
    return open_fabric(asked, targets.cubes, accesses, PATIENCE)


def _reserve(run: AuditRun, record: PodRecord, circuits: Circuits) -> None:
    """Hold the ports of circuits; the caller holds the pod."""
    switches = {name: pk for pk, name, _ in record.switches.values()}
    keys = circuits.named(record.names)
    ports = {place(switches[switch], port) for switch, *ends in keys for port in ends}
    reserve(run, Places(frozenset(ports)))


def _made(lease: RunLease, record: PodRecord, fabric: Fabric, circuits: Circuits) -> Circuits:
    """Make circuits, and wait until neighbours can have heard each other; those that are there."""
    keys = list(circuits.named(record.names))
    if not keys:
        return circuits
    lease.renew()
    until = time.monotonic() + lease.length.total_seconds() - _IN_TIME
    changes = {name: Change(add=pairs) for name, pairs in by_switch(keys).items()}
    fabric.apply(changes, until=until)
    lease.renew()
    # Nothing is believed of a change: what switches refused, or did without a word, they show.
    shown = fabric.read_circuits(list(changes)).given
    there = [switch in shown and (a, b) in shown[switch].configured for switch, a, b in keys]
    time.sleep(SETTLE)
    return chosen(circuits, np.array(there, np.bool_))


def _part(run: AuditRun, record: PodRecord, fabric: Fabric) -> None:
    """Take a run's circuits away, and release the ports of the switches that show none of them."""
    mine = port_names(run.reservations.all())
    if not mine:
        return
    keys = {name: pk for pk, name, _ in record.switches.values()}
    asked = {switch for switch, _ in mine}
    names = asked & fabric.switches.keys()
    changes: dict[str, Change] = {}
    for name, state in fabric.read_circuits(sorted(names)).given.items():
        theirs = {p for p in state.circuits if (name, p[0]) in mine and (name, p[1]) in mine}
        changes[name] = Change(delete=frozenset(theirs))
    fabric.apply(changes)
    left = fabric.read_circuits(list(changes)).given
    shown = {
        (name, port)
        for name, state in left.items()
        for pair in state.circuits
        for port in pair
        if {(name, one) for one in pair} <= mine
    }
    # Who cannot be asked may still have them: a switch that is silent, or has no address now.
    gone = {(name, port) for name, port in mine if name in left or name not in keys} - shown
    ports = {place(keys[switch], port) for switch, port in gone if switch in keys}
    release_places(run, Places(frozenset(ports)))
