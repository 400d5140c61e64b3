"""An order closes when an audit of its places agrees; what does not is opened again.

a run --> orders whose ports it covered --> bundles whose manual steps are done: verified, or not
                                        --> nothing left, nothing found there: done,
                                            but for what cannot be done
    a switch that was dead answers again --> hands have nothing left to do at it
                      and dies once more --> what they had to do is due again
                                        --> something found there: reopened

What was done after a run began to look, it may not have seen: that it does not judge, and the
next one does.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.orders.life import Act, OrderIs
from fabric_twin.core.orders.mended import due_again, without_bundle
from fabric_twin.core.orders.order import Bundle, Kind
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import Do
from fabric_twin.core.rings.audit import CODES
from fabric_twin.models import AuditRun, Finding, OrderStep, Pod, WorkOrder
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations import dispatch
from fabric_twin.operations.orders.blocks import without_address
from fabric_twin.operations.orders.bundles import WorkDone, ready, work_done
from fabric_twin.operations.orders.cubes import qualify_cubes
from fabric_twin.operations.orders.fabric.hear_bundle import told_by_neighbours
from fabric_twin.operations.orders.fabric.light_test import tests_itself, unlit
from fabric_twin.operations.orders.fabric.release_ports import still_dark
from fabric_twin.operations.orders.history import (
    ANSWERS,
    DIED_AGAIN,
    audit_words,
    say,
)
from fabric_twin.operations.orders.lifecycle import (
    act_by_itself,
    finish_by_itself,
    reopen_by_itself,
)
from fabric_twin.operations.orders.record import held, keep_steps, progress_of
from fabric_twin.operations.orders.return_to_service import bring_back
from fabric_twin.operations.orders.unfinished import take_findings_again, without_aside
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.ports_out import dead_switches
from fabric_twin.repositories.transactions import after_commit

#: Orders that an audit says something of.
_JUDGED = (OrderIs.UNDER_WAY, OrderIs.AWAITING_LIGHT)
#: Orders that may be among those when it is over.
_IN_HAND = (*_JUDGED, OrderIs.PAUSED, OrderIs.REOPENED)


def before_looking(pod: Pod) -> Mapping[UUID, WorkDone]:
    """How far the manual work of a pod's orders is; asked before an audit reads anything."""
    orders = WorkOrder.objects.filter(pod=pod, state__in=_IN_HAND)
    return {order.pk: work_done(order, progress_of(order)) for order in orders}


def settle_orders(run: AuditRun, covered: Covered, worked: Mapping[UUID, WorkDone]) -> None:
    """Say of each order whose places a run looked at whether it is done.

    `worked` is how far the manual work was before it looked.
    """
    for ended in still_dark(run.pod_id):
        dispatch.advance_soon(ended.pk)
    if covered.fabric or not _has_fabric(run) or run.pod.is_cluster:
        # Records alone do not show manual work; of a cluster neighbours did before.
        for order in WorkOrder.objects.filter(pod=run.pod_id, state__in=_JUDGED).order_by("number"):
            with transaction.atomic():
                _Settling(held(order), covered, run, worked.get(order.pk)).settle()
    after_commit(bring_back, run.pod_id)


def _has_fabric(run: AuditRun) -> bool:
    return bool(run.pod.switches.exclude(address="").exists())


class _Settling:
    """One order, after a run."""

    def __init__(
        self, order: WorkOrder, covered: Covered, run: AuditRun, before: WorkDone | None
    ) -> None:
        self.order, self.covered, self.run = order, covered, run
        self.progress: Progress = progress_of(order)
        now, before = work_done(order, self.progress), before or {}
        #: Bundles that were worked on while the run looked.
        self.unseen = {name for name, done in now.items() if before.get(name) != done}

    def settle(self) -> None:
        """Verify what can be, and close or reopen the order where it waits for that."""
        if self.order.state not in _JUDGED:
            return  # somebody ended it meanwhile
        for name in self._dead_again():
            self._keep(due_again(self.progress, name), DIED_AGAIN, name)
            take_findings_again(self.order)
        if reopen_by_itself(self.order, self.progress):
            return  # it died again, or the worker that should have done it was lost
        if not tests_itself(self.order):
            for name in self._answering_again():
                self._keep(without_bundle(self.progress, name), ANSWERS, name)
            for bundle in self._ready():
                self._judge(bundle)
        done = finish_by_itself(self.order, self.progress)
        waits = self.order.state == OrderIs.AWAITING_LIGHT
        if not waits or self.unseen or not self._covers(self._steps()):
            return
        found = list(self._found(self._steps()))
        by_hands = [one for one in found if one.key not in self._not_for_hands]
        if by_hands:
            self._reopen(by_hands)
        elif done and not found:
            act_by_itself(self.order, Act.CLOSE, f"{self.run} agrees")

    @property
    def _not_for_hands(self) -> set[str]:
        """Findings that a ticket mends, or a corrected record: the order waits for them."""
        core = self.progress.order
        return {f for need in core.needs for f in need.findings} - core.by_bundle.keys()

    def _ready(self) -> Iterator[Bundle]:
        """Bundles whose manual steps were done before the run, and whose ports it covered.

        Where no light passes an audit has nothing to say: a check makes circuits of its own. Nor
        has it where neighbours tell.
        """
        names = [name for name in ready(self.progress, aside=True) if name not in self.unseen]
        record = PodRecord(self.order.pod)
        heard = told_by_neighbours(self.order, names)
        dark = unlit(self.order, record, names) if names and self.covered.fabric else set()
        for name in names:
            if self._covers(self._steps(name)) and name not in dark | heard:
                yield self.progress.order.by_bundle[name]

    def _answering_again(self) -> Iterator[str]:
        """Bundles of switches that were dead, and that the run saw answer: nothing is left there.

        Also where nobody has reported yet what they did: to power it on makes it answer.
        """
        of = self._of_dead
        rows = Finding.objects.filter(pod=self.order.pod_id, key__in=of)
        gone = rows.filter(state=FindingStateChoices.MENDED) if of else rows.none()
        mended = set(gone.values_list("key", flat=True))
        for name in self.progress.not_verified:
            if name in mended and name not in self.unseen and self._covers(self._steps(name)):
                yield name

    def _dead_again(self) -> Iterator[str]:
        """Bundles of switches that answered while other work of the order went on, and died."""
        of = self._of_dead.intersection(self.progress.not_due)
        yield from sorted(of & dead_switches(self.order.pod_id).keys() if of else ())

    @property
    def _of_dead(self) -> set[str]:
        """Findings of switches that were dead when the order was made."""
        return {f for need in self.progress.order.needs if need.dead for f in need.findings}

    def _keep(self, after: Progress, what: str, name: str) -> None:
        before, self.progress = self.progress, after
        keep_steps(self.order, before, after)
        say(self.order, what, name)

    def _judge(self, bundle: Bundle) -> None:
        """Whether an audit agrees to a bundle; one that could not see what was wrong says nothing.

        A look may meet the circuits of the bundle's own check: then light seems to pass there.
        """
        unseen = Finding.objects.filter(
            pod=self.order.pod_id, key=bundle.finding or None, seen=False
        )
        if unseen.exclude(state=FindingStateChoices.MENDED).exists():
            return
        found = list(self._at(self._steps(bundle.name), Q(key=bundle.finding or None)))
        why = "; ".join(one.cause for one in found[:1])
        self._light(bundle.name, agrees=not found, why=why)

    def _light(self, bundle: str, *, agrees: bool, why: str = "") -> None:
        before = self.progress
        self.progress = before.light(bundle, agrees=agrees)
        checks = [s.number for s in before.order.steps if s.do == Do.CHECK and s.bundle == bundle]
        keep_steps(self.order, before, self.progress, why=dict.fromkeys(checks, why))
        if agrees and self.order.kind == Kind.INSTALL:
            qualify_cubes(self.order, self.progress.qualified())
        agreed, refused = audit_words(self.order.pod)
        if before.steps != self.progress.steps:
            say(self.order, agreed if agrees else refused, f"{bundle}: {why}".rstrip(": "))

    def _reopen(self, found: Sequence[Finding]) -> None:
        """What the audit found at the order's places is to be done again."""
        at = Q(pk__in=[])
        for one in found:
            at |= Q(port__in=one.places.exclude(port=None).values("port"))
            at |= Q(finding=one)
        rows = self._steps().filter(at).values_list("bundle", "finding__key")
        known = self.progress.order.by_bundle.keys()
        for bundle in sorted(known & {name for row in rows for name in row if name}):
            self._light(bundle, agrees=False, why=found[0].cause)
        said = "; ".join(one.cause for one in found[:3])
        act_by_itself(self.order, Act.REOPEN, said)

    def _steps(self, bundle: str = "") -> Any:
        """Steps of the order at ports, or those of one bundle."""
        rows = OrderStep.objects.filter(order=self.order, device__isnull=False).order_by()
        return rows.filter(Q(bundle=bundle) | Q(finding__key=bundle)) if bundle else rows

    def _covers(self, steps: Any) -> bool:
        """Whether the run looked at all places of some steps, and all that can answer did."""
        places = set(steps.values_list("device__name", "port__number"))
        silent = self.covered.not_reached - without_address(self.order) - self._going()
        return all(
            device not in silent
            and (
                self.covered.everything
                or device in self.covered.devices
                or number in self.covered.ports
            )
            for device, number in places
        )

    def _going(self) -> frozenset[str]:
        """The device of a block that the order takes out: it is off, and says nothing any more."""
        if self.order.kind != Kind.DECOMMISSION or not self.order.pod.is_network:
            return frozenset()
        rows = self.order.pod.blocks.filter(first_port__in=self.progress.order.slots)
        return frozenset(rows.values_list("device__name", flat=True))

    def _found(self, steps: Any) -> Iterator[Finding]:
        """What stands at these places and concerns the order: its own, or come since it began."""
        rows = self._at(steps, Q(work_orders=self.order))
        yield from without_aside(self.order, self.progress, rows)

    def _at(self, steps: Any, more: Q) -> Any:
        """What has come at some places since the order began, and what is asked for beside."""
        since = self.order.started or self.order.created
        # What the audit could not see it does not hold against the order: the finding stays open.
        # Flow entries are no work of hands.
        rows = Finding.objects.filter(pod=self.order.pod_id, seen=True).exclude(
            Q(state=FindingStateChoices.MENDED) | Q(code__in=CODES)
        )
        here = Q(opened__gte=since, places__port__in=steps.values("port"))
        return rows.filter(here | more).distinct().order_by("key")
