"""The cables of a cluster, audited by the code that audits pods."""

import io
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fabric_twin.core.audit.explain import audit
from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.cabling.plant import Intended, intended_plant, recorded_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.groups.design import GroupsDesign
from fabric_twin.inventory.cutsheet import read_cut_sheet, write_cut_sheet
from tests.core.groups.examples import clusters, example

SMALL = example("cross-links")
FULL = intended_plant(find_design("groups-a"), "pg1")


def laid(intended: Intended, moved: dict[str, str], without: str = "-") -> Recorded:
    """The plant of the rule, but for the far ends of some cables, and without some cables."""
    names, far = intended.names, intended.b.copy()
    cables = names.cables(intended.a)
    for cable, to in moved.items():
        device, port = to.split(" ")
        far[cables.index(cable)] = names.find([f"pg1-{device}"], [port])[0]
    whole = Recorded(cables, intended.a, far)
    return whole.only(np.array([not cable.startswith(without) for cable in cables]))


def found(intended: Intended, moved: dict[str, str], without: str = "-") -> tuple[Finding, ...]:
    return audit(intended, laid(intended, moved, without)).findings


@pytest.mark.parametrize(
    ("cable", "to", "code", "because"),
    [
        ("r01c01:1.4/E1", "col-01-1-1 40", "wrong-axis", ", which serves the other dimension"),
        ("r01c01:1.4/E1", "row-t1-1-1-1 60", "wrong-tier", ", which is for cables of another tier"),
        (
            *("r01c01:1.4/E1", "row-01-2-1 40", "wrong-index"),
            ", which serves another row or column of processors",
        ),
        ("r01c01:1.4/E1", "row-01-1-2 40", "crossed-lane", ", which serves another lane"),
        ("r01c01:1.4/E1", "row-01-1-1 41", "wrong-side", ", which is for the other edge"),
        ("r01c01:1.4/E1", "row-01-1-1 40", "wrong-port", ""),
        ("r01c01:1.4/E1", "row-02-1-1 40", "wrong-port", ""),
        ("row-01-1-1:49", "col-t1-1-1-1 60", "wrong-axis", ", which serves the other dimension"),
        ("row-01-1-1:49", "row-02-1-1 40", "wrong-tier", ", which is for cables of another tier"),
        ("row-01-1-1:49", "row-t1-1-2-1 60", "crossed-lane", ", which serves another lane"),
        ("row-01-1-1:49", "row-t1-1-1-2 60", "wrong-port", ""),
        ("row-01-1-1:63", "col-01-1-1 40", "wrong-tier", ", which is for cables of another tier"),
    ],
)
def test_a_cable_on_a_wrong_port_is_told_by_what_the_port_is_for(
    cable: str, to: str, code: str, because: str
) -> None:
    [finding] = found(SMALL, {f"pg1-{cable}": to})
    near = int(SMALL.names.find(*([part] for part in f"pg1-{cable}".split(":")))[0])
    home = " port ".join(SMALL.names.port(int(SMALL.mate[near])))
    there = f"pg1-{to}".replace(" ", " port ")
    assert (finding.code, finding.cause) == (
        code,
        f"pg1-{cable} is on {there}{because}, and belongs on {home}",
    )
    assert str(finding.remedy[0]).startswith(f"move pg1-{cable} ")


@pytest.mark.parametrize(
    ("moved", "without", "code", "cause"),
    [
        (
            {"pg1-r01c01:1.4/E1": "row-01-1-2 2", "pg1-r01c01:1.4/E2": "row-01-1-1 2"},
            "-",
            "swapped",
            "pg1-r01c01:1.4/E1 and pg1-r01c01:1.4/E2 are exchanged between pg1-row-01-1-1 and "
            "pg1-row-01-1-2, at pg1-r01c01 ports 1.4/E1 and 1.4/E2",
        ),
        (
            {"pg1-row-01-1-1:49": "row-t1-1-1-2 1", "pg1-row-01-1-1:50": "row-t1-1-1-1 1"},
            "-",
            "swapped",
            "The 2 cables of trunk pg1-row-01-1-1 are exchanged with each other between "
            "pg1-row-t1-1-1-1 and pg1-row-t1-1-1-2",
        ),
        ({}, "pg1-r07c03:", "missing", "The 48 cables of group r07c03 are missing"),
        (
            *({}, "pg1-r07c03:1.1/W1", "missing"),
            "pg1-r07c03:1.1/W1 is missing between pg1-r07c03 port 1.1/W1 and pg1-row-07-1-1 port 5",
        ),
    ],
)
def test_what_went_wrong_together_is_one_finding(
    moved: dict[str, str], without: str, code: str, cause: str
) -> None:
    [finding] = found(FULL, moved, without)
    assert (finding.code, finding.cause) == (code, cause)


def exchanged(intended: Intended, one: str, other: str) -> Recorded:
    """The plant of the rule, but for all plugs of two devices: exchanged, port by port."""
    device, names = intended.fabric.device, intended.names
    stands = np.arange(len(device), dtype=np.int32)
    at = [np.flatnonzero(device == names.devices.index(name)) for name in (one, other)]
    stands[at[0]], stands[at[1]] = at[1], at[0]
    return Recorded(names.cables(intended.a), stands[intended.a], stands[intended.b])


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("r01c01", "r02c02", "The 96 cables of groups r01c01 and r02c02"),
        (
            *("row-t1-1-1-1", "row-t1-1-1-2"),
            "The 48 cables of switches pg1-row-t1-1-1-1 and pg1-row-t1-1-1-2",
        ),
        (
            *("row-01-1-1", "row-01-1-2"),
            "The 100 cables of switches pg1-row-01-1-1 and pg1-row-01-1-2",
        ),
    ],
)
def test_devices_that_were_exchanged_are_one_finding(one: str, other: str, what: str) -> None:
    [finding] = audit(FULL, exchanged(FULL, f"pg1-{one}", f"pg1-{other}")).findings
    assert finding.cause == f"{what} are exchanged as a bundle"


def test_trunks_that_were_exchanged_are_one_finding() -> None:
    ports = [f"pg1-row-0{row}-1-1" for row in (1, 2)]
    moved = {
        f"{ports[row - 1]}:{48 + up}": f"row-t1-1-1-{up} {3 - row}"
        for row in (1, 2)
        for up in (1, 2)
    }
    [finding] = found(FULL, moved)
    assert finding.cause == (
        f"The 4 cables of trunks {ports[0]} and {ports[1]} are exchanged as a bundle"
    )


@pytest.mark.parametrize(
    ("intended", "device", "many", "what"),
    [
        (FULL, "pg1-row-01-1-1", 50, "switch pg1-row-01-1-1"),
        # Some of its cross links begin at switches of rows.
        (SMALL, "pg1-col-03-2-1", 24, "switch pg1-col-03-2-1"),
        (FULL, "pg1-row-t1-1-1-1", 24, "switch pg1-row-t1-1-1-1"),
        (FULL, "pg1-r02c03", 48, "group r02c03"),
    ],
)
def test_a_device_whose_cables_are_all_missing_or_without_far_ends_is_one_finding(
    intended: Intended, device: str, many: int, what: str
) -> None:
    gone = np.array([device in pair for pair in zip(*devices_of(intended), strict=True)])
    recorded = Recorded(intended.names.cables(intended.a), intended.a, intended.b.copy())
    [finding] = audit(intended, recorded.only(~gone)).findings
    assert (finding.code, finding.cause) == ("missing", f"The {many} cables of {what} are missing")
    recorded.b[gone] = NOT_KNOWN
    [finding] = audit(intended, recorded).findings
    assert (finding.code, finding.cause) == (
        "dark",
        f"The {many} cables of {what} are recorded without far ends, as if it had no power",
    )
    # Another cable without a far end is a finding of its own; one that has it breaks the bundle.
    other = int(np.flatnonzero(~gone)[0])
    recorded.b[other] = NOT_KNOWN
    assert len(audit(intended, recorded).findings) == 2
    one = int(np.flatnonzero(gone)[0])
    recorded.b[[one, other]] = intended.b[[one, other]]
    assert len(audit(intended, recorded).findings) == many - 1


def devices_of(intended: Intended) -> list[list[str]]:
    """The devices of near ends, and of far ends."""
    return [list(intended.names.ends(ports)[0]) for ports in (intended.a, intended.b)]


def put_right(intended: Intended, recorded: Recorded, findings: tuple[Finding, ...]) -> bool:
    """Whether all remedies together leave the plant of the rule."""
    ends = {"a": recorded.a.copy(), "b": recorded.b.copy()}
    row = {cable: number for number, cable in enumerate(recorded.cables)}
    for step in (step for finding in findings for step in finding.remedy if step.do == "move"):
        device, port = step.to
        ends[step.end][row[step.cable]] = intended.names.find([device], [port])[0]
    return bool((intended.mate[ends["a"]] == ends["b"]).all())


Made = tuple[GroupsDesign, dict[str, object]]


@settings(max_examples=40, deadline=None)
@given(clusters(), st.data())
def test_two_cables_that_are_exchanged_are_exactly_what_is_found(
    made: Made, data: st.DataObject
) -> None:
    intended = intended_plant(made[0], "pg1")
    rows = data.draw(st.lists(st.integers(0, len(intended.a) - 1), min_size=2, max_size=2))
    assume(rows[0] != rows[1])
    far = intended.b.copy()
    far[rows] = far[rows[::-1]]
    cables = intended.names.cables(intended.a)
    recorded = Recorded(cables, intended.a, far)
    [finding] = findings = audit(intended, recorded).findings
    assert (finding.code, set(finding.cables)) == ("swapped", {cables[row] for row in rows})
    assert put_right(intended, recorded, findings)


@settings(max_examples=30, deadline=None)
@given(clusters(), st.data())
def test_whatever_is_exchanged_is_named_and_its_remedy_puts_it_right(
    made: Made, data: st.DataObject
) -> None:
    intended = intended_plant(made[0], "pg1")
    last = len(intended.a) - 1
    rows = data.draw(st.lists(st.integers(0, last), max_size=6, unique=True))
    far = intended.b.copy()
    far[rows] = intended.b[data.draw(st.permutations(rows))]
    cables = intended.names.cables(intended.a)
    recorded = Recorded(cables, intended.a, far)
    findings = audit(intended, recorded).findings
    wrong = {cables[row] for row in np.flatnonzero(far != intended.b)}
    assert {cable for finding in findings for cable in finding.cables} == wrong
    assert put_right(intended, recorded, findings)


def like(device: str) -> tuple[str, bool]:
    """What kind of device a name is of: a group, or a switch of a dimension and a tier."""
    what = device.removeprefix("pg1-")[:3]
    return ("group", False) if what[1].isdigit() else (what, "-t1-" in device)


@settings(max_examples=40, deadline=None)
@given(clusters(), st.data())
def test_any_two_like_devices_that_are_exchanged_are_one_finding(
    made: Made, data: st.DataObject
) -> None:
    intended = intended_plant(made[0], "pg1")
    one = data.draw(st.sampled_from(intended.names.devices))
    others = [name for name in intended.names.devices if like(name) == like(one) and name != one]
    assume(others)
    recorded = exchanged(intended, one, data.draw(st.sampled_from(others)))
    findings = audit(intended, recorded).findings
    wrong = intended.mate[recorded.a] != recorded.b
    assert {cable for finding in findings for cable in finding.cables} == {
        cable for cable, is_wrong in zip(recorded.cables, wrong, strict=True) if is_wrong
    }
    assert len(findings) == wrong.any()
    assert put_right(intended, recorded, findings)


def what_for(intended: Intended, port: int) -> list[object]:
    """What a port is for, by its name alone: dimension, tier, row or column, lane and edge."""
    cluster = intended.design.cluster  # type: ignore[attr-defined]
    device, name = intended.names.port(port)
    words = device.removeprefix("pg1-").split("-")
    if len(words) == 1:
        place, edge = name.split("/")
        row, column = place.split(".")
        along = edge[0] in "EW"
        return [along, 0, row if along else column, edge[1:], edge[0] in "WN"]
    if words[1] == "t1":
        return [words[0] == "row", 1, words[2], words[3], None]
    number = int(name)
    if cluster.cross_links and number >= 63:
        return [None, 2, words[2], words[3], None]
    small = cluster.joined in {"core", "each-other"}
    most = cluster.columns if cluster.group.is_chain else max(cluster.rows, cluster.columns)
    if number > (2 * most if small else 48):
        return [words[0] == "row", 1, words[2], words[3], None]
    return [words[0] == "row", 0, words[2], words[3], number % 2 == 1]


@settings(max_examples=60, deadline=None)
@given(clusters(), st.data())
def test_a_cable_on_a_free_port_has_the_code_of_the_first_thing_that_differs(
    made: Made, data: st.DataObject
) -> None:
    intended = intended_plant(made[0], "pg1")
    free = np.flatnonzero(intended.mate == NO_PORT)
    assume(free.size)
    row = data.draw(st.integers(0, len(intended.a) - 1))
    far = intended.b.copy()
    far[row] = free[data.draw(st.integers(0, len(free) - 1))]
    recorded = Recorded(intended.names.cables(intended.a), intended.a, far)
    [finding] = findings = audit(intended, recorded).findings
    codes = ["wrong-axis", "wrong-tier", "wrong-index", "crossed-lane", "wrong-side"]
    pairs = zip(codes, *(what_for(intended, int(p[row])) for p in (intended.a, far)), strict=True)
    first = [code for code, here, there in pairs if None not in (here, there) and here != there]
    assert finding.code == [*first, "wrong-port"][0]
    assert finding.cables == (recorded.cables[row],)
    assert put_right(intended, recorded, findings)


@settings(max_examples=20, deadline=None)
@given(clusters(), st.randoms(use_true_random=False))
def test_a_clean_sheet_has_no_findings_in_any_order_of_rows_and_ends(
    made: Made, lots: Random
) -> None:
    intended = intended_plant(made[0], "pg1")
    out = io.StringIO()
    write_cut_sheet(intended, out)
    head, *rows = out.getvalue().splitlines()
    lots.shuffle(rows)
    turned = []
    for line in rows:
        cable, *ends = line.split(",")[:5]
        turned.append(",".join([cable, *(ends if lots.random() < 0.5 else [*ends[2:], *ends[:2]])]))
    text = "\n".join([",".join(head.split(",")[:5]), *turned])
    sheet = read_cut_sheet(text.encode(), "sheet", lambda _rows: None)
    recorded = recorded_plant(intended.names, *sheet.columns)
    report = audit(intended, recorded)
    assert (report.cables, report.expected, report.findings) == (len(rows), len(rows), ())


def test_rows_of_another_cluster_are_left_out_and_unknown_ports_named() -> None:
    names = SMALL.names
    rows = [
        ("other", "pg2-r01c01", "1.4/E1", "pg2-row-01-1-1", "2"),
        ("beyond", "pg1-r01c01", "1.4/E4", "pg1-row-01-1-1", "65"),
    ]
    recorded = recorded_plant(names, *zip(*rows, strict=True))
    assert recorded.others == 1
    [unknown] = [f for f in audit(SMALL, recorded).findings if f.code == "unknown-port"]
    assert unknown.cables == ("beyond",)


def test_chains_that_nobody_asked_for_are_not_needed_and_stand_where_they_belong() -> None:
    chains = example("one-switch")
    here = intended_plant(chains.design, "pg1", slots=(1, 2))
    report = audit(here, Recorded(chains.names.cables(chains.a), chains.a, chains.b))
    assert {finding.code for finding in report.findings} == {"unexpected"}
    assert sum(len(finding.cables) for finding in report.findings) == 4
