"""An order to repair: the remedies of findings, by rack and by what matters most.

    finding   what is done                          what it needs first
    ------------------------------------------------------------------------------
    cabling   unplug, plug, add, remove             the circuits on those ports drained
    light     clean, reseat, replace                the circuits on those ports drained
    switch    replace a part that is on hand,       a board: its circuits drained
              else move the cable to a spare        a substitution, by ticket
    dead      reseat its controller                 nothing: no light passes while it is dead

Light is mended rung by rung (`escalation.py`): what is beyond the first is done only if light still
refuses. Two findings at one rack are one visit. What needs a part that is nowhere is deferred, and
said; a later rung without its part is left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Kind as FabricKind
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.materials import Stock, bill
from fabric_twin.core.orders.order import Bundle, Deferred, Kind, Laid, Need, WorkOrder, check_crews
from fabric_twin.core.orders.parts import cable_part
from fabric_twin.core.orders.planning.cableway import Cableway
from fabric_twin.core.orders.planning.draft import Bench
from fabric_twin.core.orders.planning.drained import drained, with_needs
from fabric_twin.core.orders.planning.escalation import rungs
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.planning.remedy_steps import ELSEWHERE, Deeds, is_manual
from fabric_twin.core.orders.planning.routes import Route, rounds_of, weight_of
from fabric_twin.core.orders.ports import kept_dark
from fabric_twin.core.orders.steps import End, Step, end, looked_at

#: Parts of a switch that drive its mirrors: without them circuits are gone.
_DRIVES = ("LINE-CARD", "controller")


def repair(
    intended: Intended,
    findings: Sequence[Found],
    floor: Floor,
    plugged: Plugs,
    *,
    in_circuits: Mapping[End, str] | None = None,
    stock: Stock | None = None,
    crews: int = 1,
    name: str = "",
    by_finding: bool = False,
    by_rungs: bool = True,
    cableway: Cableway | None = None,
) -> WorkOrder:
    """The order that mends findings, and defers what cannot be done now.

    `in_circuits` has the owner of every switch port that a circuit uses. With `by_finding` each
    finding is gone to by itself, in the order in which they are given: for comparison. Without
    `by_rungs` all that a remedy says is done at once, whatever light says meanwhile.
    """
    planned = _planned(
        intended,
        findings if by_finding else _ranked(findings),
        floor,
        plugged,
        in_circuits=in_circuits,
        stock=stock,
        crews=crews,
        by_rungs=by_rungs,
        cableway=cableway,
    )
    bench = planned.bench
    alone = planned.tasks_of.values()
    steps = bench.one_by_one(alone) if by_finding else bench.steps(crews)
    return planned.written(name, steps, crews)


def repair_by_routes(
    intended: Intended,
    findings: Sequence[Found],
    floor: Floor,
    plugged: Plugs,
    *,
    crews: int = 1,
    name: str = "",
    **known: Any,
) -> dict[Route, WorkOrder]:
    """The same repair by every route: the same steps, needs and parts, in another order."""
    planned = _planned(intended, _ranked(findings), floor, plugged, crews=crews, **known)
    weight = {found.id: weight_of(found.severity) for found in findings}
    orders = {}
    for route in Route:
        rounds = rounds_of(route, planned.tasks_of, planned.bench.tasks, weight)
        steps = planned.bench.steps(crews, rounds, by_rank=route is not Route.SHORTEST_WALK)
        orders[route] = replace(planned.written(name, steps, crews), route=str(route))
    return orders


def _ranked(findings: Iterable[Found]) -> list[Found]:
    return sorted(findings, key=lambda found: (found.rank, found.id))


def _planned(
    intended: Intended,
    findings: Iterable[Found],
    floor: Floor,
    plugged: Plugs,
    *,
    in_circuits: Mapping[End, str] | None = None,
    stock: Stock | None = None,
    crews: int = 1,
    by_rungs: bool = True,
    cableway: Cableway | None = None,
) -> "_Work":
    """The tasks of every finding, in no order yet."""
    check_crews(crews)
    bench = Bench(floor, kept_dark(intended), plugged.copy(), looked_at(intended.design))
    work = _Work(
        intended, bench, dict(in_circuits or {}), stock, cableway or Cableway(), by_rungs=by_rungs
    )
    for found in findings:
        work.take(found)
    return work


@dataclass(eq=False)
class _Work:
    """Findings taken one after the other."""

    intended: Intended
    bench: Bench
    in_circuits: Mapping[End, str]
    stock: Stock | None
    cableway: Cableway
    by_rungs: bool = True
    parts: Counter[str] = field(default_factory=Counter)
    #: Parts for rungs that may never be due.
    perhaps: Counter[str] = field(default_factory=Counter)
    needs: list[Need] = field(default_factory=list)
    bundles: list[Bundle] = field(default_factory=list)
    deferred: list[Deferred] = field(default_factory=list)
    laid: list[Laid] = field(default_factory=list)
    #: The tasks of each finding that is in the order.
    tasks_of: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Remember the stock as it was, for the bill."""
        self.before = (
            Stock.of(self.stock.on_hand, self.stock.ordered) if self.stock is not None else None
        )

    @property
    def _is_network(self) -> bool:
        return self.intended.design.kind is FabricKind.NETWORK

    def written(self, name: str, steps: Sequence[Step], crews: int) -> WorkOrder:
        """The order of what was taken, its steps as they are walked."""
        at, needs, count = self.bench.rack_of_check(steps), tuple(self.needs), len(self.tasks_of)
        pod = self.intended.pod
        return WorkOrder(
            name=name or f"{pod}-repair",
            pod=pod,
            design=self.intended.design.name,
            kind=Kind.REPAIR,
            title=f"Repair {count:,} finding{'s' * (count != 1)} of {pod}",
            steps=with_needs(steps, needs),
            bundles=tuple(replace(b, rack=at[b.name]) for b in self.bundles),
            cables=tuple(self.laid),
            needs=needs,
            materials=bill(self.parts + self.perhaps, self.before, self.perhaps),
            deferred=tuple(self.deferred),
            crews=crews,
        )

    def take(self, found: Found) -> None:
        """Take a finding into the order whole, or not at all and say why."""
        if found.id in self.tasks_of:
            return
        if self._is_network and any(_of_circuits(move) for move in found.remedy):
            # Its tickets are of links, of which one at a time is open: an order asks for none.
            self.deferred.append(Deferred(found.id, "a ticket mends it: ask for that first"))
            return
        whole, *more = self._rungs(found)
        remedy, spared = self._with_parts(found, whole)
        if remedy is None:
            self.deferred.append(Deferred(found.id, spared))
            return
        more = [] if spared else [rung for rung in map(self._promised, more) if rung]
        bench, first = self.bench, len(self.bench.tasks)
        before, deeds = bench.plugs.copy(), Deeds(bench, self.intended.names, found)
        try:
            done_by = deeds.carry_out(remedy)
            for number, rung in enumerate(more, 1):
                done_by += deeds.climb(number, rung)
        except FabricTwinError as refusal:
            del bench.tasks[first:]
            bench.plugs = before
            bench.forget(first)
            self.deferred.append(Deferred(found.id, str(refusal)))
            self._give_back(remedy, self.parts)
            for rung in more:
                self._give_back(rung, self.perhaps)
            return
        remedy = [*remedy, *(move for rung in more for move in rung)]
        needs = len(self.needs)
        self._need(found, remedy, before)
        if not done_by:
            why = (
                "what it speaks of is in no port"
                if is_manual(remedy)
                else "it names no manual work"
            )
            if is_manual(remedy) or len(self.needs) == needs:
                self.deferred.append(Deferred(found.id, why))
            return  # else a ticket's work, or a record's: no manual work
        self.laid += deeds.laid
        if spared:
            self.needs.append(
                Need(
                    f"substitute {found.id}",
                    "substitute",
                    (self._socket(found.ports[0]),),
                    found.owners,
                    spared,
                    findings=(found.id,),
                )
            )
        bench.check(found.id, done_by, found.rank)
        self.tasks_of[found.id] = list(range(first, len(bench.tasks)))
        self.bundles.append(Bundle(found.id, "", found.cables, finding=found.id))

    # Parts

    def _rungs(self, found: Found) -> list[list[Mapping[str, object]]]:
        """The remedy, rung by rung."""
        if not self.by_rungs:
            return [list(found.remedy)]
        transceiver = self.intended.design.transceiver or "transceiver"
        return rungs(found, found.remedy, self.bench.plugs, transceiver)

    def _promised(self, rung: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
        """A later rung with its parts by the names of the shelf; empty if they are not there."""
        named = [{**move, "part": part} if (part := self._part(move)) else move for move in rung]
        wanted = Counter(str(move["part"]) for move in named if move.get("part"))
        if self.stock is not None:
            if any(self.stock.left(part) < count for part, count in wanted.items()):
                return []
            for part, count in wanted.items():
                self.stock.take(part, count)
        self.perhaps.update(wanted)
        return named

    def _with_parts(
        self, found: Found, remedy: Sequence[Mapping[str, object]]
    ) -> tuple[list[Mapping[str, object]] | None, str]:
        """The remedy with parts that are there; a spare's name, or why it cannot be done."""
        wanted = Counter(part for move in remedy if (part := self._part(move)))
        if self.stock is None or not wanted:
            self.parts.update(wanted)
            return list(remedy), ""
        short = [part for part, count in wanted.items() if self.stock.left(part) < count]
        if not short:
            for part, count in wanted.items():
                self.stock.take(part, count)
            self.parts.update(wanted)
            return list(remedy), ""
        if found.code == "port-failed" and found.spare and found.ports and not self._is_network:
            switch, port = found.ports[0]
            held = self.bench.plugs.at.get(self._socket((switch, port)), ())
            if len(held) == 1:
                cable, plug = held[0]
                spare = self._socket((switch, found.spare))
                return [{"do": "move", "cable": cable, "end": plug, "to": list(spare)}], spare[1]
        return None, f"there is no {' and no '.join(short)} on hand or ordered"

    def _socket(self, port: End) -> End:
        """Where a cable is plugged in: of a duplex port a switch names both halves."""
        names = self.intended.names
        if int(names.find([port[0]], [port[1]])[0]) < 0 and port[1][-1:] in ("A", "B"):
            return port[0], port[1][:-1]
        return port

    def _part(self, move: Mapping[str, object]) -> str:
        """The part that a move takes from the shelf."""
        plugs = self.bench.plugs
        if move["do"] == "add":
            return self._cable([end(move["a"]), end(move["b"])])
        if move["do"] != "replace":
            return ""
        part = str(move["part"])
        if part != "cable":
            return part
        port = self._socket((str(move["device"]), str(move["port"])))
        cables = [name for name, _ in plugs.at.get(port, ())][:1]
        both = [(cable, plug) for cable in cables for plug in "ab"]
        return self._cable([plugs.of[plug] for plug in both if plug in plugs.of])

    def _cable(self, ends: Sequence[End]) -> str:
        """A cable that reaches from one end to the other; of any length, where one is not known."""
        design, floor = self.intended.design, self.bench.floor
        known = len(ends) == 2 and all(floor.knows(device) for device, _ in ends)
        length = self.cableway.length_m(floor, ends[0][0], ends[1][0]) if known else 0
        ports = self.intended.names.find(*zip(*ends, strict=True)).tolist() if ends else []
        lengths = self.intended.lengths
        recorded = [lengths[port] for port in ports if 0 <= port < len(lengths)]
        length = ceil(max(recorded, default=0.0)) or length
        return cable_part(design, length, *ports)

    def _give_back(self, remedy: Iterable[Mapping[str, object]], parts: Counter[str]) -> None:
        back = Counter(part for move in remedy if (part := self._part(move)))
        parts.subtract(back)
        if self.stock is not None:
            self.stock.on_hand.update(back)

    # Needs

    def _need(self, found: Found, remedy: Sequence[Mapping[str, object]], before: Plugs) -> None:
        """What must be so first: circuits gone, and what others than a technician do."""
        touched = self._touched(found, remedy, before)
        self.needs += drained(touched, self.in_circuits, found.id, dead=found.dead)
        for what in ("circuits", "record"):
            moves = tuple(move for move in found.remedy if ELSEWHERE.get(str(move["do"])) == what)
            if moves:
                self.needs.append(
                    Need(
                        f"{what} {found.id}",
                        what,
                        owners=found.owners,
                        moves=moves,
                        findings=(found.id,),
                    )
                )

    def _touched(
        self, found: Found, remedy: Sequence[Mapping[str, object]], before: Plugs
    ) -> set[End]:
        """Every switch port that is disturbed: those of the cables of its remedy, or of a board."""
        touched: set[End] = set()
        for move in remedy:
            device, part = str(move.get("device", "")), str(move.get("part", ""))
            if "cable" in move:
                for plugs in (before, self.bench.plugs):
                    ends = (plugs.of.get((str(move["cable"]), end)) for end in "ab")
                    touched.update(filter(None, ends))
                touched.update(map(end, move.get("perhaps", ())))  # type: ignore[call-overload]
            elif move["do"] == "add":
                touched |= {end(move["a"]), end(move["b"])}
            elif move.get("port"):
                port = self._socket((device, str(move["port"])))
                touched.add(port)
                for cable, _ in before.at.get(port, ()):
                    ends = (before.of.get((cable, end)) for end in "ab")
                    touched.update(filter(None, ends))
            elif move["do"] == "reseat" or part.startswith(_DRIVES):
                behind = {port for port in found.ports if port[0] == device and port[1]}
                touched |= behind or {p for p in self.in_circuits if p[0] == device}
        return {port for port in touched if self.bench.guarded(port[0])}


def _of_circuits(move: Mapping[str, object]) -> bool:
    return ELSEWHERE.get(str(move["do"])) == "circuits"
