"""Filters of lists of networks: blocks, demands, multislices."""

from datetime import timedelta
from typing import Any

from nautobot.apps.testing import FilterTestCases

from fabric_twin.filters import BlockFilterSet, DemandFilterSet, MultisliceFilterSet
from fabric_twin.models import Block, Demand, Multislice
from tests.nautobot.bases.networks.small_network import (
    FIRST_DAY,
    add_demand,
    add_multislice,
    make_network,
)


class Networks:
    """Three networks, and what their blocks asked of each other."""

    @classmethod
    def setUpTestData(cls) -> None:
        for number in range(1, 4):
            pod = make_network(f"dc{number}", 3)
            pod.blocks.filter(name="ab01").update(owner=f"owner {number}", strands=24)
            pod.blocks.update(description=f"of dc{number}", rate_gbps=100 * number)
            facts = {"shape": f"4x4x{4 * number}", "owner": f"team {number}", "least": number}
            add_multislice(pod, f"job{number}", description=f"run {number}", **facts)
            demand = add_demand(pod, [("ab01", "ab02", 8)], day=number)
            Demand.objects.filter(pk=demand.pk).update(description=f"forecast {number}")

    def found(self, **asked: Any) -> list[str]:
        """What a filter leaves, by name; a filter that is not valid fails the test."""
        filtered = self.filterset(asked, self.queryset)
        self.assertTrue(filtered.is_valid(), filtered.errors)
        return [str(record) for record in filtered.qs]


class BlockFilterTest(Networks, FilterTestCases.FilterTestCase):
    queryset = Block.objects.all()
    filterset = BlockFilterSet
    generic_filter_tests = (
        ["pod", "pod__name"],
        ["pod", "pod__id"],
        ["name"],
        ["device", "device__name"],
        ["device", "device__id"],
        ["first_port"],
        ["rate_gbps"],
        ["owner"],
        ["description"],
    )

    def test_a_block_is_found_by_its_name_that_of_its_device_and_that_of_its_page(self) -> None:
        for text, found in (
            ("ab02", ["dc1 ab02", "dc2 ab02", "dc3 ab02"]),
            ("DC2 AB02", ["dc2 ab02"]),
            ("dc2-ab02", ["dc2 ab02"]),
            ("owner 3", ["dc3 ab01"]),
        ):
            with self.subTest(text):
                self.assertEqual(self.found(q=text), found)

    def test_a_location_and_a_design(self) -> None:
        self.assertEqual(len(self.found(location=["Hall of dc1"], design=["network-2"])), 3)
        self.assertEqual(self.found(design=["tpu-v4"]), [])


class MultisliceFilterTest(Networks, FilterTestCases.FilterTestCase):
    queryset = Multislice.objects.all()
    filterset = MultisliceFilterSet
    generic_filter_tests = (
        ["pod", "pod__name"],
        ["pod", "pod__id"],
        ["name"],
        ["shape"],
        ["owner"],
        ["least"],
        ["description"],
    )


class DemandFilterTest(Networks, FilterTestCases.FilterTestCase):
    queryset = Demand.objects.all()
    filterset = DemandFilterSet
    generic_filter_tests = (["pod", "pod__name"], ["pod", "pod__id"], ["day"], ["description"])

    def test_a_span_of_days(self) -> None:
        days = [FIRST_DAY + timedelta(day) for day in (2, 3)]
        found = self.found(day__gte=[str(days[0])], day__lte=[str(days[1])])
        self.assertEqual(
            found, [f"dc{number} {day}" for number, day in zip((2, 3), days, strict=True)]
        )

    def test_a_location_and_a_design(self) -> None:
        self.assertEqual(len(self.found(location=["Hall of dc1"], design=["network-2"])), 1)
        self.assertEqual(self.found(design=["tpu-v4"]), [])
