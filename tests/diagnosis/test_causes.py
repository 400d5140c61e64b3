"""Causes that no single kind of fault shows: records and light, circuits, exchanges, bundles."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import Substitution, intended_plant, without_slots
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import diagnose
from fabric_twin.core.diagnosis.case import chosen
from fabric_twin.core.diagnosis.pictures import Inventory, Shown
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.simulator.configuration import Draft

from .bench import Bench, ring_of

X11 = "p1-ocs-x-1-1"
C1, C2 = "p1-c001:4.1.1/X+", "p1-c002:4.1.1/X+"


def found(bench: Bench, **changed: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Codes and cables of the findings."""
    return [(f.code, f.cables) for f in bench.diagnose(**changed).findings]


def swapped_in_the_record(bench: Bench) -> Recorded:
    """The record with the far ends of two cables exchanged."""
    rows = [bench.recorded.cables.index(cable) for cable in (C1, C2)]
    b = bench.recorded.b.copy()
    b[rows] = b[rows[::-1]]
    return replace(bench.recorded, b=b)


# The record and light


def test_a_mistake_that_is_recorded_and_seen_is_one_finding_with_light_as_evidence() -> None:
    bench = Bench.build()
    bench.recorded = swapped_in_the_record(bench)
    bench.break_it("swapped", cable=C1, other=C2)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.cables) == ("swapped", (C1, C2))
    assert finding.evidence == {"light": "confirms it", "seen": 2}
    assert finding.owners == ("s1",)


def test_a_record_that_errs_where_light_shows_the_rule_is_corrected() -> None:
    bench = Bench.build()
    bench.recorded = swapped_in_the_record(bench)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.severity) == ("record-wrong", "warning")
    assert [step.as_json() for step in finding.remedy] == [
        {
            "do": "correct-record",
            "object": cable,
            "field": "end",
            "from": f"{X11} {wrong}",
            "to": f"{X11} {right}",
        }
        for cable, wrong, right in ((C1, "2A", "1A"), (C2, "1A", "2A"))
    ]


def test_a_cable_that_is_not_recorded_and_lit_is_missing_in_the_record_alone() -> None:
    bench = Bench.build()
    keep = np.arange(len(bench.recorded.a)) != bench.recorded.cables.index(C1)
    bench.recorded = bench.recorded.only(keep)
    assert found(bench) == [("record-wrong", (C1,))]
    bench.break_it("missing", cable=C1)
    assert found(bench) == [("missing", (C1,))]


def test_a_record_is_believed_where_no_light_passes() -> None:
    bench = Bench.build(ring=False)
    bench.recorded = swapped_in_the_record(bench)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.evidence["light"]) == ("swapped", "does not tell")


def test_crossed_strands_of_the_record_are_seen_straight() -> None:
    bench = Bench.build("tpu-v4")
    bench.recorded = replace(bench.recorded, crossed=(bench.recorded.cables.index(C1),))
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.cables) == ("record-wrong", (C1,))
    bench.break_it("crossed", cable=C1)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.cables) == ("crossed-pair", (C1,))


def test_what_light_cannot_resolve_is_said_and_both_are_put_right() -> None:
    bench = Bench.build()
    bench.break_it("swapped", cable="p1-c002:1.1.1/X-", other="p1-c003:1.1.1/X-")
    [finding] = bench.diagnose().findings
    assert not finding.evidence["sure"]
    assert {*finding.cables} == {C1, C2, "p1-c002:1.1.1/X-", "p1-c003:1.1.1/X-"}
    assert "light does not show which" in finding.cause
    bench.carry_out(finding.remedy)
    assert bench.pod.plant.b.tolist() == bench.intended.b.tolist()


def test_faces_and_cubes_that_are_exchanged_are_one_bundle() -> None:
    bench = Bench.build()
    plant, each = bench.pod.plant, bench.intended.names.layout.ports_per_cube
    for port in range(each):
        plant.swap(port, each + port)
    bench.clock.step(60)
    [finding] = bench.diagnose().findings
    assert (finding.code, len(finding.cables)) == ("bundle-swapped", 2 * each)
    bench.carry_out(finding.remedy)
    assert bench.diagnose().findings == ()
    for port in range(16):
        plant.swap(port, each + port)
    bench.clock.step(60)
    [finding] = bench.diagnose().findings
    assert finding.code == "bundle-swapped"
    bench.carry_out(finding.remedy)
    assert bench.diagnose().findings == ()


# Circuits


def test_a_circuit_that_nobody_wants_is_unexpected() -> None:
    bench = Bench.build()
    extra = Circuits(*(np.array([n], np.int32) for n in (0, 9, 9)))
    both = Circuits(
        *(
            np.concatenate([getattr(c, name) for c in (bench.wanted.circuits, extra)])
            for name in ("switch", "a", "b")
        )
    )
    bench.apply(both)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.severity) == ("circuit-unexpected", "warning")
    assert [step.as_json() for step in finding.remedy] == [
        {"do": "disconnect", "switch": X11, "a": "9A", "b": "9B"}
    ]


def test_without_a_wish_the_switch_that_differs_from_its_siblings_is_odd() -> None:
    bench = Bench.build()
    first = bench.wanted.circuits.switch == 0
    fewer = chosen(bench.wanted.circuits, ~first | (bench.wanted.circuits.a != 1))
    bench.apply(fewer)
    [finding] = bench.diagnose(wanted=None).findings
    assert (finding.code, finding.cause) == (
        "odd-sibling",
        f"{X11} lacks circuit 1A-2B, which its siblings have",
    )
    assert [step.as_json() for step in finding.remedy] == [
        {"do": "connect", "switch": X11, "a": "1A", "b": "2B"}
    ]
    assert [f.code for f in bench.diagnose().findings] == ["circuit-missing"]


def test_a_switch_that_is_odd_for_two_owners_is_one_finding() -> None:
    bench = Bench.build()
    circuits = bench.wanted.circuits
    layout, mate = bench.intended.names.layout, bench.intended.mate
    first = layout.cube_ports + circuits.switch * layout.ports_per_switch
    slots = layout.slot[mate[first + circuits.a - 1]]
    # Each owner has the circuits that begin at two cubes; the first switch lacks one of both.
    owner = (slots > 2).astype(np.int32)
    lacks = (circuits.switch == 0) & np.isin(slots, (1, 3))
    wanted = replace(
        bench.wanted,
        circuits=chosen(circuits, ~lacks),
        owner=owner[~lacks],
        owners=("s1", "s2"),
        acknowledged=None,
    )
    bench.apply(wanted.circuits)
    [finding] = bench.diagnose(wanted=wanted).findings
    assert finding.code == "odd-sibling"
    assert {step.as_json()["a"] for step in finding.remedy} == {
        f"{a}A" for a in circuits.a[lacks].tolist()
    }


def test_an_owner_that_does_without_a_switch_has_no_odd_sibling() -> None:
    bench = Bench.build()
    fewer = chosen(bench.wanted.circuits, bench.wanted.circuits.switch != 0)
    bench.want(fewer, owner="s1")
    assert [f.code for f in bench.diagnose().findings] == ["odd-sibling"]
    bears = replace(bench.wanted, may_lack=True)
    assert bench.diagnose(wanted=bears).findings == ()
    # A circuit that joins other cubes is odd all the same.
    swapped = fewer.b.copy()
    first, second = np.flatnonzero(fewer.switch == 1)[:2]
    swapped[[first, second]] = swapped[[second, first]]
    crossed = replace(bears, circuits=replace(fewer, b=swapped))
    bench.apply(crossed.circuits)
    assert [f.code for f in bench.diagnose(wanted=crossed).findings] == ["odd-sibling"]


def test_a_port_that_is_kept_dark_by_force_is_named_once() -> None:
    bench = Bench.build()
    draft = Draft.of(bench.pod.mirrors, 0)
    draft.force("1A", blocked=True)
    bench.pod.commit(0, draft)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.ports) == ("port-failed", ((X11, "1A"),))
    assert finding.remedy[0].as_json() == {
        "do": "correct-record",
        "object": f"{X11} 1A",
        "field": "state",
        "from": "force_blocked",
        "to": "normal",
    }


def test_a_design_without_spares_proposes_none() -> None:
    for design, has in (("tpu-v4-cwdm8", True), ("ironwood", False)):
        bench = Bench.build(design)
        bench.break_it("stuck-mirror", device=X11, port="1A")
        bench.want(ring_of(bench.intended, (1, 2, 3, 4), turn=3), owner="s1")
        [finding] = bench.diagnose().findings
        assert ("spare" in finding.cause) is has
        assert ("makes no torus along X" in finding.cause) is not has


def test_a_spare_that_a_substitution_names_is_as_good_as_a_port_of_the_rule() -> None:
    bench = Bench.build()
    spare = Substitution(X11, "1A", "130A")
    bench.intended = intended_plant(bench.intended.design, "p1", (1, 2, 3, 4), [spare])
    names = bench.intended.names
    bench.recorded = Recorded(names.cables(bench.intended.a), bench.intended.a, bench.intended.b)
    cable = bench.pod.plant.find(C1)
    bench.pod.plant.plug(cable, "b", int(names.find([X11], ["130A"])[0]))
    bench.want(ring_of(bench.intended, (1, 2, 3, 4)), owner="s1")
    assert bench.diagnose().findings == ()


# Equipment


# Light


@pytest.mark.parametrize("design", ["tpu-v4", "tpu-v4-duplex"])
def test_a_cable_whose_strands_are_dark_towards_two_cables_is_found_out(design: str) -> None:
    bench = Bench.build(design)
    lane = "/1" if design == "tpu-v4-duplex" else ""
    names = bench.intended.names
    ends = bench.intended.names.find
    where = [
        ends([f"p1-c00{c}-t0{t}"], [f"{p}{lane}"])[0]
        for c, t, p in (
            (1, 2, "4.1.1/X+"),
            (2, 1, "1.1.1/X-"),
            (3, 2, "4.1.1/X+"),
            (4, 1, "1.1.1/X-"),
        )
    ]
    a, b, c, d = (int(names.port(int(bench.intended.mate[p]))[1]) for p in where)
    # One strand of the first goes to the second cable, the other to the fourth.
    rows = [(0, a, b), (0, d, a), (0, c, d), (0, b, c)]
    bench.want(Circuits(*(np.array(column, np.int32) for column in zip(*rows, strict=True))))
    assert bench.diagnose().findings == ()
    bench.break_it("broken", cable=f"p1-c001:4.1.1/X+{lane}")
    [finding] = bench.diagnose().findings
    assert finding.code == "dark"
    assert finding.cables == (f"p1-c001:4.1.1/X+{lane}",)
    assert finding.evidence["sure"]


# What is left alone


def test_awaited_cables_are_awaited_until_they_are_due() -> None:
    bench = Bench.build()
    port = int(bench.intended.a[bench.recorded.cables.index(C1)])
    keep = bench.recorded.a != port
    bench.recorded = bench.recorded.only(keep)
    bench.break_it("missing", cable=C1)
    assert found(bench, awaited={port: bench.now + 3600}) == []
    assert found(bench, awaited={port: bench.now - 1}) == [("missing", (C1,))]


def test_reserved_ports_are_left_alone() -> None:
    bench = Bench.build()
    bench.apply(chosen(bench.wanted.circuits, bench.wanted.circuits.switch != 0))
    layout = bench.intended.names.layout
    mine = np.arange(layout.ports_per_switch, dtype=np.int32)
    assert found(bench, reserved=mine) == []
    assert [code for code, _ in found(bench)] == ["circuit-missing"]


@pytest.mark.parametrize("kind", ["switch-down", "board-out", "feed-lost", "stale"])
def test_what_is_out_of_service_is_not_missed(kind: str) -> None:
    bench = Bench.build()
    bench.apply(chosen(bench.wanted.circuits, bench.wanted.circuits.switch != 0))
    unit = {"unit": 1} if kind in {"board-out", "feed-lost"} else {}
    bench.break_it(kind, device=X11, **unit)
    whole = np.arange(bench.intended.names.layout.ports_per_switch, dtype=np.int32)
    assert found(bench, out=whole) == []
    assert found(bench) != []


def test_a_cube_that_is_out_may_keep_its_cables_where_the_rule_wants_them() -> None:
    bench = Bench.build()
    fewer = intended_plant(bench.intended.design, "p1", (1, 2, 3))
    kept = without_slots(bench.recorded, fewer, (4,))
    assert {report.code for report in audit_cabling(fewer, bench.recorded).findings} == {
        "unexpected"
    }
    assert audit_cabling(fewer, kept).findings == ()
    b = bench.recorded.b.copy()
    rows = [bench.recorded.cables.index(f"p1-c004:4.{y}.1/X+") for y in (1, 2)]
    b[rows] = b[rows[::-1]]
    wrong = without_slots(replace(bench.recorded, b=b), fewer, (4,))
    assert len(wrong.cables) == len(kept.cables) + 2


def test_a_cable_of_another_pod_is_unexpected() -> None:
    bench = Bench.build()
    pictures = bench.pictures()
    cubes = pictures.shown.cubes
    heard = cubes.heard.copy()
    heard[heard[0]] = -3
    heard[0] = -1
    strange = replace(cubes, heard=heard, strangers={0: ("p2-c001-t01", "1.1.1/X-")})
    shown = Shown(pictures.shown.switches, strange)
    [finding] = diagnose(replace(pictures, shown=shown)).findings
    assert finding.code == "unexpected"
    assert "p2-c001-t01 port 1.1.1/X-" in finding.cause


def test_nothing_is_said_of_what_is_not_recorded() -> None:
    bench = Bench.build()
    bench.break_it("wrong-serial", device="p1-c001-t02", port="4.1.1/X+")
    assert found(bench, inventory=None) == []
    assert found(bench, inventory=Inventory(bench.recorded)) == []


def test_a_cable_in_anothers_port_sends_both_home_though_light_tells_of_one() -> None:
    bench = Bench.build(slots=(1, 2, 3, 4), ring=False)
    bench.want(ring_of(bench.intended, (1, 3)), owner="s1", on=(1, 3))
    # No circuit uses the port of the second cable, where the first one went.
    bench.break_it("swapped", cable="p1-c001:4.1.1/X+", other="p1-c002:4.1.1/X+")
    [finding] = bench.diagnose().findings
    bench.carry_out(finding.remedy)
    assert not bench.book.there
    assert bench.diagnose().findings == ()
