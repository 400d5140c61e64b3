"""A design file of a cluster: groups in rows and columns, and what joins their switches."""

from collections.abc import Mapping
from typing import Any

from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.groups.cluster import Cluster
from fabric_twin.core.groups.design import GroupsDesign, groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.inventory.designs.values import Value

#: Lanes of a side of a processor in a square, and of the two ends of a chain.
LANES, LANES_OF_A_CHAIN = 3, 1
#: The key that a refusal is about, where it is called otherwise there.
_KEYS = {"cross links": "cross_links"}


def read_cluster(given: Mapping[str, Value], found: Mapping[str, Any]) -> GroupsDesign:
    """The design of what was read; what cannot be wired is noted where it is written."""
    top = given["plant"]
    if ("group" in given) == ("chain" in given):
        what = "groups are squares or chains, and one of `group` and `chain` says which"
        top.note(what, "Write `group: 4x4`, or `chain: 5`")
    elif len(set(found.get("group", ()))) > 1 or len(found.get("group", (0, 0))) != 2:
        given["group"].note("a group has as many rows as columns", "Write `group: 4x4`")
    top.file.refuse()
    chain = "chain" in found
    lanes = found.get("lanes", LANES_OF_A_CHAIN if chain else LANES)
    side = found["chain"] if chain else found["group"][0]
    try:
        cluster = Cluster(
            Group.of(side, lanes=lanes, chain=chain),
            *(found["rows"], found["columns"], found["joined"]),
            cross_links=found.get("cross_links", False),
        )
    except DesignRefused as refusal:
        key = _KEYS.get(refusal.where, refusal.where)
        given.get(key, top).note(refusal.what, refusal.remedy)
        top.file.refuse()
        raise
    return groups_design(found["name"], found["title"], cluster, found.get("assumptions", ()))
