"""What is in use is read whole or refused whole, whatever the file holds."""

import json

from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import slice_circuits
from fabric_twin.inventory.in_use import read_in_use
from fabric_twin.inventory.trace import HEADER, read_trace

DESIGN = find_design("tpu-v4")
INTENDED = intended_plant(DESIGN, "p")
NAMES = INTENDED.names


def read(content):
    pod = Occupancy(DESIGN)
    read_in_use(json.dumps(content).encode(), "file", pod, INTENDED)
    return pod


@given(st.lists(st.sampled_from(["1x1x1", "2x2x1", "4x4x4", "4x8x4", "8x8x4"]), max_size=12))
def test_what_slice_writes_is_read_back_as_it_stood(shapes):
    pod = Occupancy(DESIGN)
    for number, text in enumerate(shapes):
        pod.allocate(f"s{number}", Shape(tuple(map(int, text.split("x")))))
    rows = [made.as_json(NAMES, slice_circuits(DESIGN, made)) for made in pod.slices.values()]
    again = read({"slices": rows})
    assert again.slices == pod.slices
    assert again.taken == pod.taken


def test_ports_are_named_as_a_cut_sheet_or_sonic_names_them():
    for port in (["p-ocs-x-1-1", "7"], ["p-ocs-x-1-1", "7A"], ["p-ocs-x-1-1", "7B"]):
        assert read({"unhealthy": {"ports": [port]}}).parts_only == {7}
    assert read({"unhealthy": {"ports": [["p-ocs-x-1-1", "71A"]]}}).parts_only == {7}
    assert read({"unhealthy": {"ports": [["p-c007-t08", "4.3.2/X+"]]}}).parts_only == {7}
    spare = read({"unhealthy": {"ports": [["p-ocs-x-1-1", "130A"]]}})
    assert (spare.parts_only, len(spare.free)) == (set(), 64)  # no cable is on it


def test_a_slice_whose_circuits_a_substitution_moved_is_taken_with_a_warning():
    spare = Substitution("p-ocs-x-1-1", "7", "129")
    before, after = intended_plant(DESIGN, "p"), intended_plant(DESIGN, "p", None, [spare])
    for made_for, read_for in ((before, after), (after, before)):
        pod = Occupancy(DESIGN, [7], mate=made_for.mate)
        made = pod.allocate("a", Shape((4, 4, 4)))
        row = made.as_json(NAMES, slice_circuits(DESIGN, made, made_for.mate))
        content = json.dumps({"slices": [row]}).encode()
        assert read_in_use(content, "file", Occupancy(DESIGN), made_for) == ()
        assert read_in_use(content, "file", Occupancy(DESIGN), read_for) == (
            "file, slice 1: 2 of the 96 circuits that its cubes need are missing, or on ports that "
            "--substitutions does not say",
        )


LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-2, 70)
    | st.floats()
    | st.sampled_from(["", "a", "4x4x4", "4x4x8", "1x1x1", "p-ocs-x-1-1", "7A", "7", "x" * 300])
)
KEYS = ["version", "slices", "unhealthy", "slots", "ports", "name", "shape", "twisted", "cubes"]
KEYS += ["at", "slot", "chips"]
ANY = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=30,
)
SLICE = st.fixed_dictionaries(
    {"name": st.just("a"), "shape": st.sampled_from(["4x4x4", "1x1x1"])},
    optional={"twisted": LEAF, "cubes": ANY, "chips": ANY},
)


@given(ANY | st.fixed_dictionaries({}, optional={"slices": st.lists(SLICE), "unhealthy": ANY}))
def test_any_json_is_read_or_refused(content):
    try:
        read(content)
    except UnusableInput as refusal:
        assert str(refusal).startswith("file")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_trace_or_refused(data):
    header = ",".join(HEADER).encode() + b"\n"
    for given_bytes in (data, header + data):
        try:
            assert isinstance(read_trace(given_bytes, "file", DESIGN), list)
        except UnusableInput as refusal:
            assert str(refusal).startswith("file")
