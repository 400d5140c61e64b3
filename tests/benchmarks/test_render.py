"""The budget of the documents of one Ironwood pod."""

import itertools
import json

import pytest

from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.services.pods.render import Files, render_documents
from fabric_twin.services.pods.which import Which


@pytest.fixture(scope="module")
def circuits() -> tuple[bytes, str]:
    """A full pod: slices of four cubes, each a ring on every axis."""
    rows = [
        {
            "switch": f"iw1-ocs-{axis}-{i}-{j}",
            "a": f"{slot}A",
            "b": f"{slot + 1 if slot % 4 else slot - 3}B",
            "owner": f"job-{(slot - 1) // 4}",
        }
        for axis, i, j, slot in itertools.product(
            "xyz", range(1, 5), range(1, 5), range(1, DESIGN.slots + 1)
        )
    ]
    return json.dumps({"version": 1, "circuits": rows}).encode(), "circuits.json"


def render(kind: str, which: Which, circuits: tuple[bytes, str], form: str = "html") -> int:
    rendering = render_documents(kind, form, DESIGN, "iw1", which, Files(circuits=circuits))
    return len(dict(rendering.files))


def test_all_maps_of_a_pod(benchmark, circuits, small):
    """Budget: 5 s for 48 port maps and 144 face maps."""
    switches, cubes = (
        (Which(switch="iw1-ocs-x-1-1"), Which(cube=1))
        if small
        else (Which(every=True), Which(every=True))
    )
    made = benchmark.pedantic(
        lambda: render("port-map", switches, circuits) + render("face-map", cubes, circuits),
        rounds=3,
    )
    assert made == (1 + 1 if small else 48 + 144)


def test_all_port_maps_on_paper(benchmark, circuits, small):
    """Budget: 10 s for 48 port maps of two pages as PDF, 36 owners on each."""
    which = Which(switch="iw1-ocs-x-1-1") if small else Which(every=True)
    made = benchmark.pedantic(lambda: render("port-map", which, circuits, "pdf"), rounds=3)
    assert made == (1 if small else 48)
