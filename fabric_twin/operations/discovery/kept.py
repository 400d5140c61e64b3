"""What a discovery keeps of what it saw: counts, and the cables that are not as recorded.

Ports are numbers, so that the names of what a user may not see are in no run.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from fabric_twin.core.counted import counted
from fabric_twin.core.discovery.against_record import Compared, ComparedCable
from fabric_twin.models import AuditRun
from fabric_twin.models.audit_run import RunStateChoices

#: Of cables that were left alone for one reason: so many are named.
_NAMED = 12
#: What is said of each kind, in this order.
WORDS = {
    Compared.AS_RECORDED: "as recorded",
    Compared.ELSEWHERE: "elsewhere",
    Compared.NO_RECORD: "not recorded",
    Compared.NOT_SHOWN: "not shown",
    Compared.NOT_TOLD: "not told apart",
    Compared.NOT_LOOKED_AT: "not looked at",
}
#: Of these every cable is kept; of the others how many there are.
_KEPT = Compared.ELSEWHERE, Compared.NO_RECORD, Compared.NOT_SHOWN, Compared.NOT_TOLD


def counts_of(compared: Iterable[ComparedCable]) -> dict[str, int]:
    """How many cables are how."""
    return dict(Counter(str(one.how) for one in compared))


def as_kept(
    compared: Collection[ComparedCable], *, rounds: int, in_use: int, strangers: int, not_made: int
) -> dict[str, Any]:
    """What the run keeps: of circuits, those left alone and those that switches did not make."""
    left: dict[str, list[int]] = defaultdict(list)
    for one in compared:
        if one.how is Compared.NOT_LOOKED_AT:
            left[one.why].append(one.near)
    return {
        "rounds": rounds,
        "in_use": in_use,
        "strangers": strangers,
        "not_made": not_made,
        "cables": [list(one) for one in compared if one.how in _KEPT],
        "left": {why: {"many": len(ports), "some": ports[:_NAMED]} for why, ports in left.items()},
        "accepted": [],
    }


def kept_cables(run: AuditRun) -> list[ComparedCable]:
    """The cables of a run that are not as they were recorded."""
    rows = run.discovered.get("cables", ())
    return [ComparedCable(Compared(how), *facts) for how, *facts in rows]


def acceptable_cables(run: AuditRun) -> list[ComparedCable]:
    """Those that light proved elsewhere, and that nobody accepted since."""
    done = {port for one in run.discovered.get("accepted", ()) for port in one["ports"]}
    return [one for one in kept_cables(run) if one.can_be_accepted and one.near not in done]


def sentence(run: AuditRun) -> str:
    """The whole in a sentence."""
    if run.state != RunStateChoices.DONE:
        return f"{run.pod.name}: {run.get_state_display().lower()}. {run.message}".strip()
    counts = [f"{run.by_code.get(how, 0):,} {words}" for how, words in WORDS.items()]
    missed = len(run.not_reached)
    silent = f" {counted(missed, 'device')} did not answer." if missed else ""
    rounds = counted(run.discovered.get("rounds", 0), "round")
    by = "neighbours" if run.pod.is_cluster else f"light in {rounds}"
    return f"{run.pod.name}: cables by {by}: {', '.join(counts)}.{silent}"


def shown_by(run: AuditRun) -> str:
    """What showed it where the cables are."""
    return "neighbours show" if run.pod.is_cluster else "light shows"
