"""Work orders on the records: made whole or not at all, done step by step, each report once."""

from typing import Any

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable
from small_pod import make_location

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import Cube, OrderStep, Pod, Reservation, WorkOrder
from fabric_twin.repositories.loading import load_pod
from fabric_twin.repositories.order_reports import take_reports
from fabric_twin.repositories.order_wishes import OrderWish
from fabric_twin.repositories.orders import assign_order, make_order, start_order, withdraw_order


class OrderCase(TestCase):
    """A pod `iw` of two cubes, and somebody who may do everything."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("iw", "ironwood", make_location("Hall"), slots=(1, 2))
        cls.pod = Pod.objects.get(name="iw")
        cls.admin = get_user_model().objects.create_superuser("admin of orders")

    def make(self, kind: Kind = Kind.INSTALL, **wish: Any) -> WorkOrder:
        return make_order(self.pod, OrderWish(kind=kind, **wish), self.admin)

    def begin(self, order: WorkOrder) -> WorkOrder:
        assign_order(order, self.admin, assignee=self.admin)
        return start_order(order, self.admin)

    def report(self, order: WorkOrder, *steps: int, told: Told = Told.DONE, **more: Any) -> Any:
        reports = [
            Report(id=f"{order}-{step}-{told}", step=step, told=told, at=float(step), **more)
            for step in steps
        ]
        return take_reports(order, self.admin, reports)


class MakingTest(OrderCase):
    def test_an_install_order_brings_a_cube_with_its_ports_and_no_cables(self) -> None:
        order = self.make(slots=(3,))
        self.assertEqual(str(order), "iw-w1")
        self.assertEqual(order.title, "Install cube 3 of iw")
        self.assertEqual(order.steps.filter(do=Do.PLUG).count(), 2 * 96)
        self.assertFalse(order.steps.filter(device=None).exclude(do__in=[Do.GO, Do.CHECK]))
        cube = Cube.objects.get(pod=self.pod, slot=3)
        self.assertEqual(cube.status.name, "Planned")
        self.assertEqual(cube.ports.filter(interface__cable_termination__isnull=False).count(), 0)
        held = Reservation.objects.filter(order=order)
        self.assertEqual(held.filter(cube=cube).count(), 1)
        self.assertEqual(held.filter(cube=None).count(), 96)
        self.begin(order)
        cube.refresh_from_db()
        self.assertEqual(cube.status.name, "Installing")


class ReportingTest(OrderCase):
    def test_a_cable_is_recorded_from_its_first_plug_and_connected_from_its_second(self) -> None:
        order = self.begin(self.make(slots=(3,)))
        steps = order.steps.filter(do=Do.PLUG, cable="iw-c003:1.1.1/X-").order_by("number")
        near, far = steps
        self.prepare(near)
        [said] = self.report(order, near.number)
        self.assertEqual(said.why, "")
        cable = Cable.objects.get(label="iw-c003:1.1.1/X-")
        self.assertEqual(cable.status.name, "Planned")
        self.assertEqual(cable.terminations.count(), 1)
        self.prepare(far)
        [said] = self.report(order, far.number)
        self.assertEqual(said.why, "")
        cable.refresh_from_db()
        self.assertEqual(cable.status.name, "Connected")
        ends = {str(end.interface) for end in cable.terminations.all()}
        self.assertEqual(ends, {"1.1.1/X-", far.facts["port"]})
        near_port = near.port.interface
        self.assertEqual(near_port.path.destination, far.port.interface)
        [said] = self.report(order, far.number, told=Told.UNDONE)
        cable.refresh_from_db()
        self.assertEqual((cable.status.name, cable.terminations.count()), ("Planned", 1))

    def prepare(self, step: OrderStep) -> None:
        """As if all before were done, and a switch had shown its port dark."""
        before = OrderStep.objects.filter(order=step.order, number__lt=step.number)
        before.update(state="done")
        OrderStep.objects.filter(pk=step.pk).update(state="waiting")

    def test_a_report_that_comes_twice_is_taken_once(self) -> None:
        order = self.begin(self.make(slots=(3,)))
        first = self.report(order, 1)
        again = self.report(order, 1)
        self.assertEqual(
            [(a.taken, a.again) for a in (*first, *again)], [(True, False), (True, True)]
        )
        self.assertEqual(order.reports.count(), 1)
        self.assertEqual(self.report(order, 1, reason="else")[0].taken, False)

    def test_a_withdrawn_order_holds_nothing(self) -> None:
        order = self.make(slots=(3,))
        withdraw_order(order, self.admin, "the cube is not delivered")
        self.assertFalse(Reservation.objects.filter(order=order).exists())
        said = list(order.events.values_list("number", "what", "said"))
        self.assertEqual(
            said,
            [(1, "make", "Install cube 3 of iw"), (2, "withdraw", "the cube is not delivered")],
        )
