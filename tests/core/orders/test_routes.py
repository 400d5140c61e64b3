"""The lead chooses between time to mend and metres on foot: each route mends the same."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.mending import Point, curve, mean_to_mend, mended_after, points_of
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.repairing import repair, repair_by_routes
from fabric_twin.core.orders.planning.routes import Route, weight_of
from fabric_twin.core.orders.steps import MANUAL, Do
from tests.examples import examples

from .pods import DESIGNS, pod, shuffled

seeds, mistakes, crews = st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 3)
designs = st.sampled_from(DESIGNS)


def fans(*severities: str) -> list[Found]:
    """A lost fan in each of some switches, every eighth: each in a rack of its own."""
    switches = pod().intended.names.switches
    return [
        Found.from_json(
            {
                "id": f"{severity}-{number}",
                "code": "high-loss",
                "severity": severity,
                "remedy": [
                    {"do": "replace", "device": switches[8 * number], "port": "", "part": "fan"}
                ],
            }
        )
        for number, severity in enumerate(severities)
    ]


def by_routes(found: list[Found], crews: int = 1) -> dict[Route, WorkOrder]:
    whole = pod()
    return repair_by_routes(whole.intended, found, whole.floor, whole.plugs(), crews=crews)


def weights(found: list[Found]) -> dict[str, float]:
    return {one.id: weight_of(one.severity) for one in found}


@settings(max_examples=examples(20))
@given(designs, seeds, mistakes, crews)
def test_every_route_mends_the_same_plant_with_the_same_needs_and_parts(
    design: str, seed: int, mistakes: int, crews: int
) -> None:
    whole = pod(design)
    broken = shuffled(whole, seed, mistakes)
    found = whole.found(broken)
    orders = repair_by_routes(whole.intended, found, whole.floor, whole.plugs(broken), crews=crews)
    first = orders[Route.RACKS_ONCE]
    assert (
        first.steps
        == repair(whole.intended, found, whole.floor, whole.plugs(broken), crews=crews).steps
    )
    for route, order in orders.items():
        # Plugs refuses a second cable on a port, and a plug that is somewhere else.
        assert whole.plugs(broken).carry_out(order.steps).pairs == whole.pairs
        assert (order.needs, order.materials, order.deferred, order.route) == (
            first.needs,
            first.materials,
            first.deferred,
            route,
        )
        assert set(mended_after(order)) == {bundle.name for bundle in first.bundles}
        racks = [{step.rack for step in order.steps if step.crew == c} for c in range(1, crews + 1)]
        assert sum(map(len, racks)) == len(set().union(*racks)), "crews never meet"
        assert WorkOrder.from_json(order.as_json()) == order


@settings(max_examples=examples(20))
@given(designs, seeds, mistakes)
def test_along_the_curve_each_metre_that_is_saved_costs_time_to_mend(
    design: str, seed: int, mistakes: int
) -> None:
    whole = pod(design)
    broken = shuffled(whole, seed, mistakes)
    found = whole.found(broken)
    points = curve(
        repair_by_routes(whole.intended, found, whole.floor, whole.plugs(broken)), weights(found)
    )
    worth = sorted({(point.metres, point.mean) for point in points if point.is_worth})
    assert worth
    assert all(near[1] > far[1] for near, far in pairwise(worth))
    for point in points:
        if not point.is_worth:
            assert any(m <= point.metres and t <= point.mean for m, t in worth)
    assert tuple(points_of([point.as_json() for point in points])) == points


@settings(max_examples=examples(20))
@given(st.lists(st.sampled_from(["error", "warning"]), min_size=1, max_size=6))
def test_with_equal_work_every_error_is_mended_before_any_warning(severities: list[str]) -> None:
    found = fans(*severities)
    after = mended_after(by_routes(found)[Route.URGENT_FIRST])
    order = [name.partition("-")[0] for name in sorted(after, key=after.__getitem__)]
    assert order == sorted(order)


def test_the_mean_counts_an_error_three_times() -> None:
    found = fans("warning", "error")
    order = by_routes(found)[Route.URGENT_FIRST]
    after = mended_after(order)
    # The rack is opened, the fan replaced, and light asked; the walk comes before.
    first, second = after["error-1"], after["warning-0"]
    walked = [step.metres / 1.2 for step in order.steps if step.do == Do.GO]
    assert (first, second) == (60 + 300 + 10 + walked[0], first + 60 + 300 + 10 + walked[1])
    assert mean_to_mend(order, weights(found)) == (3 * first + second) / 4
    assert measure(order).seconds == round(second)


def test_rounds_are_a_choice_between_the_ends() -> None:
    """Errors in every second rack of a row: to take all racks in turn, or errors first."""
    points = curve(orders := by_routes(found := fans(*["warning", "error"] * 3)), weights(found))
    assert [point.route for point in points] == list(Route)
    told = {point.route: point for point in points}
    walk, urgent = told[Route.SHORTEST_WALK], told[Route.URGENT_FIRST]
    assert isinstance(walk, Point)
    assert walk.metres < urgent.metres
    assert urgent.mean < walk.mean
    assert walk.mean > told[Route.TWO_ROUNDS].mean
    hands = [
        Counter(step.do for step in order.steps if step.do in MANUAL) for order in orders.values()
    ]
    assert all(one == hands[0] for one in hands)
