"""Every kind of fault of the simulator: found once, by its cause, mended by its remedy, gone."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.dialects.sonic import DIALECTS
from fabric_twin.simulator.faults.book import KINDS

from .bench import Bench, is_paired, ring_of

SLOTS = (1, 2, 3, 4)
#: Kinds that nobody sees before a change is asked for.
UNSEEN = ("stuck-mirror", "ignores-changes", "idle-mirrors", "halves-changes")
#: Kinds that look different on another plant, or to switches of another make.
OF_THE_PLANT = ("swapped", "missing", "crossed", "dirty", "dying-transceiver", "lossy-mirror")

#: What each kind is found as. `docs/diagnosis.md` has the same table.
FINDINGS = {
    "swapped": "swapped",
    "misplugged": "dark",
    "missing": "dark",
    "crossed": "crossed-pair",
    "broken": "dark",
    "dirty": "high-loss",
    "wrong-transceiver": "wrong-part",
    "dying-transceiver": "high-loss",
    "wrong-serial": "wrong-serial",
    "tray-down": "tray-down",
    "cube-down": "cube-down",
    "copper-down": "copper-down",
    "stuck-mirror": "port-failed",
    "lossy-mirror": "high-loss",
    "board-out": "board-out",
    "feed-lost": "power-lost",
    "fan-lost": "fan-lost",
    "switch-down": "switch-down",
    "switch-rebooting": "switch-down",
    "addresses-exchanged": "identity-exchanged",
    "ignores-changes": "circuit-missing",
    "idle-mirrors": "circuit-missing",
    "halves-changes": "circuit-missing",
    "loses-answers": "",
    "silent": "stale",
    "stale": "stale",
    "absent": "stale",
    "answers-late": "",
}


@dataclass(frozen=True)
class Places:
    """Names of a pod where things are broken."""

    design: str

    @property
    def lane(self) -> str:
        return "/1" if self.design == "tpu-v4-duplex" else ""

    @property
    def paired(self) -> bool:
        return self.design in ("tpu-v4", "tpu-v4-duplex")

    def switch(self, name: str) -> str:
        return f"p1-ocs-{name}{'-1' if self.lane else ''}"

    def wish(self, kind: str) -> dict[str, Any]:
        """What to break."""
        here = self.switch("x-1-1")
        cable, other = (f"p1-c00{n}:4.1.1/X+{self.lane}" for n in (1, 2))
        module = {"device": "p1-c001-t02", "port": f"4.1.1/X+{self.lane}"}
        far = "" if self.paired else "A"
        wishes: dict[str, dict[str, Any]] = {
            "swapped": {"cable": cable, "other": other},
            "misplugged": {"cable": cable, "device": here, "port": f"60{far}"},
            "missing": {"cable": cable},
            "crossed": {"cable": cable},
            "broken": {"cable": cable},
            "dirty": {"device": here, "port": f"1{far}"},
            "wrong-transceiver": module,
            "dying-transceiver": module,
            "wrong-serial": module,
            "tray-down": {"device": "p1-c001-t02"},
            "cube-down": {"device": "p1-c001"},
            "copper-down": {"device": "p1-c001", "link": "1.1.1/Y+"},
            "stuck-mirror": {"device": here, "port": "1A"},
            "lossy-mirror": {"device": here, "port": "1A"},
            "board-out": {"device": here, "unit": 1},
            "feed-lost": {"device": here, "unit": 2},
            "fan-lost": {"device": here, "unit": 3},
            "switch-rebooting": {"device": here, "for": 600},
            "addresses-exchanged": {"device": here, "other": self.switch("y-2-1")},
            "absent": {"device": "p1-c001"},
        }
        return wishes.get(kind, {"device": here})


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
    assert FINDINGS.keys() == KINDS.keys()


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
    bench.carry_out(finding.remedy)
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
    assert dict(rows) == FINDINGS
