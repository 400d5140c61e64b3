"""Work on a cluster is verified by whom both ends of its cables hear.

    recorded, as hands reported    1 of a to 3 of b, and nothing in 2 of a
    heard by LLDP                  1 of a hears 3 of b, 3 of b hears 1 of a, 2 of a hears nobody

Whether that is what the rule wants, an audit of the records says next. Of a device without an
address its other end tells alone; where neither end has one, the audit has the only word.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import monotonic, sleep

from django.db.models import Q

from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.orders.checking import Verdict
from fabric_twin.core.orders.order import Bundle
from fabric_twin.core.orders.steps import TOUCHES
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.discovery.by_neighbours import device_called
from fabric_twin.operations.orders.fabric.read_port import ANSWERING
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.pods.poll import PATIENCE
from fabric_twin.repositories.addresses import targets_of
from fabric_twin.repositories.credentials import some_accesses
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.discovery.by_neighbours import claims_of_all
from fabric_twin.services.orders.check_bundle import PAUSE
from fabric_twin.switches.fabric import Fabric, open_fabric


def told_by_neighbours(order: WorkOrder, names: Collection[str]) -> set[str]:
    """Bundles of an order of a cluster at whose ports a device with an address is."""
    if not names or not order.pod.is_cluster:
        return set()
    record = PodRecord(order.pod)
    mute = targets_of(order.pod, ANSWERING).names.isdisjoint
    ends = _ends_by_bundle(order, record, names)
    return {name for name, at in ends.items() if not mute({_asked(record, one) for one in at})}


def hear_bundle(order: WorkOrder, bundle: Bundle, settle: float) -> Verdict:
    """What the ends of a bundle's cables hear now, against what hands reported."""
    hearing = _Hearing(order, bundle)
    with hearing.conversations() as fabric:
        until = monotonic() + settle
        while True:
            wrong = list(hearing.wrong(fabric))
            # A neighbour announces itself some moments after its cable is plugged in.
            if not wrong or monotonic() >= until:
                return hearing.verdict(wrong)
            sleep(PAUSE)


@dataclass(frozen=True)
class _Wrong:
    """A port that does not hear what is recorded there."""

    cable: str
    words: str


class _Hearing:
    """The ends that are listened to, and what is recorded of them."""

    def __init__(self, order: WorkOrder, bundle: Bundle) -> None:
        self.order, self.bundle, self.record = order, bundle, PodRecord(order.pod)
        self.ends = _ends_by_bundle(order, self.record, [bundle.name])[bundle.name]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(_asked(self.record, one) for one in self.ends)

    def conversations(self) -> Fabric:
        """With every device at an end, as far as it has an address."""
        targets = targets_of(self.order.pod, ANSWERING, self._names)
        accesses = some_accesses(self.order.pod, self._names)
        return open_fabric((), (*targets.cubes, *targets.switches), accesses, PATIENCE)

    def wrong(self, fabric: Fabric) -> Iterator[_Wrong]:
        """Ports that hear another than is recorded, of devices that answer; all of them must."""
        answers = fabric.read_neighbours().all()
        names = self.record.names
        told = {device_called(self.record, name): state for name, state in answers.items()}
        claims, strangers = claims_of_all(names, told)
        for port, mate in self.ends.items():
            if names.port(port)[0] not in told or claims[port] == mate:
                continue
            far = strangers.get(port)
            hears = " port ".join(far) if far else _said(self.record, int(claims[port]))
            words = f"{' port '.join(names.port(port))} hears {hears}"
            yield _Wrong(self._cable(port), f"{words}, and not {_said(self.record, mate)}")

    def verdict(self, wrong: list[_Wrong]) -> Verdict:
        """The same as a check says it."""
        cables = tuple(dict.fromkeys(one.cable for one in wrong))
        why = "; ".join(one.words for one in wrong[:_MOST])
        more = f" and {len(wrong) - _MOST} more" if len(wrong) > _MOST else ""
        return Verdict(self.bundle, wrong=cables, why=why + more)

    def _cable(self, port: int) -> str:
        """The cable that hands plugged in there, or took out."""
        at = self.record.names.port(port)
        mine = {self.bundle.name, self.bundle.finding} - {""}
        steps = [s for s in core_of(self.order).steps if {s.bundle, s.finding} & mine and s.cable]
        here = [step.cable for step in steps if step.at == at]
        plant = self.record.plant
        rows = ((plant.a == port) | (plant.b == port)).nonzero()[0].tolist()
        return (here or [plant.cables[row] for row in rows] or [" port ".join(at)])[-1]


#: Ports that a line of history names.
_MOST = 5


def _ends_by_bundle(
    order: WorkOrder, record: PodRecord, names: Collection[str]
) -> Mapping[str, dict[int, int]]:
    """By bundle: the ports that hands touched, and the other ends of what is there, with each the
    port that it should hear; NO_PORT where nothing is plugged in any more."""
    rows = OrderStep.objects.filter(order=order, port__isnull=False, do__in=TOUCHES)
    rows = rows.filter(Q(bundle__in=names) | Q(finding__key__in=names)).order_by()
    meets = _meets(record)
    ends: dict[str, dict[int, int]] = defaultdict(dict)
    for bundle, finding, port in rows.values_list("bundle", "finding__key", "port__number"):
        mate = int(meets[port])
        ends[finding or bundle] |= {port: mate} | ({mate: port} if mate != NO_PORT else {})
    return ends


def _meets(record: PodRecord) -> Column:
    """By port: the other end of the cable that is recorded there."""
    plant, meets = record.plant, record.names.layout.mate.copy()
    meets[:] = NO_PORT
    whole = (plant.a >= 0) & (plant.b >= 0)
    meets[plant.a[whole]], meets[plant.b[whole]] = plant.b[whole], plant.a[whole]
    return meets


def _asked(record: PodRecord, port: int) -> str:
    """Who is asked of a port: its switch, or a group by the name of its rack."""
    layout = record.names.layout
    slot = int(layout.slot[port])
    return record.cubes[slot][1] if slot in record.cubes else record.names.port(port)[0]


def _said(record: PodRecord, port: int) -> str:
    return " port ".join(record.names.port(port)) if port >= 0 else "nobody"
