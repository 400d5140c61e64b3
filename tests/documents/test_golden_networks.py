"""Documents of a network and maps of a cluster, in every format, as they were last looked at."""

import io
import re
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.errors import DocumentRefused
from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.core.topology.joined import all_joined
from fabric_twin.core.topology.network import SwitchEnd, placed
from fabric_twin.core.topology.standing import NetworkStands
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.documents.formats import FORMATS, KINDS
from fabric_twin.documents.pods.fabric import Cables, Fabric
from fabric_twin.documents.pods.light_path import light_path
from fabric_twin.documents.pods.port_map import port_map
from fabric_twin.documents.sheet import Document
from fabric_twin.documents.topology.link_matrix import link_matrix
from fabric_twin.documents.topology.wiring import DOCUMENTS
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.networks.blocks import read_blocks
from fabric_twin.inventory.networks.demand import read_demand
from fabric_twin.services.pods.render import render_devices, render_one
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden_networks"
MADE = datetime(2026, 11, 1, 12, tzinfo=UTC)
ALL = [(kind, form) for kind in DOCUMENTS for form in KINDS[kind].formats]
DEVICE = {"block-map": "dc1-ab01", "switch-map": "dc1-ocs-01"}


def small() -> Intended:
    return intended_network(placed("dc1", 2, [("ab01", 4, 400.0), ("ab02", 4, 400.0)]))


def made(kind: str, form: str) -> tuple[str, bytes]:
    [(name, content)] = render_devices(small(), kind, form, DEVICE.get(kind), MADE).files
    return name, content


@pytest.mark.parametrize(("kind", "form"), ALL)
def test_a_document_is_as_it_was_looked_at(kind: str, form: str) -> None:
    name, content = made(kind, form)
    assert_looked_at(name, form, content)


def assert_looked_at(name: str, form: str, content: bytes) -> None:
    """A document is as its golden one; a PDF by its words."""
    if form == "pdf":
        pages = PdfReader(io.BytesIO(content)).pages
        text = "\f\n".join(page.extract_text() + "\n" for page in pages)
        assert_golden(text, GOLDEN / f"{name}.txt")
    else:
        assert_golden(content.decode(), GOLDEN / name)


def drawn(kind: str) -> Document:
    """What pages of a switch and of a port draw: ab01 and ab02 are joined on the first switch."""
    intended = small()
    joined = Circuits(*np.array([(0, 1, 2)], np.int32).T)
    fabric = Fabric(intended, Cables.of_rule(intended), joined, [""])
    return port_map(fabric, 0) if kind == "port-map" else light_path(fabric, 0)


@pytest.mark.parametrize(
    ("kind", "form"),
    [(kind, form) for kind in ("port-map", "light-path") for form in KINDS[kind].formats],
)
def test_a_page_draws_a_switch_and_a_port_in_the_words_of_a_network(kind: str, form: str) -> None:
    [(name, content)] = render_one(drawn(kind), form, "dc1").files
    assert_looked_at(name, form, content)
    if form != "pdf":
        words = re.sub(r"<style>.*?</style>", "", content.decode(), flags=re.DOTALL)
        assert not re.search("cube|chip|tray|face", words)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("kind", "device"),
    [("group-map", "pg1-r02c01"), ("switch-map", "pg1-row-02-1-2"), ("group-map", "pg2-r01c02")],
)
def test_maps_of_a_cluster_are_as_they_were_looked_at(kind: str, device: str, form: str) -> None:
    pod = device.partition("-")[0]
    group = Group.of(4, lanes=3) if pod == "pg1" else Group.of(12, lanes=1, chain=True)
    design = groups_design("small", "Small", Cluster(group, 2, 2, Joined.TWO))
    rendering = render_devices(intended_plant(design, pod), kind, form, device, MADE)
    [(name, content)] = rendering.files
    assert_looked_at(name, form, content)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_format_that_makes_no_sense_is_refused(kind: str) -> None:
    for form in set(FORMATS) - set(KINDS[kind].formats):
        with pytest.raises(DocumentRefused, match=f"{form} is not a format of {kind}"):
            made(kind, form)


def matrix(*, out: bool) -> Document:
    """Four blocks with a demand; where the first switch is out, half of all links are."""
    files = Path(__file__).parents[2] / "docs/examples/topology"
    blocks, now, asked = (
        (files / name).read_bytes() for name in ("four-blocks.json", "now.json", "demand.csv")
    )
    network = read_blocks(blocks, "blocks", "dc1").network
    circuits = all_joined(network, read_circuits(now, "circuits"))
    ends = {SwitchEnd(1, port, side) for port in range(1, 13) for side in (0, 1) if out}
    stands = NetworkStands(network, circuits, ends, read_demand(asked, "demand", network))
    return link_matrix(stands, "Demand of 1 November", (), {0: ("dc1-ocs-01", out)})


@pytest.mark.parametrize("form", KINDS["link-matrix"].formats)
@pytest.mark.parametrize("out", [False, True])
def test_links_are_drawn_as_they_were_looked_at(form: str, *, out: bool) -> None:
    document = matrix(out=out)
    [(name, content)] = render_one(document, form, "dc1").files
    assert_looked_at(f"one-out-{name}" if out else name, form, content)
