"""Issue a work order from files: to install, to repair findings, to move plugs, to take away."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant, recorded_plant
from fabric_twin.core.design import Design
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.floor import Floor, default_floor
from fabric_twin.core.orders.in_the_aisle import Fault
from fabric_twin.core.orders.measure import Measure, measure
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.cableway import Cableway
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.moving import decommission, move
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.planning.repairing import repair
from fabric_twin.core.orders.steps import End
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.cutsheet import read_cut_sheet
from fabric_twin.inventory.findings import read_findings
from fabric_twin.inventory.floors import read_floor
from fabric_twin.inventory.moves import read_moves
from fabric_twin.inventory.stocks import read_stock

#: The bytes of a file, and what to call it.
File = tuple[bytes, str]


@dataclass(frozen=True)
class Given:
    """What an order is made from; a file that is not given is empty."""

    #: A cut sheet: what is plugged in; the rule's cables by default.
    cables: File | None = None
    circuits: File | None = None
    floor: File | None = None
    stock: File | None = None
    crews: int = 1
    name: str = ""


@dataclass(frozen=True)
class Issued:
    """An order, the floor that it is for, and what it saves."""

    order: WorkOrder
    floor: Floor
    #: What the same would cost one by one, for a repair.
    naive: Measure | None = None
    #: What a repair mends, by key, as people call it.
    faults: Mapping[str, Fault] = field(default_factory=dict)
    #: What the fabric is called.
    noun: str = "pod"


def issue_installation(
    design: Design,
    pod: str,
    cubes: Collection[int],
    given: Given,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
) -> Issued:
    """The order that brings cubes into slots, beside those that stand in `slots`."""
    standing = set(range(1, design.slots + 1) if slots is None else slots) - set(cubes)
    intended = intended_plant(design, pod, standing | set(cubes), substitutions)
    floor, cableway = _floor(intended, given)
    order = install(
        intended,
        cubes,
        floor,
        plugged=_plugged(intended, given) if given.cables else None,
        in_circuits=_circuits(intended, given),
        crews=given.crews,
        cableway=cableway,
        stock=read_stock(*given.stock) if given.stock else None,
        name=given.name,
    )
    return Issued(order, floor, noun=intended.names.noun)


def issue_repair(
    design: Design,
    pod: str,
    findings: File,
    given: Given,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
) -> Issued:
    """The order that mends findings, and what it would be one by one."""
    intended = intended_plant(design, pod, slots, substitutions)
    found = read_findings(*findings, pod)
    floor, cableway = _floor(intended, given)
    plugged, circuits = _plugged(intended, given), _circuits(intended, given)

    def issued(*, by_finding: bool) -> WorkOrder:
        return repair(
            intended,
            found,
            floor,
            plugged,
            in_circuits=circuits,
            stock=read_stock(*given.stock) if given.stock else None,
            crews=1 if by_finding else given.crews,
            name=given.name,
            by_finding=by_finding,
            cableway=cableway,
        )

    faults = {one.id: _fault(one) for one in found}
    naive = measure(issued(by_finding=True))
    return Issued(issued(by_finding=False), floor, naive, faults, intended.names.noun)


def issue_move(
    design: Design,
    pod: str,
    moves: File,
    given: Given,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
) -> Issued:
    """The order that brings plugs to other ports."""
    intended = intended_plant(design, pod, slots, substitutions)
    return _issued(move, intended, read_moves(*moves), given)


def issue_decommission(
    design: Design,
    pod: str,
    cubes: Collection[int],
    given: Given,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
) -> Issued:
    """The order that takes cubes away."""
    intended = intended_plant(design, pod, slots, substitutions)
    return _issued(decommission, intended, cubes, given)


def _issued(
    make: Callable[..., WorkOrder], intended: Intended, what: object, given: Given
) -> Issued:
    """An order of what is plugged in already: it needs no part and lays no cable."""
    floor, _ = _floor(intended, given)
    plugged, circuits = _plugged(intended, given), _circuits(intended, given)
    order = make(
        intended, what, floor, plugged, in_circuits=circuits, crews=given.crews, name=given.name
    )
    return Issued(order, floor, noun=intended.names.noun)


def _fault(found: Found) -> Fault:
    cable = found.cables[0] if found.cables else ""
    return Fault(found.code, found.ports[0] if found.ports else (cable, ""))


def _floor(intended: Intended, given: Given) -> tuple[Floor, Cableway]:
    floor = default_floor(intended.names)
    return read_floor(*given.floor, floor) if given.floor else (floor, Cableway())


def _plugged(intended: Intended, given: Given) -> Plugs:
    """What is in which port, by a cut sheet or by the rule."""
    names = intended.names
    if given.cables is None:
        rule = Recorded(names.cables(intended.a), intended.a, intended.b)
        return Plugs.recorded(rule, names)
    sheet = read_cut_sheet(*given.cables, lambda _rows: None)
    recorded = recorded_plant(names, *sheet.columns)
    return Plugs.recorded(replace(recorded, loose=()), names)


def _circuits(intended: Intended, given: Given) -> dict[End, str]:
    """The owner of every port that a circuit uses."""
    if given.circuits:
        intended.design.check_can(Verb.CIRCUITS)
    rows = read_circuits(*given.circuits) if given.circuits else []
    return {(row.switch, port): row.owner for row in rows for port in (row.a, row.b)}
