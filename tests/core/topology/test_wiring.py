"""The cables of a network, audited by the code that audits pods."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.audit.explain import audit
from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.topology.network import placed
from fabric_twin.core.topology.wiring import intended_network

NETWORK = placed("dc1", 2, [(name, 12, 400.0) for name in ("ab01", "ab02", "ab03", "ab04")])
INTENDED = intended_network(NETWORK)
NAMES = INTENDED.names


def laid(*pairs: tuple[str, str]) -> Recorded:
    """The plant of the rule, but for the far ends of some cables: strand, port of a switch."""
    far = INTENDED.b.copy()
    row = {NAMES.cable(int(port)): number for number, port in enumerate(INTENDED.a)}
    for cable, to in pairs:
        device, port = to.split(" ")
        far[row[cable]] = NAMES.find([device], [port])[0]
    return Recorded([NAMES.cable(int(port)) for port in INTENDED.a], INTENDED.a, far)


def found(*pairs: tuple[str, str]) -> tuple[Finding, ...]:
    return audit(INTENDED, laid(*pairs)).findings


def test_every_strand_has_one_cable_and_the_worked_one_is_where_it_belongs() -> None:
    assert len(INTENDED.a) == 48 == len({*INTENDED.b.tolist()})
    strand = int(NAMES.find(["dc1-ab02"], ["m02/1"])[0])
    assert NAMES.port(int(INTENDED.mate[strand])) == ("dc1-ocs-01", "4B")
    assert audit(INTENDED, laid()).findings == ()


@pytest.mark.parametrize(
    ("pairs", "code", "cause"),
    [
        (
            [("dc1-ab01:m01/1", "dc1-ocs-01 50A")],
            "wrong-port",
            "dc1-ab01:m01/1 is on dc1-ocs-01 port 50A, and belongs on dc1-ocs-01 port 1A",
        ),
        (
            [("dc1-ab01:m01/1", "dc1-ocs-02 50A")],
            "wrong-switch",
            "dc1-ab01:m01/1 is on dc1-ocs-02 port 50A, which serves another switch, and belongs "
            "on dc1-ocs-01 port 1A",
        ),
        (
            [("dc1-ab01:m01/1", "dc1-ocs-01 50B")],
            "wrong-side",
            "dc1-ab01:m01/1 is on dc1-ocs-01 port 50B, which is for the other side, and belongs "
            "on dc1-ocs-01 port 1A",
        ),
        (
            [("dc1-ab01:m01/1", "dc1-ocs-01 4A"), ("dc1-ab02:m01/1", "dc1-ocs-01 1A")],
            "swapped",
            "dc1-ab01:m01/1 and dc1-ab02:m01/1 are exchanged, at dc1-ocs-01 ports 1A and 4A",
        ),
    ],
)
def test_a_mistake_is_told_by_its_cause(
    pairs: list[tuple[str, str]], code: str, cause: str
) -> None:
    [finding] = found(*pairs)
    assert (finding.code, finding.cause) == (code, cause)


@settings(max_examples=40)
@given(st.data())
def test_whatever_is_exchanged_is_named_and_its_remedy_puts_it_right(data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, 47), max_size=6, unique=True))
    far = INTENDED.b.copy()
    far[rows] = INTENDED.b[data.draw(st.permutations(rows))]
    cables = [NAMES.cable(int(port)) for port in INTENDED.a]
    findings = audit(INTENDED, Recorded(cables, INTENDED.a, far)).findings
    wrong = {cables[row] for row in np.flatnonzero(far != INTENDED.b)}
    assert {cable for finding in findings for cable in finding.cables} == wrong
    near = INTENDED.a.copy()
    for step in (step for finding in findings for step in finding.remedy if step.do == "move"):
        row, (device, port) = cables.index(step.cable), step.to
        (near if step.end == "a" else far)[row] = NAMES.find([device], [port])[0]
    assert (INTENDED.mate[near] == far).all()
