"""A pair whose links are uneven over switches is one finding, whatever switches it is about."""

import numpy as np

from fabric_twin.core.cabling.plant import Substitution
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.findings.proof import Look, Proof, told
from fabric_twin.core.pods.names import Names
from fabric_twin.core.topology.by_rule import links_by_rule
from fabric_twin.core.topology.design import network_design
from fabric_twin.core.topology.joined import Joined
from fabric_twin.core.topology.network import placed
from fabric_twin.core.topology.standing import NetworkStands
from fabric_twin.core.topology.uneven import uneven_links
from fabric_twin.core.topology.wiring import intended_network, names_by_rule

NETWORK = placed("dc1", 2, [(name, 12, 400.0) for name in ("ab02", "ab01")])


def test_it_says_how_many_are_where_and_what_to_do() -> None:
    lopsided = [Joined(1, 1, 4), Joined(1, 2, 5), Joined(1, 3, 6), Joined(1, 4, 1)]
    stands = NetworkStands(NETWORK, lopsided, (), np.zeros((2, 2)))
    [finding] = uneven_links(stands, names_by_rule(NETWORK))
    assert finding.as_json() == {
        "id": "d3a35011d340",
        "code": "topology-odd",
        "severity": "warning",
        "cause": "Of the 4 links of dc1-ab02 and dc1-ab01 there are 4 on dc1-ocs-01 and 0 on "
        "dc1-ocs-02, and each switch should have 1 to 3",
        "cables": [],
        "ports": [["dc1-ab01", ""], ["dc1-ab02", ""], ["dc1-ocs-01", ""], ["dc1-ocs-02", ""]],
        "remedy": [
            {"do": "spread-links", "network": "dc1", "one": "dc1-ab02", "other": "dc1-ab01"}
        ],
        "evidence": {"links": 4, "on_switch": {"dc1-ocs-01": 4, "dc1-ocs-02": 0}},
    }
    assert [str(step) for step in finding.remedy] == [
        "ask for a new topology of dc1: it spreads the links of dc1-ab02 and dc1-ab01 evenly over "
        "switches; or acknowledge this, if they may stay"
    ]
    assert finding.proof == (Proof(Look.EVEN, "dc1-ab01", "dc1-ab02"),)
    assert told(finding.proof) == [
        "the links of dc1-ab01 and dc1-ab02 are spread evenly over switches"
    ]


def test_it_stays_the_same_finding_while_other_switches_are_about_it() -> None:
    network = placed("dc1", 3, [(name, 36, 400.0) for name in ("ab01", "ab02")])
    names = names_by_rule(network)
    ids = set()
    for switches in ((1, 1, 1, 1, 1, 1), (2, 2, 2, 2, 2, 3)):
        circuits = [Joined(switch, n + 1, n + 7) for n, switch in enumerate(switches)]
        stands = NetworkStands(network, circuits, (), np.zeros((2, 2)))
        [finding] = uneven_links(stands, names)
        ids.add(finding.id)
    assert len(ids) == 1


def test_a_spare_counts_as_the_port_whose_place_it_takes() -> None:
    layout = network_design(2).layout
    bad, spare = layout.cube_ports, layout.cube_ports + 128  # 1A and 129A of the first switch
    names = Names(layout, "dc1")
    device, port = names.port(bad)
    mate = intended_network(NETWORK, [Substitution(device, port, names.port(spare)[1])]).mate
    on_spare, left_behind, stray = (0, 129, 4), (0, 1, 5), (0, 50, 6)
    circuits = Circuits(*np.array([on_spare, left_behind, stray], np.int32).T)
    links = links_by_rule(NETWORK, layout, mate, circuits)
    assert links == [(Joined(1, 1, 4), (False, False))]
    [link] = links_by_rule(NETWORK, layout, mate, Circuits(*np.array([left_behind], np.int32).T))
    assert (link.joined, link.displaced) == (Joined(1, 1, 5), (True, False))
