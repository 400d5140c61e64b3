"""Users at one pod at once: each on a connection of its own, with what they do there to stay."""

from collections.abc import Callable
from typing import Any

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import OpticalCircuit, Pod, Slice, SlicePart
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from tests.nautobot.bases.processes.at_once import at_once, pod_for_all  # noqa: F401 - a fixture


def wishing(pod: Pod, **wish: Any) -> Callable[[Any], Any]:
    return lambda user: make_slice(pod, Wish(**wish), user)[0]


def assert_whole(pod: Pod) -> None:
    """Every slice has all of its cubes and circuits, and shares none of them."""
    parts = list(SlicePart.objects.filter(slice__pod=pod).values_list("cube", flat=True))
    assert len(parts) == len(set(parts))
    for made in Slice.objects.filter(pod=pod):
        cubes = made.to_core().shape.cubes(pod.to_core().cube)
        assert (made.parts.count(), made.circuits.count()) == (cubes, 96 * cubes)
    assert OpticalCircuit.objects.filter(switch__pod=pod).count() == 96 * len(parts)


def test_two_who_both_fit_get_different_cubes(pod: Pod) -> None:
    made = at_once([wishing(pod, shape="4x4x16")] * 2)
    assert sorted(str(one) for one in made) == ["4x4x16-1", "4x4x16-2"]
    assert_whole(pod)


def test_of_many_who_do_not_all_fit_some_get_a_refusal_and_nobody_a_half(pod: Pod) -> None:
    made = at_once([wishing(pod, shape="4x4x12")] * 4)
    refusals = [str(one) for one in made if isinstance(one, NotPossible)]
    assert (
        refusals
        == [
            "slice: 4x4x12 takes 3 cubes, and 2 of 8 cubes are free (6 in use). "
            "The largest 3D shapes that fit now: 4x4x8, 4x4x4."
        ]
        * 2
    )
    assert_whole(pod)


def test_one_name_is_given_once(pod: Pod) -> None:
    made = at_once([wishing(pod, shape="4x4x4", name="train")] * 3)
    refusals = [str(one) for one in made if isinstance(one, NotPossible)]
    assert refusals == ["slice train: there is a slice of this name. Give it another name."] * 2
    assert_whole(pod)


def test_a_release_seen_by_two_is_done_once(pod: Pod) -> None:
    made = at_once([wishing(pod, shape="4x4x16")])[0]
    released = at_once([lambda user: release_slice(Slice(pk=made.pk, pod=pod), user)] * 2)
    assert [one.circuits for one in released if one] == [4 * 96]
    assert_whole(pod)


def test_releases_and_wishes_may_come_in_any_order(pod: Pod) -> None:
    made = at_once([wishing(pod, shape="4x4x16", name="old")])[0]
    at_once(
        [
            lambda user: release_slice(Slice(pk=made.pk, pod=pod), user),
            *[wishing(pod, shape="4x4x12")] * 3,
        ]
    )
    assert_whole(pod)
