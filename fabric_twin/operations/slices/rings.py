"""The jobs of a cluster by its records: their groups, and the rings that their entries make.

Slice, its parts and what it says of its rings -> Job         entries that are wanted -> rings
groups and switches that are not in service    -> lost        reservations -> held
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.groups.design import GroupsDesign
from fabric_twin.core.groups.names import GroupNames
from fabric_twin.core.kinds import Verb
from fabric_twin.core.proposals.rings import RingsInUse
from fabric_twin.core.rings.as_slice import Seat, job_of
from fabric_twin.core.rings.change import entries
from fabric_twin.core.rings.follow import with_rings_of
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wiring import Exit, Wiring
from fabric_twin.models import OpticalCircuit, Pod, Reservation, Slice, SlicePart, Ticket
from fabric_twin.models.slice import PLANNED
from fabric_twin.models.ticket import ENDED
from fabric_twin.repositories.device_readings import switches_told
from fabric_twin.repositories.pod_record import DOWN, USABLE, PodRecord, names_of


@dataclass(frozen=True, eq=False)
class RingsRecord:
    """A cluster's records at one moment, ready to be asked where a job would go."""

    record: PodRecord
    now: RingsInUse

    @property
    def state(self) -> State:
        """Its jobs with their rings, and what is lost."""
        return self.now.state

    @property
    def absent(self) -> frozenset[int]:
        """The groups that are not recorded: they are lost too."""
        groups = range(self.state.wiring.cluster.groups)
        return frozenset(group for group in groups if group + 1 not in self.record.cubes)


def read_rings(pod: Pod, lent: Collection[UUID] = ()) -> RingsRecord:
    """Read the jobs of a cluster; what is reserved with the keys `lent` is read as free."""
    record = PodRecord(pod)
    design, names = record.design, names_of(record)
    design.check_can(Verb.RINGS, NotPossible)
    if not (isinstance(design, GroupsDesign) and isinstance(names, GroupNames)):
        raise TypeError(f"{design.name} is of groups and has other names")
    empty = State(Wiring(design), names, kept_back=pod.kept_back)
    return _Reading(record, empty, lent).read()


def wanted_now(rings: RingsRecord) -> tuple[State, frozenset[Entry]]:
    """The jobs with the rings that they have now, whatever drafts will make; and what is wanted
    beside them and makes no whole ring.

    Everything is called as the inventory calls it.
    """
    state, record = rings.state, rings.record
    wanted = _wanted(record, state.wiring.cluster.groups)
    jobs = [with_rings_of(state.wiring, job, wanted.get(job.name, ())) for job in state.jobs]
    now = replace(state, jobs=tuple(jobs), names=cast("GroupNames", record.names))
    return now, frozenset(entry for some in wanted.values() for entry in some) - entries(now)


def _wanted(record: PodRecord, first: int) -> dict[str, list[Entry]]:
    """By job the entries that are wanted; those of none by an empty name."""
    found: dict[str, list[Entry]] = defaultdict(list)
    rows = OpticalCircuit.objects.filter(switch__pod=record.pod, wanted=True).order_by()
    for name, number, a, b in rows.values_list("slice__name", "switch__number", "a", "b"):
        found[name or ""].append(Entry(first + number, a, b))
    return found


class _Reading:
    def __init__(self, record: PodRecord, empty: State, lent: Collection[UUID]) -> None:
        self._record, self._empty, self._lent = record, empty, lent
        self._first = empty.wiring.cluster.groups
        self._seats: dict[int, dict[str, list[Seat]]] = defaultdict(dict)

    def read(self) -> RingsRecord:
        held_links, held_groups = self._held()
        jobs, strangers = self._jobs()
        state = replace(
            self._empty,
            jobs=tuple(jobs),
            lost=frozenset(self._lost()),
            held_links=frozenset(held_links),
            held_groups=frozenset(held_groups | strangers),
        )
        left_over, missing = self._differences()
        return RingsRecord(self._record, RingsInUse(state, self._seats, left_over, missing))

    def _jobs(self) -> tuple[list[Job], set[int]]:
        """Every job with its rings; and the groups of slices that are none."""
        parts: dict[UUID, list[tuple[int, Any]]] = defaultdict(list)
        rows = SlicePart.objects.filter(slice__pod=self._record.pod).order_by("slice", "place")
        for made, slot, chips in rows.values_list("slice_id", "cube__slot", "chips"):
            parts[made].append((slot - 1, chips))
        wanted = self._wanted()
        slices = Slice.objects.filter(pod=self._record.pod).order_by("name")
        jobs, strangers = list[Job](), set[int]()
        wiring = self._empty.wiring
        for pk, name, facts in slices.values_list("pk", "name", "rings"):
            groups = [group for group, _ in parts[pk]]
            if not facts:
                strangers.update(groups)
                continue
            job = job_of(wiring.cluster, name, facts, groups)
            if job.form is Form.SMALL:
                seats = [(row, column) for _, chips in parts[pk] for row, column in chips or ()]
                self._seats[groups[0]][name] = seats
            jobs.append(with_rings_of(wiring, job, wanted.get(name, ())))
        return jobs, strangers

    def _wanted(self) -> dict[str, list[Entry]]:
        """By job: the entries that are wanted of it, or will be once its ticket is carried out."""
        found = _wanted(self._record, self._first)
        for name, entry in self._to_come():
            found[name].append(entry)
        return found

    def _to_come(self) -> Iterator[tuple[str, Entry]]:
        """The entries of jobs that open tickets make."""
        pod = self._record.pod
        planned = set(pod.slices.filter(status__name=PLANNED).values_list("name", flat=True))
        if not planned:
            return
        numbers = {device: n for n, (_, device, _) in self._record.switches.items()}
        tickets = Ticket.objects.filter(pod=pod).exclude(state__in=ENDED).order_by("number")
        for stages in tickets.values_list("plan__stages", flat=True):
            for row in (row for stage in stages or () for row in stage["add"]):
                if row.get("owner") in planned and row["switch"] in numbers:
                    switch = self._first + numbers[row["switch"]]
                    yield row["owner"], Entry(switch, int(row["a"][:-1]), int(row["b"][:-1]))

    def _lost(self) -> Iterator[int]:
        """Groups and switches that are not there, or not in service."""
        usable = set(self._record.slots(USABLE))
        yield from (group for group in range(self._first) if group + 1 not in usable)
        there = self._record.switches
        for number in range(len(self._empty.names.devices) - self._first):
            if number not in there or there[number][2] in DOWN:
                yield self._first + number

    def _held(self) -> tuple[set[Exit], set[int]]:
        """Directions of links on ports that are reserved or out of service, and groups reserved."""
        pod, wiring = self._record.pod, self._empty.wiring
        rows = Reservation.objects.exclude(pk__in=self._lent).order_by()
        groups = rows.filter(cube__pod=pod).values_list("cube__slot", flat=True)
        links = set[Exit]()
        of_ports = rows.filter(switch__pod=pod).values_list("switch__number", "side", "port")
        for number, side, port in of_ports:
            at = Exit(self._first + number, port)
            # What comes in at a port was sent at the other end of its cable.
            links.add(at if side == "B" else wiring.far(at) or at)
        for at in wiring.exits_at(self._record.bad_ports):
            links |= {at, wiring.far(at) or at}
        return links, {slot - 1 for slot in groups}

    def _differences(self) -> tuple[frozenset[Entry], frozenset[Entry]]:
        """Entries that switches show and nobody wants; that are wanted and a switch lacks.

        Only a switch that was read lacks any; one that went out of service is as it was last seen.
        """
        pod = self._record.pod
        told = switches_told(pod)
        rows = OpticalCircuit.objects.filter(switch__pod=pod).exclude(wanted=True, seen=True)
        left_over, missing = set[Entry](), set[Entry]()
        for number, a, b, wanted in rows.order_by().values_list(
            "switch__number", "a", "b", "wanted"
        ):
            if not wanted:
                left_over.add(Entry(self._first + number, a, b))
            elif number in told:
                missing.add(Entry(self._first + number, a, b))
        return frozenset(left_over), frozenset(missing)
