"""The rings of a plane in every format, whole, as they were last looked at."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.core.rings.failure import fail
from fabric_twin.core.rings.plane import Plane, parse_planes
from fabric_twin.core.rings.state import State
from fabric_twin.documents.formats import FORMATS
from fabric_twin.documents.groups.plane_map import PlaneMap, plane_map
from fabric_twin.services.pods.render import render_one
from tests.core.rings.clusters import device, empty, rectangle, sequence, small
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


def test_a_ring_that_has_one_way_left_is_drawn_whichever_it_is() -> None:
    state = sequence(empty("groups-a"), 44, "row-1-1", both_ways=True).after
    for ring in state.job("job-0").rings:
        job = replace(state.job("job-0"), rings=(ring,))
        drawn = plane_map(state.with_job(job), Plane(0, 1, 1)).drawing
        assert isinstance(drawn, PlaneMap)
        assert len(drawn.paths) == 1


def test_a_large_plane_is_on_its_sheet_of_paper_whole() -> None:
    drawn = plane_map(sequence(empty("groups-a"), 100, "row-1-1").after, Plane(0, 1, 1))
    [(_, content)] = render_one(drawn, "pdf", "pg1").files
    page = PdfReader(io.BytesIO(content)).pages[0]
    at = list[tuple[float, float]]()

    def keep(text: str, now: list[float], matrix: list[float], *_: object) -> None:
        if text.strip():
            x, y = matrix[4], matrix[5]
            at.append((now[0] * x + now[2] * y + now[4], now[1] * x + now[3] * y + now[5]))

    page.extract_text(visitor_text=keep)
    assert len(at) > 24
    assert all(15 < x < 842 - 15 and 15 < y < 595 - 15 for x, y in at)


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
