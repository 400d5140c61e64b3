"""Pods with slices and left-over circuits, and switches that know names and nothing else."""

from dataclasses import replace

from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.driver_boards import ports_of_board
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.targets import Out
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape

DESIGNS = ["ironwood", "tpu-v5p", "tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8"]
SLOTS = range(1, 13)
SHAPES = [
    Shape(sides, twisted)
    for sides, twisted in [
        ((1, 1, 2), False), ((2, 2, 2), False), ((2, 4, 4), False), ((4, 4, 4), False),
        ((4, 4, 8), True), ((4, 4, 12), False), ((4, 8, 8), False),
    ]
]  # fmt: skip


def pod(name, slices=(), left_over=(), slots=SLOTS):
    """A pod of a design with (name, shape) where they fall, or (name, shape, slots)."""
    intended = intended_plant(find_design(name), "p", slots)
    occupancy = Occupancy(intended.design, slots, mate=intended.mate)
    now = InUse(intended, occupancy, ())
    circuits = []
    for called, shape, *where in slices:
        allowed = occupancy.copy(*where)
        made = replace(allowed.allocate(called, shape))
        occupancy.add(made)
        circuits += now.circuits_of(made)
    spare = [circuit for circuit in left_over if no_port_of(circuit, circuits)]
    keys = frozenset(circuit.key for circuit in spare)
    return InUse(intended, occupancy, (*circuits, *spare), keys)


def no_port_of(circuit, circuits):
    return {p for c in circuits for p in c.ports}.isdisjoint(circuit.ports)


def carried_out(circuits, stages):
    """The circuits after some stages, on switches that do what they are told and no more."""
    ports = {port: circuit for circuit in circuits for port in circuit.ports}
    for stage in stages:
        for circuit in stage.remove:
            assert [ports.pop(port).key for port in circuit.ports] == [circuit.key] * 2
        for circuit in stage.add:
            for port in circuit.ports:
                assert port not in ports, "a port in two circuits"
                ports[port] = circuit
    return set(ports.values())


def slot_at(design, switch, port):
    """The slot whose cable is on a port of a switch, from `facts.md`, without the rule."""
    number = int(port[:-1])
    half = {"tpu-v4": 64, "tpu-v4-duplex": 64, "tpu-v4-cwdm8": 64}.get(design)
    return (number - 1) % half + 1 if half else number


@st.composite
def pods(draw):
    """A pod of some design with slices, and circuits that somebody left."""
    name = draw(st.sampled_from(DESIGNS))
    wanted = draw(st.lists(st.sampled_from(SHAPES), max_size=6))
    now = pod(name)
    slices, room = [], now.occupancy
    for number, shape in enumerate(wanted):
        slots = draw(st.sets(st.sampled_from(SLOTS), min_size=4))
        try:
            room.add(room.copy(slots).allocate(f"job-{number}", shape))
        except NotPossible:
            continue
        slices.append(room.slices[f"job-{number}"])
    circuits = tuple(c for made in slices for c in now.circuits_of(made))
    other = pod(
        name, [("old", Shape((4, 4, 4)), draw(st.sets(st.sampled_from(SLOTS), min_size=1)))]
    )
    left = [Circuit(*circuit.key) for circuit in other.circuits if no_port_of(circuit, circuits)]
    return InUse(now.intended, room, (*circuits, *left), frozenset(c.key for c in left))


@st.composite
def outs(draw):
    """Something to take out of service: seldom a switch, for that strands every slice."""
    some = st.sampled_from
    return Out(
        switches=draw(some([frozenset()] * 6 + [frozenset({3})])),
        boards=draw(st.frozensets(st.tuples(some([0, 5]), some([0, 0, 1, 4])), max_size=1)),
        slots=draw(st.frozensets(some(SLOTS), max_size=3)),
    )


def short_slots(now, out):
    """The slots with a cable on what is out, by going over every port of it by name."""
    design, names = now.intended.design, now.names
    radix = design.layout.radix
    numbers = {(switch, n) for switch in out.switches for n in range(1, radix + 1)}
    numbers |= {(switch, n) for switch, board in out.boards for n in ports_of_board(radix, board)}
    return {
        slot_at(design.name, names.switches[switch], f"{number}A")
        for switch, number in numbers
        if number not in design.spares
    } & set(SLOTS) | set(out.slots)
