"""What a work order would be, made from a pod's records as they are now; nothing is written.

racks -> Floor    cables -> Plugs    circuits -> owners    Stock rows -> Stock
findings -> Found    '--> core/orders: install, repair, move, decommission -> WorkOrder
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.materials import Stock
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.mending import curve
from fabric_twin.core.orders.order import Kind, WorkOrder
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.moving import Moved, decommission, move
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.planning.repairing import repair, repair_by_routes
from fabric_twin.core.orders.planning.routes import Route, weight_of
from fabric_twin.core.orders.steps import End
from fabric_twin.core.slots import format_slots
from fabric_twin.core.topology.joining import NewBlock
from fabric_twin.models import Finding, OpticalCircuit, Pod
from fabric_twin.models import Stock as StockRow
from fabric_twin.models import WorkOrder as OrderRow
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations.orders.blocks import (
    check_length_known,
    coming_into,
    places_going,
    read_coming,
    require_block_seen,
)
from fabric_twin.operations.orders.findings_to_mend import all_to_mend, require_seen
from fabric_twin.operations.tickets.finding_holders import refuse_held
from fabric_twin.repositories.floor import Elsewhere, floor_of
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord

#: What a pod must be able to do for an order of each kind.
_VERBS = {kind: Verb(f"order {kind}") for kind in Kind}


@dataclass(frozen=True, kw_only=True)
class OrderWish:
    """What an order should be for; what is left out is chosen."""

    kind: Kind
    #: Slots to install or to decommission: one cube, several, or all of a pod.
    slots: tuple[int, ...] = ()
    #: In a network, the block to install or to take out.
    block: NewBlock | None = None
    moves: tuple[Moved, ...] = ()
    #: What a repair mends; where none is named, all that nobody mends yet.
    findings: tuple[Finding, ...] = ()
    #: Whether slices that cannot move lose their circuits at ports to be worked on: where tickets
    #: are asked for later, this is what is chosen at first.
    interrupt: bool = False
    #: In which order a repair's findings are mended; the lead's choice.
    route: Route = Route.RACKS_ONCE
    crews: int = 1
    title: str = ""
    reason: str = ""
    due: datetime | None = None
    #: Another system that tracks this work, and the number there.
    elsewhere: str = ""
    custom_fields: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """What is kept of it with the order."""
        return {
            "kind": str(self.kind),
            "slots": list(self.slots),
            "moves": [asdict(moved) for moved in self.moves],
            "findings": [finding.key for finding in self.findings],
            "crews": self.crews,
            "interrupt": self.interrupt,
            "route": str(self.route) if self.kind == Kind.REPAIR else "",
            **({"block": self.block.as_json()} if self.block else {}),
        }


@dataclass(frozen=True)
class Proposed:
    """An order as it would be, and what it takes."""

    order: WorkOrder
    #: What it takes; and where it mends findings, what it would take to go to one after another,
    #: and by each route.
    measure: Mapping[str, Any]


def whole_wish(pod: Pod, wish: OrderWish, user: User) -> OrderWish:
    """A wish of what the user may see, with what is chosen where nothing is named."""
    if wish.kind == Kind.REPAIR and not wish.findings:
        return replace(wish, findings=all_to_mend(pod, user))
    require_seen(wish.findings, user)
    if wish.block and pod.is_network:
        require_block_seen(pod, wish.block, wish.kind, user)
    return wish


def propose_order(pod: Pod, wish: OrderWish, name: str = "") -> Proposed:
    """The order that a whole wish asks for, by the records as they stand."""
    record, coming = PodRecord(pod), dict[str, Elsewhere]()
    _check(record, wish)
    if wish.block and wish.kind == Kind.INSTALL:
        record, places = read_coming(pod, wish.block)
        coming = coming_into(pod, wish.block)
        wish = replace(wish, slots=tuple(places))
    elif wish.block:
        wish = replace(wish, slots=tuple(places_going(pod, wish.block)))
    if wish.kind == Kind.REPAIR:
        return _repair(record, wish, name)
    floor, owners = floor_of(record, coming), owners_of_ports(record)
    check_length_known(floor, coming)
    plugged = Plugs.recorded(record.plant, record.names)
    known: dict[str, Any] = {"crews": wish.crews, "name": name}
    if wish.kind == Kind.INSTALL:
        order = install(
            record.intended(sorted({*record.slots(IN_SERVICE), *wish.slots})),
            wish.slots,
            floor,
            plugged=plugged,
            in_circuits=frozenset(owners),
            stock=stock_of(pod),
            **known,
        )
    elif wish.kind == Kind.MOVE:
        order = move(record.intended(), wish.moves, floor, plugged, in_circuits=owners, **known)
    else:
        there = record.slots() if not record.is_network else (*record.slots(), *wish.slots)
        order = decommission(
            record.intended(sorted({*there})),
            wish.slots,
            floor,
            plugged,
            in_circuits=owners,
            **known,
        )
    return Proposed(order, {"takes": measure(order).as_json()})


def _repair(record: PodRecord, wish: OrderWish, name: str) -> Proposed:
    found, floor = found_of(wish.findings), floor_of(record)
    plugged = _as_they_stand(Plugs.recorded(record.plant, record.names), wish.findings)
    intended, circuits = record.intended(), owners_of_ports(record)
    known: dict[str, Any] = {"crews": wish.crews, "name": name, "in_circuits": circuits}
    orders = repair_by_routes(intended, found, floor, plugged, stock=stock_of(record.pod), **known)
    known["stock"] = stock_of(record.pod)
    naive = repair(intended, found, floor, plugged, by_finding=True, **known)
    order = orders[wish.route]
    if not order.steps and not order.needs:
        why = order.deferred[0].why if order.deferred else "manual work does not mend them"
        raise NotPossible(
            why.rstrip("."), where=f"pod {record.pod.name}", remedy="Choose other findings"
        )
    weight = {one.id: weight_of(one.severity) for one in found}
    takes, alone = (measure(one).as_json() for one in (order, naive))
    points = [point.as_json() for point in curve(orders, weight)]
    return Proposed(order, {"takes": takes, "one_by_one": alone, "routes": points})


def _check(record: PodRecord, wish: OrderWish) -> None:
    """Refuse what no order could be made of."""
    record.design.check_can(_VERBS[Kind(wish.kind)], NotPossible)
    blocks = {"block": wish.block}
    named = {"slots": wish.slots, "moves": wish.moves, "findings": wish.findings, **blocks}
    of_unit = "block" if record.is_network else "slots"
    wants = {Kind.REPAIR: "findings", Kind.MOVE: "moves"}.get(wish.kind, of_unit)
    one = f"a {wants}" if wants == "block" else wants
    if not named[wants]:
        raise UnusableInput(
            f"an order of the kind {wish.kind} names no {wants}",
            where=wants,
            remedy=f"Name {one}",
        )
    if more := [name for name, given in named.items() if given and name != wants]:
        raise UnusableInput(
            f"an order of the kind {wish.kind} takes no {more[0]}",
            where=more[0],
            remedy=f"Name {one} only",
        )
    if others := [f for f in wish.findings if f.pod_id != record.pod.pk]:
        raise UnusableInput(
            f"{others[0]} is of another pod", where="findings", remedy="Name findings of one pod"
        )
    if mended := [f for f in wish.findings if f.state == FindingStateChoices.MENDED]:
        raise NotPossible(
            f"{mended[0]} is mended", where="findings", remedy="Leave it out of the order"
        )
    if joined := [f for f in wish.findings if f.state == FindingStateChoices.JOINED]:
        raise NotPossible(
            f"{joined[0]} is joined with {joined[0].joined_with}",
            where="findings",
            remedy="Name that one: it tells of the same fault",
        )
    refuse_held(wish.findings)
    # Installed already, or taken out of service.
    standing = record.slots(("Active", "Draining", "Out"))
    if wish.kind == Kind.INSTALL and (there := sorted({*wish.slots} & {*standing})):
        raise NotPossible(
            f"{record.names.part}s stand in slots {format_slots(there)}",
            where="slots",
            remedy="Name slots that are empty or planned",
        )


def found_of(findings: Iterable[Finding]) -> list[Found]:
    """Findings as an order reads them."""
    rows = list(findings)
    places: dict[Any, list[tuple[str, str, str]]] = defaultdict(list)
    slices: dict[Any, list[str]] = defaultdict(list)
    keys = [row.pk for row in rows]
    of = Finding.objects.filter(pk__in=keys)
    columns = ("pk", "places__device_name", "places__port_name", "places__cable_name")
    for pk, *place in of.order_by("pk", "places__number").values_list(*columns):
        places[pk].append(tuple(text or "" for text in place))  # type: ignore[arg-type]
    for pk, owner in of.filter(slices__isnull=False).values_list("pk", "slices__name"):
        slices[pk].append(owner)
    return [
        Found.from_json(
            {
                "id": row.key,
                "code": row.code,
                "severity": row.severity,
                "cause": row.cause,
                "cables": [cable for _, _, cable in places[row.pk] if cable],
                "ports": [(device, port) for device, port, _ in places[row.pk] if device],
                "remedy": row.remedy,
                "owners": sorted(slices[row.pk]),
                "evidence": row.evidence_now,
            },
            where=str(row),
        )
        for row in rows
    ]


def _as_they_stand(plugged: Plugs, findings: Sequence[Finding]) -> Plugs:
    """The recorded plant, but for ends that the findings saw elsewhere."""
    for finding in findings:
        stands = {stray[0]: stray[2] for stray in finding.strays if stray[2]}
        for step in finding.remedy:
            plug = str(step.get("cable", "")), str(step.get("end", ""))
            if step.get("do") not in ("move", "unplug") or plug[0] not in stands:
                continue
            device, port = stands[plug[0]]
            if plug in plugged.of:
                plugged.unplug(plug)
            plugged.put(plug, (device, port))
    return plugged


def owners_of_ports(record: PodRecord) -> dict[End, str]:
    """Simplex ports of switches that a circuit uses, wanted or seen, and whose each is."""
    rows = OpticalCircuit.objects.filter(switch__pod=record.pod).order_by()
    owners: dict[End, str] = {}
    names = record.names.switches
    for number, a, b, owner in rows.values_list("switch__number", "a", "b", "slice__name"):
        owners[names[number], f"{a}A"] = owners[names[number], f"{b}B"] = owner or ""
    return owners


def stock_of(pod: Pod) -> Stock | None:
    """What lies where the pod stands, without what open orders will take; None if nobody counts."""
    rows = list(
        StockRow.objects.filter(location=pod.location_id).values_list("part", "on_hand", "ordered")
    )
    if not rows:
        return None
    promised: Counter[str] = Counter()
    open_orders = OrderRow.objects.filter(pod__location=pod.location_id).exclude(state__in=ENDED)
    for materials in open_orders.values_list("facts__materials", flat=True):
        for part in materials or ():
            promised[part["part"]] += part["needed"]
    stock = Stock.of({part: here for part, here, _ in rows}, {part: more for part, _, more in rows})
    for part, count in promised.items():
        stock.take(part, min(count, stock.left(part)))
    return stock
