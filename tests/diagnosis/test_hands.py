"""What hands do in the simulated plant, as the diagnosis sees it."""

from fabric_twin.simulator.technician import Technician

from .bench import Bench


def test_a_technician_mends_copper_while_a_cable_is_out_elsewhere() -> None:
    bench = Bench.build()
    bench.break_it("missing", cable="p1-c003:4.1.1/X+")
    bench.break_it("copper-down", device="p1-c001", link="1.1.1/Y+")
    copper = next(f for f in bench.diagnose().findings if f.code == "copper-down")
    bench.carry_out(copper.remedy)
    assert [fault.kind.name for fault in bench.book.there.values()] == ["missing"]


def test_a_cable_that_is_put_back_by_hand_is_no_fault_any_more() -> None:
    bench = Bench.build()
    bench.break_it("missing", cable="p1-c003:4.1.1/X+")
    [finding] = bench.diagnose().findings
    bench.carry_out(finding.remedy)
    assert bench.book.there == {}


def test_a_cable_that_a_technician_plugs_in_wrongly_is_a_fault_of_theirs() -> None:
    bench = Bench.build()
    bench.break_it("missing", cable="p1-c004:4.1.1/X+")
    technician = Technician(bench.book, errors=1.0)
    cable, right = "p1-c004:4.1.1/X+", ["p1-ocs-x-1-1", "4A"]
    technician.carry_out([{"do": "move", "cable": cable, "end": "b", "to": right}])
    [fault] = bench.book.there.values()
    wrong = {"cable": cable, "device": "p1-ocs-x-1-1", "port": "5A"}
    assert (fault.wish, fault.by) == ({"kind": "misplugged", **wrong}, "technician")
