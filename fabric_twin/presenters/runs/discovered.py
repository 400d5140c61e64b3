"""What a discovery showed, in the names that a user may see: facts, and a table for each kind."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.discovery.against_record import Compared, ComparedCable
from fabric_twin.core.errors import NotPermitted
from fabric_twin.documents.sheet import Table, table
from fabric_twin.models import AuditRun
from fabric_twin.operations.discovery.kept import WORDS, acceptable_cables, kept_cables, shown_by
from fabric_twin.repositories.permissions import require_of
from fabric_twin.repositories.pod_record import PodRecord

#: Rows of a table on a page; REST has all.
MOST = 200
NO_NAMES = "You may not view all cables of the pod: which they are is not shown"
_NOWHERE = "not recorded"
#: What is said of each kind of cables, by whether neighbours showed them and not light.
_TITLES = {
    False: {
        Compared.ELSEWHERE: "Light shows them elsewhere",
        Compared.NO_RECORD: "Light shows them, and no record has them",
        Compared.NOT_SHOWN: "Recorded, and light did not show them",
        Compared.NOT_TOLD: "Light does not tell where they are",
    },
    True: {
        Compared.ELSEWHERE: "Neighbours show them elsewhere",
        Compared.NO_RECORD: "Neighbours show them, and no record has them",
        Compared.NOT_SHOWN: "Recorded, and no neighbour is heard",
        Compared.NOT_TOLD: "Neighbours contradict each other",
    },
}


class Shown(NamedTuple):
    """A cable by its names."""

    near: int
    cable: str
    port: str
    was: str
    now: str
    why: str


def may_see_names(run: AuditRun, user: User) -> bool:
    """Whether a user may view every cable, and both of its ends, of the pod."""
    try:
        require_of(user, "view", PodRecord(run.pod).behind_cables)
    except NotPermitted:
        return False
    return True


def cables_shown(run: AuditRun, cables: Sequence[ComparedCable]) -> list[Shown]:
    """Cables by the names that the pod has now."""
    if not cables:
        return []
    record = PodRecord(run.pod)
    called = {cable.pk: cable.name for cable in record.cables}
    return [
        Shown(
            one.near,
            called.get(one.key, "not there any more") if one.key else record.names.cable(one.near),
            _port(record, one.near),
            _port(record, one.was),
            _now(record, one),
            one.why,
        )
        for one in cables
    ]


def _now(record: PodRecord, one: ComparedCable) -> str:
    if one.now < 0:
        return "not told" if one.how in {Compared.ELSEWHERE, Compared.NO_RECORD} else ""
    return _port(record, one.now) + (", strands exchanged" if one.crossed else "")


def _port(record: PodRecord, port: int) -> str:
    return " port ".join(record.names.port(port)) if port >= 0 else _NOWHERE


def acceptable_shown(run: AuditRun) -> list[Shown]:
    """The cables whose records could follow what light shows."""
    return cables_shown(run, acceptable_cables(run))


def tell_discovered(run: AuditRun, user: User) -> Mapping[str, Any]:
    """How many cables are how, and what was accepted since."""
    if not run.discovered:
        return {}
    names_shown = may_see_names(run, user)
    told: dict[str, Any] = {} if names_shown else {"Names": NO_NAMES}
    told |= {words.capitalize(): f"{run.by_code.get(how, 0):,}" for how, words in WORDS.items()}
    if not run.pod.is_cluster:
        told["Rounds"] = f"{run.discovered['rounds']:,}"
        told["Circuits left alone"] = f"{run.discovered['in_use']:,}"
    if many := run.discovered["strangers"]:
        told[f"Ports with a cable of another {run.pod.kind.noun}"] = f"{many:,}"
    if many := run.discovered["not_made"]:
        told["Circuits that switches did not make"] = f"{many:,}"
    if names_shown:
        told |= {f"{name} did not answer": why for name, why in sorted(run.not_reached.items())}
    elif run.not_reached:
        told["Devices that did not answer"] = f"{len(run.not_reached):,}"
    for number, one in enumerate(run.discovered["accepted"], start=1):
        many = counted(len(one["ports"]), "cable")
        told[f"Accepted ({number})"] = f"{many} by {one['by']}: {one['reason']}"
    return told


def discovered_table(run: AuditRun, how: Compared) -> Table:
    """The cables of one kind, the first of them."""
    rows = [one for one in kept_cables(run) if one.how is how]
    cells = [(s.cable, s.port, s.was, s.now, s.why) for s in cables_shown(run, rows[:MOST])]
    more = f" (the first {MOST:,} of {len(rows):,})" if len(rows) > MOST else ""
    return table(
        _TITLES[run.pod.is_cluster][how] + more,
        f"cable,{_near_end(run)},recorded,{shown_by(run)},why",
        cells,
    )


def _near_end(run: AuditRun) -> str:
    """The end by which a cable is told."""
    return "port that stays" if run.pod.is_cluster else f"port of the {run.pod.member_kind}"


def left_table(run: AuditRun) -> Table:
    """Why cables were not looked at, how many, and some of them."""
    record = PodRecord(run.pod)
    rows = [
        (
            why,
            f"{told['many']:,}",
            ", ".join(_port(record, port) for port in told["some"] if port >= 0),
        )
        for why, told in sorted(run.discovered.get("left", {}).items())
    ]
    return table("Not looked at", "why,cables,for example", rows)


def discovery_json(run: AuditRun) -> dict[str, Any]:
    """All that a discovery showed, for programs."""
    offered = {one.near for one in acceptable_cables(run)}
    kept = kept_cables(run)
    return {
        "run": str(run),
        "ended": run.ended.isoformat() if run.ended else None,
        "counts": run.by_code,
        "left_alone": {why: told["many"] for why, told in run.discovered.get("left", {}).items()},
        "cables": [
            {
                "number": shown.near,
                "how": one.how.value,
                "cable": shown.cable,
                "port": shown.port,
                "recorded": shown.was if one.was >= 0 else None,
                "light_shows": shown.now if one.now >= 0 else None,
                "why": shown.why,
                "can_be_accepted": one.near in offered,
            }
            for one, shown in zip(kept, cables_shown(run, kept), strict=True)
        ],
        "accepted": run.discovered.get("accepted", []),
    }
