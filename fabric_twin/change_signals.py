"""Everything that the App listens to, in one table; each receiver hears one kind of sender.

    saved or deleted in Nautobot                       what hears of it
    Cable, its ends, Interface, Module, Device    ->   its ports are audited soon; light agreed
                                                       with a cable where it was, and not here
    OpticalCircuit, Switch                        ->   all ports of the switch are
    Slice, Cube                                   ->   all ports of the cubes are
    Block                                         ->   its ports are; its network where it goes
    Pod                                           ->   its audits are scheduled; its rows go with it
    approvals                                     ->   four eyes hold; a ticket hears its answer

    and what is neither saved nor deleted
    the database is ready (Nautobot's signal)     ->   the App's first records are made
    migrations are about to run                   ->   none is taken back over data, without a word
    a worker is loaded (Celery's)                 ->   its garbage collector leaves Nautobot alone
    a worker starts                               ->   what was left behind is called for, or ended
    a job of ours is called for (Celery's)        ->   what it is to do is kept beside the call

Sets that are written without signals (loading, slices, steps of orders) say themselves what they
touch. Records of Nautobot's own are most often nobody's of ours: they are gathered while their
transaction (or savepoint) lasts, and then our ports are asked for once for each kind.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any
from uuid import UUID

from celery.signals import before_task_publish, task_received, worker_init, worker_ready
from django.apps import AppConfig
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.db.models.signals import ModelSignal, post_save, pre_delete, pre_migrate, pre_save
from django.dispatch import Signal
from kombu.exceptions import OperationalError as BrokerError
from nautobot.apps import nautobot_database_ready
from nautobot.dcim.models import Cable, CableToCableTermination, Device, Interface, Module
from nautobot.extras.jobs import run_console_log_job_and_return_job_result, run_job
from nautobot.extras.models import (
    ApprovalWorkflow,
    ApprovalWorkflowStage,
    ApprovalWorkflowStageResponse,
)
from redis.exceptions import RedisError

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.garbage import spare_what_is_loaded
from fabric_twin.first_records import make_first_records
from fabric_twin.models import (
    Block,
    Cube,
    Multislice,
    OpticalCircuit,
    Pod,
    Port,
    Slice,
    SlicePart,
    Switch,
    Ticket,
)
from fabric_twin.models.networks.block import keep_what_is_in_use
from fabric_twin.models.optical_circuit import keep_what_a_slice_holds
from fabric_twin.models.pod import pod_goes
from fabric_twin.operations.audits.touches import call_forgotten, touch
from fabric_twin.operations.calls.job_properties import into_header, out_of_header
from fabric_twin.operations.calls.lost_jobs import end_lost_jobs
from fabric_twin.operations.calls.unheard_calls import keep_wish
from fabric_twin.operations.drop_data import refuse_to_drop
from fabric_twin.operations.orders.call_worker import call_forgotten_orders
from fabric_twin.operations.pods.audit_schedule import schedule_new_pod, scheduled
from fabric_twin.operations.pods.light_agreed import forget_moved
from fabric_twin.operations.pods.remove import remove_rows_of
from fabric_twin.operations.superpods.keep import keep_what_stands
from fabric_twin.operations.tickets import approval, lifecycle
from fabric_twin.operations.tickets.running.due import call_due

#: Which of our ports a record of Nautobot's is about: a column of the record, and ours.
_PORTS: dict[type[Model], tuple[str, str]] = {
    Cable: ("pk", "interface__cable_termination__cable"),
    CableToCableTermination: ("interface_id", "interface"),
    Interface: ("pk", "interface"),
    Module: ("parent_module_bay_id", "module_bay"),
    Device: ("pk", "interface__device"),
}
#: How many of a transaction's last callbacks are looked through for the one that gathers.
_LAST = 20


def listen(app: AppConfig) -> None:
    """Begin to hear; each once, however often it is asked."""
    for signal, sender, receiver in _receivers():
        uid = f"fabric_twin.change_signals.{receiver.__name__}.{sender.__name__}"
        signal.connect(receiver, sender=sender, dispatch_uid=uid)
    nautobot_database_ready.connect(_database_ready, sender=app)
    pre_migrate.connect(_about_to_migrate, sender=app)
    # Celery's: a worker hears its own alone.
    worker_init.connect(_worker_loaded, dispatch_uid="fabric_twin.change_signals.loaded")
    worker_ready.connect(_worker_starts, dispatch_uid="fabric_twin.change_signals.worker")
    task_received.connect(_job_came, dispatch_uid="fabric_twin.change_signals.came")
    for task in (run_job, run_console_log_job_and_return_job_result):
        uid = f"fabric_twin.change_signals.{task.name}"
        before_task_publish.connect(_job_called, sender=task.name, dispatch_uid=uid)


def _receivers() -> Iterator[tuple[Signal, type[Model], Callable[..., None]]]:
    yield pre_delete, OpticalCircuit, keep_what_a_slice_holds
    yield pre_delete, Block, keep_what_is_in_use
    yield pre_delete, Multislice, keep_what_stands
    yield pre_save, CableToCableTermination, _end_moves
    saved_or_deleted: tuple[ModelSignal, ...] = (post_save, pre_delete)
    for signal in saved_or_deleted:
        for model in _PORTS:
            yield signal, model, _nautobots
        yield signal, OpticalCircuit, _circuit
        yield signal, Block, _block
        yield signal, Slice, _slice
    yield post_save, Switch, _switch
    yield post_save, Cube, _cube
    yield post_save, Pod, _pod_added
    yield pre_delete, Pod, _pod_removed
    yield pod_goes, Pod, _pod_goes
    yield pre_save, ApprovalWorkflowStageResponse, _answer
    yield pre_save, ApprovalWorkflowStage, _stage
    yield pre_save, ApprovalWorkflow, _workflow
    yield post_save, ApprovalWorkflowStageResponse, _answered
    yield Ticket.decided, Ticket, _decided


class _Gathered:
    """Records of Nautobot's that were saved or deleted in one transaction, by kind."""

    def __init__(self) -> None:
        self.keys: dict[str, set[UUID]] = defaultdict(set)
        #: Cables of which an end was written or taken away.
        self.cables: set[UUID] = set()
        #: What Django logs where it fails.
        self.__qualname__ = type(self).__qualname__

    def __call__(self) -> None:
        """Touch the ports that they are about, and forget the light of cables that were moved."""
        for column, keys in self.keys.items():
            rows = Port.objects.filter(**{f"{column}__in": keys}).order_by()
            _touch_ports(rows.values_list("pod_id", "pk"))
        if self.cables:
            forget_moved(self.cables)


def _nautobots(
    signal: Signal, sender: type[Model], instance: Model, raw: bool = False, **_: Any
) -> None:
    """A record of Nautobot's own; deleting a cable tells of its ends too."""
    of_record, of_port = _PORTS[sender]
    if not raw:
        # The bay of a module may go with it, and ports forget it.
        now = signal is pre_delete and sender is Module
        cable = instance.cable_id if isinstance(instance, CableToCableTermination) else None
        _changed(of_port, getattr(instance, of_record), now=now, cable=cable)


def _end_moves(
    sender: type[Model], instance: CableToCableTermination, raw: bool = False, **_: Any
) -> None:
    """An end that is written anew, as by REST, leaves a port of which nothing tells afterwards."""
    if not raw and not instance._state.adding:  # noqa: SLF001
        left = sender._default_manager.filter(pk=instance.pk).exclude(
            interface=instance.interface_id
        )
        _changed("interface", left.values_list("interface_id", flat=True).first())


def _changed(
    of_port: str, key: UUID | None, *, now: bool = False, cable: UUID | None = None
) -> None:
    if key is None and cable is None:
        return
    now |= not connection.in_atomic_block
    gathered = _Gathered() if now else _gathered()
    if key:
        gathered.keys[of_port].add(key)
    if cable:
        gathered.cables.add(cable)
    if now:
        gathered()


def _gathered() -> _Gathered:
    """What gathers in this transaction; a rollback drops what it gathered."""
    savepoints = set(connection.savepoint_ids)
    for callback in islice(reversed(connection.run_on_commit), _LAST):
        if isinstance(callback[1], _Gathered) and callback[0] == savepoints:
            return callback[1]
    gathered = _Gathered()
    transaction.on_commit(gathered, robust=True)
    return gathered


def _touch_ports(rows: Iterable[tuple[UUID, UUID]]) -> None:
    by_pod: dict[UUID, list[UUID]] = defaultdict(list)
    for pod, port in rows:
        by_pod[pod].append(port)
    for pod, keys in by_pod.items():
        touch([pod], port=keys)


def _circuit(instance: OpticalCircuit, raw: bool = False, **_: Any) -> None:
    if not raw:
        touch([instance.switch.pod_id], switch=[instance.switch_id])


def _switch(instance: Switch, raw: bool = False, **_: Any) -> None:
    if not raw:
        touch([instance.pod_id], switch=[instance.pk])


def _cube(instance: Cube, raw: bool = False, **_: Any) -> None:
    if not raw:
        touch([instance.pod_id], cube=[instance.pk])


def _block(signal: Signal, instance: Block, raw: bool = False, **_: Any) -> None:
    if not raw:
        # One that goes is no place to look at any more.
        touch([instance.pod_id], **({} if signal is pre_delete else {"block": [instance.pk]}))


def _slice(instance: Slice, raw: bool = False, **_: Any) -> None:
    # Its cubes follow it into the database, so they are asked for at the end; and go before it.
    later = SlicePart.objects.filter(slice=instance).order_by().values("cube")
    now = later.values_list("cube", flat=True)
    if not raw:
        touch([instance.pod_id], cube=later)
        if now:
            touch([instance.pod_id], cube=list(now))


def _pod_added(instance: Pod, created: bool, raw: bool = False, **_: Any) -> None:
    if created and not raw:
        schedule_new_pod(instance)


def _pod_removed(instance: Pod, **_: Any) -> None:
    scheduled(instance).delete()


def _pod_goes(instance: Pod, **_: Any) -> None:
    remove_rows_of(instance)


def _answer(instance: ApprovalWorkflowStageResponse, raw: bool = False, **_: Any) -> None:
    if not raw:
        approval.check_response(instance)


def _stage(instance: ApprovalWorkflowStage, raw: bool = False, **_: Any) -> None:
    if not raw:
        approval.check_stage(instance)


def _workflow(instance: ApprovalWorkflow, raw: bool = False, **_: Any) -> None:
    if not raw:
        approval.check_workflow(instance)


def _answered(instance: ApprovalWorkflowStageResponse, raw: bool = False, **_: Any) -> None:
    if not raw:
        approval.note_response(instance)


def _decided(ticket: Ticket, workflow: ApprovalWorkflow, **_: Any) -> None:
    lifecycle.workflow_ended(ticket, workflow)


def _about_to_migrate(plan: Any = (), using: str = "default", **_: Any) -> None:
    try:
        refuse_to_drop(plan, using)
    except FabricTwinError as refusal:
        raise CommandError(str(refusal)) from None


def _database_ready(sender: AppConfig, apps: Any, **_: Any) -> None:
    # Not where migrations were just taken back: what the App made would keep it from leaving.
    if "pod" in apps.all_models[sender.label]:
        make_first_records(sender, apps=apps)


def _worker_loaded(**_: Any) -> None:
    """Before it forks: those who work share what is loaded with it, and nobody walks it."""
    spare_what_is_loaded()


def _worker_starts(**_: Any) -> None:
    """A worker that starts goes on with what another one left."""
    for call in (call_due, call_forgotten, call_forgotten_orders, end_lost_jobs):
        # The watch looks again in a moment.
        with suppress(DatabaseError, FabricTwinError, RedisError, BrokerError, ConnectionError):
            call()


def _job_called(
    headers: dict[str, Any], body: Any, properties: Mapping[str, Any], **_: Any
) -> None:
    """Nautobot keeps what a job is to do in its message alone: it is lost with that."""
    into_header(headers, properties)
    with suppress(DatabaseError):
        keep_wish(headers["id"], *body[:2])


def _job_came(request: Any, **_: Any) -> None:
    out_of_header(request.request_dict)
