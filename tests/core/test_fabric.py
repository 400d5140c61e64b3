"""A fabric that is no pod: one host and two switches, three panels, audited by the same code.

    host     1 2 3 4 5 6 7 8        odd ports are red, even ones are blue
             | | | |  \\ \\ \\ \\
    plane-1  1 2 3 4 5   \\ \\ \\ \\    5 is a spare
    plane-2               1 2 3 4 5
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from fabric_twin.core.audit.explain import audit
from fabric_twin.core.fabric.columns import NO_PORT, NOT_OF_DESIGN
from fabric_twin.core.fabric.fabric import Bundle, Fabric, Key
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded

DEVICES = ["host", "plane-1", "plane-2"]
DEVICE = np.repeat(np.arange(3, dtype=np.int32), (8, 5, 5))
POSITION = np.array([*range(8), *range(5), *range(5)], np.int32)
MATE = np.array([8, 9, 10, 11, 13, 14, 15, 16, 0, 1, 2, 3, NO_PORT, 4, 5, 6, 7, NO_PORT], np.int32)
HOST = DEVICE == 0
FABRIC = Fabric(
    device=DEVICE,
    unit=HOST.astype(np.int32),
    panel=DEVICE,
    position=POSITION,
    mate=MATE,
    spare=MATE == NO_PORT,
    level=DEVICE,
    keys=(
        Key("wrong-plane", "which is of the other plane", np.where(HOST, POSITION // 4, -1)),
        Key("wrong-colour", "which is of the other colour", np.where(HOST, POSITION % 2, -1)),
    ),
)
#: The same, where cables of ports 1 to 4 of the host are one bundle, those of 5 to 8 another.
TRUNK = Bundle.whole("trunk", "trunks", np.where(HOST, POSITION // 4, -1))
BUNDLED = replace(FABRIC, bundles=(TRUNK,))


class Words:
    """What the ports of the toy are called."""

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric

    def port(self, port: int) -> tuple[str, str]:
        return DEVICES[DEVICE[port]], str(POSITION[port] + 1)

    def device(self, number: int) -> str:
        return DEVICES[number]

    def bundled(self, _noun: str, numbers: list[int]) -> list[str]:
        return [f"{number + 1} of the host" for number in numbers]

    def cable(self, port: int) -> str:
        return f"cable-{port + 1}"


def audited(cables: dict[int, int | None], hosted: int = 8, fabric=FABRIC, **recorded):
    """What is found of cables, from a port of the host to a port of a switch."""
    a = np.arange(hosted, dtype=np.int32)
    want = np.full_like(MATE, NO_PORT)
    want[a], want[MATE[a]] = MATE[a], a
    intended = IntendedPlant(
        SimpleNamespace(name="toy"), "t1", Words(fabric), MATE, want, a, MATE[a]
    )
    laid = {port: far for port, far in cables.items() if far is not None}
    ends = (np.array(list(column), np.int32) for column in (laid.keys(), laid.values()))
    return audit(intended, Recorded([f"cable-{port + 1}" for port in laid], *ends, **recorded))


RIGHT = dict(enumerate(MATE[:8].tolist()))


def test_a_fabric_as_it_should_be_is_clean():
    assert audited(RIGHT).as_json() == {
        "version": 1,
        "pod": "t1",
        "design": "toy",
        "cables": 8,
        "expected": 8,
        "findings": [],
        "summary": {},
    }


@pytest.mark.parametrize(
    ("moved", "hosted", "identity", "code", "cause", "remedy"),
    [
        pytest.param(
            {1: 10, 2: 9}, 8, "ac48a582c793", "swapped",
            "cable-2 and cable-3 are exchanged, at host ports 2 and 3",
            [
                "unplug cable-2 from host port 2",
                "move cable-3 on host from port 3 to port 2",
                "plug cable-2 into host port 3",
            ],
            id="swapped",
        ),
        pytest.param(
            {4: 14, 5: 15, 6: 16, 7: 17}, 8, "ee37fcaa8aff", "shifted",
            "The 4 cables of switch plane-2 are shifted along the panel",
            [
                "move cable-5 on plane-2 from port 2 to port 1",
                "move cable-6 on plane-2 from port 3 to port 2",
                "move cable-7 on plane-2 from port 4 to port 3",
                "move cable-8 on plane-2 from port 5 to port 4",
            ],
            id="shifted",
        ),
        pytest.param(
            {0: 13, 4: None}, 8, "fe9ca2f14777", "wrong-plane",
            "cable-1 is on host port 1, which is of the other plane, and belongs on host port 5; "
            "the cable is missing",
            [
                "move cable-1 on host from port 1 to port 5",
                "lay a cable from host port 1 to plane-1 port 1",
            ],
            id="wrong in its first key",
        ),
        pytest.param(
            {0: 9, 1: None}, 8, "e3804837e591", "wrong-colour",
            "cable-1 is on host port 1, which is of the other colour, and belongs on host port 2; "
            "the cable is missing",
            [
                "move cable-1 on host from port 1 to port 2",
                "lay a cable from host port 1 to plane-1 port 1",
            ],
            id="wrong in its second key",
        ),
        pytest.param(
            {3: 12}, 8, "573ef2fefc11", "spare-in-use",
            "cable-4 is on plane-1 port 5, a spare that no substitution names, and belongs on "
            "plane-1 port 4",
            ["move cable-4 on plane-1 from port 5 to port 4"],
            id="on a spare that could serve it",
        ),
        pytest.param(
            {3: 17}, 8, "de716c5c1339", "wrong-plane",
            "cable-4 is on plane-2 port 5, which is of the other plane, and belongs on plane-1 "
            "port 4",
            ["move cable-4 from plane-2 port 5 to plane-1 port 4"],
            id="on a spare that could not",
        ),
        pytest.param(
            {5: None}, 8, "0d761ce5d1f7", "missing",
            "cable-6 is missing between host port 6 and plane-2 port 2",
            ["lay a cable from host port 6 to plane-2 port 2"],
            id="missing",
        ),
        pytest.param(
            {}, 7, "a8bdd21f5080", "unexpected",
            "cable-8 is on host port 8 and plane-2 port 4, and nothing needs it",
            ["remove cable-8"],
            id="of a port that is not used yet",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_one_finding(moved, hosted, identity, code, cause, remedy):
    (finding,) = audited(RIGHT | moved, hosted).findings
    said = (finding.id, finding.code, finding.cause, [*map(str, finding.remedy)])
    assert said == (identity, code, cause, remedy)


def test_a_cable_on_a_port_that_there_is_not_says_so():
    written = {3: ("host", "4", "plane-1", "9")}
    (finding,) = audited(RIGHT | {3: NOT_OF_DESIGN}, written=written).findings
    assert (finding.code, finding.cause) == (
        "unknown-port",
        "cable-4 is on plane-1 port 9, which the design does not have (is it written right?), and "
        "belongs on plane-1 port 4",
    )


def test_cables_of_two_bundles_that_were_exchanged_are_one_finding():
    exchanged = {port: RIGHT[(port + 4) % 8] for port in RIGHT}
    (finding,) = audited(exchanged, fabric=BUNDLED).findings
    assert (finding.code, finding.cause) == (
        "bundle-swapped",
        "The 8 cables of trunks 1 of the host and 2 of the host are exchanged as a bundle",
    )


def test_the_near_end_of_a_cable_is_on_the_lower_level_whatever_a_row_says_first():
    assert FABRIC.near_first((9, 1)) == FABRIC.near_first((1, 9)) == [1, 9]
    assert FABRIC.near_first((3, 2)) == [2, 3], "on one level: by number"
    ends, others = np.array([1, 9, 3], np.int32), np.array([9, 1, 2], np.int32)
    assert FABRIC.is_far(ends, others).tolist() == [False, True, True]


def test_a_spare_serves_what_its_device_serves_and_of_sides_what_its_panel_does():
    sides = Fabric(
        device=np.repeat(np.arange(2), (2, 4)).astype(np.int32),
        unit=np.array([1, 1, 0, 0, 0, 0], np.int32),
        panel=np.array([0, 0, 1, 1, 2, 2], np.int32),
        position=np.array([0, 1, 0, 1, 0, 1], np.int32),
        mate=np.array([2, 4, 0, NO_PORT, 1, NO_PORT], np.int32),
        spare=np.array([0, 0, 0, 1, 0, 1], np.bool_),
        level=np.array([0, 0, 1, 1, 1, 1], np.int32),
        keys=(),
    )
    sign = np.array([0, 1, -1, -1, -1, -1], np.int32)
    assert sides.served(Key("wrong-index", "", sign), 3) == {0, 1}
    assert sides.served(Key("wrong-side", "", sign, of_side=True), 3) == {0}
    assert sides.served(Key("wrong-side", "", sign, of_side=True), 5) == {1}


def test_circuits_are_made_in_optical_and_packet_switches():
    assert [medium.value for medium in Medium if medium.is_switched] == ["optical", "packet"]
    assert [medium.value for medium in Medium if not medium.is_switched] == ["ring", "none"]
