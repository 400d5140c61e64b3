"""How a slot is used: the same on every page, list and metric, and as the allocator has it."""

import re
from collections import Counter
from typing import Any

from django.test import Client
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Interface

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.metrics import metrics
from fabric_twin.models import Cube, OpticalCircuit, Pod, Port, Reservation, Slice
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.drawings import drawing_of, words
from tests.nautobot.bases.pods.small_pod import add_ports, make_pod, status_of
from tests.nautobot.bases.tickets.small_tickets import write_ticket
from tests.nautobot.bases.users import admin, allow

USES = {
    1: "in a slice",
    2: "free",
    3: "out",
    4: "draining",
    5: "installing",
    6: "planned",
    7: "held",
    8: "held",  # by a port that its cables are on
    9: "held",  # by a circuit that is of no slice
    10: "parts only",
    11: "in a slice",  # some of its chips are
    12: "out",  # with the slice that stands on it
}
#: Lists ask for their rows apart.
HTMX = {"HX-Request": "true"}
STATUSES = {3: "Out", 4: "Draining", 5: "Installing", 6: "Planned", 12: "Out"}


class SlotUseTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=range(1, 13))
        cls.admin = admin()
        for slot, shape in ((1, "4x4x4"), (11, "2x2x1"), (12, "4x4x4")):
            make_slice(cls.pod, Wish(shape=shape, slots=(slot,)), cls.admin)
        for slot, status in STATUSES.items():
            cls.pod.cubes.filter(slot=slot).update(status=status_of(Cube, status))
        cls.ticket = write_ticket(cls.pod, cls.admin)
        switch = cls.pod.switches.first()
        Reservation.objects.create(ticket=cls.ticket, cube=cls.pod.cubes.get(slot=7))
        Reservation.objects.create(ticket=cls.ticket, switch=switch, side="B", port=8)
        OpticalCircuit.objects.create(switch=switch, a=9, b=9, wanted=True)
        (bad,) = add_ports(cls.pod, [9 * cls.pod.to_core().layout.ports_per_cube])
        Interface.objects.filter(fabric_port=bad).update(status=status_of(Interface, "Failed"))

    def setUp(self) -> None:
        super().setUp()
        self.client = Client()
        self.client.force_login(self.admin)

    def page(self, url: str, **headers: str) -> str:
        answer = self.client.get(url, headers=headers)
        self.assertHttpStatus(answer, 200)
        return str(answer.content.decode())

    def counted(self) -> dict[str, int]:
        """By hand: what the slots of the design are."""
        return dict(Counter(USES.values())) | {"no cube": 64 - len(USES)}

    def takes(self, slot: int) -> bool:
        """Whether the allocator would put a slice of a whole cube there."""
        try:
            make_slice(self.pod, Wish(shape="4x4x4", slots=(slot,)), self.admin, keep=False)
        except FabricTwinError:
            return False
        return True

    def test_a_cube_is_free_exactly_if_the_allocator_would_use_it(self) -> None:
        free = {slot for slot, use in USES.items() if use == "free"}
        self.assertEqual({slot for slot in USES if self.takes(slot)}, free)

    def test_no_cube_of_a_pod_at_rest_is_free(self) -> None:
        Pod.objects.update(status=status_of(Pod, "Planned"))
        self.pod.refresh_from_db()
        self.assertFalse(self.takes(2))
        page = self.page(self.pod.cubes.get(slot=2).get_absolute_url())
        self.assertIn("the pod is planned and takes no slices", page)
        self.assertNotIn(">free<", page)

    def test_the_grid_tells_each_slot_and_why(self) -> None:
        drawing = drawing_of(self.page(self.pod.get_absolute_url()))
        told = [title.text for title in drawing.iter() if title.tag.endswith("title")]
        self.assertEqual(
            told[:12],
            [
                "slot 1, v4-c001, active, 4x4x4-1",
                "slot 2, v4-c002, active, free",
                "slot 3, v4-c003, out",
                "slot 4, v4-c004, draining",
                "slot 5, v4-c005, installing",
                "slot 6, v4-c006, planned",
                "slot 7, v4-c007, active, held, held by v4-t1",
                "slot 8, v4-c008, active, held, held by v4-t1",
                "slot 9, v4-c009, active, held, joined by a circuit of no slice",
                "slot 10, v4-c010, active, parts only, "
                "1 port of it or of its switches out of service",
                "slot 11, v4-c011, active, 2x2x1-1",
                "slot 12, v4-c012, out, 4x4x4-2",
            ],
        )
        legend = [f"{use} {many}" for use, many in self.counted().items()]
        self.assertEqual([word for word in words(drawing) if word in legend], sorted_as(legend))

    def test_lists_pages_programs_and_metrics_tell_the_same(self) -> None:
        rows = self.page(f"{reverse('plugins:fabric_twin:cube_list')}?pod=v4&per_page=50", **HTMX)
        for slot, use in USES.items():
            with self.subTest(slot=slot):
                cube = self.pod.cubes.get(slot=slot)
                self.assertRegex(self.page(cube.get_absolute_url()), fact("Use", use))
                self.assertRegex(self.page(cube.rack.get_absolute_url()), fact("Use", use))
                self.assertRegex(rows, rf"{cube.rack.name}</a></td>\s*<td[^>]*>{use}</td>")
        url = reverse("plugins-api:fabric_twin-api:pod-utilisation", args=[self.pod.pk])
        answer = self.client.get(url).json()
        self.assertEqual((answer["uses"], answer["free_cubes"]), (self.counted(), 1))
        self.assertEqual(slots_of_metrics(), self.counted())
        said = ", ".join(f"{self.counted()[use]} {use}" for use in sorted_uses(self.counted()))
        self.assertIn(said, self.page(reverse("home")))

    def test_who_may_not_see_the_ticket_learns_that_somebody_holds_it(self) -> None:
        allow(self.user, ["view"], Pod, Cube, Port, Slice)
        self.client.force_login(self.user)
        page = self.page(self.pod.get_absolute_url())
        self.assertIn("held by somebody", page)
        self.assertNotIn(self.ticket.name, page)


def fact(name: str, value: str) -> str:
    """A row of a panel."""
    return rf"<td>{name}</td><td>(<span[^>]*>)*{value}<"


def slots_of_metrics() -> dict[str, int]:
    families = [family for metric in metrics for family in metric()]
    (slots,) = [family for family in families if family.name == "fabric_twin_slots"]
    return {sample.labels["use"]: int(sample.value) for sample in slots.samples}


def sorted_uses(counts: Any) -> list[str]:
    """What works first, what is missing last; home has no word for slots without a cube."""
    order = ["in a slice", "free", "held", "parts only", "draining", "installing", "planned", "out"]
    return [use for use in order if use in counts]


def sorted_as(legend: list[str]) -> list[str]:
    order = [*sorted_uses({re.sub(r" \d+$", "", entry) for entry in legend}), "no cube"]
    return sorted(legend, key=lambda entry: order.index(re.sub(r" \d+$", "", entry)))
