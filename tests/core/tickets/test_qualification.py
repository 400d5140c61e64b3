"""Whether light passes new circuits, held against the light of the simulator."""

from typing import Any

import numpy as np
import pytest

from fabric_twin.core.circuits.circuits import Circuits, numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.core.tickets.qualification import cubes_behind, qualified
from fabric_twin.dialects.sonic import KVM, UPSTREAM
from tests.diagnosis.bench import Bench


def added(bench: Bench) -> list[Circuit]:
    """All circuits of the ring."""
    return [Circuit(*row, "s1") for row in bench.wanted.circuits.named(bench.intended.names)]


def told(bench: Bench, **pictures: Any) -> list[str]:
    bench.clock.step(60.0)
    return [str(bad) for bad in qualified(bench.pictures(**pictures), added(bench)).bad]


@pytest.mark.parametrize(
    ("design", "dialect"),
    [
        ("ironwood", UPSTREAM),
        ("ironwood", KVM),
        ("tpu-v4", KVM),
        ("tpu-v4-duplex", UPSTREAM),
        ("tpu-v4-cwdm8", KVM),
    ],
)
def test_every_circuit_of_a_healthy_pod_is_good(design: str, dialect: Any) -> None:
    bench = Bench.build(design, dialect=dialect)
    assert len(added(bench)) > 100
    assert told(bench) == []


PORT = {"device": "p1-ocs-x-1-1", "port": "2B"}
ON = "1A to 2B on p1-ocs-x-1-1 of s1 should be there: "


@pytest.mark.parametrize(
    ("kind", "wish", "why"),
    [
        (
            "lossy-mirror",
            {**PORT, "loss_db": 2},
            "the switch loses 3.3 dB, where it lost 1.3",
        ),
        ("dirty", {**PORT, "loss_db": 3}, "its path loses 5.1 dB"),
        (
            "dirty",
            {**PORT, "loss_db": 0, "reflection_db": -29},
            "its return loss is only 30 dB",
        ),
        (
            "missing",
            {"cable": "p1-c002:1.1.1/X-"},
            "p1-c001-t02 4.1.1/X+ hears nobody, and not p1-c002-t01 1.1.1/X-",
        ),
    ],
)
def test_what_is_wrong_is_said_of_the_circuit_that_it_concerns(
    kind: str, wish: dict[str, Any], why: str
) -> None:
    bench = Bench.build("ironwood")
    bench.break_it(kind, **wish)
    assert told(bench) == [ON + why]


def by_factory(bench: Bench) -> Baseline:
    """No day is known on which the circuits were lit, but the factory measured them."""
    measured = bench.baseline
    off = np.full(len(measured.loss), 0.1)
    return Baseline().with_factory(measured.circuits, measured.loss, off)


@pytest.mark.parametrize("dialect", [KVM, UPSTREAM])
def test_a_circuit_that_was_never_lit_is_good_as_it_left_the_factory(dialect: Any) -> None:
    bench = Bench.build("ironwood", dialect=dialect)
    bench.baseline = by_factory(bench)
    assert told(bench) == []


@pytest.mark.parametrize(
    ("dialect", "worn", "why"),
    [
        # As much as a mirror may age, and as the factory may be off.
        (KVM, 0.88, ""),
        (KVM, 0.92, "the switch loses 2.2 dB, where it lost 1.3 in the factory"),
        (KVM, 1.5, "the switch loses 2.8 dB, where it lost 1.3 in the factory"),
        # Who does not measure is held to what cables may lose more, beside that.
        (UPSTREAM, 1.5, ""),
        (UPSTREAM, 2.5, "its path loses 4.6 dB, where its switch lost 1.3 in the factory"),
    ],
)
def test_a_circuit_that_was_never_lit_is_held_to_its_factory(
    dialect: Any, worn: float, why: str
) -> None:
    bench = Bench.build("ironwood", dialect=dialect)
    bench.break_it("lossy-mirror", **PORT, loss_db=worn)
    factory, bench.baseline = by_factory(bench), Baseline()
    assert told(bench) == []
    bench.baseline = factory
    assert told(bench) == ([ON + why] if why else [])


def test_where_the_factory_tells_nothing_the_budget_holds_and_it_is_said() -> None:
    bench = Bench.build("ironwood")
    bench.break_it("lossy-mirror", **PORT, loss_db=2)
    bench.baseline = Baseline()
    why = "the switch loses 3.3 dB, and its factory loss is not known"
    assert told(bench) == [ON + why]


def test_a_good_day_counts_before_the_factory() -> None:
    bench = Bench.build("ironwood")
    days = bench.baseline
    both = days.with_factory(days.circuits, days.loss - 2, np.full(len(days.loss), 0.1))
    loss, accuracy = both.of(days.circuits)
    assert (loss == days.loss).all()
    assert np.isnan(accuracy).all()


def test_whom_the_plan_does_not_join_is_named() -> None:
    bench = Bench.build("ironwood")
    bench.break_it("swapped", cable="p1-c002:1.1.1/X-", other="p1-c003:1.1.1/X-")
    assert told(bench) == [
        ON + "p1-c001-t02 4.1.1/X+ hears p1-c003-t01 1.1.1/X-, and not p1-c002-t01 1.1.1/X-",
        "2A to 3B on p1-ocs-x-1-1 of s1 should be there: "
        "p1-c002-t02 4.1.1/X+ hears p1-c002-t01 1.1.1/X-, and not p1-c003-t01 1.1.1/X-",
    ]


def test_what_the_switch_does_not_carry_is_bad_before_anybody_is_asked() -> None:
    bench = Bench.build("ironwood")
    bench.break_it("board-out", device="p1-ocs-x-1-1", unit=1)
    assert told(bench) == [
        f"{a}A to {b}B on p1-ocs-x-1-1 of s1 should be there: no light passes the switch"
        for a, b in [(1, 2), (2, 3), (3, 4), (4, 1)]
    ]


def test_a_cube_that_was_asked_and_does_not_answer_leaves_its_circuits_bad() -> None:
    bench = Bench.build("ironwood")
    bench.break_it("silent", device="p1-c002")
    bad = told(bench)
    assert len(bad) == 2 * 48
    assert bad[0] == f"{ON}p1-c002 does not answer"


def test_nothing_is_said_of_a_cube_that_was_not_asked() -> None:
    bench = Bench.build("ironwood")
    cubes = bench.cubes()
    del cubes.given["p1-c002"]  # type: ignore[attr-defined]
    assert [str(bad) for bad in qualified(bench.pictures(cubes=cubes), added(bench)).bad] == []


def test_old_news_are_none() -> None:
    bench = Bench.build("ironwood")
    bench.break_it("stale", device="p1-c002")
    assert told(bench) == []
    bench.clock.step(600.0)
    assert told(bench)[0] == f"{ON}p1-c002 sends data that is too old"


def test_cubes_that_are_asked_are_those_at_both_ends() -> None:
    bench = Bench.build("ironwood")
    one, _ = numbered(added(bench)[:1], bench.intended.names)
    assert cubes_behind(bench.intended, one) == ["p1-c001", "p1-c002"]
    assert cubes_behind(bench.intended, Circuits.none()) == []
