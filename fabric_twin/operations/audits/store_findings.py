"""What a run found becomes the life of findings: as sets, in one transaction, under its lease.

    found now, not known       ->  new
    found now, and mended      ->  open again
    found now, and there       ->  seen again; written again only where something of it changed
    there, not found now       ->  mended, if the run looked where it is and everything answered

Nothing is mended because something did not answer. To write the same twice changes nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from fabric_twin.core.audit.covered import Covered
from fabric_twin.models import AuditRun, Finding, FindingPlace, Slice
from fabric_twin.models.audit_run import GateChoices, RunStateChoices
from fabric_twin.models.finding import FindingStateChoices, SeverityChoices
from fabric_twin.operations.audits.finding_life import come_back, mend
from fabric_twin.operations.audits.finding_places import write_places
from fabric_twin.operations.audits.finding_rows import Found
from fabric_twin.operations.audits.run_lease import RunLease
from fabric_twin.repositories.silences import heard

MENDED = FindingStateChoices.MENDED
_BATCH = 1000


@dataclass(frozen=True)
class Turned:
    """What a run changed, by keys."""

    new: tuple[str, ...]
    gone: tuple[str, ...]
    still: tuple[str, ...]
    reopened: tuple[str, ...]


@dataclass(frozen=True)
class _Known:
    pk: UUID
    state: str
    digest: str


@dataclass
class _Plan:
    """Which findings are new, open again, changed, or as they were."""

    new: list[Found] = field(default_factory=list)
    again: list[Found] = field(default_factory=list)
    changed: list[Found] = field(default_factory=list)


def store_findings(
    lease: RunLease,
    found: Sequence[Found],
    covered: Covered,
    at: datetime,
    facts: Mapping[str, Any],
    cables: Mapping[str, str],
) -> None:
    """Write what a run found, and that it is done with some more `facts`; all of it or nothing.

    `cables` are the keys of the pod's cables by name.
    """
    with transaction.atomic():
        run = lease.hold()
        there = {one.key for one in found}
        known, gone = _known(run.pod_id, sorted(there)), _gone(run.pod_id, there, covered)
        states = _hold(known, gone)
        known = {key: replace(one, state=states[key]) for key, one in known.items()}
        gone = {key: pk for key, pk in gone.items() if states.get(key) != MENDED}
        plan = _plan(found, known)
        _open(run, plan.new, at, cables)
        if plan.again:
            come_back(Finding.objects.filter(pk__in=[known[one.key].pk for one in plan.again]), at)
        _rewrite(run, known, plan.changed, cables)
        Finding.objects.filter(pk__in=[one.pk for one in known.values()]).update(last_seen=at)
        if gone:
            mend(Finding.objects.filter(pk__in=gone.values()), at)
        _end(lease, run, _turned(found, plan, gone), facts)


def turned_by(pod: UUID, found: Sequence[Found], covered: Covered) -> Turned:
    """What would change if this were written."""
    plan = _plan(found, _known(pod, [one.key for one in found]))
    gone = _gone(pod, {one.key for one in found}, covered)
    return _turned(found, plan, gone)


def _known(pod: UUID, keys: Sequence[str]) -> dict[str, _Known]:
    rows = Finding.objects.filter(pod=pod, key__in=keys)
    found = rows.values_list("key", "pk", "state", "digest")
    return {key: _Known(*row) for key, *row in found}


def _hold(known: Mapping[str, _Known], gone: Mapping[str, UUID]) -> dict[str, str]:
    """The states of what is written, by key; in the order in which people, tickets and orders
    hold findings, so that nobody locks another out."""
    keys = {*(one.pk for one in known.values()), *gone.values()}
    rows = Finding.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True)
    return dict(rows.values_list("key", "state")) if keys else {}


def _plan(found: Sequence[Found], known: Mapping[str, _Known]) -> _Plan:
    plan = _Plan()
    for one in found:
        there = known.get(one.key)
        if there is None:
            plan.new.append(one)
            continue
        if there.state == MENDED:
            plan.again.append(one)
        if there.digest != one.digest:
            plan.changed.append(one)
    return plan


def _open(run: AuditRun, new: Sequence[Found], at: datetime, cables: Mapping[str, str]) -> None:
    rows = [
        Finding(
            pod_id=run.pod_id,
            key=one.key,
            first_seen=at,
            opened=at,
            last_seen=at,
            evidence_then=one.columns["evidence_now"],
            digest=one.digest,
            **one.columns,
        )
        for one in new
    ]
    Finding.objects.bulk_create(rows, batch_size=_BATCH)
    keys = {one.key: row.pk for one, row in zip(new, rows, strict=True)}
    _write_around(run, keys, new, cables)


def _rewrite(
    run: AuditRun,
    known: Mapping[str, _Known],
    changed: Sequence[Found],
    cables: Mapping[str, str],
) -> None:
    rows = [Finding(pk=known[one.key].pk, digest=one.digest, **one.columns) for one in changed]
    if rows:
        fields = ["digest", *changed[0].columns]
        Finding.objects.bulk_update(rows, fields, batch_size=_BATCH)
        keys = {one.key: known[one.key].pk for one in changed}
        FindingPlace.objects.filter(finding__in=keys.values()).delete()
        Finding.slices.through.objects.filter(finding__in=keys.values()).delete()
        _write_around(run, keys, changed, cables)


def _write_around(
    run: AuditRun, keys: Mapping[str, UUID], found: Sequence[Found], cables: Mapping[str, str]
) -> None:
    """The places of findings, and the slices that lack links by them."""
    write_places(run.pod, keys, found, cables)
    names = {name for one in found for name in one.owners}
    slices = Slice.objects.filter(pod=run.pod_id, name__in=names)
    by_name = dict(slices.values_list("name", "pk")) if names else {}
    through = Finding.slices.through
    through.objects.bulk_create(
        (
            through(finding_id=keys[one.key], slice_id=by_name[name])
            for one in found
            for name in one.owners
            if name in by_name
        ),
        batch_size=_BATCH,
    )


def _gone(pod: UUID, there: set[str], covered: Covered) -> dict[str, UUID]:
    """What was there, was looked for, and was not found."""
    standing = Finding.objects.filter(pod=pod).exclude(state=MENDED)
    rows = _mendable(covered, standing).order_by("key").values_list("key", "pk")
    return {key: pk for key, pk in rows if key not in there}


def _turned(found: Sequence[Found], plan: _Plan, gone: Mapping[str, UUID]) -> Turned:
    new = tuple(one.key for one in (*plan.new, *plan.again))
    fresh = set(new)
    return Turned(
        new=new,
        gone=tuple(gone),
        still=tuple(one.key for one in found if one.key not in fresh),
        reopened=tuple(one.key for one in plan.again),
    )


def _end(lease: RunLease, run: AuditRun, turned: Turned, facts: Mapping[str, Any]) -> None:
    found = (*turned.new, *turned.still)
    lease.end(
        RunStateChoices.DONE,
        found=len(found),
        new=len(turned.new),
        gone=len(turned.gone),
        still=len(turned.still),
        keys={"found": list(found), "new": list(turned.new), "gone": list(turned.gone)},
        gate=_gate(run, found, unknown=bool(facts.get("not_reached"))),
        **facts,
    )


def _gate(run: AuditRun, keys: Collection[str], *, unknown: bool) -> str:
    """Fail on an error, warn of a warning or of what nobody could see; what is silenced is none."""
    found = Finding.objects.filter(pod=run.pod_id, key__in=keys)
    severities = set(heard(found).order_by().values_list("severity", flat=True).distinct())
    if SeverityChoices.ERROR in severities:
        return GateChoices.FAIL
    return GateChoices.WARN if severities or unknown else GateChoices.PASS


def _mendable(covered: Covered, findings: Any) -> Any:
    """Of some findings those that a run would have seen, were they there."""
    place = FindingPlace.objects.filter(finding=OuterRef("pk"))
    if covered.left_out:
        findings = findings.exclude(code__in=covered.left_out)
    if not covered.everything:
        here = Q(device_name__in=covered.devices) | Q(port__number__in=covered.ports)
        findings = findings.filter(Exists(place.filter(here)))
    if not covered.fabric:
        return findings.filter(observed=False)
    if covered.not_reached:
        unseen = Exists(place.filter(device_name__in=covered.not_reached))
        findings = findings.exclude(Q(observed=True) & unseen)
    return findings
