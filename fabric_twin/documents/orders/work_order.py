"""A work order on paper: the walk, what is needed, and what is done at each rack.

Connections are one line each, however many steps they have; CSV and JSON hold every step.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.in_the_aisle import Fault, fabric_does
from fabric_twin.core.orders.materials import Part
from fabric_twin.core.orders.measure import Measure, measure
from fabric_twin.core.orders.mending import mended_after
from fabric_twin.core.orders.order import Need, WorkOrder
from fabric_twin.core.orders.planning.routes import IN_WORDS, Route
from fabric_twin.core.orders.steps import BY_FABRIC, TOUCHES, Do, Step
from fabric_twin.documents.orders.floor_map import FloorMap, floor_map
from fabric_twin.documents.pods.labels import COLUMNS as LABEL
from fabric_twin.documents.sheet import Cells, Document, Table, table

STEPS = "step,crew,rack,do,device,port,unit,cable,end,part,bundle,after,need,finding,rung"
CABLES = "cable,device,port,to device,to port,length m,label,bundle"
WORK = "steps,device,unit,port,do,cable or part,finding,needs"
#: What the paper says of a need.
_NEEDS = {
    "drain": "no circuit on these ports, by ticket",
    "substitute": "the spare in place of the port, by ticket",
    "circuits": "circuits added or removed, by ticket",
    "record": "the record corrected",
}


@dataclass(frozen=True)
class Drawing:
    """The drawing's facts: the floor, and each rack's turn."""

    floor: FloorMap


def work_order(
    order: WorkOrder,
    floor: Floor,
    naive: Measure | None = None,
    *,
    whole: bool = False,
    page: str = "",
    faults: Mapping[str, Fault] | None = None,
    noun: str = "pod",
) -> Document:
    """The order as a document; `whole` has every step, for a spreadsheet.

    Paper names findings as `faults` does, by key: nobody in an aisle knows a key. `page` is the
    address of its page for a phone: codes on paper open it, and each visit's step.
    """
    tables: tuple[Table, ...]
    if whole:
        tables = (table("Steps", STEPS, map(_step, order.steps)),)
    else:
        called = _Called(order, faults or {})
        found = (*_before(order, called), *_work(order, floor, page, called), _cables(order))
        tables = tuple(one for one in found if one.rows)
    return Document(
        kind="work-order",
        name=order.name,
        title=order.title,
        lines=tuple(_lines(order, naive, noun)),
        tables=tables,
        drawing=Drawing(floor_map(order, floor)),
        address=page,
    )


class _Called:
    """What people call findings, and the needs that are named after them."""

    def __init__(self, order: WorkOrder, faults: Mapping[str, Fault]) -> None:
        self.faults = faults
        self._needs = {
            need.name: f"{need.what} {number}"
            for number, need in enumerate(order.needs, 1)
            if any(key in faults for key in need.findings)
        }

    def finding(self, key: str) -> str:
        """A finding, by what it is and where."""
        return str(self.faults.get(key, key))

    def code(self, key: str) -> str:
        """The same where its place stands beside it."""
        return self.faults[key].code if key in self.faults else key

    def need(self, name: str) -> str:
        """A need, by what kind it is and its place among all."""
        return self._needs.get(name, name)


def order_labels(order: WorkOrder) -> Document:
    """Both ends of every cable that the order lays."""
    cells: list[Cells] = []
    for laid in order.cables:
        text = laid.label or laid.cable
        cells.append((laid.cable, "a", text, *laid.a, *laid.b))
        cells.append((laid.cable, "b", text, *laid.b, *laid.a))
    return Document(
        kind="labels",
        name=order.name,
        title=f"Labels of {order.name}",
        lines=(f"{len(cells):,} labels for {len(order.cables):,} cables",),
        tables=(Table("Labels", LABEL, cells),),
    )


def _lines(order: WorkOrder, naive: Measure | None, noun: str) -> Iterator[str]:
    taken = measure(order)
    yield f"{noun.capitalize()} {order.pod} ({order.design}), order {order.name}"
    crews = f"{order.crews} crew{'s' * (order.crews != 1)}"
    yield f"{crews}: {_cost(taken)}"
    if naive is not None:
        yield f"One by one: {_cost(naive)}"
    yield from _route(order)
    if short := [part for part in order.materials if part.short and _known(order)]:
        yield f"Short of {', '.join(f'{part.short:,} {part.name}' for part in short)}"
    if any(step.do in (Do.BLOCK, Do.RELEASE) for step in order.steps):
        yield (
            "Step numbers left out are automatic: the fabric darkens ports before the steps marked "
            '"only when dark", and the order\'s page says when'
        )


def _route(order: WorkOrder) -> Iterator[str]:
    """The route that was chosen, and when its findings are mended."""
    if not order.route:
        return
    yield f"Route: {IN_WORDS[Route(order.route)]}"
    after = sorted(mended_after(order).values())
    if after:
        first, half, last = after[0], after[(len(after) - 1) // 2], after[-1]
        yield (
            f"First finding mended after {hours(first)}, half of them after {hours(half)}, the "
            f"last after {hours(last)}, if every light test passes"
        )


def _cost(taken: Measure) -> str:
    return (
        f"{taken.hands:,} hands-on step{'s' * (taken.hands != 1)}, "
        f"{taken.visits:,} rack visit{'s' * (taken.visits != 1)}, "
        f"{taken.metres:,.0f} m on foot, about {hours(taken.seconds)}"
    )


def _known(order: WorkOrder) -> bool:
    """Whether anything is known of what is in stock."""
    return any(part.on_hand or part.ordered for part in order.materials)


def hours(seconds: float) -> str:
    """A time as crews reckon with it."""
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


def _before(order: WorkOrder, called: _Called) -> Iterator[Table]:
    """What must be so before anybody goes."""
    needs = (_need(need, called) for need in order.needs)
    yield table("Needed first", "need,what,ports,owners,findings", needs)
    left_out = ((called.finding(left.finding), left.why) for left in order.deferred)
    yield table("Left out", "finding,why", left_out)
    perhaps = any(part.perhaps for part in order.materials)
    columns = ["part", "needed", *(["may be needed"] if perhaps else [])]
    columns += ["on hand", "ordered", "short"] if _known(order) else []
    rows = [dict(zip(_PART, _part(part), strict=True)) for part in order.materials]
    yield table("Parts", ",".join(columns), ([row[name] for name in columns] for row in rows))


_PART = ("part", "needed", "may be needed", "on hand", "ordered", "short")


def _part(part: Part) -> Sequence[str | int]:
    return (
        *(part.name, part.needed, part.perhaps or "", part.on_hand),
        *(part.ordered, part.short),
    )


def _need(need: Need, called: _Called) -> Sequence[str]:
    ports = ", ".join(" ".join(port) for port in need.ports)
    spare = f"; spare {need.spare}" if need.spare else ""
    return (
        called.need(need.name),
        _NEEDS[need.what] + ("; only if the switch runs again" if need.dead else spare),
        ports,
        ", ".join(need.owners),
        ", ".join(map(called.finding, need.findings)),
    )


def _work(order: WorkOrder, floor: Floor, page: str, called: _Called) -> Iterator[Table]:
    """A table for each visit: what is done at one rack, port by port."""
    for number, visit in enumerate(order.visits(), 1):
        go, *steps = visit
        crew = f", crew {go.crew}" if order.crews > 1 else ""
        waits = [n for step in steps for n in step.after if order.steps[n - 1].crew != go.crew]
        after = f", after step {max(waits)}" if waits else ""
        title = f"{number}. {go.rack}: {floor.spot(go.rack)}{crew}{after}"
        asked = f"crew={go.crew}&step={go.number}" if order.crews > 1 else f"step={go.number}"
        yield table(title, WORK, _rows(steps, called), f"{page}?{asked}" if page else "")


def _rows(steps: Iterable[Step], called: _Called) -> Iterator[Sequence[str | int]]:
    hands = (step for step in steps if step.do not in BY_FABRIC or step.do == Do.CHECK)
    for at in _connections(hands):
        first, last = at[0], at[-1]
        ports = dict.fromkeys(step.port for step in at if step.port)
        cable = next((step.cable for step in at if step.cable), "")
        yield (
            first.number if first is last else f"{first.number}-{last.number}",
            first.device,
            first.unit or "",
            " ".join(ports),
            only_if(first, _dark(at, _said(at, called))),
            cable or first.part,
            called.code(first.finding),
            called.need(next((step.need for step in at if step.need), "")),
        )


def _connections(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Steps that are one line: at one port, and with one cable."""
    found: list[Step] = []
    cable = ""
    for step in steps:
        other = bool(step.cable and cable and step.cable != cable)
        if found and (other or _connection(step) != _connection(found[-1])):
            yield found
            found, cable = [], ""
        found.append(step)
        cable = step.cable or cable
    if found:
        yield found


def only_if(step: Step, words: str) -> str:
    """What is done, and on what condition."""
    return f"only if the light test still fails: {words}" if step.rung else words


def _dark(steps: Iterable[Step], words: str) -> str:
    """What is done, and that no light may be there."""
    touched = any(step.guarded and step.do in TOUCHES for step in steps)
    return f"{words}; only when dark" if touched else words


def _connection(step: Step) -> tuple[str, str, str, str, int]:
    """What belongs in one line: the steps at one port; the like parts of one device."""
    if step.do in (Do.FIT, Do.TAKE_OUT):
        return step.device, "", step.do, step.part, 0
    bundle = step.bundle if step.do == Do.CHECK else ""
    return step.device, step.port, step.finding, bundle, step.rung


def _said(steps: Sequence[Step], called: _Called) -> str:
    first = steps[0]
    if first.do == Do.CHECK:
        fault = called.faults.get(first.bundle)
        return fabric_does(first, fault) if fault else f"test {first.bundle} by {first.by}"
    if len(steps) > 1 and len({step.do for step in steps}) == 1:
        return f"{first.do} {len(steps)}"
    hint = (f"{step.do} ({step.perhaps.strip()})" if step.perhaps else step.do for step in steps)
    return ", ".join(hint)


def _cables(order: WorkOrder) -> Table:
    """The cut list."""
    return table(
        "Cables",
        CABLES,
        (
            (c.cable, *c.a, *c.b, c.length_m or "", c.label or c.cable, c.bundle)
            for c in order.cables
        ),
    )


def _step(step: Step) -> Sequence[str | int]:
    return (
        *(step.number, step.crew, step.rack, step.do, step.device, step.port, step.unit or ""),
        *(step.cable, step.end, step.part, step.bundle, " ".join(map(str, step.after))),
        *(step.need, step.finding, step.rung or ""),
    )
