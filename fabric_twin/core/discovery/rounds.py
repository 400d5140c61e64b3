"""A round as a column, in both worlds at once: whom every port met.

    what was set    7A ------------ 8B          a switch port meets the port it was joined to
    what was seen   c007 X+ ------- c008 X-     a cube port meets the port that it sees

Where cube 7's X+ is plugged in 7A, the two lines are one path. Discovery is finding which ports of
the one world are which of the other, so that every round looks the same in both.
"""

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.pods.layout import Layout

Mask = NDArray[np.bool_]


def circuits_of(layout: Layout, a: Column, b: Column) -> Circuits:
    """The circuits that join ports of A sides to ports of B sides."""
    switch, place = np.divmod(a - layout.cube_ports, layout.ports_per_switch)
    return Circuits(switch, place + 1, (b - layout.cube_ports) % layout.radix + 1)


def ports_of(layout: Layout, circuits: Circuits) -> tuple[Column, Column]:
    """The ports that circuits join."""
    first = layout.cube_ports + circuits.switch * layout.ports_per_switch - 1
    return first + circuits.a, first + layout.radix + circuits.b


def joined_ports(layout: Layout, a: Column, b: Column) -> Column:
    """By switch port: the port that it is joined to, or NO_PORT; nothing is said of cube ports."""
    meets = np.full(len(layout.mate), NO_PORT, dtype=np.int32)
    meets[a], meets[b] = b, a
    return meets


def agreed_sightings(claims: Column) -> Column:
    """Whom every cube port meets, from whom each claims to see.

    One of two ports is enough: who is seen, is met, even if it sees nobody or was not asked. A port
    that meets two at once is a contradiction (old news, or two that go by one name), and says
    nothing in this round. Claims are ports, or

    * NO_PORT: it was asked, and sees nobody;
    * NOT_KNOWN: it was not asked, or did not answer;
    * NOT_OF_DESIGN: it sees somebody who is not of this pod.
    """
    near = np.flatnonzero(claims >= 0)
    far = claims[near].astype(np.int64)
    size = np.int64(len(claims))
    pairs = np.unique(np.concatenate([near * size + far, far * size + near]))
    one, other = np.divmod(pairs, size)
    times = np.bincount(one, minlength=len(claims))
    meets = claims.astype(np.int32)
    meets[one] = other
    meets[(times > 1) | ((times == 1) & (claims == NOT_OF_DESIGN))] = NOT_KNOWN
    return meets
