"""Slices that do without a switch: made so, told everywhere, and right whatever the records do."""

import json
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import APITestCase, TestCase
from nautobot.dcim.models import Device
from nautobot.users.models import ObjectPermission

from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.models import (
    Cube,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Pod,
    Slice,
    Switch,
)
from fabric_twin.operations.slices.as_json import slice_json
from fabric_twin.operations.slices.bearing import Left, bearing_of, left_of
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.presenters.detours import detours_of
from fabric_twin.presenters.light_paths import light_path_json
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.services.slices.allocate import allocate_slice
from tests.nautobot.bases.pods.small_pod import add_ports, cable_together, make_pod, status_of
from tests.nautobot.bases.users import admin

WHOLE = Left({"x": 1, "y": 1, "z": 1}, 1)
BORNE = Left({"x": 0.9375, "y": 1, "z": 1}, 0.5)
OUT = "v4-ocs-x-1-1"


class BearingCase(TestCase):
    """A pod of eight cubes; one of its switches is out."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=range(1, 9))
        cls.admin = admin()
        Switch.objects.filter(device__name=OUT).update(status=status_of(Switch, "Out"))

    def dead(self) -> Finding:
        """What an audit finds of the switch when it is dead."""
        finding = Finding.objects.create(
            pod=self.pod,
            code="switch-down",
            severity="error",
            key="a1b2",
            cause="It does not answer",
            evidence_now={"neighbours_agree": True},
            **dict.fromkeys(("first_seen", "opened", "last_seen"), timezone.now()),
        )
        device = Device.objects.get(name=OUT)
        FindingPlace.objects.create(finding=finding, number=0, device=device, device_name=OUT)
        return finding

    def make(self, shape: str = "4x4x8", **wish: Any) -> Slice:
        return make_slice(self.pod, Wish(shape=shape, **wish), self.admin)[0]


class MakingTest(BearingCase):
    def test_a_shortage_says_what_bearing_would_give(self) -> None:
        with self.assertRaises(NotPossible) as refused:
            self.make()
        self.assertEqual(
            str(refused.exception),
            "slice: 4x4x8 takes 2 cubes, and 0 of 8 cubes are free (8 with an unhealthy port); "
            "if it bears 1 switch: 8. The largest shape under a cube that fits now: 2x4x4.",
        )

    def test_it_is_what_the_command_line_makes_of_files(self) -> None:
        made = self.make(name="a", bear=1)
        design = find_design("tpu-v4")
        by_files = allocate_slice(
            design,
            "v4",
            parse_shape("4x4x8", design),
            name="a",
            slots=range(1, 9),
            in_use=(json.dumps({"unhealthy": {"switches": [OUT]}}).encode(), "in use"),
            bear=1,
        )

        def in_order(facts: dict[str, Any]) -> dict[str, Any]:
            return facts | {"circuits": sorted(facts["circuits"], key=str)}

        told = in_order(slice_json(made, self.admin))
        self.assertEqual(told, in_order(by_files.as_json()))
        self.assertEqual((len(told["circuits"]), len(told["without"])), (188, 4))
        self.assertEqual({one["why"] for one in told["without"]}, {f"{OUT} is unhealthy"})

    def test_a_fault_of_the_switch_is_named_to_who_may_see_it(self) -> None:
        made = self.make(bear=1)
        self.dead()
        told = slice_json(made, self.admin)["without"][0]["why"]
        self.assertEqual(told, f"{OUT} is unhealthy: finding a1b2, switch-down")

    def test_whole_cubes_come_first_and_then_it_bears_nothing(self) -> None:
        Switch.objects.filter(device__name=OUT).update(status=status_of(Switch))
        made = self.make(bear=1)
        self.assertEqual(left_of([made]), {made.pk: WHOLE})

    def test_what_nobody_can_bear_is_refused(self) -> None:
        for bear, words in ((-1, "a slice cannot bear -1 switches"), (1001, "bear 1001 switches")):
            with self.assertRaisesMessage(UnusableInput, words):
                self.make(bear=bear)

    def test_a_ticket_makes_it_as_well(self) -> None:
        wish = {"shape": "4x4x8", "name": "a", "bear": 1}
        ticket = wish_ticket(self.pod, "slice", wish, self.admin)
        self.assertEqual(ticket.wish, {**wish, "twisted": False})
        stages = [row for stage in ticket.plan["stages"] for row in stage["add"]]
        self.assertEqual(len(stages), 188)
        self.assertNotIn(OUT, json.dumps(stages))
        made = Slice.objects.get(name="a")
        self.assertEqual(made.status.name, "Planned")
        self.assertIsNone(bearing_of(made), "its circuits are still to come")


class RecordsTest(BearingCase):
    def test_it_follows_the_circuits_whatever_takes_or_brings_them(self) -> None:
        made = self.make(bear=1)
        self.assertEqual(left_of([made]), {made.pk: BORNE})
        gone = OpticalCircuit.objects.filter(slice=made, switch__device__name="v4-ocs-x-1-2")
        kept = list(gone.values("switch_id", "a", "b"))
        remove(gone.order_by())
        self.assertEqual(left_of([made])[made.pk].capacity, {"x": 0.875, "y": 1, "z": 1})
        for row in kept:
            OpticalCircuit.objects.create(**row, slice=made, wanted=True)
        self.assertEqual(left_of([made]), {made.pk: BORNE})

    def test_without_any_circuit_nothing_is_left(self) -> None:
        made = self.make(bear=1)
        remove(OpticalCircuit.objects.filter(slice=made).order_by())
        self.assertEqual(left_of([made]), {made.pk: Left({"x": 0, "y": 0, "z": 0}, 0)})
        self.assertEqual(str(left_of([made])[made.pk]), "X 0, Y 0, Z 0")

    def test_there_is_nothing_to_say_under_a_cube_nor_while_a_ticket_has_it(self) -> None:
        part, made = self.make("2x2x2"), self.make(bear=1)
        self.assertEqual(left_of([part, made]), {made.pk: BORNE})
        for status in ("Planned", "Releasing"):
            Slice.objects.filter(pk=made.pk).update(status=status_of(Slice, status))
            self.assertEqual(left_of([part, made]), {})

    def test_many_take_as_many_queries_as_two(self) -> None:
        first = [self.make("4x4x4", bear=1) for _ in range(2)]
        with self.assertNumQueries(10):
            left_of(first)
        more = [self.make("4x4x4", bear=1) for _ in range(5)]
        with self.assertNumQueries(10):
            left_of([*first, *more])

    def test_whole_ones_take_two_queries(self) -> None:
        Switch.objects.filter(device__name=OUT).update(status=status_of(Switch))
        made = [self.make("4x4x4") for _ in range(3)]
        with self.assertNumQueries(2):
            self.assertEqual(left_of(made), {one.pk: WHOLE for one in made})

    def test_what_a_dead_switch_took_is_lost_on_every_page(self) -> None:
        Switch.objects.filter(device__name=OUT).update(status=status_of(Switch))
        made = [self.make(name="a"), self.make("4x4x4", name="b"), self.make("2x2x2")]
        before = slice_json(made[0], self.admin)
        self.assertEqual(detours_of(self.pod, self.admin), {})
        finding = self.dead()
        with self.assertNumQueries(9):
            self.assertEqual(left_of(made), {one.pk: BORNE for one in made[:2]})
        told = slice_json(made[0], self.admin)
        self.assertEqual((told["capacity"], told["slowest_link"]), (BORNE.capacity, 0.5))
        why = f"{OUT} is unhealthy: finding a1b2, switch-down"
        self.assertEqual({(one["switch"], one["why"]) for one in told["without"]}, {(OUT, why)})
        self.assertEqual(
            told["circuits"], [one for one in before["circuits"] if one["switch"] != OUT]
        )
        self.assertEqual(len(detours_of(self.pod, self.admin)), 6)
        # One that answers, and of which light shows nothing, takes nothing for certain.
        finding.evidence_now = {"neighbours_agree": False}
        finding.save()
        self.assertEqual(left_of(made), {one.pk: WHOLE for one in made[:2]})
        self.assertEqual(slice_json(made[0], self.admin), before)

    def test_it_is_released_like_any_other(self) -> None:
        release_slice(self.make(bear=1), self.admin)
        self.assertEqual(OpticalCircuit.objects.count(), 0)


class PagesTest(BearingCase):
    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.made = make_slice(cls.pod, Wish(shape="4x4x8", name="a", bear=1), cls.admin)[0]

    def allow(self, *models: type) -> None:
        permission = ObjectPermission.objects.create(name="to view", actions=["view"])
        permission.users.add(self.user)
        permission.object_types.set(ContentType.objects.get_for_models(*models).values())

    def text(self, path: str, **headers: str) -> str:
        return self.client.get(path, headers=headers).content.decode()

    def test_its_page_says_what_is_left_what_is_missing_and_how_it_goes_instead(self) -> None:
        client = Client()
        client.force_login(self.admin)
        page = client.get(self.made.get_absolute_url()).content.decode()
        for words in (
            "X 0.9375, Y 1, Z 1",
            "1/2: a circuit carries 1 detour besides",
            "4 circuits",
            "Circuits that are not made",
            "v4-ocs-x-1-1</a> is unhealthy",
            "1:4.1.1 to 1:4.2.1",
            'aria-label="Detours of a"',
        ):
            self.assertIn(words, page)

    def test_who_may_not_see_all_switches_reads_no_name_of_them(self) -> None:
        self.allow(Slice, Pod, Cube, OpticalCircuit)
        page = self.text(self.made.get_absolute_url())
        self.assertIn("X 0.9375, Y 1, Z 1", page)
        self.assertIn("you may not see all switches of the pod", page)
        self.assertNotIn("ocs-x", page)
        with self.assertRaisesMessage(NotPermitted, "all switches"):
            slice_json(self.made, self.user)

    def test_the_light_path_of_its_port_is_the_detour(self) -> None:
        detours = detours_of(self.pod, self.admin)
        first = min(detours)
        detour = detours[first]
        ports = [first, detour.by, detours[detour.end].by, detour.end]
        mate = self.pod.to_core().layout.mate
        rows = add_ports(self.pod, (end for port in ports for end in (port, int(mate[port]))))
        cable_together([row.interface for row in rows])
        told = light_path_json(rows[0], self.admin)
        self.assertEqual(
            [(one["what"], one["name"], one["more"]) for one in told["stations"]],
            [
                ("port", "v4-c001-t02 4.1.1/X+", ""),
                ("copper", "4.1.1 to 4.2.1", "detour"),
                ("port", "v4-c001-t02 4.2.1/X+", ""),
                ("cable", "v4-c001:4.2.1/X+", ""),
                ("switch port", "v4-ocs-x-2-1 1", ""),
                ("circuit", "1 to 65", "a"),
                ("switch port", "v4-ocs-x-2-1 65", ""),
                ("cable", "v4-c001:1.2.1/X-", ""),
                ("port", "v4-c001-t01 1.2.1/X-", ""),
                ("copper", "1.2.1 to 1.1.1", "detour"),
                ("port", "v4-c001-t01 1.1.1/X-", ""),
            ],
        )
        self.assertEqual((told["slice"], told["arrives"]), ("a", True))

    def test_a_whole_slice_has_no_detours(self) -> None:
        Switch.objects.filter(device__name=OUT).update(status=status_of(Switch))
        made = self.make("4x4x4", name="b")
        self.allow(Slice, Pod, Cube, OpticalCircuit)
        page = self.text(made.get_absolute_url())
        self.assertIn("X 1, Y 1, Z 1", page)
        self.assertNotIn("Detours", page)
        self.assertNotIn("Slowest link", page)

    def test_the_list_says_what_lost_something(self) -> None:
        self.make("2x2x2", name="part")
        self.allow(Slice, Pod)
        rows = self.text(reverse("plugins:fabric_twin:slice_list"), **{"HX-Request": "true"})
        self.assertIn("X 0.9375", rows)
        self.assertIn("—", rows)

    def test_the_form_asks_for_it(self) -> None:
        client = Client()
        client.force_login(self.admin)
        wish = {"pod": self.pod.pk, "shape": "4x4x8", "name": "b", "bear": "1"}
        client.post(reverse("plugins:fabric_twin:slice_add"), wish)
        self.assertEqual(left_of([Slice.objects.get(name="b")]).popitem()[1], BORNE)


class ApiTest(APITestCase, BearingCase):
    def test_rest_and_graphql_tell_what_is_left(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        slices = reverse("plugins-api:fabric_twin-api:slice-list")
        wish = {"pod": self.pod.pk, "shape": "4x4x8", "name": "a", "bear": 1}
        made = self.client.post(slices, wish, format="json", **self.header).json()
        told = {"capacity": {"x": 0.9375, "y": 1.0, "z": 1.0}, "slowest_link": 0.5}
        self.assertEqual({name: made[name] for name in told}, told)
        part = {"pod": self.pod.pk, "shape": "2x2x2", "name": "part"}
        self.client.post(slices, part, format="json", **self.header)
        rows = self.client.get(slices, **self.header).json()["results"]
        self.assertEqual(
            [(row["name"], row["capacity"], row["slowest_link"]) for row in rows],
            [("a", told["capacity"], 0.5), ("part", None, None)],
        )
        query = {"query": "{ slices { name pod { name } capacity slowest_link } }"}
        asked = self.client.post(reverse("graphql-api"), query, format="json", **self.header)
        self.assertEqual(
            asked.json(),
            {
                "data": {
                    "slices": [
                        {"name": "a", "pod": {"name": "v4"}, **told},
                        {
                            "name": "part",
                            "pod": {"name": "v4"},
                            "capacity": None,
                            "slowest_link": None,
                        },
                    ]
                }
            },
        )
        circuits = self.client.get(f"{slices}{made['id']}/circuits/", **self.header).json()
        self.assertEqual(circuits["capacity"], told["capacity"])
        self.assertEqual(
            circuits["detours"][0],
            {
                "axis": "x",
                "lost": {"switch": OUT, "a": "1A", "b": "65B"},
                "via": {"switch": "v4-ocs-x-2-1", "a": "1A", "b": "65B"},
                "way": [[1, 4, 1, 1], [1, 4, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1]],
            },
        )
