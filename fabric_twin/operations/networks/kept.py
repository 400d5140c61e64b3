"""Whether links can be taken away now: by today's records what is left carries what is asked."""

from collections.abc import Collection

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.models import Pod


def check_kept(pod: Pod, going: Collection[Circuit], where: str) -> None:
    """Refuse to take circuits away that a pair needs."""
    # Its solver is slow to load, and most processes never plan a topology.
    from fabric_twin.core.proposals.topology import check_without
    from fabric_twin.operations.networks.topology import read_network

    check_without(read_network(pod), going, where)
