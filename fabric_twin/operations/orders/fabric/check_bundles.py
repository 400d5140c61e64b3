"""Bundles of an order are checked by light: one by one, as soon as their manual steps are done.

    install   its ports are joined to those of an idle cube for a moment, which hears who is there
    others    an audit of its places, with the fabric; where nothing there has a circuit no
              light passes, and test circuits do the same as for an installation
    cluster   both ends of its cables tell whom they hear, then an audit of its records

Where work went on at a bundle during its test, it is tested again: the result is of before.
What fails the light test is to be done again, at the rack where the crew stands first; a cube of
which light has verified every bundle joins the pod.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.core.orders.checking import NothingShines, Verdict
from fabric_twin.core.orders.life import Act, OrderIs, StepIs
from fabric_twin.core.orders.order import Bundle, Kind
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import FindingPlace, OrderEvent, WorkOrder
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.light_evidence import Shown, cross_off
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, Look, run_audit
from fabric_twin.operations.orders.bundles import WorkDone, ready, work_done
from fabric_twin.operations.orders.cubes import qualify_cubes
from fabric_twin.operations.orders.fabric.hear_bundle import hear_bundle, told_by_neighbours
from fabric_twin.operations.orders.fabric.light_test import Looking, tests_itself, unlit
from fabric_twin.operations.orders.history import say, test_words
from fabric_twin.operations.orders.lifecycle import act_by_itself, finish_by_itself
from fabric_twin.operations.orders.record import core_of, held, keep_steps, progress_of, require_to
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.transactions import one_at_a_time
from fabric_twin.services.orders.check_bundle import SETTLE

_LOCK = 0x7057_0B0D
_UNSEEN = "the audit could not see it"
#: Cables that a line of history names.
_MOST = 5
#: How often a bundle is tested while work goes on there.
_LOOKS = 3


@dataclass(frozen=True)
class Checked:
    """What light says of a bundle."""

    bundle: str
    agrees: bool
    #: Cables that are not where they are meant, or dark; and those whose light is poor.
    wrong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    #: Why nobody could look; and whether it is tried again by itself.
    why: str = ""
    later: bool = False


def check_bundles(
    order: WorkOrder, user: User | None, bundles: Collection[str] = (), *, settle: float = SETTLE
) -> list[Checked]:
    """Light-test some bundles, or all whose manual steps are done, and keep the results."""
    order = WorkOrder.objects.select_related("pod", "assignee").get(pk=order.pk)
    named = due_bundles(order, user, bundles)
    if not named:
        return []
    if order.pod.is_cluster:
        return _heard(order, user, named, settle)
    by_light = named if tests_itself(order) else _unlit(order, named)
    checked = _tested(order, user, by_light, settle)
    rest = [name for name in named if name not in by_light]
    audited = _audited(order, user, rest) if rest else []
    # What seemed lit had the circuits of another test, which the audit saw go.
    dark = _unlit(order, [one.bundle for one in audited if one.later])
    judged = [one for one in audited if one.bundle not in dark]
    return checked + judged + _tested(order, user, dark, settle)


def _unlit(order: WorkOrder, named: Collection[str]) -> list[str]:
    """Those of some bundles where no light passes, in their order."""
    found = unlit(order, PodRecord(order.pod), named)
    return [name for name in named if name in found]


def _heard(
    order: WorkOrder, user: User | None, named: Sequence[str], settle: float
) -> list[Checked]:
    """Ask both ends of bundles whom they hear; an audit of the records has the last word."""
    told = told_by_neighbours(order, named)
    by_bundle = core_of(order).by_bundle
    checked = [_checked(order, by_bundle[name], settle) for name in named if name in told]
    rest = [name for name in named if name not in told]
    if any(one.agrees for one in checked):
        _audit(order, user, [one.bundle for one in checked])
    return checked + (_audited(order, user, rest) if rest else [])


def _tested(
    order: WorkOrder, user: User | None, named: Sequence[str], settle: float
) -> list[Checked]:
    """Test bundles over circuits that are made for them."""
    if not named:
        return []
    by_bundle = core_of(order).by_bundle
    # Two tests of one order would take each other's circuits away.
    with one_at_a_time(_LOCK, order.pk) as free:
        if not free:
            raise NotPossible(
                "a check of it is under way", where=str(order), remedy="Wait for its result"
            )
        checked = [_checked(order, by_bundle[name], settle) for name in named]
    if order.kind != Kind.INSTALL and any(one.agrees for one in checked):
        _audit(order, user, named)  # which has the last word
    return checked


def due_bundles(order: WorkOrder, user: User | None, bundles: Collection[str] = ()) -> list[str]:
    """Those of the bundles named that can be tested, or all whose manual steps are done."""
    require_to(order, user, "do")
    core = core_of(order)
    if unknown := sorted(set(bundles) - core.by_bundle.keys()):
        raise UnusableInput(
            f"the order has no bundle {unknown[0][:60]!r}",
            where=str(order),
            remedy="Name one of the order",
        )
    if not order.is_open:
        raise NotPossible(
            f"the order is {order.state}", where=str(order), remedy="Audit its places instead"
        )
    return list(bundles) or ready(progress_of(order))


def _audit(order: WorkOrder, user: User | None, named: Collection[str]) -> None:
    """Have the places of bundles audited, and those of the findings that they mend.

    A cable may be moved at its other end than where a finding says that it is wrong.
    """
    numbers = order.steps.filter(
        Q(bundle__in=named) | Q(finding__key__in=named), port__isnull=False
    ).values_list("port__number", flat=True)
    told = FindingPlace.objects.filter(
        finding__pod=order.pod_id, finding__key__in=named, port__isnull=False
    ).values_list("port__number", flat=True)
    scope = Scope(ports=frozenset(numbers) | frozenset(told))
    look: Look | None = observe_scope
    if order.pod.is_cluster:
        # By records alone, so all of it is soon looked at: a group is no port.
        scope, look = WHOLE_POD if order.kind == Kind.INSTALL else scope, None
    run_audit(order.pod, scope, How(look=look, user=user))


def _audited(order: WorkOrder, user: User | None, named: Collection[str]) -> list[Checked]:
    """Bundles after an audit of their places, which keeps what it says of each."""
    _audit(order, user, named)
    states = dict(order.steps.filter(do=Do.CHECK, bundle__in=named).values_list("bundle", "state"))
    whys = dict(order.steps.filter(do=Do.CHECK, bundle__in=named).values_list("bundle", "why"))
    unseen = set(ready(progress_of(order)))
    return [
        Checked(n, agrees=False, why=_UNSEEN, later=True)
        if n in unseen
        else Checked(n, states.get(n) == StepIs.VERIFIED, why=whys.get(n, ""))
        for n in named
    ]


def _checked(order: WorkOrder, bundle: Bundle, settle: float) -> Checked:
    """Test one bundle, over circuits that are made for it, and again if work went on."""
    for _ in range(_LOOKS):
        before = work_done(order, progress_of(order))
        checked = _looked(order, bundle, settle, before)
        if checked:
            return checked
        if bundle.name not in ready(progress_of(order), aside=True):
            break  # the report of its last step starts the next test
    return Checked(bundle.name, agrees=False, why="work went on during the test")


def _looked(order: WorkOrder, bundle: Bundle, settle: float, before: WorkDone) -> Checked | None:
    """The result for a bundle, unless work went on there meanwhile."""
    if order.pod.is_cluster:
        return _listened(order, bundle, settle, before)
    try:
        looking = Looking(order, bundle, settle)
        verdict = looking.verdict()
        shown = looking.shown(verdict)
    except NothingShines as nobody:
        if not bundle.finding:
            return _not_looked(order, bundle, nobody, later=False)  # until more is plugged in
        if looking.some_are_lent():
            return _not_looked(order, bundle, nobody, later=True)
        with transaction.atomic():
            why = f"{bundle.name}: {nobody.what}: the ticket that brings its ports back asks light"
            say(held(order), "light", why)
        verdict, shown = Verdict(bundle), Shown()
    except FabricTwinError as refusal:
        return _not_looked(order, bundle, refusal, later=True)
    if not keep_verdict(order, verdict, shown, before):
        return None
    return Checked(bundle.name, verdict.agrees, verdict.wrong, verdict.weak, verdict.why)


def _listened(order: WorkOrder, bundle: Bundle, settle: float, before: WorkDone) -> Checked | None:
    """The same of a cluster, whose devices hear each other."""
    try:
        verdict = hear_bundle(order, bundle, settle)
    except FabricTwinError as refusal:
        return _not_looked(order, bundle, refusal, later=True)
    if not keep_verdict(order, verdict, Shown(), before):
        return None
    return Checked(bundle.name, verdict.agrees, verdict.wrong, verdict.weak, verdict.why)


def _not_looked(
    order: WorkOrder, bundle: Bundle, refusal: FabricTwinError, *, later: bool
) -> Checked:
    order.steps.filter(do=Do.CHECK, bundle=bundle.name).update(why=str(refusal))
    return Checked(bundle.name, agrees=False, why=str(refusal), later=later)


def keep_verdict(order: WorkOrder, verdict: Verdict, shown: Shown, worked: WorkDone) -> bool:
    """Write down what light says of a bundle, and what follows from it.

    Nothing, where work went on there since: `worked` is how far it was before the test.
    """
    name = verdict.bundle.name
    with transaction.atomic():
        there = held(order)
        before = progress_of(there)
        if work_done(there, before).get(name) != worked.get(name):
            return False
        _write(there, before, verdict)
        if verdict.agrees:
            cross_off(there.pod, shown)
        return True


def _write(order: WorkOrder, before: Progress, verdict: Verdict) -> None:
    """Record a bundle's test; the caller holds the order."""
    name, (agreed, not_so) = verdict.bundle.name, test_words(order.pod)
    if verdict.agrees:
        after = before.light(name, agrees=True)
        worse = "; ".join(verdict.worse[:_MOST])
        keep_steps(order, before, after, why=dict.fromkeys(_checks(before, name), worse))
        say(order, agreed, f"{name}; {worse}" if worse else name)
        qualify_cubes(order, after.qualified())
        finish_by_itself(order, after)
        return
    refused = OrderEvent.objects.filter(order=order, what=not_so, said__startswith=f"{name}: ")
    rack = _racks(before, verdict.bundle)[refused.count() % 2]
    ports = verdict.ports(before.order, rack)
    after = before.light(name, agrees=False, wrong=ports)
    if name in after.set_aside:
        keep_steps(order, before, after)
        say(order, not_so, f"{name} is set aside: a step of it cannot be done")
        finish_by_itself(order, after)
        return
    bad = (*verdict.wrong, *verdict.weak)
    more = f" and {len(bad) - _MOST} more" if len(bad) > _MOST else ""
    again = "" if verdict.bundle.finding else f"; again at {rack}"
    said = f"{name}: {verdict.why or ', '.join(bad[:_MOST]) + more}{again}"
    keep_steps(order, before, after, why=dict.fromkeys(_checks(before, name), said))
    say(order, not_so, said)
    if order.state == OrderIs.AWAITING_LIGHT:
        act_by_itself(order, Act.REOPEN, said)


def _checks(progress: Progress, name: str) -> list[int]:
    steps = progress.order.steps
    return [step.number for step in steps if step.do == Do.CHECK and step.bundle == name]


def _racks(progress: Progress, bundle: Bundle) -> tuple[str, str]:
    """Where a bundle is done again: where the crew stands, and where its other ends are."""
    racks = [step.rack for step in progress.order.steps if step.bundle == bundle.name]
    near = next((rack for rack in racks if rack != bundle.rack), bundle.rack)
    return bundle.rack, near
