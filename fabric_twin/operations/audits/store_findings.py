"""What a run found becomes the life of findings: as sets, in one transaction, under its lease.

    found now, not known       ->  new
    found now, and mended      ->  open again
    found now, and there       ->  seen again, by the finding that tells of it, whatever it is
                                   called now; written again only where something of it changed
    there, not found now       ->  mended, if all of its proof was seen; joined, if another one
                                   tells of its fault; else not seen since

`core/findings/after_look.py` says which finding tells of what, and what is left to be seen. To
write the same twice changes nothing.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.findings.after_look import AfterLook, Known, Seen, after_look
from fabric_twin.core.findings.dead_switch import DIED, SWITCH_DOWN, has_died
from fabric_twin.core.findings.proof import Proof
from fabric_twin.core.findings.told_anew import Told, told_anew
from fabric_twin.models import AuditRun, Finding, FindingPlace, Slice
from fabric_twin.models.audit_run import GateChoices, RunStateChoices
from fabric_twin.models.finding import FindingStateChoices, SeverityChoices
from fabric_twin.operations.audits.audit import Audit
from fabric_twin.operations.audits.finding_life import come_back, join, mend, part
from fabric_twin.operations.audits.finding_places import write_places
from fabric_twin.operations.audits.finding_rows import Found, as_rows, proof_of
from fabric_twin.operations.audits.run_lease import RunLease
from fabric_twin.repositories.change_log import record_changes, record_each
from fabric_twin.repositories.silences import heard

MENDED, JOINED = FindingStateChoices.MENDED, FindingStateChoices.JOINED
_BATCH = 1000
#: Findings that have a line each where they are told otherwise than before.
_MOST_LINES = 200


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
    told: Told
    #: Whether it was of a dead switch since it was opened.
    died: bool


#: The state of a finding, and what is left to be seen of it.
_Held = tuple[str, tuple[Proof, ...]]


@dataclass
class _Plan:
    """Which findings are new, open again, changed, or as they were."""

    new: list[Found] = field(default_factory=list)
    again: list[Found] = field(default_factory=list)
    changed: list[Found] = field(default_factory=list)


def store_findings(
    lease: RunLease,
    audit: Audit,
    at: datetime,
    facts: Mapping[str, Any],
    cables: Mapping[str, str],
) -> None:
    """Write what a run found, and that it is done with some more `facts`; all of it or nothing.

    `cables` are the keys of the pod's cables by name.
    """
    with transaction.atomic():
        run = lease.hold()
        after, found = _after(run.pod_id, audit)
        known = _known(run.pod_id, [one.key for one in found])
        standing = _standing(run.pod_id, [*after.mended, *after.unseen, *after.joined])
        held = _hold(known, standing)
        states = {key: state for key, (state, _) in held.items()}
        standing = {k: pk for k, pk in standing.items() if states.get(k, MENDED) != MENDED}
        known = {key: replace(one, state=states[key]) for key, one in known.items()}
        gone = {key: standing[key] for key in after.mended if key in standing}
        plan = _plan(found, known)
        _open(run, plan.new, at, cables)
        if plan.again:
            come_back(Finding.objects.filter(pk__in=[known[one.key].pk for one in plan.again]), at)
        _rewrite(run, known, plan.changed, cables)
        still_there = Finding.objects.filter(pk__in=[one.pk for one in known.values()])
        still_there.update(last_seen=at, seen=True)
        if gone:
            mend(Finding.objects.filter(pk__in=gone.values()), at)
            _say_back(audit, gone.values())
        _keep_unseen(after, standing, held)
        apart = [key for key in (*known, *after.unseen) if states.get(key) == JOINED]
        part(Finding.objects.filter(pod=run.pod_id, key__in=apart))
        _join(run, after, standing)
        unseen = [key for key in after.unseen if key in standing]
        _end(lease, run, _turned(found, plan, gone), unseen, facts)


def turned_by(pod: UUID, audit: Audit) -> Turned:
    """What would change if this were written."""
    after, found = _after(pod, audit)
    plan = _plan(found, _known(pod, [one.key for one in found]))
    return _turned(found, plan, after.mended)


def _after(pod: UUID, audit: Audit) -> tuple[AfterLook, tuple[Found, ...]]:
    """What becomes of the findings of a pod; what was found is called by who tells of it."""
    rows = Finding.objects.filter(pod=pod).exclude(state=MENDED).order_by("first_seen", "key")
    known = [
        Known(key, proof_of(proof), joined or "")
        for key, proof, joined in rows.values_list("key", "proof", "joined_with__key")
    ]
    seen = [Seen(one.key, one.finding.proof) for one in (*audit.found, *audit.beside)]
    after = after_look(seen, known, audit.is_well)
    if not_found := [*after.mended, *after.unseen, *after.joined]:
        looked_at = _looked_at(audit.covered, rows.filter(key__in=not_found))
        here = set(looked_at.values_list("key", flat=True))
        after.mended = [key for key in after.mended if key in here]
        after.unseen = [key for key in after.unseen if key in here]
        after.joined = {key: name for key, name in after.joined.items() if key in here}
    keys = [after.told_by[one.key] for one in audit.found]
    told = zip(audit.found, keys, strict=True)
    return after, tuple(one.told_by(key, after.proof[key]) for one, key in told)


def _standing(pod: UUID, keys: Sequence[str]) -> dict[str, UUID]:
    rows = Finding.objects.filter(pod=pod, key__in=keys).order_by("key")
    return dict(rows.values_list("key", "pk"))


def _known(pod: UUID, keys: Sequence[str]) -> dict[str, _Known]:
    rows = Finding.objects.filter(pod=pod, key__in=sorted(keys))
    columns = "key", "pk", "state", "digest", "code", "cause", "evidence_now"
    return {
        key: _Known(*(pk, state, digest), _told(code, cause, evidence), has_died(code, evidence))
        for key, pk, state, digest, code, cause, evidence in rows.values_list(*columns)
    }


def _told(code: str, cause: str, evidence: Mapping[str, Any]) -> Told:
    return Told(code, cause, evidence.get("explanations", ()))


def _hold(known: Mapping[str, _Known], standing: Mapping[str, UUID]) -> dict[str, _Held]:
    """The states and proofs of what is written, by key; in the order in which people, tickets and
    orders hold findings, so that nobody locks another out."""
    keys = {*(one.pk for one in known.values()), *standing.values()}
    rows = Finding.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True)
    found = rows.values_list("key", "state", "proof") if keys else ()
    return {key: (state, proof_of(proof)) for key, state, proof in found}


def _keep_unseen(after: AfterLook, standing: Mapping[str, UUID], held: Mapping[str, _Held]) -> None:
    """What is left to be seen of findings that were looked for and not found.

    A light test that passed since they were read has crossed some of it off: that stays so.
    """
    rows = [
        # Without its digest it is written again when it is found: with all of its proof.
        Finding(
            pk=standing[key],
            seen=False,
            proof=as_rows(one for one in after.proof[key] if one in held[key][1]),
            digest="",
        )
        for key in (*after.unseen, *after.joined)
        if key in standing
    ]
    if rows:
        Finding.objects.bulk_update(rows, ["seen", "proof", "digest"], batch_size=_BATCH)


def _join(run: AuditRun, after: AfterLook, standing: Mapping[str, UUID]) -> None:
    """Findings of whose fault another one tells now, which is seen or not as that one is."""
    by_teller: dict[str, list[UUID]] = {}
    for key, name in after.joined.items():
        if key in standing:
            by_teller.setdefault(name, []).append(standing[key])
    if not by_teller:
        return
    for teller in Finding.objects.filter(pod=run.pod_id, key__in=by_teller).order_by("key"):
        rows = Finding.objects.filter(pk__in=by_teller[teller.key])
        join(rows, teller)
        rows.update(seen=teller.seen, last_seen=teller.last_seen)


def _plan(found: Sequence[Found], known: Mapping[str, _Known]) -> _Plan:
    plan = _Plan()
    for one in found:
        there = known.get(one.key)
        if there is None:
            plan.new.append(one)
            continue
        is_again = there.state == MENDED
        if is_again:
            plan.again.append(one)
        if there.digest != one.digest or (is_again and there.died):
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
    for row, one in zip(rows, changed, strict=True):
        if known[one.key].died and known[one.key].state != MENDED:
            row.evidence_now = row.evidence_now | {DIED: True}
    if rows:
        fields = ["digest", *changed[0].columns]
        Finding.objects.bulk_update(rows, fields, batch_size=_BATCH)
        keys = {one.key: known[one.key].pk for one in changed}
        FindingPlace.objects.filter(finding__in=keys.values()).delete()
        Finding.slices.through.objects.filter(finding__in=keys.values()).delete()
        _write_around(run, keys, changed, cables)
        _say_refined(known, changed)


def _say_refined(known: Mapping[str, _Known], changed: Sequence[Found]) -> None:
    """A line of the change log for each fault that is told otherwise than before."""
    said = {}
    for one in changed:
        before, now = known[one.key], one.finding
        if words := told_anew(before.told, _told(now.code, now.cause, now.evidence)):
            said[before.pk] = words
    first = Finding.objects.filter(pk__in=[*said][:_MOST_LINES])
    for finding in first.select_related("pod", "acknowledged_by"):
        record_changes([finding], said[finding.pk], None)


def _say_back(audit: Audit, mended: Collection[UUID]) -> None:
    """A line of the change log for each switch that was dead: how much came back with it."""
    died = Q(code=SWITCH_DOWN) | Q(evidence_now__has_key=DIED)
    rows = Finding.objects.filter(died, pk__in=mended, places__number=0)
    rows = rows.annotate(switch=F("places__device__fabric_switch__number"))
    dead = {
        finding.switch: finding
        for finding in rows.select_related("pod", "acknowledged_by")
        if finding.switch is not None and has_died(finding.code, finding.evidence_now)
    }
    if audit.came_back and dead:
        back = audit.came_back(dead.keys())
        record_each(((finding, str(back[switch])) for switch, finding in dead.items()), None)


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


def _turned(found: Sequence[Found], plan: _Plan, gone: Collection[str]) -> Turned:
    new = tuple(one.key for one in (*plan.new, *plan.again))
    fresh = set(new)
    return Turned(
        new=new,
        gone=tuple(gone),
        still=tuple(one.key for one in found if one.key not in fresh),
        reopened=tuple(one.key for one in plan.again),
    )


def _end(
    lease: RunLease,
    run: AuditRun,
    turned: Turned,
    unseen: Sequence[str],
    facts: Mapping[str, Any],
) -> None:
    found = (*turned.new, *turned.still)
    there = Finding.objects.filter(pod=run.pod_id, key__in=[*found, *unseen]).order_by("severity")
    lease.end(
        RunStateChoices.DONE,
        found=len(found),
        new=len(turned.new),
        gone=len(turned.gone),
        still=len(turned.still),
        # What is there and could not be seen makes nothing healthier.
        by_severity=dict(Counter(there.values_list("severity", flat=True))),
        keys={
            "found": list(found),
            "new": list(turned.new),
            "gone": list(turned.gone),
            "not_seen": list(unseen),
        },
        gate=_gate(run, found, unseen, unknown=bool(facts.get("not_reached"))),
        **facts,
    )


def _gate(run: AuditRun, keys: Sequence[str], not_seen: Sequence[str], *, unknown: bool) -> str:
    """Fail on an error, warn of a warning or of what the run looked for and could not see.

    What is silenced is none, and so is what stands where the run did not look.
    """
    findings = Finding.objects.filter(pod=run.pod_id)
    found = heard(findings.filter(key__in=keys)).order_by()
    severities = set(found.values_list("severity", flat=True).distinct())
    if SeverityChoices.ERROR in severities:
        return GateChoices.FAIL
    there = findings.filter(key__in=not_seen, state__in=FindingStateChoices.THERE)
    warns = severities or unknown or heard(there).exists()
    return GateChoices.WARN if warns else GateChoices.PASS


def _looked_at(covered: Covered, findings: Any) -> Any:
    """Of some findings those whose kind and place a run looked for."""
    if covered.left_out:
        findings = findings.exclude(code__in=covered.left_out)
    if not covered.everything:
        place = FindingPlace.objects.filter(finding=OuterRef("pk"))
        here = Q(device_name__in=covered.devices) | Q(port__number__in=covered.ports)
        here |= Q(device_name__in=covered.spoken_to, port_name="")
        findings = findings.filter(Exists(place.filter(here)))
    return findings if covered.fabric else findings.filter(observed=False)
