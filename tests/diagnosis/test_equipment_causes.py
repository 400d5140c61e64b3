"""Causes in equipment: addresses, modules, boards, and whoever does not answer."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import diagnose
from fabric_twin.core.diagnosis.case import chosen
from fabric_twin.core.diagnosis.pictures import Shown
from fabric_twin.simulator.mirrors import Mirrors

from .bench import Bench, ring_of

X11 = "p1-ocs-x-1-1"


def exchanged_maps(mirrors: Mirrors, one: int, other: int) -> None:
    """Make the circuits of two switches differ, so that light can tell them apart."""
    assert (mirrors.configured[one] != mirrors.configured[other]).any()


def test_light_tells_exchanged_addresses_where_no_serial_does() -> None:
    bench = Bench.build()
    circuits = bench.wanted.circuits
    turned = ring_of(bench.intended, (1, 2, 3, 4), turn=3)
    mixed = [chosen(turned, turned.switch == 5), chosen(circuits, circuits.switch != 5)]
    both = Circuits(*(np.concatenate([getattr(c, n) for c in mixed]) for n in ("switch", "a", "b")))
    bench.want(both)
    exchanged_maps(bench.pod.mirrors, 0, 5)
    bench.switch_serials = []
    names = bench.intended.names.switches
    bench.break_it("addresses-exchanged", device=names[0], other=names[5])
    [finding] = bench.diagnose().findings
    assert finding.code == "identity-exchanged"
    assert finding.ports == ((names[0], ""), (names[5], ""))
    assert "what cubes hear says so" in finding.cause


def test_exchanged_addresses_are_told_by_serials_however_they_are_written() -> None:
    bench = Bench.build()
    bench.switch_serials = [f" {serial.lower()}" for serial in bench.switch_serials]
    assert bench.diagnose().findings == ()
    names = bench.intended.names.switches
    bench.break_it("addresses-exchanged", device=names[0], other=names[5])
    [finding] = bench.diagnose().findings
    assert finding.code == "identity-exchanged"
    assert "serials say so" in finding.cause


def test_a_serial_that_is_recorded_twice_accuses_nobody_of_being_another() -> None:
    bench = Bench.build()
    bench.switch_serials[3] = bench.switch_serials[0].lower()
    found = bench.diagnose().findings
    assert "identity-exchanged" not in {finding.code for finding in found}
    assert not any(names[0] == X11 for finding in found for names in finding.ports)


def test_a_serial_that_was_corrected_is_seen_however_it_is_written() -> None:
    bench = Bench.build()
    bench.switch_serials[3] = "OCS-OLD"
    bench.serials[0] = "OLD"
    found = bench.diagnose().findings
    assert [finding.code for finding in found] == ["wrong-serial", "wrong-serial"]
    for step in (step for finding in found for step in finding.remedy):
        bench.correct(step.as_json() | {"to": step.as_json()["to"].lower()})
    after = bench.diagnose()
    assert after.findings == ()
    assert all(after.well(proof) for finding in found for proof in finding.proof)


def test_a_new_switch_is_a_wrong_serial() -> None:
    bench = Bench.build()
    bench.switch_serials[3] = "OCS-OLD"
    [finding] = bench.diagnose().findings
    assert finding.code == "wrong-serial"
    bench.carry_out(finding.remedy)
    assert bench.diagnose().findings == ()


def test_modules_that_were_exchanged_are_one_finding() -> None:
    bench = Bench.build()
    bench.serials[0], bench.serials[40] = bench.serials[40], bench.serials[0]
    [finding] = bench.diagnose().findings
    assert (finding.code, len(finding.ports), len(finding.remedy)) == ("wrong-serial", 2, 2)


@pytest.mark.parametrize("written", [str, str.lower], ids=["as told", "in lower case"])
def test_exchanged_serials_are_told_however_they_are_written(written: Callable[[str], str]) -> None:
    bench = Bench.build()
    bench.serials[:] = map(written, bench.serials)
    bench.serials[0], bench.serials[40] = bench.serials[40], bench.serials[0]
    [finding] = bench.diagnose().findings
    names = [f"{device} port {port}" for device, port in finding.ports]
    assert finding.cause == f"The 2 modules of {', '.join(names)} are in each other's ports"


@pytest.mark.parametrize("written", [str, str.lower], ids=["as told", "in lower case"])
def test_a_switch_that_answers_at_two_addresses_is_named(written: Callable[[str], str]) -> None:
    bench = Bench.build()
    bench.switch_serials[:] = map(written, bench.switch_serials)
    pictures = bench.pictures()
    switches, (zero, *_, five) = pictures.shown.switches, bench.intended.names.switches[:6]
    twice = [*switches.serial[:5], switches.serial[0], *switches.serial[6:]]
    shown = Shown(replace(switches, serial=twice), pictures.shown.cubes)
    [finding] = diagnose(replace(pictures, shown=shown)).findings
    assert finding.cause == f"{zero} answers at the address of {five}"


def test_what_only_stands_for_a_serial_is_no_other_device() -> None:
    bench = Bench.build()
    bench.serials[0], bench.switch_serials[3] = "n/a", "N/A"
    assert bench.diagnose().findings == ()


def test_an_empty_cage_whose_record_has_no_serial_misses_no_module() -> None:
    bench = Bench.build()
    bench.serials[0] = "N/A"
    pictures = bench.pictures()
    cubes = pictures.shown.cubes
    empty = ["", *cubes.serial[1:]], ["", *cubes.part[1:]]
    shown = Shown(pictures.shown.switches, replace(cubes, serial=empty[0], part=empty[1]))
    inventory = replace(pictures.inventory, parts=["", *pictures.inventory.parts[1:]])
    told = diagnose(replace(pictures, shown=shown, inventory=inventory))
    assert told.findings == ()


def test_two_boards_of_a_switch_are_two_findings_with_ports_of_their_own() -> None:
    bench = Bench.build()
    for unit in (1, 4):
        bench.break_it("board-out", device=X11, unit=unit)
    one, other = bench.diagnose().findings
    assert [one.code, other.code] == ["board-out", "board-out"]
    shared = set(one.ports) & set(other.ports)
    assert shared == {(X11, "")}


def test_a_fleet_whose_way_is_interrupted_is_one_finding() -> None:
    bench = Bench.build()
    for name in bench.pod.points.names.switches:
        bench.break_it("silent", device=name)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.severity) == ("stale", "warning")


def test_a_pod_of_which_nobody_answers_is_one_finding() -> None:
    bench = Bench.build()
    names = [*bench.pod.points.names.switches, *bench.pod.cubes]
    for name in names:
        bench.break_it("silent", device=name)
    diagnosis = bench.diagnose()
    [finding] = diagnosis.findings
    assert (finding.code, finding.severity) == ("stale", "warning")
    assert finding.cause.startswith("None of the 24 switches and 4 cubes answers")
    assert diagnosis.unobserved.keys() == set(names)


def test_a_switch_that_tells_of_circuits_and_passes_no_light_is_down() -> None:
    bench = Bench.build()
    pictures = bench.pictures()
    cubes = pictures.shown.cubes
    home = bench.intended.mate[: len(cubes.heard)] - len(cubes.heard)
    behind = (home >= 0) & (home < bench.intended.names.layout.ports_per_switch)
    dark = replace(
        cubes,
        heard=np.where(behind & (cubes.heard >= 0), -3, cubes.heard),
        received=np.where(behind[:, None], -40.0, cubes.received),
    )
    shown = Shown(pictures.shown.switches, dark)
    [finding] = diagnose(replace(pictures, shown=shown)).findings
    assert (finding.code, finding.ports) == ("switch-down", ((X11, ""),))


def test_errors_that_grow_are_told_before_they_are_too_many() -> None:
    bench = Bench.build()
    pictures = bench.pictures()
    cubes, port = pictures.shown.cubes, 0
    good = cubes.ber.copy()
    for errors, severity in ((1e-4, "warning"), (5e-4, "error")):
        ber = cubes.ber.copy()
        ber[port] = errors
        shown = Shown(pictures.shown.switches, replace(cubes, ber=ber))
        baseline = replace(pictures.baseline, ber=good)
        [finding] = diagnose(replace(pictures, shown=shown, baseline=baseline)).findings
        assert (finding.code, finding.severity) == ("high-ber", severity)
        assert "times as many as on a good day" in finding.cause


@pytest.mark.parametrize(("silent", "dead"), [((), True), ((1,), True), ((1, 2), False)])
def test_half_of_its_circuits_have_to_show_that_a_switch_is_dead(
    silent: tuple[int, ...], dead: bool
) -> None:
    bench = Bench.build()
    bench.break_it("switch-down", device=X11)
    for slot in silent:
        bench.break_it("silent", device=bench.intended.names.cube(slot))
    [found] = [one for one in diagnose(bench.pictures()).findings if one.code == "switch-down"]
    assert found.evidence["neighbours_agree"] is dead
    assert [step.do for step in found.remedy] == ["reseat"] * dead
    assert ("; light does not show whether it runs" in found.cause) is not dead
