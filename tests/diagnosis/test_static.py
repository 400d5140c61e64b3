"""A static pod, read and explained without a switch: its cubes say whom each port hears."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core import designs
from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.designs import find_design
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.discovery.heard import heard_cables
from fabric_twin.core.errors import NoAnswer
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.inventory.designs.folder import DesignFolder
from fabric_twin.switches.fabric import Answers

from .bench import Bench
from .places import FINDINGS

DESIGNS = ("static-3d", "tpu-v2", "tpu-v3", "tpu-v5e", "tpu-v6e", "v5e-hosts")
FILES = Path(__file__).parents[2] / "docs/examples/designs"
#: What the simulator breaks in a pod without switches: found as in any pod.
KINDS = (
    *("swapped", "missing", "broken", "dirty", "wrong-transceiver", "dying-transceiver"),
    *("wrong-serial", "tray-down", "cube-down", "copper-down", "silent", "stale", "absent"),
)


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find the designs that are files too."""
    monkeypatch.setitem(designs._FOLDERS, "test", DesignFolder(FILES))


def place_of(bench: Bench, kind: str) -> dict[str, Any]:
    """Where a fault is made: at the first port of the first cube, or of the one beside it."""
    names, near = bench.intended.names, bench.intended.a
    device, port = names.port(int(near[0]))
    of_cube = {"device": names.cube(1)}
    wishes: dict[str, dict[str, Any]] = {
        "swapped": {"cable": names.cable(int(near[0])), "other": names.cable(int(near[1]))},
        "missing": {"cable": names.cable(int(near[0]))},
        "broken": {"cable": names.cable(int(near[0]))},
        "tray-down": {"device": device},
        "copper-down": of_cube
        | {"link": "1.1.1/Y+" if bench.intended.design.cube.dimensions > 2 else "1.1/Y+"},
        **dict.fromkeys(("cube-down", "silent", "stale", "absent"), of_cube),
    }
    return wishes.get(kind, {"device": device, "port": port})


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_is_one_finding_and_its_remedy_mends_it(design: str, kind: str) -> None:
    kinds = find_design(design)
    bench = Bench.build(design, range(1, kinds.slots + 1), ring=False)
    assert bench.diagnose().findings == ()
    bench.break_it(kind, **place_of(bench, kind))
    if kind == "stale":
        assert bench.diagnose().findings == ()
        bench.clock.step(3600)
    found = bench.diagnose()
    # A unit of one host is down with it.
    is_whole = kind == "tray-down" and kinds.cube.trays == 1
    code = "cube-down" if is_whole else FINDINGS[kind]
    assert [finding.code for finding in found.findings] == [code]
    [finding] = found.findings
    if not finding.remedy:
        assert FINDINGS[kind] == "stale"  # only its controller is silent
        bench.book.mend(*bench.book.there)
    assert not all(found.well(proof) for proof in finding.proof)
    bench.carry_out(finding.remedy)
    after = bench.diagnose()
    assert after.findings == ()
    assert all(after.well(proof) for proof in finding.proof)


@lru_cache(maxsize=1)
def whole_pod() -> Bench:
    """A pod that tests break; `plugged` puts it in order again."""
    return Bench.build("tpu-v5e", range(1, 17), ring=False)


def plugged(bench: Bench, far: Any) -> None:
    """Plug the far ends of all cables in: as hands do in the night, and nobody records."""
    bench.pod.plant.a[:], bench.pod.plant.b[:] = bench.intended.a, far
    bench.pod.plant.changed()


@settings(max_examples=60)
@given(st.data())
def test_any_exchange_of_plugs_is_found_and_mended(data: st.DataObject) -> None:
    """What was moved is known from the simulated room, and not from the diagnosis."""
    bench = whole_pod()
    plant, right = bench.pod.plant, bench.intended.b
    # Anywhere, or on one tray.
    at = data.draw(st.sampled_from([len(right) - 1, 7]))
    rows = data.draw(st.lists(st.integers(0, at), max_size=5, unique=True))
    far = right.copy()
    far[rows] = right[data.draw(st.permutations(rows))]
    plugged(bench, far)
    moved = {plant.names[row] for row in np.flatnonzero(plant.b != right)}
    findings = bench.diagnose().findings
    assert {cable for finding in findings for cable in finding.cables} == moved
    assert not any(finding.evidence["sure"] for finding in findings)
    exchange_near_ends(bench, {cable for one in findings for cable in moved_by_near_ends(one)})
    assert bench.diagnose().findings == findings
    for finding in findings:
        bench.carry_out(finding.remedy)
    assert bench.diagnose().findings == ()
    assert (plant.a == bench.intended.a).all()
    assert (plant.b == right).all()


def moved_by_near_ends(finding: Finding) -> set[str]:
    steps = [step.placed() for step in finding.remedy]
    return {step["cable"] for step in steps if step["end"] == "a"}


def exchange_near_ends(bench: Bench, cables: set[str]) -> None:
    """Let it be the near plugs of some cables that were exchanged: all cubes hear the same."""
    plant, near, right = bench.pod.plant, bench.intended.a, bench.intended.b
    home = {int(port): row for row, port in enumerate(right)}
    rows = [plant.names.index(cable) for cable in cables]
    for row in rows:
        plant.a[home[int(plant.b[row])]] = near[row]
    plant.b[rows] = right[rows]
    plant.changed()


@settings(max_examples=80)
@given(st.data())
def test_however_plugs_are_exchanged_each_cable_is_named_once(data: st.DataObject) -> None:
    """Near and far plugs alike, some out, beside cubes that do not answer."""
    bench = whole_pod()
    intended, plant = bench.intended, bench.pod.plant
    rows = data.draw(st.lists(st.integers(0, 127), min_size=1, max_size=3, unique=True))
    ports = [int(port) for row in rows for port in (intended.a[row], intended.b[row])]
    put = data.draw(st.permutations(ports))
    out = data.draw(st.sets(st.sampled_from(range(len(put))), max_size=2))
    put = [-1 if at in out else port for at, port in enumerate(put)]
    plugged(bench, intended.b)
    plant.a[rows], plant.b[rows] = put[::2], put[1::2]
    plant.changed()
    mute = data.draw(st.sets(st.integers(1, 16), max_size=2))
    given, quiet = {}, {}
    for name, state in bench.cubes().given.items():
        if int(name[-3:]) in mute:
            quiet[name] = NoAnswer("no answer", where="here", remedy="Look")
        else:
            given[name] = state
    found = bench.diagnose_read(Answers({}, {}), Answers(given, quiet))
    named = [c for finding in found.findings for c in finding.cables]
    assert len(named) == len(set(named))
    assert set(named) <= {plant.names[row] for row in rows}
    home = dict(zip(intended.a.tolist(), intended.b.tolist(), strict=True))
    seen = {port: slot_of(bench, port) not in mute for port in ports}
    wrong = [
        pair
        for pair in zip(put[::2], put[1::2], strict=True)
        if min(pair) >= 0 and any(seen[port] for port in pair)
        if pair not in home.items() and pair[::-1] not in home.items()
    ]
    assert not wrong or named
    # Of two near ends that hear each other, a third cable that hangs may be either's.
    near = {*intended.a.tolist(), -1}
    if not (out and any({*pair} <= near for pair in zip(put[::2], put[1::2], strict=True))):
        steps = [step.do for one in found.findings for step in one.remedy]
        assert not {"add", "remove"} & {*steps}


@settings(max_examples=40)
@given(st.sets(st.integers(1, 16)), st.sets(st.integers(0, 127), max_size=3))
def test_silence_accuses_nobody_else(mute: set[int], out: set[int]) -> None:
    bench = whole_pod()
    names, plant, right = bench.intended.names, bench.pod.plant, bench.intended.b
    plugged(bench, [-1 if row in out else port for row, port in enumerate(right.tolist())])
    cubes = bench.cubes().given
    quiet = {names.cube(slot): NoAnswer("no answer", where="here", remedy="Look") for slot in mute}
    heard = {name: state for name, state in cubes.items() if name not in quiet}
    found = bench.diagnose_read(Answers({}, {}), Answers(heard, quiet))
    devices = {
        device
        for finding in found.findings
        for device, _ in finding.ports
        if finding.code != "dark"
    }
    assert devices <= {*quiet, ""}
    ends = {
        row: {slot_of(bench, int(end)) for end in (bench.intended.a[row], right[row])}
        for row in out
    }
    seen = {plant.names[row] for row, slots in ends.items() if not slots & mute}
    if len(mute) < 16:
        assert {c for f in found.findings if f.code == "dark" for c in f.cables} == seen


def slot_of(bench: Bench, port: int) -> int:
    return int(bench.intended.names.layout.slot[port])


def test_who_of_record_and_rule_is_right_neighbours_tell() -> None:
    bench = Bench.build("tpu-v5e", range(1, 17), ring=False)
    a, b = bench.intended.a, bench.intended.b.copy()
    b[[0, 1]] = b[[1, 0]]
    bench.recorded = Recorded(bench.intended.names.cables(a), a, b)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.evidence["recorded"]) == ("record-wrong", "swapped")
    bench.pod.plant.swap(0, 1)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.evidence["light"]) == ("swapped", "confirms it")
    bench.pod.plant.swap(0, 1)
    bench.pod.plant.plug(0, "b", -1)
    bench.pod.plant.plug(1, "b", -1)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.evidence["light"]) == ("swapped", "does not tell")


def test_cables_that_are_seen_where_they_are_recorded_are_agreed_with() -> None:
    bench = Bench.build("tpu-v5e", range(1, 17), ring=False)
    bench.pod.plant.plug(5, "b", -1)
    names = bench.pod.plant.names
    assert set(bench.diagnose().agreed) == {*names} - {names[5]}


def test_a_fault_is_whose_slice_has_both_its_cubes() -> None:
    bench = Bench.build("tpu-v5e", range(1, 17), ring=False)
    intended = bench.intended
    bench.wanted.on.update({1: ["s1"], 2: ["s1"], 3: ["s2"]})
    ends = {
        tuple(sorted(slot_of(bench, int(end)) for end in pair)): row
        for row, pair in enumerate(zip(intended.a, intended.b, strict=True))
    }
    for pair, owners in {(1, 2): ("s1",), (2, 3): (), (1, 5): ()}.items():
        bench.pod.plant.plug(ends[pair], "b", -1)
        [finding] = bench.diagnose().findings
        assert finding.owners == owners
        bench.carry_out(finding.remedy)


def test_a_pod_that_is_not_full_is_judged_where_two_neighbours_stand() -> None:
    bench = Bench.build("tpu-v5e", (1, 2, 3), ring=False)
    assert bench.diagnose().findings == ()
    intended = bench.intended
    cable = intended.names.cable(int(intended.a[0]))
    # Its far plug is in a port to which no cable belongs, for the cube across is not there.
    layout = intended.names.layout
    free = np.setdiff1d(np.flatnonzero(np.isin(layout.slot, (1, 2, 3))), [intended.a, intended.b])
    device, port = intended.names.port(int(free[0]))
    bench.break_it("misplugged", cable=cable, device=device, port=port)
    found = bench.diagnose()
    [finding] = found.findings
    assert (finding.code, finding.cables) == ("wrong-port", (cable,))
    assert not all(found.well(proof) for proof in finding.proof)
    bench.carry_out(finding.remedy)
    after = bench.diagnose()
    assert after.findings == ()
    assert all(after.well(proof) for proof in finding.proof)


def test_a_port_hears_somebody_of_another_pod() -> None:
    bench = Bench.build("tpu-v5e", range(1, 17), ring=False)
    cubes = bench.cubes()
    state, cable = cubes.given["p1-c001"], "p1-c001:4.1/X+"
    port = next(iter(state.neighbours))
    stranger = state.neighbours[port]._replace(device="elsewhere", port="7")
    state.neighbours[port] = stranger
    [finding] = bench.diagnose_read(Answers({}, {}), cubes).findings
    assert finding.code == "unexpected"
    assert finding.cause.endswith(
        "hears elsewhere port 7, which is not of this pod: a cable from there is in this port, or "
        f"{cable} leads there"
    )


@settings(max_examples=25)
@given(st.lists(st.integers(0, 127), min_size=2, max_size=2, unique=True))
def test_a_dirty_connector_and_a_cable_that_is_out_are_two_findings(rows: list[int]) -> None:
    bench = Bench.build("tpu-v5e", range(1, 17), ring=False)
    names, (one, other) = bench.intended.names, rows
    device, port = names.port(int(bench.intended.b[one]))
    bench.break_it("dirty", device=device, port=port, loss_db=4.5, reflection_db=-26)
    bench.break_it("missing", cable=names.cable(int(bench.intended.a[other])))
    dark, dirty = sorted(bench.diagnose().findings, key=lambda finding: finding.code)
    assert (dark.code, dark.cables) == ("dark", (names.cable(int(bench.intended.a[other])),))
    assert dirty.code == "high-loss"
    assert [step.as_json() for step in dirty.remedy] == [
        {"do": "clean", "device": device, "port": port}
    ]


def test_a_connector_that_was_soiled_is_held_against_the_last_good_light() -> None:
    bench, light = Bench.build("tpu-v2", range(1, 17), ring=False), GoodLight.none()
    cable = bench.intended.names.cable(int(bench.intended.a[0]))
    near, far = (
        bench.intended.names.port(int(end[0])) for end in (bench.intended.a, bench.intended.b)
    )

    def look() -> Diagnosis:
        nonlocal light
        told = bench.diagnose(baseline=replace(bench.baseline, light=light))
        light = light.with_later(told.good)
        return told

    assert look().findings == ()
    assert len(light) == 128
    fault = bench.break_it(
        "dirty", device=near[0], port=near[1], loss_db=0.4, reflection_db=-46.0
    ).number
    [finding] = look().findings
    assert (finding.code, finding.cables) == ("worse-than-before", (cable,))
    assert set(finding.ports) <= {near, far}
    assert "its path loses 0.4 dB more than on " in finding.cause
    assert "switch" not in finding.cause
    proof = Proof(Look.AS_BEFORE, *near)
    assert not look().well(proof)
    bench.book.mend(fault)
    told = look()
    assert (told.findings, told.well(proof)) == ((), True)


def test_a_port_that_hears_itself_has_a_loopback_plug_in_it() -> None:
    bench = Bench.build("tpu-v5e", range(1, 17), ring=False)
    bench.pod.plant.plug(0, "a", -1)
    bench.clock.step(60.0)
    bench.pod.advance()
    cubes = bench.cubes()
    heard = cubes.given["p1-c001"].neighbours
    heard["4.1/X+"] = cubes.given["p1-c002"].neighbours["1.2/X-"]._replace(port="4.1/X+")
    [finding] = bench.diagnose_read(Answers({}, {}), cubes).findings
    assert finding.cause == (
        "By neighbours: p1-c001:4.1/X+ is joined to nobody, and belongs on p1-c002-t01 port "
        "1.1/X-; p1-c001-t01 port 4.1/X+ hears itself: take the loopback plug out of it"
    )
    assert [str(step) for step in finding.remedy] == [
        "plug p1-c001:4.1/X+ into p1-c001-t01 port 4.1/X+",
        "plug p1-c001:4.1/X+ into p1-c002-t01 port 1.1/X-",
    ]
    names = bench.intended.names
    claims = np.full(bench.intended.design.layout.cube_ports, NO_PORT, np.int32)
    [own] = names.find(["p1-c001-t01"], ["4.1/X+"])
    claims[own] = own
    rows = {row.cable: row for row in heard_cables(bench.intended, claims, {})}
    assert len(rows) == 128
    assert rows["p1-c001:4.1/X+"].seen == "odd"
