"""Clusters for tests: those that the documentation shows, and any other."""

from pathlib import Path

from hypothesis import assume
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import GroupsDesign, groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.inventory.designs.design_file import read_design

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples" / "groups"


def example(name: str) -> Intended:
    """The plant of a design file that the documentation shows."""
    path = EXAMPLES / f"{name}.yaml"
    return intended_plant(read_design(path.read_bytes(), str(path)), "pg1")


@st.composite
def clusters(draw: st.DrawFn) -> tuple[GroupsDesign, dict[str, object]]:
    """Any cluster that can be wired, and its sizes for the second writing."""
    chain = draw(st.booleans())
    joined = draw(st.sampled_from(Joined))
    cross = not chain and joined in {"nothing", "a", "b"} and draw(st.booleans())
    side, lanes = draw(st.integers(2, 6 if chain else 4)), draw(st.integers(1, 3))
    rows = draw(st.integers(1, 24 if chain else 6))
    columns = rows if cross else draw(st.integers(1, 24 if chain else 6))
    try:
        sizes = Cluster(
            Group.of(side, lanes=lanes, chain=chain), rows, columns, joined, cross_links=cross
        )
    except DesignRefused:
        assume(False)
    return groups_design("some", "some cluster", sizes), {
        "side": side,
        "lanes": lanes,
        "rows": rows,
        "columns": columns,
        "joined": joined.value,
        "chain": chain,
        "cross": cross,
    }
