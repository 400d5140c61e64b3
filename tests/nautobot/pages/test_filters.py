"""Filters of lists, on Nautobot's own bases and by what an operator would ask."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from nautobot.apps.testing import FilterTestCases, TestCase
from nautobot.dcim.models import Cable

from fabric_twin.filters import (
    CubeFilterSet,
    FindingFilterSet,
    OpticalCircuitFilterSet,
    PodFilterSet,
    PortFilterSet,
    SliceFilterSet,
    SlicePartFilterSet,
    SwitchFilterSet,
)
from fabric_twin.models import (
    Cube,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Pod,
    Port,
    Slice,
    SlicePart,
    Switch,
)
from tests.nautobot.bases.audits.small_findings import audit, fade, silence, small_pod
from tests.nautobot.bases.pods.small_pod import add_ports, make_location, make_pod, status_of


class Pods:
    """Three pods of two designs, in halls of one building; slices and circuits in the first."""

    pods: list[Pod]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.building = make_location("Building")
        cls.pods = [
            make_pod(name, design=design, slots=range(1, 5), location=hall)
            for name, design, hall in (
                ("v4a", "tpu-v4", make_location("Hall A", cls.building)),
                ("v4b", "tpu-v4-duplex", make_location("Hall B", cls.building)),
                ("iw1", "ironwood", make_location("Elsewhere")),
            )
        ]
        first = cls.pods[0]
        cubes, switches = list(first.cubes.all()), list(first.switches.all())
        active = status_of(Slice)
        cls.slices = [
            Slice.objects.create(
                pod=first, name=f"train-{n}", shape="4x4x4", description=f"job {n}", status=active
            )
            for n in range(3)
        ]
        for made, cube in zip(cls.slices, cubes, strict=False):
            SlicePart.objects.create(slice=made, cube=cube, place=0)
        for number, (wanted, seen) in enumerate(((True, True), (True, False), (False, True))):
            OpticalCircuit.objects.create(
                switch=switches[number],
                a=7 + number,
                b=9 + number,
                slice=cls.slices[number] if wanted else None,
                wanted=wanted,
                seen=seen,
            )
        OpticalCircuit.objects.create(switch=switches[3], a=1, b=2, slice=cls.slices[2])
        Slice.objects.create(pod=cls.pods[1], name="waits", shape="4x4x4", status=active)

    def found(self, **asked: Any) -> list[str]:
        """What a filter leaves, by name; a filter that is not valid fails the test."""
        filtered = self.filterset(asked, self.queryset)
        self.assertTrue(filtered.is_valid(), filtered.errors)
        return [str(record) for record in filtered.qs]


class PodFilterTest(Pods, FilterTestCases.FilterTestCase):
    queryset = Pod.objects.all()
    filterset = PodFilterSet
    generic_filter_tests = (["name"], ["design"])

    def test_a_location_brings_what_is_below_it(self) -> None:
        self.assertEqual(self.found(location=["Building"]), ["v4a", "v4b"])


class CubeFilterTest(Pods, FilterTestCases.FilterTestCase):
    queryset = Cube.objects.all()
    filterset = CubeFilterSet
    generic_filter_tests = (
        ["pod", "pod__name"],
        ["pod", "pod__id"],
        ["design", "pod__design"],
        ["slot"],
        ["rack", "rack__name"],
        ["rack", "rack__id"],
        ["slice", "parts__slice__name"],
    )

    def test_slots_are_written_as_people_do(self) -> None:
        found = self.found(pod=["iw1"], slots="1-2,4")
        self.assertEqual(found, ["iw1 cube 1", "iw1 cube 2", "iw1 cube 4"])

    def test_slots_that_are_none_are_refused_with_the_remedy(self) -> None:
        refused = CubeFilterSet({"slots": "4-1"}, self.queryset)
        self.assertIn("Write 1-4", refused.errors["slots"][0])

    def test_a_range_of_slots_and_free_cubes(self) -> None:
        self.assertEqual(self.found(pod=["v4a"], slot__gte=[2], has_slice=False), ["v4a cube 4"])


class SwitchFilterTest(Pods, FilterTestCases.FilterTestCase):
    queryset = Switch.objects.all()
    filterset = SwitchFilterSet
    generic_filter_tests = (
        ["pod", "pod__name"],
        ["pod", "pod__id"],
        ["number"],
        ["axis"],
        ["index"],
        ["device", "device__name"],
        ["device", "device__id"],
    )
    # It comes with a datapath id or not at all: tests/nautobot/clusters/test_found_by_flows.py.
    exclude_q_filter_predicates = ("flow_address",)

    def test_one_index_of_one_axis_of_a_pod(self) -> None:
        self.assertEqual(self.found(pod=["iw1"], axis=["x"], index=["3-2"]), ["iw1-ocs-x-3-2"])

    def test_a_location_brings_what_is_below_it(self) -> None:
        self.assertEqual(len(self.found(location=["Building"])), 48 + 96)


class SliceFilterTest(Pods, FilterTestCases.FilterTestCase):
    queryset = Slice.objects.all()
    filterset = SliceFilterSet
    generic_filter_tests = (["name"], ["description"], ["cube", "parts__cube__rack__name"])

    def test_what_stands_on_two_slots_is_named_once(self) -> None:
        fourth = self.pods[0].cubes.get(slot=4)
        SlicePart.objects.create(slice=self.slices[0], cube=fourth, place=1)
        self.assertEqual(self.found(slots="1-4"), ["train-0", "train-1", "train-2"])
        self.assertEqual(self.found(slots="1-2"), ["train-0", "train-1"])

    def test_what_stands_on_a_rack(self) -> None:
        self.assertEqual(self.found(rack=["v4a-c002"]), ["train-1"])


class OpticalCircuitFilterTest(Pods, FilterTestCases.FilterTestCase):
    queryset = OpticalCircuit.objects.all()
    filterset = OpticalCircuitFilterSet
    generic_filter_tests = (
        ["a"],
        ["b"],
        ["switch", "switch__device__name"],
        ["device", "switch__device__name"],
        ["slice", "slice__name"],
    )

    def test_drift_is_wanted_and_not_seen_or_seen_and_not_wanted(self) -> None:
        drifting = {(c.wanted, c.seen) for c in OpticalCircuitFilterSet({"drift": True}).qs}
        self.assertEqual(drifting, {(True, False), (False, True)})
        self.assertEqual(self.found(drift=False), ["v4a-ocs-x-1-1 7A-9B"])

    def test_a_port_is_asked_for_as_the_switch_names_it(self) -> None:
        self.assertEqual(self.found(port=["8A"]), ["v4a-ocs-x-1-2 8A-10B"])
        self.assertEqual(self.found(port=["8B"]), [])

    def test_a_port_that_is_none_is_refused(self) -> None:
        refused = OpticalCircuitFilterSet({"port": ["0A"]}, self.queryset)
        self.assertEqual(refused.errors["port"], ["Write a port such as 7A."])


class FindingFilterTest(TestCase):
    queryset = Finding.objects.all()
    filterset = FindingFilterSet

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        for number in (0, 24):
            fade(cls.pod, number)
        audit(cls.pod)
        cls.first = Finding.objects.get(places__cable_name="s-c001:2.1.1/X+")

    def found(self, **asked: Any) -> list[str]:
        """The cubes of the findings that a filter leaves."""
        filtered = self.filterset(asked, self.queryset)
        self.assertTrue(filtered.is_valid(), filtered.errors)
        cables = FindingPlace.objects.filter(finding__in=filtered.qs).exclude(cable_name="")
        return sorted(name[:6] for name in cables.values_list("cable_name", flat=True))

    def test_by_where_it_is(self) -> None:
        both = ["s-c001", "s-c002"]
        for asked, found in (
            ({"pod": ["s"]}, both),
            ({"switch": ["s-ocs-x-1-1"]}, both),
            ({"switch": ["s-ocs-x-1-2"]}, []),
            ({"rack": ["s-c001"]}, both[:1]),
            ({"rack": ["s-ocs-r01"]}, both),
            ({"device": ["s-c002-t01"]}, both[1:]),
            ({"cube": ["s-c002"]}, both[1:]),
            ({"cable": ["s-c001:2.1.1/X+"]}, both[:1]),
        ):
            with self.subTest(asked):
                self.assertEqual(self.found(**asked), found)

    def test_by_what_it_is_and_how_long_it_is_there(self) -> None:
        both = ["s-c001", "s-c002"]
        Finding.objects.filter(pk=self.first.pk).update(opened=timezone.now() - timedelta(days=3))
        yesterday = [(timezone.now() - timedelta(days=1)).isoformat()]
        for asked, found in (
            ({"code": ["missing"]}, both),
            ({"code": ["swapped"]}, []),
            ({"severity": ["error"], "state": ["open"]}, both),
            ({"is_there": False}, []),
            ({"opened__lte": yesterday}, both[:1]),
            ({"q": "c002:2.1.1"}, both[1:]),
        ):
            with self.subTest(asked):
                self.assertEqual(self.found(**asked), found)

    def test_by_the_slice_that_is_hit_and_by_silence(self) -> None:
        made = Slice.objects.create(
            pod=self.pod, name="train", shape="2x2x2", status=status_of(Slice)
        )
        self.first.slices.add(made)
        self.assertEqual(self.found(slice=["train"]), ["s-c001"])
        silence(self.pod, finding=self.first)
        self.assertEqual(self.found(silenced=True), ["s-c001"])
        self.assertEqual(self.found(silenced=False), ["s-c002"])


class PortsOfTwoDesigns:
    """A port of each face of a cube, and of a switch of each axis, in pods of two designs."""

    @classmethod
    def setUpTestData(cls) -> None:
        for name, design in (("v4a", "tpu-v4"), ("v4b", "tpu-v4-duplex")):
            pod = make_pod(name, design=design, slots=range(1, 4))
            layout = pod.to_core().layout
            a_face = layout.ports_per_cube // 6
            on_cubes = [face * a_face + layout.ports_per_cube * (face % 3) for face in range(6)]
            axes = [axis for axis, _ in layout.switches]
            first = [axes.index(axis) for axis in range(3)]
            of_switches = [layout.cube_ports + n * layout.ports_per_switch for n in first]
            ports = add_ports(pod, on_cubes + of_switches)
            Cable.objects.create(
                termination_a=ports[0].interface,
                termination_b=ports[-1].interface,
                status=status_of(Cable, "Connected"),
            )


class PortFilterTest(PortsOfTwoDesigns, FilterTestCases.FilterTestCase):
    queryset = Port.objects.all()
    filterset = PortFilterSet
    generic_filter_tests = (["number"], ["device", "interface__device__name"])

    def found(self, **asked: Any) -> list[str]:
        """What a filter leaves, by name."""
        return [str(port) for port in PortFilterSet(asked, self.queryset).qs]

    def test_a_face_is_the_same_in_every_design(self) -> None:
        self.assertEqual(
            self.found(face=["X-", "Z+"]),
            [
                "v4a-c002-t01 1.1.1/X-",
                "v4a-c002-t13 1.1.4/Z+",
                "v4b-c002-t01 1.1.1/X-/1",
                "v4b-c002-t13 1.1.4/Z+/1",
            ],
        )

    def test_an_axis_has_ports_of_cubes_and_of_switches(self) -> None:
        self.assertEqual(
            self.found(pod=["v4a"], axis=["x"]),
            ["v4a-c001-t02 4.1.1/X+", "v4a-c002-t01 1.1.1/X-", "v4a-ocs-x-1-1 1"],
        )

    def test_a_port_is_found_by_what_it_is_called(self) -> None:
        on_cube, on_switch = "v4a-c001-t02 4.1.1/X+", "v4a-ocs-x-1-1 1"
        for asked, found in (
            (on_cube, on_cube),
            ("v4a-c001:4.1.1/X+", on_cube),
            ("4.1.1/x+ C001 v4a", on_cube),
            (f" {on_switch} ", on_switch),
        ):
            with self.subTest(asked):
                self.assertEqual(self.found(q=asked), [found])
        self.assertEqual(self.found(q="v4a-c001-t02 and a name " + "with more words " * 9), [])

    def test_what_has_a_cable(self) -> None:
        self.assertEqual(
            self.found(pod=["v4a"], is_connected=True), ["v4a-c001-t02 4.1.1/X+", "v4a-ocs-z-1-1 1"]
        )


class SlicePartFilterTest(Pods, TestCase):
    queryset = SlicePart.objects.all()
    filterset = SlicePartFilterSet

    def test_by_slice_by_rack_and_by_slot(self) -> None:
        part = ["v4a cube 2 at place 0 of train-1"]
        for asked in (
            {"slice": ["train-1"]},
            {"rack": ["v4a-c002"]},
            {"slots": "2"},
            {"q": "c002"},
        ):
            with self.subTest(asked):
                self.assertEqual(self.found(**asked), part)
