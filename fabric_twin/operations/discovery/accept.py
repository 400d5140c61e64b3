"""Accept what light shows: records of cables follow, all that are chosen or none.

    chosen cables --> as the discovery found them recorded? --> both ports free? --> written
                        '-> moved since: nothing is written, and it says which

Only cables of which light proved both ends are offered. An audit looks at their ports afterwards.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from nautobot.dcim.models import Cable, CableToCableTermination
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.discovery.against_record import ComparedCable
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.fabric.columns import NOT_KNOWN
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.reasons import check_reason
from fabric_twin.models import AuditRun, OpticalCircuit, Port, Reservation
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.operations.audits.touches import touch
from fabric_twin.operations.discovery.kept import acceptable_cables, shown_by
from fabric_twin.operations.pods.light_agreed import forget_moved
from fabric_twin.operations.pods.wanted_cables import WantedCable
from fabric_twin.operations.pods.write_cables import take_ends_off, write_cables, write_ends
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.cable_reading import CONNECTED, CableRecord
from fabric_twin.repositories.change_log import CREATE, UPDATE, record_change, record_each
from fabric_twin.repositories.hardware_types import find_parts, status
from fabric_twin.repositories.permissions import require, require_kinds, require_of
from fabric_twin.repositories.pod_lock import hold_pod
from fabric_twin.repositories.pod_record import PodRecord, names_of
from fabric_twin.repositories.reservations import port_names
from fabric_twin.repositories.transactions import after_commit

_AGAIN = "Discover again, and look at what that shows"


def accept_cables(run: AuditRun, user: User, ports: Collection[int], reason: str) -> int:
    """Write where light showed the cables at some ports of cubes; how many were written."""
    check_reason(reason, str(run), needed=True)
    check_acceptable(run)
    require_kinds(user, "change", [Cable])
    # Refusals name cables and ports.
    require_of(user, "view", PodRecord(run.pod).behind_cables)
    with transaction.atomic():
        hold_pod(run.pod, user)
        run = AuditRun.objects.select_related("pod").get(pk=run.pk)
        check_acceptable(run)  # a later one may have ended while the pod was waited for
        chosen = _chosen(run, ports)
        change = _Change(run, user, chosen)
        change.check()
        change.write(reason.strip())
    return len(chosen)


def check_acceptable(run: AuditRun) -> None:
    """Refuse what is no discovery that is done, or one that a later discovery has overtaken."""
    if not run.is_discovery or run.state != RunStateChoices.DONE:
        raise NotPossible(
            "it has shown no cables",
            where=str(run),
            remedy="Choose a discovery that is done",
        )
    later = AuditRun.objects.filter(
        pod=run.pod_id, scope=ScopeChoices.CABLES, state=RunStateChoices.DONE
    )
    if newer := later.filter(number__gt=run.number).order_by("-number").first():
        raise NotPossible(
            "a later discovery has looked at these cables",
            where=str(run),
            remedy=f"Accept what {newer} shows",
        )


def _chosen(run: AuditRun, ports: Collection[int]) -> list[ComparedCable]:
    offered = {one.near: one for one in acceptable_cables(run)}
    if not ports:
        raise UnusableInput("no cable is chosen", where=str(run), remedy="Choose at least one")
    if unknown := set(ports) - offered.keys():
        raise UnusableInput(
            f"{len(unknown):,} of the cables are not offered, or are accepted already",
            where=str(run),
            remedy="Look at its page again, and choose from what it shows now",
        )
    return [offered[port] for port in sorted(set(ports))]


class _Change:
    """The records of some cables, from where they were to where light shows them."""

    def __init__(self, run: AuditRun, user: User, chosen: Sequence[ComparedCable]) -> None:
        self._run, self._user, self._chosen = run, user, chosen
        self._record = PodRecord(run.pod)
        self._names = self._record.names
        self._moved = [one for one in chosen if one.key]
        self._new = [one for one in chosen if not one.key]
        self._cables = {cable.pk: cable for cable in self._record.cables}
        self._keys = [UUID(one.key) for one in self._moved]

    def check(self) -> None:
        """Refuse what the user may not change, what moved since, and what is in use."""
        require(self._user, "change", Cable, self._keys)
        if self._new:
            require_kinds(self._user, "add", [Cable])
        for one in self._moved:
            self._check_as_found(one)
        self._check_no_panels()
        self._check_not_in_use()
        self._check_free()

    def write(self, reason: str) -> None:
        """Write the cables, their history and the run's, and have their ports audited."""
        told = [(one, self._told(one, reason)) for one in self._chosen]
        writer = Writer()
        parts = find_parts(self._record.design, writer)
        take_ends_off(self._keys)
        rows = Cable.objects.filter(pk__in=self._keys)
        rows.update(status=status(Cable, CONNECTED), last_updated=timezone.now())
        for crossed, kind in ((True, parts.crossed), (False, parts.cable)):
            turned = [
                one.key
                for one in self._moved
                if one.crossed == crossed != self._cables[one.key].crossed
            ]
            if turned and kind:
                Cable.objects.filter(pk__in=turned).update(cable_type=kind)
        free = self._free_interfaces()
        if {port for one in self._chosen for port in (one.near, one.now)} - free.keys():
            raise NotPossible("a port was taken meanwhile", where=str(self._run), remedy=_AGAIN)
        ends = [end for one in self._moved for end in self._ends(one)]
        write_ends(self._run.pod, self._names, ends, free, set(self._keys), writer)
        made = [
            WantedCable(self._names.cable(one.near), one.near, one.now, crossed=one.crossed)
            for one in self._new
        ]
        write_cables(self._run.pod, self._names, made, free, parts, writer)
        fresh = writer.added.get(Cable, [])
        require(self._user, "add", Cable, fresh)
        self._keep_history(told, fresh, reason)
        self._touch()
        after_commit(forget_moved, list(self._keys))

    # What is refused

    def _check_as_found(self, one: ComparedCable) -> None:
        cable = self._cables.get(one.key)
        if (
            cable is None
            or cable.status != CONNECTED
            or self._places(cable, one.near)
            != (
                one.near,
                one.was,
            )
        ):
            raise NotPossible(
                "its record has changed since it was looked at; nothing was written",
                where=cable.name if cable else self._names.cable(one.near),
                remedy=_AGAIN,
            )

    def _check_no_panels(self) -> None:
        ends = CableToCableTermination.objects.filter(cable__in=self._keys)
        other = ends.filter(interface__fabric_port__isnull=True).select_related("cable").first()
        if other:
            raise NotPossible(
                "it runs through a patch panel, and nobody tells which part is elsewhere",
                where=self._cables[str(other.cable_id)].name,
                remedy="Choose the others, and correct this one on its own page",
            )

    def _check_not_in_use(self) -> None:
        names = names_of(self._record)
        circuits = OpticalCircuit.objects.filter(switch__pod=self._run.pod_id, wanted=True)
        columns = circuits.values_list("switch__device__name", "a", "b").order_by()
        busy = {(name, end) for name, a, b in columns for end in (f"{a}A", f"{b}B")}
        held = port_names(Reservation.objects.filter(switch__pod=self._run.pod_id))
        for one in self._chosen:
            for port in (one.was, one.now):
                ends = set(simplex(names.port(port))) if port >= 0 else set()
                if ends & busy or ends & held:
                    raise NotPossible(
                        "a circuit is on it" if ends & busy else "somebody holds it",
                        where=" port ".join(self._names.port(port)),
                        remedy="Release its slice or wait for its ticket, order or test; nothing "
                        "was written",
                    )

    def _check_free(self) -> None:
        """Refuse a port that another cable has, unless that one is chosen too."""
        ports = [one.now for one in self._chosen] + [one.near for one in self._new]
        rows = self._run.pod.ports.filter(number__in=ports).order_by("number")
        columns = "number", "interface__cable_termination__cable"
        mine = set(self._keys)
        for number, cable in rows.values_list(*columns):
            if cable and cable not in mine:
                there = self._cables.get(str(cable))
                raise NotPossible(
                    f"the records have cable {there.name if there else cable} in it",
                    where=" port ".join(self._names.port(number)),
                    remedy="Choose that cable too, or correct its record first; nothing was "
                    "written",
                )

    # What is written

    def _places(self, cable: CableRecord, stays: int) -> tuple[int, int]:
        """Its port that stays and its other one, as a discovery takes them.

        Of a cube and of a switch; in a cluster the one that was heard stays.
        """
        cubes = self._record.design.layout.cube_ports
        ends = [end for end in (cable.a, cable.b) if isinstance(end, int)]
        if self._run.pod.is_cluster:
            others = [end for end in ends if end != stays]
            return stays if stays in ends else NOT_KNOWN, (*others, NOT_KNOWN)[0]
        near = [end for end in ends if end < cubes] or [NOT_KNOWN]
        far = [end for end in ends if end >= cubes] or [NOT_KNOWN]
        return near[0], far[0]

    def _ends(self, one: ComparedCable) -> list[tuple[UUID, str, Any]]:
        """Each end keeps its letter."""
        cable, key = self._cables[one.key], UUID(one.key)
        near, far = ("A", "B") if cable.a == one.near else ("B", "A")
        return [(key, near, one.near), (key, far, one.now)]

    def _free_interfaces(self) -> dict[int, UUID]:
        ports = {port for one in self._chosen for port in (one.near, one.now)}
        rows = self._run.pod.ports.filter(
            number__in=ports, interface__cable_termination__isnull=True
        )
        return dict(rows.values_list("number", "interface_id"))

    def _told(self, one: ComparedCable, reason: str) -> str:
        was, now = (
            " ".join(self._names.port(port)) if port >= 0 else "nowhere"
            for port in (one.was, one.now)
        )
        return f"{self._run}: {shown_by(self._run)} {now}, recorded was {was}: {reason}"

    def _keep_history(
        self, told: Sequence[tuple[ComparedCable, str]], fresh: Sequence[UUID], reason: str
    ) -> None:
        rows = Cable.objects.in_bulk([*self._keys, *fresh])
        changed = [(rows[UUID(one.key)], what) for one, what in told if one.key]
        record_each(changed, self._user)
        added = [what for one, what in told if not one.key]
        record_each(zip((rows[key] for key in fresh), added, strict=True), self._user, CREATE)
        kept = self._run.discovered | {
            "accepted": [
                *self._run.discovered["accepted"],
                {
                    "by": str(self._user),
                    "at": timezone.now().isoformat(),
                    "reason": reason,
                    "ports": [one.near for one in self._chosen],
                },
            ]
        }
        self._run.keys = self._run.keys | {"cables": kept}
        AuditRun.objects.filter(pk=self._run.pk).update(
            keys=self._run.keys, last_updated=timezone.now()
        )
        many = counted(len(self._chosen), "cable")
        what = f"accepted {many} as {shown_by(self._run)} them: {reason}"
        record_change(self._run, UPDATE, what, self._user)

    def _touch(self) -> None:
        numbers = {port for one in self._chosen for port in (one.near, one.was, one.now)}
        rows = Port.objects.filter(pod=self._run.pod_id, number__in=numbers)
        touch([self._run.pod_id], port=list(rows.values_list("pk", flat=True)))
