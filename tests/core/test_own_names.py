"""Names that an operator gave: found by them, and told by them, strand by strand as well."""

from dataclasses import replace

import numpy as np
import pytest

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import intended_plant, recorded_plant
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.designs import find_design
from fabric_twin.core.pods.own_names import OwnNames

LAYOUT = find_design("tpu-v4").layout


@pytest.fixture(scope="module")
def strands():
    first = LAYOUT.cube_ports
    own = OwnNames(
        LAYOUT,
        "p",
        {1: "row 4 left"},
        {0: "core-1"},
        {0: ("host12", "eth3"), first: ("core-1", "xe-0/0/1")},
    )
    intended = intended_plant(find_design("tpu-v4"), "p", (1, 2))
    return by_strand(replace(intended, names=own)).names


def test_strands_have_the_names_of_their_ports(strands):
    switch = strands.layout.cube_ports
    assert [strands.port(port) for port in (0, 1, switch, switch + LAYOUT.radix)] == [
        ("host12", "eth3:1"),
        ("host12", "eth3:2"),
        ("core-1", "xe-0/0/1A"),
        ("core-1", "xe-0/0/1B"),
    ]


def test_what_nobody_named_keeps_the_name_of_the_rule(strands):
    assert strands.port(96 * 2) == ("p-c002-t02", "4.1.1/X+:1")


def test_every_strand_is_found_by_its_name(strands):
    ports = np.arange(len(strands.layout.mate), dtype=np.int32)
    assert (strands.find(*strands.ends(ports)) == ports).all()


@pytest.mark.parametrize("first", ["cube", "switch"])
def test_a_cube_that_came_too_early_is_called_by_its_rack(first):
    design = find_design("tpu-v4")
    all_cables, own = intended_plant(design, "p", (1, 2)), {1: "row 4 left"}
    intended = intended_plant(design, "p", (2,))
    intended = replace(intended, names=OwnNames(LAYOUT, "p", own, {}, {}))
    ends = [intended.names.ends(column) for column in (all_cables.a, all_cables.b)]
    if first == "switch":
        ends.reverse()
    cables = intended.names.cables(all_cables.a)
    recorded = recorded_plant(intended.names, cables, *ends[0], *ends[1])
    (finding,) = audit_cabling(intended, recorded).findings
    assert finding.cause == "The 96 cables of row 4 left are connected too early"
