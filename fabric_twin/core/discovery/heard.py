"""Cables from whom each port hears, of a static plant or of a cluster: no circuit is in between.

c004 X+ hears c001 X-,  c001 X- hears c004 X+      a cable between them
c004 X+ hears nobody                               a cable of which the far end is not known
"""

from collections.abc import Iterator, Mapping

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.discovery.cables import FOREIGN, NOWHERE, ObservedCable, Port
from fabric_twin.core.discovery.heard_records import heard_pairs
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.pods.names import Names

#: How a cable is known, as a word: both ends are; nobody is heard; a device does not answer; what
#: ports say of each other does not agree.
NEIGHBOURS, UNHEARD, SILENT, ODD = "neighbours", "unheard", "silent", "odd"


def heard_cables(
    intended: Intended, claims: Column, strangers: Mapping[int, Port]
) -> Iterator[ObservedCable]:
    """A row for each pair that hear each other, and for each cable whose near end hears nobody."""
    names, fabric = intended.names, intended.fabric
    meets = heard_pairs(claims)
    paired = np.flatnonzero(meets >= 0)
    joined = set(paired.tolist())
    for one in paired[paired < meets[paired]].tolist():
        near, far = fabric.near_first((one, int(meets[one])))
        yield ObservedCable(
            names.cable(near), names.port(near), names.port(far), NEIGHBOURS, (near, far)
        )
    for near in intended.a.tolist():
        if near not in joined and claims[near] != NOT_OF_DESIGN:
            silent = SILENT if claims[near] == NOT_KNOWN else UNHEARD
            seen = ODD if claims[near] >= 0 else silent
            yield ObservedCable(names.cable(near), names.port(near), NOWHERE, seen, (near,))
    for port, stranger in sorted(strangers.items()):
        yield ObservedCable(":".join(stranger), stranger, names.port(port), FOREIGN, ())


def contradictions(
    names: Names, claims: Column, strangers: Mapping[int, Port]
) -> list[tuple[Port, Port, Port]]:
    """Ports that hear one which answered, and does not hear them: `(port, heard, whom that hears)`.

    Whom that hears is empty where it hears nobody.
    """
    near = np.flatnonzero(claims >= 0)
    back = claims[claims[near]]
    odd = near[(back != near) & (back != NOT_KNOWN)].tolist()

    def heard_by(port: int) -> Port:
        whom = int(claims[port])
        return NOWHERE if whom == NO_PORT else strangers.get(port) or names.port(whom)

    return [(names.port(one), names.port(at := int(claims[one])), heard_by(at)) for one in odd]
