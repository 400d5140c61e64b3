"""The file of a cluster's rings: what is written is read, and what is odd is refused whole."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.rings.failure import fail
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.written import state_json
from fabric_twin.inventory.groups.entries import read_entries
from fabric_twin.inventory.groups.state import read_state
from tests.core.rings.clusters import device, empty, named, rectangle, sequence, small

DESIGN = "groups-a"


def some_state() -> State:
    state = sequence(empty(DESIGN), 150, both_ways=True).after
    state = small(rectangle(state, 2, 3).after, 6).after
    state = fail(state, device(state, "r01c04")).after
    return fail(state, device(state, "row-03-1-1")).after


WRITTEN = state_json(some_state())


def read(content: Any) -> State:
    return read_state(json.dumps(content).encode(), "now.json", named(DESIGN), "pg1")


def test_what_is_written_is_read() -> None:
    state = read(WRITTEN)
    assert state_json(state) == WRITTEN
    assert state.jobs == some_state().jobs
    assert state.lost == some_state().lost


def test_a_small_file_shows_what_one_is() -> None:
    state = sequence(empty(DESIGN), 8).after
    assert state_json(state) == {
        "version": 1,
        "cluster": "pg1",
        "design": "groups-a",
        "kept_back": 0.0,
        "lost": {"groups": [], "switches": []},
        "jobs": [
            {
                "name": "job-0",
                "form": "sequence",
                "processors": 8,
                "groups": ["r01c01", "r01c02"],
                "axes": [{"name": "layer", "planes": ["row-1-1"]}],
                "both_ways": False,
                "rings": [
                    {
                        "axis": "layer",
                        "plane": "row-1-1",
                        "way": "forward",
                        "groups": ["r01c01", "r01c02"],
                        "entries": ["row-01-1-1 2->3", "row-01-1-1 4->1"],
                    }
                ],
            }
        ],
    }


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("cluster",), "pg2", "now.json: it is of cluster pg2, not pg1."),
        (("design",), "groups-b", "now.json: it is of design groups-b, not groups-a."),
        (("jbos",), [], "there is no key 'jbos'"),
        (("kept_back",), 1, '"kept_back" is no number from 0 to less than 1'),
        (("kept_back",), -0.5, '"kept_back" is no number from 0 to less than 1'),
        (("kept_back",), True, '"kept_back" is no number.'),
        (("kept_back",), 10**400, '"kept_back" is no number from 0 to less than 1'),
        (("lost",), [], '"lost" is no object'),
        (("lost", "groups"), ["row-01-1-1"], "there is no group 'row-01-1-1'"),
        (("lost", "switches"), [7], "there is no switch '7'"),
        (("lost", "switches"), ["row-05-1-1", "pg1-row-05-1-1"], "is lost twice"),
        (("lost", "groups"), ["r01c01", "r01c01"], "pg1-r01c01 is lost twice"),
        (("lost", "switches"), ["row-01-1-1"], "a ring passes pg1-row-01-1-1, which is lost"),
        (("jobs",), {}, '"jobs" is not a list'),
        (("jobs", 0), 5, '"name" is missing, or not text'),
        (("jobs", 0, "form"), "ring", '"form" is none of small, sequence, rectangle'),
        (("jobs", 0, "form"), "small", "150 processors are no small job"),
        (("jobs", 0, "processors"), 160, "job-0 takes 40 groups, and 38 are given"),
        (("jobs", 0, "processors"), -1, '"processors" is not a whole number'),
        (("jobs", 0, "processors"), 0, "0 processors are no sequence"),
        (("jobs", 0, "both_ways"), 1, '"both_ways" is neither true nor false'),
        (("jobs", 0, "axes"), [], "a job of whole groups has no axes"),
        (("jobs", 0, "axes", 0, "planes"), [], "a job of whole groups has no axes"),
        (("jobs", 0, "axes", 0, "planes", 0), "row", "'row' is more than one plane"),
        (("jobs", 0, "axes", 0, "planes", 0), "row-9-1", "there is no plane row-9-1"),
        (("jobs", 0, "axes", 0, "planes"), ["row-1-1"] * 2, "two axes have plane row-1-1"),
        (("jobs", 0, "groups", 0), "r99c01", "there is no group 'r99c01'"),
        (("jobs", 0, "rings", 0, "axis"), "other", "the ring is none that job-0 asks for"),
        (("jobs", 0, "rings", 0, "way"), "back", '"way" is none of forward, backward'),
        (("jobs", 0, "rings", 0, "way"), "backward", "do not make a ring through its groups"),
        (("jobs", 0, "rings", 0, "groups"), [], "do not make a ring through its groups"),
        (("jobs", 0, "rings", 0, "entries"), [], "do not make a ring through its groups"),
        (("jobs", 0, "rings", 0, "entries", 0), "row-01-1-1 2-3", "is no entry like"),
        (("jobs", 0, "rings", 0, "entries", 0), "row-01-1-1 02->3", "is no entry like"),
        (("jobs", 0, "rings", 0, "entries", 0), "row-01-1-1 2->99", "do not make a ring"),
        (("jobs", 0, "rings", 0, "entries", 0), "r01c01 2->3", "there is no switch 'r01c01'"),
        (("jobs", 1, "columns"), 4, "job-1 takes 4 groups, and 6 are given"),
        (("jobs", 1, "columns"), 0, "0x0 groups are not within 24x24"),
        (("jobs", 1, "groups", 5), "r24c24", "the groups are no rectangle, row by row"),
        (("jobs", 2, "name"), "job-1", "there are two jobs 'job-1'"),
        (("jobs", 2, "name"), "a\nb", "a character that cannot be printed"),
        (("jobs", 2, "groups", 0), "r02c01", "group r02c01 is of job-0 and of small jobs"),
    ],
)
def test_what_is_odd_is_refused(path: tuple[Any, ...], value: Any, said: str) -> None:
    content = copy.deepcopy(WRITTEN)
    at = content
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(UnusableInput) as refused:
        read(content)
    assert said in str(refused.value)
    assert str(refused.value).startswith("now.json")


def test_two_rings_on_a_link_and_a_ring_twice_are_refused() -> None:
    content = copy.deepcopy(WRITTEN)
    rings = content["jobs"][0]["rings"]
    with pytest.raises(UnusableInput, match="job 1, ring 3: the ring is there twice"):
        read(content | {"jobs": [content["jobs"][0] | {"rings": [*rings, rings[0]]}]})
    other = sequence(empty(DESIGN), 8, groups=(25, 26)).after
    shared = state_json(other)["jobs"][0] | {"name": "other", "groups": ["r05c01", "r05c02"]}
    with pytest.raises(UnusableInput, match="the ring is none that other asks for"):
        read(content | {"jobs": [*content["jobs"], shared]})


def test_two_rings_over_one_uplink_are_refused() -> None:
    one = sequence(empty(DESIGN), 8, groups=(0, 24)).after
    other = sequence(empty(DESIGN), 8, groups=(1, 25), name="other").after
    jobs = [*state_json(one)["jobs"], *state_json(other)["jobs"]]
    with pytest.raises(UnusableInput) as refused:
        read(state_json(one) | {"jobs": jobs})
    assert str(refused.value) == (
        "now.json: rings of job-0 and other share port 49 of pg1-row-01-1-1. Give each direction "
        "of a link to one ring."
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)


@given(value=JSON, where=st.integers(0, 200))
def test_any_value_anywhere_is_read_or_refused(value: Any, where: int) -> None:
    """Never a traceback: each key of the file holds any value of JSON once."""
    content = copy.deepcopy(WRITTEN)
    content["jobs"][0]["rings"] = content["jobs"][0]["rings"][:1]
    content["jobs"][0]["groups"] = content["jobs"][0]["groups"][:1]
    content["jobs"][1]["rings"] = content["jobs"][1]["rings"][:2]
    places = [*spots(content)]
    at, key = places[where % len(places)]
    at[key] = value
    try:
        read(content)
    except UnusableInput as refusal:
        assert refusal.remedy


def spots(value: Any) -> Any:
    """Every place in a document that holds something."""
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in [*rows]:
        yield value, key
        if isinstance(inner, dict | list):
            yield from spots(inner)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "e.csv, line 1: there is not one column switch"),
        ("switch,in,in,out\n", "there is not one column in"),
        ("switch,in,out\nrow-01-1-1,2\n", "e.csv, line 2: the row has 2 cells, the header 3"),
        ("switch,in,out\nrow-99-1-1,2,3\n", "there is no switch 'row-99-1-1'"),
        ('switch,in,out\n"row-01\n-1-1",2,3\n', "there is no switch 'row-01\\n-1-1'"),
        ("switch,in,out\n" + "row-01-1-1,2,3\n" * 2, "line 3: row-01-1-1 2->3 is there already"),
        ("switch,in,out\nr01c01,2,3\n", "there is no switch 'r01c01'"),
        ("switch,in,out\nrow-01-1-1,0,3\n", "'0' is no port"),
        ("switch,in,out\nrow-01-1-1,2,65\n", "'65' is no port"),
        ("switch,in,out\nrow-01-1-1,\u0662,3\n", "is no port"),
        ('switch,in,out\n"row-01-1-1,2,3\n', "the row is not CSV"),
    ],
)
def test_entries_that_are_odd_are_refused(text: str, said: str) -> None:
    with pytest.raises(UnusableInput) as refused:
        read_entries(text.encode(), "e.csv", empty(DESIGN))
    assert said in str(refused.value)


def test_entries_have_the_names_of_switches_in_full_or_short() -> None:
    state = empty(DESIGN)
    text = "job,switch,in,out\na,pg1-row-01-1-1,2,3\nb,row-01-1-1,4,1\n\n"
    found = read_entries(text.encode(), "e.csv", state)
    switch = device(state, "row-01-1-1")
    assert found == [(switch, 2, 3), (switch, 4, 1)]
