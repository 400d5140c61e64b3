"""What the fabric does for hands: it keeps ports dark, and shows whether they are.

    crew's next step   block, release   done by the switch, and read back
                       on its port      read again: locked unless dark and in no circuit

What a switch does not answer stays locked, and is said. Bundles are checked in `order_checks.py`.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.life import SETTLED, Deed, OrderIs, StepIs, step_after
from fabric_twin.core.orders.lock import live_neighbours, may_block
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import BY_FABRIC, TOUCHES, Do, End, Step
from fabric_twin.models import OrderStep, Reservation, WorkOrder
from fabric_twin.repositories.access import some_accesses
from fabric_twin.repositories.looking import PATIENCE
from fabric_twin.repositories.order_needs import unmet
from fabric_twin.repositories.order_rows import held, keep_steps, progress_of
from fabric_twin.repositories.orders import hold_again
from fabric_twin.repositories.permissions import require
from fabric_twin.repositories.reading import PodRecord
from fabric_twin.repositories.targets import targets_of
from fabric_twin.services.keep_dark import Seen, keep_dark, see_ports
from fabric_twin.switches.fabric import Fabric, open_fabric

#: Cubes of an order answer before they are in service.
ANSWERING = ("Planned", "Installing", "Active", "Draining")


@dataclass(frozen=True)
class Ahead:
    """What a crew has before it, as switches show it now."""

    #: The number of the next step; 0 where none is left.
    step: int
    #: Why hands must stay off it; empty where they may go on.
    why: str = ""
    #: Steps that the fabric did meanwhile, by number.
    done: tuple[int, ...] = ()
    #: Ports beside the step's that carry light.
    live: tuple[str, ...] = ()


@contextmanager
def fabric_of(record: PodRecord, devices: Collection[str]) -> Iterator[Fabric]:
    """Conversations with some switches and cubes of a pod, as far as they have addresses."""
    targets = targets_of(record.pod, ANSWERING, devices)
    accesses = some_accesses(record.pod, devices)
    with open_fabric(targets.switches, targets.cubes, accesses, PATIENCE) as fabric:
        yield fabric


def read_steps(order: WorkOrder, user: Any, crew: int = 1) -> Ahead:
    """Do what the fabric does before a crew's next step, and read the step's ports again."""
    require(user, "do", WorkOrder, [order.pk])
    order = WorkOrder.objects.select_related("pod", "assignee").get(pk=order.pk)
    if order.state != OrderIs.UNDER_WAY:
        step = progress_of(order).next(crew)
        why = f"the order is {order.state}"
        return Ahead(step.number if step else 0, why if step else "")
    return _Reading(order, crew).run()


@dataclass(eq=False)
class _Reading:
    """One look ahead of a crew."""

    order: WorkOrder
    crew: int
    done: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Know the pod."""
        self.record = PodRecord(self.order.pod)

    def run(self) -> Ahead:
        """Until hands are needed, or nothing goes on."""
        while True:
            progress = progress_of(self.order)
            step = progress.next(self.crew)
            if step is None:
                return Ahead(0, done=tuple(self.done))
            if step.do not in (Do.BLOCK, Do.RELEASE):
                return self._hands(step)
            try:
                why = self._held(progress, step)
            except NotPossible as refusal:
                why = str(refusal)
            if why:
                return Ahead(step.number, why, tuple(self.done))

    def _held(self, progress: Progress, step: Step) -> str:
        """Block or release a run of ports; why the first of them could not be."""
        run = _run(progress, step)
        if step.do == Do.BLOCK:
            with transaction.atomic():  # a ticket may have had them meanwhile
                hold_again(held(self.order))
        with fabric_of(self.record, {one.device for one in run}) as fabric:
            seen = see_ports(fabric, {one.device for one in run})
            whys = {one.number: self._may(one, seen) for one in run}
            able = [one for one in run if not whys[one.number]]
            ports = {port for one in able for port in simplex(one.at)}
            if ports and step.do == Do.BLOCK:
                seen = _both(seen, keep_dark(fabric, block=ports))
            elif ports:
                seen = _both(seen, keep_dark(fabric, release=ports))
        dark = step.do == Do.BLOCK
        did = [one for one in able if _is_held(one, seen, dark=dark)]
        for one in able:
            if one not in did:
                whys[one.number] = _not_held(one, seen, dark=dark)
        self._keep(did, seen)
        self.done += [one.number for one in did]
        return whys[step.number]

    def _may(self, step: Step, seen: Seen) -> str:
        if silent := seen.silent.get(step.device):
            return silent.what
        if step.do == Do.RELEASE:
            return "" if simplex(step.at)[0] in seen.ports else may_block(step, seen.ports)
        return unmet(self.order, step.need) or may_block(step, seen.ports)

    def _keep(self, did: Sequence[Step], seen: Seen) -> None:
        """The fabric did these; and of ports that were read now it is known whether they lock."""
        with transaction.atomic():
            order = held(self.order)
            before = progress = progress_of(order)
            for step in did:
                if progress.steps[step.number - 1] not in SETTLED:
                    report = Report(id=f"fabric {uuid4()}", step=step.number, told=Told.DONE)
                    progress, _ = progress.take(report)
            ports = {step.at for step in did}
            for step in progress.order.steps:
                if step.guarded and step.do in TOUCHES and step.at in ports:
                    progress = self._read(progress, step, seen)[0]
            keep_steps(order, before, progress)

    def _read(self, progress: Progress, step: Step, seen: Seen) -> tuple[Progress, str]:
        if why := unmet(self.order, step.need):
            state = progress.steps[step.number - 1]
            if state == StepIs.WAITING:
                steps = list(progress.steps)
                steps[step.number - 1] = step_after(state, Deed.LOCK)
                progress = replace(progress, steps=tuple(steps))
            return progress, why
        progress, why = progress.read(step.number, seen.ports)
        silent = seen.silent.get(step.device)
        return progress, (silent.what if silent and why else why)

    def _hands(self, step: Step) -> Ahead:
        """Read the port of a step that hands do."""
        if step.do == Do.CHECK and step.need:
            return Ahead(step.number, unmet(self.order, step.need), tuple(self.done))
        if step.do in BY_FABRIC or not (step.guarded or step.need):
            return Ahead(step.number, done=tuple(self.done))
        seen = Seen({})
        if step.guarded:
            with fabric_of(self.record, {step.device}) as fabric:
                seen = see_ports(fabric, {step.device})
        with transaction.atomic():
            order = held(self.order)
            before = progress_of(order)
            after, why = before, ""
            for one in _same_port(before, step):
                after, said = self._read(after, one, seen)
                why = said if one.number == step.number else why
            whys = dict.fromkeys((one.number for one in _same_port(before, step)), why)
            keep_steps(order, before, after, why=whys if before.steps != after.steps else {})
        return Ahead(step.number, why, tuple(self.done), self._live(step, seen))

    def _live(self, step: Step, seen: Seen) -> tuple[str, ...]:
        """Ports in reach of the step's that carry light, by name."""
        if not seen.live:
            return ()
        of = self.order.pod.ports.filter(interface__device__name=step.device)
        numbers = dict(of.order_by().values_list("interface__name", "number"))
        # Of a duplex port a switch names both halves.
        shown = {port for _, port in seen.live}
        live = {numbers[name] for port in shown for name in {port, port[:-1]} & numbers.keys()}
        near = live_neighbours(self.record.design.layout, numbers.get(step.port, -1), live)
        names = {number: name for name, number in numbers.items()}
        return tuple(names[port] for port in near)


def _run(progress: Progress, first: Step) -> list[Step]:
    """Steps of one kind in a row that a crew has before it."""
    run = []
    for step in progress.order.steps[first.number - 1 :]:
        if step.crew != first.crew or progress.steps[step.number - 1] in SETTLED:
            continue
        if step.do != first.do:
            break
        run.append(step)
    return run


def _same_port(progress: Progress, step: Step) -> list[Step]:
    """The steps at a port that hands may still do."""
    return [
        one
        for one in progress.order.steps
        if one.at == step.at
        and one.do in TOUCHES
        and progress.steps[one.number - 1] in (StepIs.LOCKED, StepIs.WAITING)
    ] or [step]


def _both(before: Seen, after: Seen) -> Seen:
    return Seen({**before.ports, **after.ports}, {**before.silent, **after.silent})


def _is_held(step: Step, seen: Seen, *, dark: bool) -> bool:
    shown = [seen.ports.get(port) for port in simplex(step.at)]
    return all(port is not None and port.blocked == dark for port in shown)


def _not_held(step: Step, seen: Seen, *, dark: bool) -> str:
    if silent := seen.silent.get(step.device):
        return silent.what
    return f"its switch does not {'block' if dark else 'release'} it"


def release_all(order: WorkOrder) -> int:
    """Let go of every port that an order keeps dark: it has ended before its hands did.

    Also of those that a worker may have blocked and was killed before it said so. What another
    ticket or order has reserved meanwhile is left to it. How many ports it were.
    """
    record = PodRecord(order.pod)
    progress = progress_of(order)
    blocked = _kept_dark(progress)
    others = Reservation.objects.filter(switch__pod=order.pod_id)
    rows = others.values_list("switch__device__name", "port", "side")
    mine = blocked - {(switch, f"{port}{side}") for switch, port, side in rows.order_by()}
    if mine:
        with fabric_of(record, {device for device, _ in mine}) as fabric:
            answers = keep_dark(fabric, release=mine)
        if answers.silent:
            name, error = next(iter(answers.silent.items()))
            raise NotPossible(
                f"its ports may still be blocked: {error.what}",
                where=name,
                remedy="Release them once it answers",
            )
    released = [
        step.number
        for step in progress.order.steps
        if step.do == Do.RELEASE and blocked.issuperset(simplex(step.at))
    ]
    order.steps.filter(number__in=released).update(state=StepIs.DONE, done_at=timezone.now())
    return len(mine)


def _kept_dark(progress: Progress) -> set[End]:
    """Simplex ports that are blocked by steps that were done, or that a crew has come to."""
    found: set[End] = set()
    for step in progress.order.steps:
        if progress.steps[step.number - 1] in SETTLED and step.do in (Do.BLOCK, Do.RELEASE):
            change = found.update if step.do == Do.BLOCK else found.difference_update
            change(simplex(step.at))
    for crew in range(1, progress.order.crews + 1):
        first = progress.next(crew)
        if first is not None and first.do == Do.BLOCK:
            found.update(port for one in _run(progress, first) for port in simplex(one.at))
    return found


def still_dark(pod: Any) -> list[WorkOrder]:
    """Orders that were withdrawn, and of which nobody has let go yet: a worker was killed."""
    rows = OrderStep.objects.filter(order__pod=pod, order__state=OrderIs.WITHDRAWN)
    blocks = rows.filter(do=Do.BLOCK, state__in=SETTLED).values("order", "port")
    waiting = rows.filter(do=Do.RELEASE).exclude(state__in=SETTLED)
    keys = {
        order
        for order, port in waiting.values_list("order", "port")
        if blocks.filter(order=order, port=port).exists()
    }
    return list(WorkOrder.objects.filter(pk__in=keys).select_related("pod"))
