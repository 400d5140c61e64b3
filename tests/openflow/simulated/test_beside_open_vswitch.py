"""A simulated packet switch and Open vSwitch are told the same by its controller."""

import random
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.core.groups.examples import EXAMPLES, example
from tests.openflow.open_vswitch import OpenVSwitch
from tests.openflow.simulated.controller import ask, rows

pytestmark = pytest.mark.integration

OF = ("--design", str(EXAMPLES / "one-switch.yaml"), "--pod", "pg1")
SWITCH = "pg1-row-01-1-1"
PORTS, PRIORITIES, COOKIES = range(1, 9), (100, 200), (1, 0x1002, 0x2002)


@pytest.fixture(scope="module")
def simulated(begin_simulator: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("openflow") / "switches.csv"
    return begin_simulator(example("one-switch"), *OF, "--openflow", str(file))


@pytest.fixture
def both(simulated: Any, open_vswitch: OpenVSwitch) -> tuple[str, str]:
    """The addresses of a simulated switch and of a real one, both empty."""
    ours = simulated.said["openflow"][SWITCH]["address"]
    ask(ours, "del-flows")
    return ours, open_vswitch.add(SWITCH, "a1".rjust(16, "0"), ports=16)


def match(draw: random.Random) -> str:
    mask = draw.choice(["ff:ff:ff:ff:ff:ff", "00:00:00:00:00:03", "00:00:00:00:00:01"])
    fields = [f"in_port={draw.choice(PORTS)}"] * draw.choice([0, 1, 1, 1])
    fields += [f"dl_dst=02:00:00:00:00:0{draw.randrange(4)}/{mask}"] * draw.choice([0, 0, 1])
    fields += [f"dl_type={draw.choice(['0x0800', '0x0806'])}"] * draw.choice([0, 0, 1])
    return ",".join(fields)


def actions(draw: random.Random) -> str:
    return draw.choice(["drop", "in_port", "output:3", "output:5", "output:3,output:5"])


def act(draw: random.Random) -> tuple[str, ...]:
    """Some change, as a controller words it."""
    what, strict = match(draw), ["--strict"] * draw.randrange(2)
    priority = [f"priority={draw.choice(PRIORITIES)}"] if strict else []
    cookie = f"cookie={draw.choice(COOKIES):#x}"
    kind = draw.choice(["add"] * 6 + ["modify", "delete"])
    if kind == "add":
        given = [f"priority={draw.choice(PRIORITIES)}", cookie, what, f"actions={actions(draw)}"]
        return "add-flow", ",".join(filter(None, given))
    meant = [f"{cookie}/{draw.choice(['0x1000', '0xffff', '-1'])}"] * draw.randrange(2)
    if kind == "modify":
        given = [*meant, *priority, what, f"actions={actions(draw)}"]
        return "mod-flows", *strict, ",".join(filter(None, given))
    out = ["out_port=3"] * draw.choice([0, 0, 1])
    return "del-flows", *strict, ",".join(filter(None, [*meant, *priority, *out, what]))


@pytest.mark.parametrize("seed", range(3))
def test_changes_are_refused_and_done_alike(both: tuple[str, str], seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(60):
        told = act(draw)
        ours, real = (ask(address, *told).refusal for address in both)
        assert (told, ours) == (told, real)
        asked = [match(draw)] if draw.randrange(4) == 0 else []
        ours_has, real_has = (rows(address, *asked) for address in both)
        assert (told, ours_has) == (told, real_has)


@pytest.mark.parametrize(
    ("second", "refusal"),
    [
        ("priority=100,in_port=1,actions=output:3", "OFPFMFC_OVERLAP"),
        ("priority=100,in_port=1,dl_type=0x0800,actions=output:3", "OFPFMFC_OVERLAP"),
        ("priority=100,dl_dst=02:00:00:00:00:01,actions=output:3", "OFPFMFC_OVERLAP"),
        ("priority=100,actions=output:3", "OFPFMFC_OVERLAP"),
        ("priority=200,in_port=1,dl_type=0x0800,actions=output:3", ""),
        ("priority=100,in_port=2,actions=output:3", ""),
    ],
)
def test_overlaps_are_refused_alike_where_they_are_not_wanted(
    both: tuple[str, str], second: str, refusal: str
) -> None:
    for address in both:
        ask(address, "add-flow", "priority=100,in_port=1,dl_src=02:00:00:00:00:07,actions=output:2")
        assert ask(address, "add-flow", f"check_overlap,{second}").refusal == refusal


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        ("check_overlap,priority=100,in_port=1,actions=output:3", "OFPFMFC_OVERLAP"),
        ("priority=200,in_port=1,actions=output:99", "OFPBAC_BAD_OUT_PORT"),
    ],
)
def test_what_the_specification_lets_it_refuse_it_refuses(
    both: tuple[str, str], told: str, refusal: str
) -> None:
    """A row in the place of another one, and a port that is not there: Open vSwitch takes both."""
    said = []
    for address in both:
        ask(address, "add-flow", "priority=100,in_port=1,actions=output:2")
        said.append(ask(address, "add-flow", told).refusal)
    assert said == [refusal, ""]


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        (("add-flow", "table=7,in_port=1,actions=output:3"), "OFPFMFC_BAD_TABLE_ID"),
        (("add-flow", "in_port=1,actions=goto_table:3"), "OFPBIC_BAD_TABLE_ID"),
        (("add-flow", "in_port=1,actions=meter:1"), "OFPBIC_UNSUP_INST"),
        (("add-flow", "in_port=1,actions=set_field:2->in_port"), "OFPBAC_BAD_TYPE"),
        (("add-flow", "in_port=1,actions=output:99"), "OFPBAC_BAD_OUT_PORT"),
        (("dump-group-stats",), "OFPBRC_BAD_STAT"),  # as OpenFlow 1.0 calls it
        (("add-group", "group_id=1,type=all,bucket=output:1"), "OFPBRC_BAD_TYPE"),
    ],
)
def test_what_a_switch_of_one_table_lacks_is_refused(
    simulated: Any, told: tuple[str, ...], refusal: str
) -> None:
    address = simulated.said["openflow"][SWITCH]["address"]
    assert ask(address, *told).refusal == refusal


def test_who_it_is_and_its_ports(simulated: Any) -> None:
    at = simulated.said["openflow"][SWITCH]
    said = ask(at["address"], "show").lines
    assert said[0].split("dpid:")[1] == at["datapath"]
    ports = [line.strip() for line in said if "addr:" in line]
    assert ports[:2] == ["1(1): addr:02:00:01:00:00:01", "2(2): addr:02:00:01:00:00:02"]


def test_a_version_that_it_does_not_speak_is_refused_in_words(simulated: Any) -> None:
    address = simulated.said["openflow"][SWITCH]["address"]
    command = ["ovs-ofctl", "-O", "OpenFlow10", "show", f"tcp:{address}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode
    assert "version negotiation failed" in done.stderr
