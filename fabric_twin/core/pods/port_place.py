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

    In a network of blocks:

    >>> from fabric_twin.core.topology.design import network_design
    >>> layout = network_design(2).layout
    >>> port_place(layout, 15), port_place(layout, layout.cube_ports + 1)
    ('strand for 4B of switch 2', '2A of switch 1')
    """
    if own := layout.place_of(port):
        return own
    is_network = layout.cube.dimensions == 1
    if port >= layout.cube_ports:
        number, at = divmod(port - layout.cube_ports, layout.ports_per_switch)
        name = layout.port_names[layout.ports_per_cube + at]
        switch = f"switch {number + 1}" if is_network else switch_label(layout.switches[number])
        return f"{name} of {switch}"
    if is_network:
        return f"strand for {port_place(layout, int(layout.mate[port]))}"
    local = port % layout.ports_per_cube
    axis = int(layout.axis[local])
    index = layout.cube.indices(axis)[int(layout.index[local])]
    lane = f" lane {layout.lane[local]}" if layout.lanes > 1 else ""
    face = f"{AXES[axis]}{SIGNS[layout.sign[local]]}"
    return f"{face} {','.join(map(str, index))}{lane} of cube {layout.slot[port]}"
