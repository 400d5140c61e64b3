"""What the rule says of a port, in a few words: `X+ 3,2 of cube 7`, `7A of ocs-x-3-2`."""

from fabric_twin.core.cube import AXES, SIGNS
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.wiring import switch_label


def port_place(layout: Layout, port: int) -> str:
    """Where a port is in its pod, whatever its owner calls it.

    >>> from fabric_twin.core.designs import find_design
    >>> layout = find_design("ironwood").layout
    >>> port_place(layout, 0), port_place(layout, layout.cube_ports + 150)
    ('X+ 1,1 of cube 1', '7B of ocs-x-1-1')
    """
    if port >= layout.cube_ports:
        number, at = divmod(port - layout.cube_ports, layout.ports_per_switch)
        name = layout.port_names[layout.ports_per_cube + at]
        return f"{name} of {switch_label(layout.switches[number])}"
    local = port % layout.ports_per_cube
    axis = int(layout.axis[local])
    index = layout.cube.indices(axis)[int(layout.index[local])]
    lane = f" lane {layout.lane[local]}" if layout.lanes > 1 else ""
    face = f"{AXES[axis]}{SIGNS[layout.sign[local]]}"
    return f"{face} {','.join(map(str, index))}{lane} of cube {layout.slot[port]}"
