"""What the fabric does for hands: it keeps ports dark, and shows whether they are.

    crew's next step   block, release   done by the switch, and read back
                       on its port      read again: locked unless dark and in no circuit

What a switch does not answer stays locked, and is said. Bundles are checked in `check_bundles.py`;
ports that an order left dark are let go in `release_ports.py`.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.life import SETTLED, Deed, OrderIs, StepIs, step_after
from fabric_twin.core.orders.port_lock import live_neighbours, may_block
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import BY_FABRIC, TOUCHES, Do, Step
from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.hold import held
from fabric_twin.operations.orders.lifecycle import hold_again
from fabric_twin.operations.orders.request_tickets import unmet
from fabric_twin.operations.orders.steps import keep_steps
from fabric_twin.operations.orders.to_core import progress_of
from fabric_twin.operations.pods.poll import PATIENCE
from fabric_twin.repositories.addresses import targets_of
from fabric_twin.repositories.credentials import some_accesses
from fabric_twin.repositories.permissions import require
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.orders.keep_dark import Seen, keep_dark, see_ports
from fabric_twin.switches.driver import Patience
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
def fabric_of(
    record: PodRecord, devices: Collection[str], patience: Patience = PATIENCE
) -> Iterator[Fabric]:
    """Conversations with some switches and cubes of a pod, as far as they have addresses."""
    targets = targets_of(record.pod, ANSWERING, devices)
    accesses = some_accesses(record.pod, devices)
    with open_fabric(targets.switches, targets.cubes, accesses, patience) as fabric:
        yield fabric


def read_steps(order: WorkOrder, user: User | None, crew: int = 1) -> Ahead:
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
        run = run_of(progress, step)
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
                progress = progress.did(step)
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


def run_of(progress: Progress, first: Step) -> list[Step]:
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
