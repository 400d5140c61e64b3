"""A pod goes over as JSON, and is drawn there as here."""

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.findings.noted import Noted
from fabric_twin.core.pods.own_names import OwnNames
from fabric_twin.documents.pods.fabric import Cable, Cables, Fabric
from fabric_twin.documents.pods.fabric_json import fabric_from_json, fabric_to_json
from fabric_twin.services.pods.render import render_fabric
from fabric_twin.services.pods.which import Which

SPARES = [Substitution("iw1-ocs-x-1-1", "2", "130", "port lost")]
DARK = Noted("dark", "no light, '=1+1", is_error=True)


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    """Something of everything."""
    from fabric_twin.core.designs import find_design

    plant = intended_plant(find_design("tpu-v4"), "iw1", [1, 2, 7], SPARES)
    layout = plant.names.layout
    on_switch = layout.cube_ports + 5
    own = OwnNames(layout, "iw1", {2: "Row 4"}, {3: "ocs <3>"}, {9: ("host12", "eth3")})
    columns = (np.array(column, dtype=np.int32) for column in ([0, 1], [1, 2], [2, 7]))
    written = {"iw1-c001:1.1.1/X+": ("12.5", "A 17")}
    rule = Cables.of_rule(plant)
    return Fabric(
        intended=replace(plant, names=own),
        cables=Cables.recorded(layout, (rule.name, rule.a, rule.b), written),
        circuits=Circuits(*columns),
        owner=["train-12", ""],
        unhealthy_slots=frozenset({7}),
        unhealthy_ports=frozenset({on_switch}),
        to_come={3: "installing"},
        begun={4: Cable("half", "7.5", "A 18"), on_switch + 1: Cable("other half")},
        ordered={3: Cable("new", "9", "A 19")},
        held={on_switch: "iw1 ticket 4"},
        findings={
            0: (DARK, Noted("high-loss", "dirty", is_error=False, seen=False)),
            on_switch: (DARK,),
        },
        switch_findings={0: (DARK,)},
        cube_findings={2: (DARK,)},
        differs={1: "a circuit is wanted that the switch does not show"},
        recorded=True,
        astray={11: "far"},
        letters={"train-12": "C"},
    )


def plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Cables | Circuits):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def test_nothing_is_lost(fabric: Fabric) -> None:
    told = fabric_to_json(fabric, SPARES)
    again = fabric_from_json(json.loads(json.dumps(told)))
    for field in fields(Fabric):
        if field.name != "intended":
            assert plain(getattr(again, field.name)) == plain(getattr(fabric, field.name))
    for name in ("pod", "slots", "a", "b", "mate", "want"):
        assert plain(getattr(again.intended, name)) == plain(getattr(fabric.intended, name))
    assert fabric_to_json(again, SPARES) == told


@pytest.mark.parametrize(
    ("kind", "which"),
    [
        ("port-map", Which(switch="x-1-1")),
        ("face-map", Which(cube=2)),
        ("labels", Which(cube=1)),
        ("cut-list", Which(cube=1)),
    ],
)
def test_it_is_drawn_alike(fabric: Fabric, kind: str, which: Which) -> None:
    again = fabric_from_json(json.loads(json.dumps(fabric_to_json(fabric, SPARES))))
    here, there = (dict(render_fabric(kind, "csv", one, which).files) for one in (fabric, again))
    assert here == there
    assert len(here) == 1


@pytest.mark.parametrize(
    "broken",
    [
        {"cables": {}},
        {"cables": {"name": [], "a": [1], "b": [2], "length_m": [], "label": []}},
        {"cables": {"name": ["c"], "a": [-1], "b": [2], "length_m": [""], "label": [""]}},
        {"circuits": {"switch": [99], "a": [1], "b": [1], "owner": [""]}},
        {"circuits": {"switch": [[0]], "a": [[1]], "b": [[1]], "owner": [""]}},
        {"held": ["x"]},
        {"begun": {"4": []}},
        {"begun": {"-1": ["half"]}},
        {"ordered": {"4": ["a", "b", "c", "d"]}},
        {"ordered": {"-1": ["new"]}},
        {"findings": {"0": ["x"]}},
        {"names": {"racks": [], "switches": [], "ports": {"1": "x"}}},
        {"unhealthy": None},
    ],
)
def test_what_is_no_pod_is_refused(fabric: Fabric, broken: dict[str, Any]) -> None:
    told = fabric_to_json(fabric, SPARES) | broken
    with pytest.raises((LookupError, TypeError, ValueError)):
        fabric_from_json(told)


def test_a_server_that_knows_of_no_begun_or_ordered_cable_is_understood(fabric: Fabric) -> None:
    told = fabric_to_json(fabric, SPARES)
    del told["begun"], told["ordered"]
    there = fabric_from_json(told)
    assert (there.begun, there.ordered) == ({}, {})
