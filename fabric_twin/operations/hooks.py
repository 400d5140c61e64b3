"""Where domains above the audits say what they have in hand: audits know none of them.

    an audit begins --> before_audit of each --> it looks and writes --> what each gave is called

Each registers once, when Nautobot starts (`app_config.py`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.fabric.columns import Column
from fabric_twin.models import AuditRun, Pod
from fabric_twin.repositories.pod_record import PodRecord

#: What is done after an audit, with its run and what that could have seen.
AfterAudit = Callable[[AuditRun, Covered], None]


@dataclass(frozen=True, kw_only=True)
class InHand:
    """What a domain has in hand of a pod that is audited or synced."""

    domain: str
    #: Asked before an audit reads anything; the answer is called when its run is written.
    before_audit: Callable[[Pod], AfterAudit] = lambda _pod: lambda _run, _covered: None
    #: Simplex ports that are worked on now, or were since a moment, as the diagnosis counts them:
    #: they are not judged.
    ports: Callable[[PodRecord, datetime], Iterable[int]] = lambda _record, _since: ()
    #: By cube port: until when nobody misses its cable, in seconds since 1970.
    cables: Callable[[PodRecord, Intended], Mapping[int, float]] = lambda _record, _intended: {}
    #: Switches whose circuits the domain writes itself, now or since a moment.
    switches: Callable[[PodRecord, datetime], frozenset[str]] = lambda _record, _since: frozenset()


_REGISTERED: dict[str, InHand] = {}


def register(hook: InHand) -> None:
    """Ask this domain too; once, however often it registers."""
    _REGISTERED[hook.domain] = hook


def before_audit(pod: Pod) -> AfterAudit:
    """Tell each that an audit begins; what to call after it."""
    afters = [hook.before_audit(pod) for hook in _REGISTERED.values()]

    def after_audit(run: AuditRun, covered: Covered) -> None:
        for after in afters:
            after(run, covered)

    return after_audit


def ports_in_hand(record: PodRecord, since: datetime) -> Column:
    """Simplex ports that are worked on now, or were since a moment, in order."""
    ports = {port for hook in _REGISTERED.values() for port in hook.ports(record, since)}
    return np.array(sorted(ports), np.int32)


def expected_cables(record: PodRecord, intended: Intended) -> dict[int, float]:
    """By cube port: until when nobody misses its cable."""
    until: dict[int, float] = {}
    for hook in _REGISTERED.values():
        for port, time in hook.cables(record, intended).items():
            until[port] = max(until.get(port, 0.0), time)
    return until


def switches_in_hand(record: PodRecord, since: datetime) -> frozenset[str]:
    """Switches whose circuits somebody else writes, now or since a moment."""
    return frozenset().union(*(hook.switches(record, since) for hook in _REGISTERED.values()))
