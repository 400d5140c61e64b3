"""Rings of jobs on Open vSwitch: sent, read back, and followed packet by packet."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.switches.openflow.table import COOKIE
from tests.openflow.cluster_on_ovs import LAYER, ROW_1, ROW_2, TIER_1, Cluster, groups
from tests.openflow.conftest import SWITCHES
from tests.openflow.open_vswitch import OpenVSwitch

pytestmark = pytest.mark.integration

#: What a check says of rows that somebody changed, and what sending says of them.
FOUND = """\
Cluster pg1 (groups-a): 2 entries there, 3 expected.
3 findings: 2 entry-unexpected, 1 ring-open.

1. ring-open  error  c4ecc32bf66b
   The ring of layer of a in plane row-1-1, forward, does not close: at pg1-row-01-1-1 what comes \
in at port 2 goes out at port 7, and should go out at port 3; 3 entries of it are missing.
     1  remove 2->7 from pg1-row-01-1-1
     2  add 2->3 on pg1-row-01-1-1
     3  add 4->5 on pg1-row-01-1-1
     4  add 6->1 on pg1-row-01-1-1

2. entry-unexpected  warning  ed36ff37f211
   pg1-row-01-1-1 has 1 row of ours changed by somebody: table 0, priority 16384, in_port 4.

3. entry-unexpected  warning  f795161c87ac
   pg1-row-02-1-1 has 1 entry of no ring: 8->9.
     1  remove 8->9 from pg1-row-02-1-1
"""
PUT_RIGHT = """\
Cluster pg1 (groups-a): 3 switches asked, 2 entries there, 3 expected.
Not asked, without an address: 621 switches.
Entries: remove 3, add 3.

remove: 2 entries
  - pg1-row-01-1-1  2->7
  - pg1-row-02-1-1  8->9

add: 3 entries
  + pg1-row-01-1-1  2->3, 4->5, 6->1

remove: 1 row of ours changed by somebody
  - pg1-row-01-1-1  table 0, priority 16384, in_port 4

Done, and read back: the switches show what the rings need.
"""


@pytest.fixture
def pg1(run: Any, cluster: OpenVSwitch, targets: Callable[..., str], tmp_path: Path) -> Cluster:
    return Cluster(run, cluster, targets(cluster.addresses), tmp_path / "now.json")


def test_a_job_comes_loses_a_group_and_ends_and_others_flows_stay(pg1: Cluster) -> None:
    pg1.ovs.change("add-flow", ROW_1, "priority=40000,dl_type=0x88cc,actions=CONTROLLER:65535")
    pg1.ovs.change("add-flow", ROW_1, "in_port=9,actions=drop")
    foreign = pg1.ovs.flows(ROW_1)
    assert len(foreign) == 2

    pg1.change("ask", "--job", "a", "--sequence", "8", *LAYER)
    told = (
        "Cluster pg1 (groups-a): 3 switches asked, 0 entries there, 2 expected.\n"
        "Not asked, without an address: 621 switches.\n"
        "Entries: remove 0, add 2.\n"
        "\n"
        "add: 2 entries\n"
        "  + pg1-row-01-1-1  2->3, 4->1\n"
        "\n"
    )
    assert pg1.send("--dry-run").stdout == told + "Nothing was sent.\n"
    assert pg1.ovs.flows(ROW_1) == foreign
    sent = pg1.send()
    assert (sent.exit_code, sent.stdout) == (
        0,
        told + "Done, and read back: the switches show what the rings need.\n",
    )
    assert pg1.rings() == [groups(1, 1, 2)]
    again = pg1.send()
    assert (again.exit_code, again.stdout.splitlines()[-1]) == (
        0,
        "Nothing to send: the switches show what the rings need.",
    )
    assert pg1.check().exit_code == 0

    pg1.change("fail", "--group", "r01c02")
    assert "- pg1-row-01-1-1  2->3, 4->1\n" in pg1.send().stdout
    assert pg1.rings() == [groups(1, 1, 3)]

    pg1.change("release", "--job", "a")
    ended = json.loads(pg1.send("--json").stdout)
    assert (ended["sent"], len(ended["remove"]), ended["add"], ended["not_done"]) == (
        True,
        2,
        [],
        [],
    )
    assert pg1.ovs.flows(ROW_1) == foreign
    assert pg1.ovs.flows(ROW_2) == pg1.ovs.flows(TIER_1) == []


def test_a_ring_over_two_rows_goes_round_over_tier_1(pg1: Cluster) -> None:
    pg1.change("ask", "--job", "a", "--sequence", "100", *LAYER)
    assert pg1.send().exit_code == 0
    assert pg1.rings() == [groups(1, *range(1, 25)) + groups(2, 1)]
    assert [len(pg1.ovs.flows(name)) for name in SWITCHES] == [25, 2, 2]

    pg1.change("fail", "--group", "r02c01")
    assert pg1.send().exit_code == 0
    assert pg1.rings() == [groups(1, *range(1, 25)) + groups(2, 2)]


def test_jobs_have_rings_beside_each_other_both_ways(pg1: Cluster) -> None:
    for job, where in (("a", "r01c01,r01c05"), ("b", "r01c02,r01c03")):
        pg1.change(
            *("ask", "--job", job, "--sequence", "8", *LAYER, "--both-ways", "--groups", where)
        )
    assert pg1.send().exit_code == 0
    assert sorted(pg1.rings()) == [groups(1, 1, 5)] * 2 + [groups(1, 2, 3)] * 2


def test_what_somebody_changed_is_found_and_put_right(pg1: Cluster) -> None:
    pg1.change("ask", "--job", "a", "--sequence", "12", *LAYER)
    assert pg1.send().exit_code == 0
    pg1.ovs.change("mod-flows", ROW_1, "in_port=2,actions=output:7")
    pg1.ovs.change("mod-flows", ROW_1, "in_port=4,actions=output:5,output:9")
    pg1.ovs.change("del-flows", ROW_1, "in_port=6")
    cookie = "cookie=0x465452494e470001"
    pg1.ovs.change("add-flow", ROW_2, f"{cookie},priority=16384,in_port=8,actions=output:9")
    found = pg1.check()
    assert (found.exit_code, found.stdout) == (1, FOUND)
    sent = pg1.send()
    assert (sent.exit_code, sent.stdout) == (0, PUT_RIGHT)
    assert pg1.rings() == [groups(1, 1, 2, 3)]
    assert pg1.check().stdout == (
        "Cluster pg1 (groups-a): 3 entries there, 3 expected.\n"
        "Clean: every ring closes, and no two share a link.\n"
    )


def test_a_port_that_others_have_is_refused_in_words(pg1: Cluster) -> None:
    pg1.ovs.change("add-flow", ROW_1, "priority=16384,in_port=2,actions=drop")
    pg1.ovs.change("add-flow", ROW_2, "priority=16384,dl_type=0x88cc,actions=drop")
    foreign = pg1.ovs.flows(ROW_1)
    pg1.change("ask", "--job", "a", "--sequence", "8", *LAYER)
    pg1.change("ask", "--job", "b", "--sequence", "8", *LAYER, "--groups", "r02c01,r02c02")
    for ways in ((), ("--dry-run",)):
        sent = pg1.send(*ways)
        assert (sent.exit_code, sent.stdout, sent.stderr) == (
            1,
            "",
            "fabric-twin: pg1-row-01-1-1: a flow that is not ours has port 2 at our priority (2 "
            "more like it), so nothing was sent. Remove that flow, or give it another priority, "
            "and send again.\n",
        )
    assert pg1.ovs.flows(ROW_1) == foreign
    pg1.ovs.change("del-flows", ROW_1, "in_port=2")
    assert "a flow that is not ours has every port at our priority" in pg1.send().stderr
    pg1.ovs.change("add-flow", ROW_1, "priority=16384,in_port=2,dl_type=0x88cc,actions=drop")
    pg1.ovs.change("del-flows", ROW_1, "in_port=2")
    pg1.ovs.change("del-flows", ROW_2, "dl_type=0x88cc")
    assert pg1.send().exit_code == 0
    assert pg1.rings() == [groups(1, 1, 2), groups(2, 1, 2)]


def test_another_switch_at_an_address_is_refused_before_anything_is_sent(
    pg1: Cluster, targets: Callable[..., str]
) -> None:
    pg1.change("ask", "--job", "a", "--sequence", "8", *LAYER)
    swapped = pg1.ovs.addresses | {ROW_2: pg1.ovs.addresses[TIER_1]}
    sent = pg1.send(targets=targets(swapped))
    assert (sent.exit_code, sent.stderr) == (
        3,
        "fabric-twin: pg1-row-02-1-1: another switch answers at its address (datapath "
        "00000000000000b1); recorded is datapath 00000000000000a2, so nothing was sent. Check its "
        "address; if the switch was replaced, record its datapath; or say that the switch is lost: "
        "fabric-twin rings fail.\n",
    )
    assert pg1.ovs.flows(ROW_1) == []


def test_ports_that_a_switch_does_not_have_are_refused_before_anything_is_sent(
    pg1: Cluster, targets: Callable[..., str]
) -> None:
    pg1.change("ask", "--job", "a", "--sequence", "100", *LAYER)
    small = pg1.ovs.add("small", "00000000000000ff", ports=4)
    at = pg1.ovs.addresses | {ROW_2: small}
    del at["small"]
    sent = pg1.send(targets=targets(at, {ROW_2: "ff"}))
    assert (sent.exit_code, sent.stderr) == (
        1,
        "fabric-twin: pg1-row-02-1-1: it has no port 49; its ports are 1-4. Give its ports the "
        "numbers that the design has, which OpenFlow shows.\n",
    )
    assert pg1.ovs.flows(ROW_1) == []


def test_a_switch_that_is_down_stops_all_and_hides_nothing_from_a_check(
    pg1: Cluster, targets: Callable[..., str]
) -> None:
    pg1.change("ask", "--job", "a", "--sequence", "100", *LAYER)
    pg1.change("ask", "--job", "b", "--sequence", "8", *LAYER, "--groups", "r02c05,r02c06")
    assert pg1.send().exit_code == 0
    pg1.ovs.change("del-flows", ROW_2, "in_port=10")
    down = targets(pg1.ovs.addresses | {TIER_1: "127.0.0.1:9"})
    sent = pg1.send(targets=down)
    assert (sent.exit_code, sent.stdout) == (3, "")
    assert sent.stderr.startswith(
        "fabric-twin: pg1-row-t1-1-1-1: it did not answer (connection refused), so nothing was "
    )
    checked = pg1.check()
    assert checked.exit_code == 3
    assert checked.stdout.splitlines()[:2] == [
        "Cluster pg1 (groups-a): 28 entries there, 29 expected.",
        "Not read: 1 switch. Nothing is said of rings there.",
    ]
    assert checked.stdout.splitlines()[2] == "1 finding: 1 ring-open."
    pg1.ovs.change("add-flow", ROW_2, f"cookie={COOKIE:#x},priority=16384,in_port=10,actions=11")
    assert pg1.check().stdout.splitlines()[2:] == [
        "The switches that were read have what rings need there, and no more."
    ]


def test_a_switch_without_an_address_that_a_ring_passes_is_refused(
    pg1: Cluster, targets: Callable[..., str]
) -> None:
    pg1.change("ask", "--job", "a", "--sequence", "100", *LAYER)
    some = dict(pg1.ovs.addresses)
    del some[TIER_1]
    sent = pg1.send(targets=targets(some))
    assert (sent.exit_code, sent.stderr) == (
        2,
        "fabric-twin: --targets: it has no address of pg1-row-t1-1-1-1, which rings pass. Add it "
        "with its datapath, or say that it is lost: fabric-twin rings fail.\n",
    )
