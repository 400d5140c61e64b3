"""The devices that a partial audit reads: those in scope, and their optical neighbours."""

import numpy as np

from fabric_twin.core.circuits.links import cube_ports_behind
from fabric_twin.core.fabric.columns import Column
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.repositories.pod_record import PodRecord


def devices_around(record: PodRecord, scope: Scope) -> frozenset[str] | None:
    """Whom to ask about a scope, by name: its devices, and who meets them by light; None is all.

    Of a switch that is named by some ports, all circuits: whether it is dead is found for it whole.
    """
    if not (scope.ports or scope.switches or scope.slots):
        return None
    layout, names = record.design.layout, record.names
    ports = _ports_of(record, scope)
    mate = record.intended().mate
    across = mate[ports]
    circuits, _ = record.circuits
    ends = np.stack(cube_ports_behind(layout, circuits, mate)) if len(circuits) else _NONE
    cubes = set(ports[ports < layout.cube_ports].tolist())
    cubes |= {port for port in across.tolist() if 0 <= port < layout.cube_ports}
    trays = layout.slots * layout.cube.trays
    of_switches = ports[ports >= layout.cube_ports]
    met = np.isin(ends, list(cubes)).any(axis=0)
    met |= np.isin(circuits.switch, layout.device[of_switches] - trays)
    cubes |= {port for port in ends[:, met].reshape(-1).tolist() if port >= 0}
    on_switches = [*ports.tolist(), *mate[list(cubes)].tolist()]
    switches = {
        int(layout.device[port]) - trays for port in on_switches if port >= layout.cube_ports
    }
    slots = {int(layout.slot[port]) for port in cubes} & record.cubes.keys()
    return frozenset(
        {names.cube(slot) for slot in slots}
        | {record.switches[switch][1] for switch in switches & record.switches.keys()}
    )


_NONE = np.zeros((2, 0), np.int32)


def _ports_of(record: PodRecord, scope: Scope) -> Column:
    layout = record.design.layout
    per_cube, per_switch = layout.ports_per_cube, layout.ports_per_switch
    ranges = [
        *(np.arange((slot - 1) * per_cube, slot * per_cube) for slot in sorted(scope.slots)),
        *(
            np.arange(per_switch) + layout.cube_ports + number * per_switch
            for number in sorted(scope.switches)
        ),
        np.array(sorted(scope.ports), np.int64),
    ]
    return np.concatenate(ranges).astype(np.int64)
