"""Which needs of an order are still to be met, by the records as they are: looked at, never kept.

drain        a circuit is on a port that will be worked on, wanted or seen; while the switch is
             dead they are dark, and no drain is needed
circuits     what is wanted is not seen, or what nobody wants still is
substitute   the spare does not stand in for the port yet
record       the finding is not mended: what is written is still wrong
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from nautobot.users.models import User

from fabric_twin.core.orders.order import Need
from fabric_twin.core.orders.ports import simplex
from fabric_twin.models import Finding, OpticalCircuit, Slice, Substitution, WorkOrder
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.repositories.ports_out import dead_switches

DRAIN, CIRCUITS, SUBSTITUTE, RECORD = "drain", "circuits", "substitute", "record"


def waits(
    order: WorkOrder,
    needs: Iterable[Need],
    user: User | None = None,
    dead: Collection[str] | None = None,
) -> Mapping[str, str]:
    """By the name of each need that is not met: why not.

    Slices are named for a user who may see them. What is kept, many may read: it names none.
    Where switches were just looked at, only those of them that are still `dead` are.
    """
    of: dict[str, list[Need]] = {}
    for need in needs:
        of.setdefault(need.what, []).append(need)
    found: dict[str, str] = {}
    for what, why in _WHY.items():
        if what in of:
            found |= why(order, of[what], user)
    left = [need for need in of.get(DRAIN, ()) if need.name in found]
    for need in still_dead(order.pod_id, left, dead):
        del found[need.name]
    return found


def still_dead(pod: UUID, needs: Iterable[Need], dead: Collection[str] | None = None) -> list[Need]:
    """Of some needs those of a switch that is dead: an audit found it so, and so did a look at it
    just now, where there was one.
    """
    perhaps = [
        n for n in needs if n.dead and (dead is None or all(name in dead for name, _ in n.ports))
    ]
    found = dead_switches(pod).keys() if perhaps else ()
    return [need for need in perhaps if any(key in found for key in need.findings)]


def by_silence(order: WorkOrder, needs: Iterable[Need]) -> set[str]:
    """Needs at switches that are dead and that no circuit uses: no light is lost there, so only
    the silence of their controllers says so.
    """
    dead = still_dead(order.pod_id, needs, None)
    return {need.name for need in dead} - _drains(order, dead, None).keys() if dead else set()


def _drains(order: WorkOrder, needs: Sequence[Need], user: User | None) -> Mapping[str, str]:
    mine = Slice.objects.restrict(user, "view").filter(pod=order.pod_id) if user else None
    seen = set(mine.values_list("name", flat=True)) if mine is not None else set()
    on: dict[tuple[str, str], str] = {}
    is_cluster = order.pod.is_cluster
    what, of = ("a flow entry", "job") if is_cluster else ("a circuit", "slice")
    for switch, a, b, owner, *_ in _circuits(order, {d for n in needs for d, _ in n.ports}):
        whose = "" if not owner else f" of {of} {owner}" if owner in seen else f" of a {of}"
        where = f"{a} -> {b}" if is_cluster else f"{a}A to {b}B"
        on[switch, f"{a}A"] = on[switch, f"{b}B"] = f"{what}{whose} is on {switch} ({where})"
    found: dict[str, str] = {}
    for need in needs:
        ports = (one for end in need.ports for one in simplex(end))
        if why := next((on[port] for port in ports if port in on), ""):
            found[need.name] = why
    return found


def _changes(order: WorkOrder, needs: Sequence[Need], _user: User | None) -> Mapping[str, str]:
    # One that names no switch, as to spread links, is for a topology: no ticket of an order's.
    of = {need.name: [move for move in need.moves if "switch" in move] for need in needs}
    switches = {str(move["switch"]) for moves in of.values() for move in moves}
    wrong = {
        (switch, f"{a}A", f"{b}B"): "is wanted and not there" if wanted else "is there, unwanted"
        for switch, a, b, _, wanted, seen in _circuits(order, switches)
        if wanted != seen
    }
    found: dict[str, str] = {}
    for name, moves in of.items():
        for move in moves:
            pair = str(move["switch"]), str(move["a"]), str(move["b"])
            if pair in wrong:
                found[name] = f"{pair[1]} to {pair[2]} on {pair[0]} {wrong[pair]}"
                break
    return found


def _circuits(order: WorkOrder, switches: Iterable[str]) -> Iterable[tuple[Any, ...]]:
    rows = OpticalCircuit.objects.filter(
        switch__pod=order.pod_id, switch__device__name__in=set(switches)
    ).order_by("switch__number", "a")
    return list(rows.values_list("switch__device__name", "a", "b", "slice__name", "wanted", "seen"))


def _spares(order: WorkOrder, needs: Sequence[Need], _user: User | None) -> Mapping[str, str]:
    rows = Substitution.objects.filter(port__pod=order.pod_id)
    columns = ("port__interface__device__name", "port__interface__name", "spare__interface__name")
    there = set(rows.order_by().values_list(*columns))
    return {
        need.name: f"{need.spare} does not stand in for {' port '.join(need.ports[0])} yet"
        for need in needs
        if (*need.ports[0], need.spare) not in there
    }


def _records(order: WorkOrder, needs: Sequence[Need], _user: User | None) -> Mapping[str, str]:
    of = {finding: need.name for need in needs for finding in need.findings}
    rows = Finding.objects.filter(pod=order.pod_id, key__in=of).order_by()
    left = rows.exclude(state=FindingStateChoices.MENDED).values_list("key", "cause")
    return {of[key]: cause for key, cause in left}


_WHY = {DRAIN: _drains, CIRCUITS: _changes, SUBSTITUTE: _spares, RECORD: _records}
