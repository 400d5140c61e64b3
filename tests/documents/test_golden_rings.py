"""The rings of a plane in every format, whole, as they were last looked at."""

import io
from pathlib import Path

import pytest
from pypdf import PdfReader

from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.core.rings.failure import fail
from fabric_twin.core.rings.plane import parse_planes
from fabric_twin.core.rings.state import State
from fabric_twin.documents.formats import FORMATS
from fabric_twin.documents.groups.plane_map import plane_map
from fabric_twin.services.pods.render import render_one
from tests.core.rings.clusters import device, rectangle, sequence, small
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden_rings"


def some_state() -> State:
    """A ring over three rows, two that go both ways, and a group and a switch that are lost."""
    sizes = Cluster(Group.of(4, lanes=3), 4, 5, Joined.TWO)
    state = State.of(groups_design("four-rows", "four rows of five groups", sizes), "pg1")
    state = sequence(state, 44, "row", name="long").after
    state = rectangle(state, 2, 2, name="square", both_ways=True).after
    state = small(state, 6).after
    for lost in ("r01c03", "row-04-1-1"):
        state = fail(state, device(state, lost)).after
    return state


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("plane", ["row-1-1", "col-2-3"])
def test_rings_are_drawn_as_they_were_looked_at(form: str, plane: str) -> None:
    state = some_state()
    [which] = parse_planes(plane, state.wiring.cluster, "test")
    [(name, content)] = render_one(plane_map(state, which), form, "pg1").files
    if form == "pdf":
        pages = PdfReader(io.BytesIO(content)).pages
        text = "\f\n".join(page.extract_text() + "\n" for page in pages)
        assert_golden(text, GOLDEN / f"{name}.txt")
    else:
        assert_golden(content.decode(), GOLDEN / name)
