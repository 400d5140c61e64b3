"""Circuit files as they come."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.plans import Circuit
from fabric_twin.inventory.circuits import LARGEST, read_circuits, read_unhealthy

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("7A"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["version", "circuits", "unhealthy", "slots", "ports", "switch", "a", "b", "owner"]
            ),
            inner,
        )
    ),
    max_leaves=12,
)


def test_a_circuit_knows_where_it_was_read():
    rows = [{"switch": "p-ocs-x-1-1", "a": "7A", "b": "9B", "owner": "job-a", "loss_db": 1.2}]
    rows += [{"switch": "p-ocs-x-1-1", "a": "8A", "b": "8B"}]
    read = read_circuits(json.dumps({"circuits": rows, "name": "x"}).encode("utf-8-sig"), "now")
    assert read == [
        Circuit("p-ocs-x-1-1", "7A", "9B", "job-a"),
        Circuit("p-ocs-x-1-1", "8A", "8B"),
    ]
    assert [circuit.where for circuit in read] == ["now, circuit 1", "now, circuit 2"]


@pytest.mark.parametrize("read", [read_circuits, read_unhealthy])
@given(content=ANY_JSON.map(json.dumps).map(str.encode) | st.binary(max_size=40))
def test_anything_is_read_or_refused(read, content):
    try:
        read(content, "file")
    except UnusableInput as refusal:
        assert str(refusal).startswith("file")


def test_a_file_that_is_too_large_is_not_parsed():
    with pytest.raises(UnusableInput) as refusal:
        read_circuits(b" " * (LARGEST + 1), "file")
    assert str(refusal.value) == (
        "file: the file is larger than 16 MiB. Give the circuits of one pod."
    )


def test_nesting_without_end_is_refused():
    with pytest.raises(UnusableInput):
        read_circuits(b"[" * 100_000, "file")
