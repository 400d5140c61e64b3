"""Taking a pod back out: the App's records, and on request the hardware that they speak of."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet
from nautobot.dcim.models import (
    Cable,
    CablePath,
    CableToCableTermination,
    Device,
    Interface,
    Module,
    ModuleBay,
    Rack,
)
from nautobot.extras.choices import ObjectChangeActionChoices
from nautobot.extras.models import (
    ApprovalWorkflow,
    ApprovalWorkflowStage,
    ApprovalWorkflowStageResponse,
    ContactAssociation,
    ImageAttachment,
    Note,
    ObjectMetadata,
    StaticGroupAssociation,
    TaggedItem,
)
from nautobot.users.models import User

from fabric_twin.core.kinds import Kind
from fabric_twin.models import (
    AgreedCable,
    AuditRun,
    Block,
    Cube,
    Demand,
    Finding,
    FindingPlace,
    LastGoodLight,
    LightAgreement,
    LightDay,
    LightReading,
    Multislice,
    OpticalCircuit,
    OrderEvent,
    OrderStep,
    Pod,
    Port,
    Reading,
    Reservation,
    Silence,
    StepPhoto,
    StepReport,
    Substitution,
    Switch,
    Ticket,
    TicketDrain,
    TicketEvent,
    TicketStage,
    Touch,
    WorkOrder,
    WrittenEnd,
)
from fabric_twin.models.ticket import ENDED
from fabric_twin.models.work_order import ENDED as ORDERS_ENDED
from fabric_twin.operations.pods.audit_schedule import scheduled
from fabric_twin.operations.pods.load import in_words_of
from fabric_twin.repositories.bulk_insert import Progress, rows_are
from fabric_twin.repositories.change_log import record_change
from fabric_twin.repositories.permissions import require, require_of
from fabric_twin.repositories.pod_lock import PodRefused, locked_pod, pods_locked
from fabric_twin.repositories.ports import host_ports_of

#: What points at rows of any kind by type and key, which no constraint knows of.
_ABOUT: tuple[tuple[type[Model], str, str], ...] = (
    (ContactAssociation, "associated_object_type", "associated_object_id"),
    (ImageAttachment, "content_type", "object_id"),
    (Note, "assigned_object_type", "assigned_object_id"),
    (ObjectMetadata, "assigned_object_type", "assigned_object_id"),
    (StaticGroupAssociation, "associated_object_type", "associated_object_id"),
    (TaggedItem, "content_type", "object_id"),
)


@dataclass(frozen=True)
class Removed:
    """What was removed, or would be."""

    kind: Kind
    pod: str
    removed: Mapping[str, int]
    dry_run: bool

    def __str__(self) -> str:
        """The whole in a sentence."""
        parts = ", ".join(f"{count:,} {what}" for what, count in self.removed.items())
        would = "would remove" if self.dry_run else "removed"
        return f"{self.kind.noun.capitalize()} {self.pod}: {would} {parts}."


def remove_pod(
    name: str,
    *,
    hardware: bool = False,
    user: User | None = None,
    dry_run: bool = False,
    progress: Progress = lambda _what, _rows: None,
) -> Removed:
    """Remove a pod; with its `hardware` also racks, devices, transceivers, ports and cables.

    What is used for something else stays, and then all stays: the database refuses the whole.
    """
    with pods_locked(keep=not dry_run):
        pod = locked_pod(name)
        if pod is None:
            raise PodRefused(
                f"there is no pod {name[:40]!r}", where="pod", remedy="Name one that is there"
            )
        _refuse_what_is_used(pod)
        removal, kind = _Removal(progress), pod.kind
        keys = _hardware(pod) if hardware else {}
        require_of(
            user,
            "delete",
            (
                Pod.objects.filter(pk=pod.pk),
                pod.cubes.all(),
                pod.blocks.all(),
                pod.demands.all(),
                pod.switches.all(),
                OpticalCircuit.objects.filter(switch__pod=pod),
                Substitution.objects.filter(port__pod=pod),
                pod.silences.all(),
                pod.findings.all(),
                pod.audit_runs.all(),
            ),
        )
        for model, found in keys.items():
            require(user, "delete", model, found)
        change = record_change(pod, ObjectChangeActionChoices.ACTION_DELETE, "", user)
        scheduled(pod).delete()
        Block.objects.filter(serves=pod).update(serves=None)
        for rows in _records(pod):
            removal.remove(rows)
        if hardware:
            interfaces, cables = keys[Interface], keys[Cable]
            removal.remove(CableToCableTermination.objects.filter(cable__in=cables))
            paths = CablePath.objects.filter(
                Q(origin_id__in=interfaces) | Q(destination_id__in=interfaces)
            )
            removal.remove(paths)
            for model, found in keys.items():
                removal.remove(model._default_manager.filter(pk__in=found))
        removed = Removed(kind, name, in_words_of(kind, removal.removed), dry_run)
        change.change_context_detail = str(removed)[:400]
        change.save()
        return removed


def _refuse_what_is_used(pod: Pod) -> None:
    for rows, what, remedy in (
        (pod.slices, "slice", "Release"),
        (_multislices(pod), "multislice", "Release and delete"),
        (pod.tickets.exclude(state__in=ENDED), "open ticket", "End or withdraw"),
        (pod.work_orders.exclude(state__in=ORDERS_ENDED), "open work order", "Finish or withdraw"),
    ):
        if count := rows.count():
            raise PodRefused(
                f"{count} {what}{'s' * (count != 1)} of it {'are' if count != 1 else 'is'} there",
                where=f"pod {pod.name}",
                remedy=f"{remedy} {'them' if count != 1 else 'it'} first",
            )


def _multislices(pod: Pod) -> QuerySet[Any]:
    """Jobs over the pod, or over the network."""
    found: QuerySet[Any] = Multislice.objects.filter(Q(pod=pod) | Q(parts__pod=pod))
    return found.order_by().distinct()


def remove_rows_of(pod: Pod) -> None:
    """Where a pod is deleted on its page or over REST, its thousands of rows go as sets.

    Row by row, as Nautobot deletes, an Ironwood pod takes minutes. One change of record stands
    for all of them, that of the pod.
    """
    removal = _Removal(lambda _what, _rows: None)
    for rows in _thousands(pod):
        removal.remove(rows)


def _records(pod: Pod) -> Iterator[QuerySet[Any]]:
    """The rows of the App that go with a pod, in the order in which they can."""
    yield from _rows_of_orders(pod)
    yield from rows_of_tickets(pod)
    yield Silence.objects.filter(pod=pod)
    yield from _thousands(pod)
    yield from (
        Finding.slices.through.objects.filter(finding__pod=pod),
        Finding.objects.filter(pod=pod),
        AuditRun.objects.filter(pod=pod),
        WrittenEnd.objects.filter(pod=pod),
        Cube.objects.filter(pod=pod),
        Demand.objects.filter(pod=pod),
        Block.objects.filter(pod=pod),
        Switch.objects.filter(pod=pod),
        Pod.objects.filter(pk=pod.pk),
    )


def _thousands(pod: Pod) -> Iterator[QuerySet[Any]]:
    """Those of which a pod has thousands, with what hangs on them."""
    yield from (
        Touch.objects.filter(pod=pod),
        LightReading.objects.filter(pod=pod),
        LightDay.objects.filter(pod=pod),
        LastGoodLight.objects.filter(pod=pod),
        AgreedCable.objects.filter(agreement__pod=pod),
        LightAgreement.objects.filter(pod=pod),
        Reading.objects.filter(pod=pod),
        FindingPlace.objects.filter(finding__pod=pod),
        Substitution.objects.filter(port__pod=pod),
        OpticalCircuit.objects.filter(switch__pod=pod),
        Port.objects.filter(pod=pod),
    )


def rows_of_tickets(pod: Pod) -> Iterator[QuerySet[Any]]:
    """The tickets of a pod with their history, in the order in which they can go."""
    tickets = Ticket.objects.filter(pod=pod)
    workflows = ApprovalWorkflow.objects.filter(
        object_under_review_content_type=ContentType.objects.get_for_model(Ticket),
        object_under_review_object_id__in=tickets.values("pk"),
    )
    stages = ApprovalWorkflowStage.objects.filter(approval_workflow__in=workflows)
    yield ApprovalWorkflowStageResponse.objects.filter(approval_workflow_stage__in=stages)
    yield stages
    yield workflows
    for model in (TicketDrain, TicketEvent, TicketStage, Reservation):
        yield model.objects.filter(ticket__in=tickets)
    yield Reservation.objects.filter(run__pod=pod)
    yield tickets


def _rows_of_orders(pod: Pod) -> Iterator[QuerySet[Any]]:
    """The work orders of a pod with their history, in the order in which they can go."""
    orders = WorkOrder.objects.filter(pod=pod)
    yield StepPhoto.objects.filter(report__order__in=orders)
    for model in (StepReport, OrderEvent, OrderStep, Reservation):
        yield model.objects.filter(order__in=orders)
    for between in (WorkOrder.findings.through, WorkOrder.tickets.through):
        yield between.objects.filter(workorder__in=orders)
    yield orders


def _hardware(pod: Pod) -> dict[type[Model], list[Any]]:
    """The keys of all that goes, in the order in which it can."""
    ports = pod.ports.order_by()
    hosts = host_ports_of(pod)
    interfaces = {*_flat(ports, "interface"), *_flat(hosts, "pk")}
    of_ports = CableToCableTermination.objects.filter(interface__fabric_port__pod=pod)
    of_hosts = CableToCableTermination.objects.filter(interface__in=hosts)
    plugged = (_flat(of_ports, "cable"), _flat(of_hosts, "cable"), _flat(pod.written_ends, "cable"))
    cables = set().union(*plugged)
    bays = list(_flat(ports.filter(module_bay__isnull=False), "module_bay"))
    devices = {
        *_flat(ports, "interface__device"),
        *_flat(pod.switches, "device"),
        *_flat(pod.blocks, "device"),
    }
    racks = {
        *_flat(pod.cubes, "rack"),
        *_flat(pod.blocks.filter(device__rack__isnull=False), "device__rack"),
        *_flat(pod.switches.filter(device__rack__isnull=False), "device__rack"),
    }
    modules = _flat(Module.objects.filter(parent_module_bay__in=bays), "pk")
    return {
        Cable: list(cables),
        Module: list(modules),
        ModuleBay: bays,
        Interface: list(interfaces),
        Device: list(devices),
        Rack: list(racks),
    }


def _flat(rows: Any, field: str) -> Iterable[Any]:
    return set(rows.order_by().values_list(field, flat=True))


class _Removal:
    """Removes sets of rows, and counts them."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.removed: dict[str, int] = {}

    def remove(self, rows: QuerySet[Any]) -> None:
        """Remove rows and what is noted about them, as sets; no signal, no row at a time."""
        model = rows.model
        keys: Collection[Any] = list(rows.order_by().values_list("pk", flat=True))
        if not keys:
            return
        kind = ContentType.objects.get_for_model(model)
        for about, of_kind, key in _ABOUT:
            noted = about._default_manager.filter(**{of_kind: kind, f"{key}__in": keys})
            noted._raw_delete(noted.db)  # noqa: SLF001
        chosen = model._default_manager.filter(pk__in=keys).order_by()
        gone = int(chosen._raw_delete(chosen.db))  # noqa: SLF001
        self.removed[what := rows_are(model, gone)] = gone
        self._progress(what, gone)
