"""How long a collective takes: the four published times, and what links it needs."""

import math

import pytest

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.superpods.collective import Collective

V4 = Collective(bytes=140e9, chips=4096, axes=3, ici_bytes_s=9e10, dcn_bytes_s=6.25e9)
V5P = Collective(bytes=140e9, chips=8960, axes=3, ici_bytes_s=1.8e11, dcn_bytes_s=6.25e9)
#: Gbit/s of an 800G link.
LINK = 800


@pytest.mark.parametrize(
    ("collective", "within", "between"),
    # 0.00375 of the second is printed as 0.0037, which alone is more than 1% off.
    [(V4, 1.0370, 0.0082), (V5P, 0.5185, 0.00375)],
)
def test_four_pods_take_the_published_times(collective, within, between) -> None:
    assert collective.within_s == pytest.approx(within, rel=0.01)
    assert collective.between_s(4) == pytest.approx(between, rel=0.01)


def test_the_time_between_pods_is_under_a_hundredth_of_all() -> None:
    share = V4.between_s(4) / (V4.within_s + V4.between_s(4))
    assert share == pytest.approx(0.0078, rel=0.01)


def test_links_of_800g_that_carry_all_that_a_v4_pod_sends_to_each_neighbour() -> None:
    assert V4.gbps / LINK == 128


def test_the_weakest_pair_sets_the_pace_and_an_open_ring_never_ends() -> None:
    assert V4.between_s(4, 64 * LINK) == pytest.approx(2 * V4.between_s(4))
    assert V4.between_s(4, 256 * LINK) == V4.between_s(4)
    assert math.isinf(V4.between_s(4, 0.0))


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, 10**400])
@pytest.mark.parametrize("name", ["bytes", "chips", "axes", "ici_bytes_s", "dcn_bytes_s"])
def test_what_is_no_number_of_its_kind_is_refused(name, value) -> None:
    with pytest.raises(UnusableInput, match=f"{name} is no number over 0"):
        Collective(**{**vars(V4), name: value})
