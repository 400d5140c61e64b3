"""Circuits, slices and plans as JSON: whatever is in the file, it is read or refused in words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.json_files import LARGEST
from fabric_twin.inventory.plans import read_plan
from fabric_twin.inventory.slices import read_slice
from fabric_twin.inventory.substitutions import read_substitutions
from fabric_twin.inventory.unhealthy import read_unhealthy

INTENDED = intended_plant(DESIGN, "iw1")
NAMES = INTENDED.names
READERS = {
    "circuits": lambda data: numbered(read_circuits(data, "file"), NAMES),
    "unhealthy": lambda data: read_unhealthy(data, "file", NAMES),
    "substitutions": lambda data: read_substitutions(data, "file"),
    "slice": lambda data: read_slice(data, "file", INTENDED),
    "plan": lambda data: read_plan(data, "file", NAMES),
}
KEYS = st.sampled_from(
    [
        "version",
        "circuits",
        "switch",
        "a",
        "b",
        "owner",
        "substitutions",
        "port",
        "spare",
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


def test_a_circuit_knows_where_it_was_read():
    rows = [{"switch": "p-ocs-x-1-1", "a": "7A", "b": "9B", "owner": "job-a", "loss_db": 1.2}]
    rows += [{"switch": "p-ocs-x-1-1", "a": "8A", "b": "8B"}]
    read = read_circuits(json.dumps({"circuits": rows, "name": "x"}).encode("utf-8-sig"), "now")
    assert read == [
        Circuit("p-ocs-x-1-1", "7A", "9B", "job-a"),
        Circuit("p-ocs-x-1-1", "8A", "8B"),
    ]
    assert [circuit.where for circuit in read] == ["now, circuit 1", "now, circuit 2"]


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_too_large_is_not_parsed(reader):
    with pytest.raises(UnusableInput, match=r"^file: the file is larger than 64 MiB"):
        READERS[reader](b" " * (LARGEST + 1))


@pytest.mark.parametrize("reader", READERS)
def test_nesting_without_end_is_refused(reader):
    with pytest.raises(UnusableInput, match=r"^file, line 1: the file is not JSON"):
        READERS[reader](b"[" * 100_000)


def test_circuits_are_columns_and_what_the_pod_cannot_have_is_left_out():
    rows = [
        {"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "9B", "owner": "job"},
        {"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "8B", "owner": "both on 7A"},
        {"switch": "iw1-ocs-x-3-2", "a": "9B", "b": "7A"},
        {"switch": "iw1-ocs-x-3-2", "a": "145A", "b": "7B"},
        {"switch": "q-ocs-x-3-2", "a": "1A", "b": "7B"},
    ]
    circuits, kept = READERS["circuits"](json.dumps({"circuits": rows}).encode())
    assert list(circuits.named(NAMES)) == [
        ("iw1-ocs-x-3-2", "7A", "9B"),
        ("iw1-ocs-x-3-2", "7A", "8B"),
    ]
    assert [row.owner for row in kept] == ["job", "both on 7A"]


READS_ANY = pytest.mark.parametrize("reader", READERS)


@READS_ANY
@pytest.mark.parametrize("version", ["true", "1.0", '"1"', "null", "2", "[1]"])
def test_a_version_is_the_whole_number_1(reader, version):
    with pytest.raises(UnusableInput, match="there is no object of version 1"):
        READERS[reader](f'{{"version": {version}, "circuits": []}}'.encode())


@READS_ANY
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"circuits": [], "circuits": []}', "an object has the key 'circuits' twice"),
        ('{"a": [{"b": 1, "c": 2, "b": 3}]}', "an object has the key 'b' twice"),
        ('{"a": NaN}', "NaN is not a number of JSON"),
        ('{"a": -Infinity}', "-Infinity is not a number of JSON"),
    ],
)
def test_what_readers_of_json_differ_in_is_refused(reader, text, what):
    with pytest.raises(UnusableInput) as refusal:
        READERS[reader](text.encode())
    assert (refusal.value.what, refusal.value.where) == (what, "file")
