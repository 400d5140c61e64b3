"""What an audit finds of the links of a network: pairs that are uneven over switches."""

import numpy as np

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.topology.by_rule import links_by_rule
from fabric_twin.core.topology.standing import NetworkStands
from fabric_twin.core.topology.uneven import uneven_links
from fabric_twin.core.topology.wiring import BlockNames
from fabric_twin.operations.networks.standing import NetworkRecord
from fabric_twin.repositories.pod_record import PodRecord


def uneven_of(record: PodRecord, intended: Intended) -> list[Finding]:
    """A finding for each of these pairs; none where there are cubes, or no blocks yet."""
    names = record.names
    if not isinstance(names, BlockNames) or not record.blocks:
        return []
    whole = NetworkRecord(record)
    network = whole.network
    circuits, _ = record.circuits
    links = links_by_rule(network, record.design.layout, intended.mate, circuits)
    nothing = np.zeros((len(network.blocks), len(network.blocks)))
    joined = [link.joined for link in links]
    out, partly = whole.switches_out, whole.blocks_partly_out
    stands = NetworkStands(network, joined, (), nothing, out, partly)
    return list(uneven_links(stands, names))
