"""Every kind of fault of the simulator: found once, by its cause, mended by its remedy, gone."""

import re
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.dialects.sonic import DIALECTS
from fabric_twin.simulator.faults.book import KINDS
from fabric_twin.simulator.faults.forwarding import FORWARDING

from .bench import Bench, is_paired, ring_of
from .places import FINDINGS, SLOTS, SURPRISES, UNSEEN, Places

#: Kinds that look different on another plant, or to switches of another make.
OF_THE_PLANT = ("swapped", "missing", "crossed", "dirty", "dying-transceiver", "lossy-mirror")


def broken(bench: Bench, kind: str, wish: dict[str, Any]) -> None:
    """Make a fault, and what it takes to see it."""
    bench.break_it(kind, **wish)
    if kind == "stale":
        assert bench.diagnose().findings == ()
        bench.clock.step(3600)
    if kind in UNSEEN:
        circuits = ring_of(bench.intended, SLOTS, turn=3)
        bench.want(circuits, owner="s1", on=SLOTS, acknowledged=True)


def test_every_kind_is_in_the_table() -> None:
    of_clusters = {kind.name for kind in FORWARDING}
    assert FINDINGS.keys() | SURPRISES.keys() | {"slow"} | of_clusters == KINDS.keys()


#: A controller that something else shows to run is not taken out and put back.
NO_HANDS = {"silent", "stale", "absent"}
#: Every kind on a split and on a paired plant, and what depends on the plant on all.
CASES = [
    *(("tpu-v4-cwdm8", "kvm", kind) for kind in FINDINGS),
    *(("tpu-v4", "upstream", kind) for kind in FINDINGS),
    *((design, "kvm", kind) for design in ("tpu-v4-duplex", "tpu-v5p") for kind in OF_THE_PLANT),
    *(("ironwood", "upstream", kind) for kind in OF_THE_PLANT),
]


@pytest.mark.parametrize(("design", "dialect", "kind"), CASES)
def test_a_fault_is_one_finding_and_its_remedy_mends_it(
    design: str, dialect: str, kind: str
) -> None:
    bench = Bench.build(design, SLOTS, dialect=DIALECTS[dialect])
    if kind == "crossed" and not is_paired(bench):
        pytest.skip("a cable of this design has one strand")
    assert bench.diagnose().findings == ()
    broken(bench, kind, Places(design).wish(kind))
    found = bench.diagnose().findings
    assert [finding.code for finding in found] == ([FINDINGS[kind]] if FINDINGS[kind] else [])
    assert [f.id for f in bench.diagnose().findings] == [f.id for f in found]
    for finding in found:
        if kind in NO_HANDS:
            assert finding.remedy == ()
            bench.book.mend(*bench.book.there)
        bench.carry_out(finding.remedy)
        assert bench.diagnose().findings == ()


@pytest.mark.parametrize("kind", ["silent", "stale"])
def test_cubes_fall_silent_and_tell_old_news_as_switches_do(kind: str) -> None:
    bench = Bench.build()
    broken(bench, kind, {"device": "p1-c002"})
    diagnosis = bench.diagnose()
    [finding] = diagnosis.findings
    assert (finding.code, finding.ports) == ("stale", (("p1-c002", ""),))
    assert diagnosis.unobserved.keys() == {"p1-c002"}
    assert finding.remedy == ()
    bench.book.mend(*bench.book.there)
    assert bench.diagnose().findings == ()


def test_a_dirty_connector_that_only_reflects_is_called_so() -> None:
    bench = Bench.build()
    where = {"device": "p1-c001-t02", "port": "4.1.1/X+"}
    bench.break_it("dirty", **where, loss_db=0.2, reflection_db=-27)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.severity) == ("high-reflection", "warning")
    assert ("p1-c001-t02", "4.1.1/X+") in finding.ports


def test_the_connector_is_found_by_what_both_ends_see() -> None:
    for device, port in (("p1-c001-t02", "4.1.1/X+"), ("p1-ocs-x-1-1", "1A")):
        bench = Bench.build()
        bench.break_it("dirty", device=device, port=port, loss_db=4.5, reflection_db=-26)
        [finding] = bench.diagnose().findings
        assert [step.as_json() for step in finding.remedy] == [
            {"do": "clean", "device": device, "port": port}
        ]


def test_a_connector_is_not_named_alone_where_reflections_hardly_tell() -> None:
    bench = Bench.build("tpu-v4")
    where = {"device": "p1-c001-t09", "port": "1.1.3/X-"}
    bench.break_it("dirty", **where, loss_db=6.43, reflection_db=-33.8)
    [finding] = bench.diagnose().findings
    assert {"do": "clean", **where} in [step.as_json() for step in finding.remedy]
    bench.carry_out(finding.remedy)
    assert bench.diagnose().findings == ()


def test_the_table_of_the_docs_is_this_one() -> None:
    page = Path(__file__).parents[2] / "docs" / "diagnosis.md"
    rows = re.findall(r"^\| `([a-z-]+)` \| (?:`([a-z-]+)`|none)", page.read_text(), re.MULTILINE)
    assert dict(rows) == FINDINGS | SURPRISES
