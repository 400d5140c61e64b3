"""Whether a switch that an audit found dead is dead still, by a look at it and at its cubes.

The switch and the cubes behind its circuits are asked at the same time, while somebody waits. Where
what they show does not fit what the last audit saw, an audit is called.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from django.core.cache import cache

from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.discovery.rounds import ports_of
from fabric_twin.core.errors import FabricTwinError, NoAnswer, NotAsAsked
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.orders.dark_switch import why_not_dead
from fabric_twin.core.orders.steps import End
from fabric_twin.models import OpticalCircuit
from fabric_twin.operations.audits.touches import touch
from fabric_twin.repositories.addresses import targets_of
from fabric_twin.repositories.credentials import some_accesses
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord
from fabric_twin.services.orders.keep_dark import Seen, seen_of
from fabric_twin.switches.driver import Patience
from fabric_twin.switches.fabric import open_fabric
from fabric_twin.switches.states import CubeState

#: Seconds in which looks at one switch call for one audit, however many there are.
CALLED = 30
#: Seconds for which a look that found it not dead is the answer.
ANSWERED = 15
#: By cube: the ends of it that a switch joins, and what the cube itself calls each of them, which
#: may be another name than the record's.
_Strands = Mapping[str, Mapping[End, str]]
_Ends = list[tuple[End, End]]


def see_dead(record: PodRecord, switch: str, within: float) -> tuple[Seen, str]:
    """What a switch shows that an audit found dead, and why it is not known to be dead now.

    Phones at a locked step ask again and again: what locked it is the answer to all for a while.
    """
    key = f"fabric_twin.not_dead.{record.pod.pk}.{switch}"
    if why := cache.get(key):
        return Seen({}), why
    seen, why = _look(record, switch, within)
    if why:
        cache.set(key, why, ANSWERED)
    return seen, why


def _look(record: PodRecord, switch: str, within: float) -> tuple[Seen, str]:
    circuits, left_over, strands = _behind(record, switch)
    cubes: Mapping[str, CubeState] = {}
    try:
        targets = targets_of(record.pod, IN_SERVICE, {switch, *strands})
        accesses = some_accesses(record.pod, {switch, *strands})
        patience = Patience(request=within, tries=1)
        with open_fabric(targets.switches, targets.cubes, accesses, patience) as fabric:
            answers, heard = fabric.read_switches_and_neighbours(
                fabric.switches, fabric.cubes, within
            )
        seen, cubes = seen_of(answers), heard.given
    except FabricTwinError as refusal:
        seen = Seen({}, {switch: refusal})
    hears = {end: _far(cubes[cube], name) for cube in cubes for end, name in strands[cube].items()}
    why = _not_silent(seen, switch) or why_not_dead(switch, circuits, hears, left_over)
    if why:
        _call_audit(record, switch)
        return seen, why
    return replace(seen, dead=frozenset({switch})), ""


def _behind(record: PodRecord, switch: str) -> tuple[_Ends, _Ends, _Strands]:
    """The two ends at cubes of each circuit of a switch that is wanted, and of each that is left
    over and may be lit; and by cube, its ends.
    """
    plant = by_strand(record.intended())
    layout = plant.names.layout
    rows = OpticalCircuit.objects.filter(switch__pod=record.pod, switch__device__name=switch)
    columns = "switch__number", "a", "b", "wanted"
    number, a, b, wanted = np.array([*rows.values_list(*columns)], np.int32).reshape(-1, 4).T
    ports = ports_of(layout, Circuits(number, a, b))
    circuits: dict[bool, _Ends] = {True: [], False: []}
    strands: dict[str, dict[End, str]] = {}
    for *pair, is_wanted in zip(*(plant.want[p].tolist() for p in ports), wanted, strict=True):
        if NO_PORT in pair:
            continue
        near, far = map(plant.names.port, pair)
        circuits[bool(is_wanted)].append((near, far))
        for strand, end in zip(pair, (near, far), strict=True):
            of_cube = strands.setdefault(plant.names.cube(int(layout.slot[strand])), {})
            of_cube[end] = layout.port_names[strand % layout.ports_per_cube]
    return circuits[True], circuits[False], strands


def _far(cube: CubeState, port: str) -> End | None:
    who = cube.neighbours.get(port)
    return (who.device, who.port) if who else None


def _not_silent(seen: Seen, switch: str) -> str:
    """Why the silence of a switch says nothing; empty where it was asked and does not answer."""
    if switch in seen.heard:
        return f"{switch} answers again"
    error = seen.silent.get(switch)
    if error is None:
        return f"{switch} has no address, and was not asked"
    is_silent = isinstance(error, NoAnswer) and not isinstance(error, NotAsAsked)
    return "" if is_silent else f"{switch} could not be asked: {error.what}"


def _call_audit(record: PodRecord, switch: str) -> None:
    """Have the switch audited: it is not as it was found, or nobody knows."""
    if cache.add(f"fabric_twin.see_dead.{record.pod.pk}.{switch}", True, CALLED):
        rows = record.pod.switches.filter(device__name=switch)
        touch([record.pod.pk], switch=list(rows.values_list("pk", flat=True)))
