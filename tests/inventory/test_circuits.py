"""Circuits, slices and plans as JSON: whatever is in the file, it is read or refused in words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.names import Names
from fabric_twin.inventory.circuits import read_circuits, read_unhealthy
from fabric_twin.inventory.reconfigurations import read_plan, read_slice

NAMES = Names(DESIGN.layout, "iw1")
READERS = {
    "circuits": lambda data: read_circuits(data, "file", NAMES),
    "unhealthy": lambda data: read_unhealthy(data, "file", NAMES),
    "slice": lambda data: read_slice(data, "file"),
    "plan": lambda data: read_plan(data, "file"),
}
KEYS = st.sampled_from(
    [
        "version",
        "circuits",
        "switch",
        "a",
        "b",
        "owner",
        "unhealthy",
        "slots",
        "ports",
        "name",
        "shape",
        "cubes",
        "at",
        "slot",
        "chips",
        "stages",
        "remove",
        "add",
        "keep",
    ]
)
WORDS = st.sampled_from(["iw1-ocs-x-1-1", "7A", "9B", "7", "", "\x1b", "\ud800", "٣A", "job"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)


@pytest.mark.parametrize("reader", READERS)
@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_any_json_is_read_or_refused(reader, content):
    try:
        READERS[reader](json.dumps(content).encode())
    except UnusableInput as refusal:
        assert refusal.remedy


@pytest.mark.parametrize("reader", READERS)
@given(st.binary(max_size=50))
def test_any_bytes_are_read_or_refused(reader, data):
    try:
        READERS[reader](data)
    except UnusableInput as refusal:
        assert refusal.where.startswith("file")


def test_circuits_are_columns_with_owners():
    row = {"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "9B", "owner": "job"}
    circuits, owners = READERS["circuits"](json.dumps({"circuits": [row]}).encode())
    assert list(circuits.named(NAMES)) == [("iw1-ocs-x-3-2", "7A", "9B")]
    assert owners == ["job"]


def test_a_circuit_has_no_side_but_its_own():
    row = {"switch": "iw1-ocs-x-3-2", "a": "9B", "b": "7A"}
    with pytest.raises(UnusableInput, match="'9B' is not a port of side A") as refusal:
        READERS["circuits"](json.dumps({"circuits": [row]}).encode())
    assert refusal.value.where == "file, circuit 1"
