"""Cables while they are moved: which end is in which port, and which hangs loose.

A cable is a row from its first end on, and Connected once both are in; a loose end is written as
one of which nobody knows where it is. So a port holds one cable, and no plan is ever a row.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from nautobot.dcim.models import Cable, CableToCableTermination

from fabric_twin.core.orders.life import SETTLED
from fabric_twin.core.orders.steps import Do, End
from fabric_twin.models import OrderStep, Port, WorkOrder, WrittenEnd
from fabric_twin.operations.audits.touches import touch
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.pods.light_agreed import forget_moved
from fabric_twin.operations.pods.wanted_cables import WantedCable
from fabric_twin.operations.pods.write_cables import take_ends_off, write_cables, write_ends
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.cable_reading import End as Place
from fabric_twin.repositories.cable_reading import as_text
from fabric_twin.repositories.hardware_types import find_parts, status
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.transactions import after_commit

#: Where a loose end is.
LOOSE: Place = ("", "")
_CONNECTED, _LOOSE = "Connected", "Planned"


class Plugging:
    """Ends of cables of one order, plugged and unplugged."""

    def __init__(self, order: WorkOrder) -> None:
        self.order, self.record = order, PodRecord(order.pod)
        self.names, self.writer = self.record.names, Writer(lambda _what, _rows: None)
        self.parts = find_parts(self.record.design, self.writer)

    def write(self, plugs: Mapping[tuple[str, str], End | None], straight: set[str]) -> None:
        """Write where ends are now, and cables whose strands were put right."""
        cables = sorted({cable for cable, _ in plugs} | straight)
        there = self._find(cables)
        ends = self._ends(there)
        panels = {name for name, pk in there.items() if pk in self._through_panels(there)}
        for name in sorted(panels & {cable for cable, _ in plugs}):
            say(self.order, "record", f"{name} runs through a panel: its record is left as it is")
        wanted: dict[str, dict[str, Place]] = {}
        for (name, end), port in plugs.items():
            if name not in panels:
                known = wanted.setdefault(
                    name, dict(ends.get(there[name], _NOWHERE) if name in there else _NOWHERE)
                )
                known[end.upper()] = self._place(port)
        gone = self._gone(wanted)
        self._relay({there[n]: e for n, e in wanted.items() if n in there and n not in gone})
        remove_cables([there[name] for name in gone if name in there])
        self._make({n: e for n, e in wanted.items() if n not in there and n not in gone})
        if straight & there.keys():
            Cable.objects.filter(pk__in=[there[name] for name in straight & there.keys()]).update(
                cable_type=self.parts.cable
            )
        self._touch(wanted, ends, there, straight)
        # Later, for a row of it that is held here would hold up an audit.
        after_commit(forget_moved, list(there.values()))

    def ends_of(self, cables: Iterable[str]) -> dict[str, tuple[UUID, dict[str, End]]]:
        """Cables that are recorded, by name: which, and where their ends `a` and `b` are."""
        there = self._find(sorted(cables))
        ends = self._ends(there)
        return {
            name: (pk, {letter.lower(): as_text(self.names, at) for letter, at in at_of.items()})
            for name, pk in there.items()
            for at_of in [ends.get(pk, _NOWHERE)]
        }

    def _place(self, port: End | None) -> Place:
        """A port by its number, where the pod has it."""
        if port is None:
            return LOOSE
        number = int(self.names.find([port[0]], [port[1]])[0])
        return number if number >= 0 else port

    def _gone(self, wanted: Mapping[str, Mapping[str, Place]]) -> set[str]:
        """Cables of which both ends hang loose, and that the order does not plug in again."""
        loose = {name for name, ends in wanted.items() if all(e == LOOSE for e in ends.values())}
        if not loose:
            return loose
        later = OrderStep.objects.filter(order=self.order, do=Do.PLUG, cable__in=loose)
        return loose - set(later.exclude(state__in=SETTLED).values_list("cable", flat=True))

    # What is there

    def _find(self, names: Sequence[str]) -> dict[str, UUID]:
        """Cables by name: their labels, or the ports that unlabelled ones begin at."""
        pod = self.record.pod
        of_pod = Q(terminations__interface__fabric_port__pod=pod) | Q(fabric_written_ends__pod=pod)
        rows = Cable.objects.filter(of_pod, label__in=names).order_by("pk").distinct()
        found: dict[str, UUID] = dict(rows.values_list("label", "pk"))
        for name in set(names) - found.keys():
            begins, _, port = name.rpartition(":")
            # A cable of a cube begins at its rack, one of a group or a switch at its device.
            of = "interface__device" if pod.is_cluster else "interface__fabric_port__cube__rack"
            at = CableToCableTermination.objects.filter(
                **{f"{of}__name": begins},
                interface__fabric_port__pod=pod,
                interface__name=port,
                cable__label="",
            )
            if pk := at.values_list("cable", flat=True).first():
                found[name] = pk
                # From now on it is known by the name that the order calls it.
                Cable.objects.filter(pk=pk).update(label=name)
        return found

    def _ends(self, there: Mapping[str, UUID]) -> dict[UUID, dict[str, Place]]:
        """Where the ends of cables are recorded."""
        ends: dict[UUID, dict[str, Place]] = defaultdict(lambda: dict(_NOWHERE))
        keys = there.values()
        rows = CableToCableTermination.objects.filter(cable__in=keys, interface__isnull=False)
        for cable, end, number in rows.values_list(
            "cable", "cable_end", "interface__fabric_port__number"
        ):
            if number is not None:
                ends[cable][end] = number
        for cable, end, device, port in WrittenEnd.objects.filter(cable__in=keys).values_list(
            "cable", "cable_end", "device", "port"
        ):
            ends[cable][end] = (device, port)
        return ends

    def _through_panels(self, there: Mapping[str, UUID]) -> set[UUID]:
        """Cables with an end that is no port of the pod: Nautobot's own way is for them."""
        rows = CableToCableTermination.objects.filter(cable__in=there.values())
        return set(rows.filter(interface__fabric_port__isnull=True).values_list("cable", flat=True))

    # What is written

    def _relay(self, wanted: Mapping[UUID, Mapping[str, Place]]) -> None:
        """Put cables that are there where they are now."""
        if not wanted:
            return
        take_ends_off(list(wanted))
        now = timezone.now()
        lit = {pk for pk, ends in wanted.items() if _is_whole(ends)}
        for become, keys in ((_CONNECTED, lit), (_LOOSE, wanted.keys() - lit)):
            Cable.objects.filter(pk__in=keys).update(status=status(Cable, become), last_updated=now)
        rows = [(pk, letter, end) for pk, ends in wanted.items() for letter, end in ends.items()]
        free = self._free([end for _, _, end in rows])
        write_ends(self.record.pod, self.names, rows, free, lit, self.writer)

    def _make(self, wanted: Mapping[str, Mapping[str, Place]]) -> None:
        """Cables that are new, each with what the order knows of it."""
        if not wanted:
            return
        laid = {cable.cable: cable for cable in core_of(self.order).cables}
        cables = [
            WantedCable(
                name,
                ends["A"],
                ends["B"],
                (_CONNECTED if _is_whole(ends) else _LOOSE).lower(),
                100 * laid[name].length_m or None if name in laid else None,
                laid[name].label if name in laid and laid[name].label != name else "",
            )
            for name, ends in wanted.items()
        ]
        free = self._free([end for cable in cables for end in (cable.a, cable.b)])
        write_cables(self.record.pod, self.names, cables, free, self.parts, self.writer)

    def _free(self, places: Sequence[Place]) -> dict[int, UUID]:
        """The interfaces of ports that hold no cable: of two on one, the second is as written."""
        numbers = [place for place in places if isinstance(place, int)]
        rows = self.record.pod.ports.filter(
            number__in=numbers, interface__cable_termination__isnull=True
        )
        return dict(rows.values_list("number", "interface_id"))

    def _touch(
        self,
        wanted: Mapping[str, Mapping[str, Place]],
        before: Mapping[UUID, Mapping[str, Place]],
        there: Mapping[str, UUID],
        straight: set[str],
    ) -> None:
        """An audit looks at these ports soon."""
        known = [there[name] for name in (*wanted, *straight) if name in there]
        ends = [*wanted.values(), *(before.get(pk, {}) for pk in known)]
        numbers = {place for pair in ends for place in pair.values() if isinstance(place, int)}
        pod = self.record.pod
        keys = Port.objects.filter(pod=pod, number__in=numbers).values_list("pk", flat=True)
        touch([pod.pk], port=list(keys))


_NOWHERE: Mapping[str, Place] = {"A": LOOSE, "B": LOOSE}


def _is_whole(ends: Mapping[str, Place]) -> bool:
    return LOOSE not in ends.values()


def remove_cables(cables: Sequence[Any]) -> None:
    """Cables that were taken away, with all that hangs on them."""
    if cables:
        take_ends_off(cables)
        remove(Cable.objects.filter(pk__in=list(cables)).order_by())
