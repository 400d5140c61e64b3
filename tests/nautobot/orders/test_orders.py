"""Work orders on the records: made whole or not at all, done step by step, each report once."""

import io
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable
from nautobot.extras.models import Job, JobResult
from nautobot.users.models import ObjectPermission
from PIL import Image

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.planning.moving import Moved
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import MANUAL, Do
from fabric_twin.models import Cube, Finding, OrderStep, Pod, Reservation, StepPhoto, WorkOrder
from fabric_twin.operations.audits.audit import Scope, audit_pod
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.lifecycle import (
    assign_order,
    make_order,
    start_order,
    withdraw_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.photos import photos_of
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.operations.orders.request_tickets import ask_for_tickets, unmet
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.tickets.finding_holders import free_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.orders.order_case import OrderCase
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import make_location
from tests.nautobot.bases.processes.order_records import exchanged


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

    def test_cubes_of_a_withdrawn_order_are_what_they_were_where_no_hands_were(self) -> None:
        begun = {
            Kind.DECOMMISSION: (1, "Active", "Draining"),
            Kind.INSTALL: (3, "Planned", "Installing"),
        }
        for kind, (slot, before, meanwhile) in begun.items():
            for number in (0, 1):
                with self.subTest(kind, worked=number):
                    order = self.begin(self.make(kind, slots=(slot,)))
                    cube = Cube.objects.get(pod=self.pod, slot=slot)
                    self.assertEqual(cube.status.name, meanwhile)
                    if number:
                        first = order.steps.filter(do__in=MANUAL).order_by("number").first()
                        update_state(OrderStep.objects.filter(pk=first.pk), "done")
                    gone = withdraw_order(order, self.admin, "Not this year")
                    cube.refresh_from_db()
                    self.assertEqual(cube.status.name, meanwhile if number else before)
                    left = f"; cubes in slots {slot} are {meanwhile}: work was done there. "
                    words = f"{left}Set them as they stand" * number
                    self.assertEqual(gone.message, f"Not this year{words}")

    def test_a_wrong_scan_is_refused_with_what_is_meant_and_may_be_said_again(self) -> None:
        order = self.begin(self.make(slots=(3,)))
        scan = order.steps.filter(do=Do.SCAN).order_by("number").first()
        self.prepare(scan)
        [wrong] = self.report(order, scan.number, scanned="iw-c002:1.1.1/X-")
        self.assertFalse(wrong.taken)
        self.assertIn(f"this is iw-c002:1.1.1/X-; {scan.cable} is meant for", wrong.why)
        [right] = self.report(order, scan.number, scanned=scan.cable)
        self.assertTrue(right.taken, right.why)

    def test_hands_stay_off_a_switch_port_that_nobody_read(self) -> None:
        order = self.begin(self.make(slots=(3,)))
        step = order.steps.filter(facts__guarded=True, do=Do.PLUG).order_by("number").first()
        self.assertEqual(step.state, "locked")
        [said] = self.report(order, step.number)
        self.assertFalse(said.taken)

    def test_a_photo_is_made_small_and_tells_nothing_but_its_pixels(self) -> None:
        picture = io.BytesIO()
        exif = Image.Exif()
        exif[0x010E] = "aisle 7"
        Image.new("RGB", (4000, 100), "red").save(picture, "JPEG", exif=exif)
        order = self.begin(self.make(slots=(3,)))
        report = Report(id="one", step=1, told=Told.CANNOT, reason="the door is locked")
        [said] = take_reports(order, self.admin, [report], {"one": picture.getvalue()})
        self.assertTrue(said.taken)
        kept = Image.open(io.BytesIO(bytes(StepPhoto.objects.get().image)))
        self.assertEqual((kept.format, kept.size, dict(kept.getexif())), ("JPEG", (1600, 40), {}))
        with self.assertRaises(UnusableInput):
            photos_of({"one": b"<svg onload=alert(1)>"})


class PermissionsTest(OrderCase):
    def test_who_may_do_the_orders_of_one_pod_does_no_others(self) -> None:
        load_pod("jw", "ironwood", make_location("Hall 2"), slots=(1,))
        other = Pod.objects.get(name="jw")
        mine, theirs = (
            self.make(slots=(3,)),
            make_order(other, OrderWish(kind=Kind.INSTALL, slots=(2,)), self.admin),
        )
        technician = get_user_model().objects.create(username="technician")
        permission = ObjectPermission.objects.create(
            name="hands", actions=["view", "do"], constraints={"pod__name": "iw"}
        )
        permission.users.add(technician)
        permission.object_types.add(ContentType.objects.get_for_model(WorkOrder))
        assign_order(mine, technician, assignee=technician)
        self.assertEqual(start_order(mine, technician).state, "under way")
        with self.assertRaises(NotPermitted):
            assign_order(theirs, technician, assignee=technician)
        with self.assertRaises(NotPermitted):
            withdraw_order(mine, technician)
        with self.assertRaises(NotPermitted):
            make_order(self.pod, OrderWish(kind=Kind.INSTALL, slots=(4,)), technician)

    def test_who_may_not_do_an_order_is_not_given_it(self) -> None:
        order = self.make(slots=(3,))
        guest = get_user_model().objects.create(username="guest")
        with self.assertRaises(NotPossible) as refused:
            assign_order(order, self.admin, assignee=guest)
        self.assertEqual(
            str(refused.exception),
            f"assignee: guest may not do {order}. "
            "Name somebody else, or ask for the permission to do it.",
        )
        order.refresh_from_db()
        self.assertEqual((order.state, order.assignee), ("drafted", None))
        permission = ObjectPermission.objects.create(
            name="own", actions=["view", "do"], constraints={"assignee": "$user"}
        )
        permission.users.add(guest)
        permission.object_types.add(ContentType.objects.get_for_model(WorkOrder))
        guest = get_user_model().objects.get(pk=guest.pk)
        self.assertEqual(assign_order(order, self.admin, assignee=guest).assignee, guest)

    def test_a_second_order_for_a_slot_is_refused_with_the_name_of_the_first(self) -> None:
        self.make(slots=(3,))
        with self.assertRaises(NotPossible) as refused:
            self.make(slots=(3, 4))
        self.assertIn("reserved by work order iw-w1 (Install cube 3 of iw)", str(refused.exception))
        self.assertEqual(WorkOrder.objects.count(), 1)


class AwaitedTest(OrderCase):
    def test_cables_of_an_order_under_way_are_awaited_until_it_is_due(self) -> None:
        order = self.begin(self.make(slots=(3,)))
        self.assertEqual(audit_pod(PodRecord(self.pod)).found, ())
        WorkOrder.objects.filter(pk=order.pk).update(due=timezone.now() - timedelta(hours=1))
        codes = {one.finding.code for one in audit_pod(PodRecord(self.pod)).found}
        self.assertEqual(codes, {"missing"})


class NeedsTest(OrderCase):
    def test_a_step_waits_for_the_ticket_that_takes_the_circuit_off_its_port(self) -> None:
        made, _ = make_slice(self.pod, Wish(shape="4x4x4", name="train"), self.admin)
        slot = made.parts.get().cube.slot
        cable, switch = f"iw-c00{slot}:1.1.1/X-", "iw-ocs-x-1-1"
        order = self.begin(self.make(Kind.MOVE, moves=(Moved(cable, "b", (switch, "50B")),)))
        step = order.steps.filter(do=Do.UNPLUG).get()
        self.assertEqual(step.facts["need"], "drain")
        why = unmet(order, "drain")
        self.assertIn("a circuit of a slice is on iw-ocs-x-1-1", why)
        [ticket] = ask_for_tickets(order, self.admin)
        self.assertEqual(list(order.tickets.all()), [ticket])
        self.assertIn(f"until ticket {ticket} is done", unmet(order, "drain"))
        held = Reservation.objects.filter(ticket=ticket, switch__device__name=switch, port=slot)
        self.assertIn("B", held.values_list("side", flat=True))


class ClosingTest(TestCase):
    """Two cables of a tray stand in each other's port; nothing of the pod has an address."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("s", "small", hall(), slots=(1, 2), cut_sheet=exchanged("s"))
        cls.pod = Pod.objects.get(name="s")
        cls.admin = get_user_model().objects.create_superuser("admin of records")

    def test_an_audit_that_read_before_a_step_was_done_says_nothing_of_it(self) -> None:
        run_audit(self.pod)
        finding = Finding.objects.get(pod=self.pod)
        order = make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=(finding,)), self.admin)
        assign_order(order, self.admin, assignee=self.admin)
        start_order(order, self.admin)

        def before_hands_came(record: PodRecord, _: Scope) -> None:
            record.read()
            steps = order.steps.exclude(do=Do.CHECK).order_by("number")
            scans = {step.number: step.cable for step in steps if step.do == Do.SCAN}
            said = [
                Report(id=str(n), step=n, told=Told.DONE, at=float(n), scanned=scans.get(n, ""))
                for n in steps.values_list("number", flat=True)
            ]
            answers = take_reports(order, self.admin, said)
            self.assertEqual({answer.why for answer in answers}, {""})

        run = run_audit(self.pod, how=How(look=before_hands_came))
        order.refresh_from_db()
        states = set(order.steps.exclude(do=Do.CHECK).values_list("state", flat=True))
        self.assertEqual((run.found, order.state, states), (1, "under way", {"done"}))
        run_audit(self.pod)
        order.refresh_from_db()
        self.assertEqual(order.state, "done")

    def test_a_finding_is_mended_by_one_open_order_at_a_time(self) -> None:
        run_audit(self.pod)
        finding = Finding.objects.get(pod=self.pod)
        wish = OrderWish(kind=Kind.REPAIR, findings=(finding,))
        first = make_order(self.pod, wish, self.admin)
        with self.assertRaises(NotPossible) as refused:
            make_order(self.pod, wish, self.admin)
        self.assertEqual(
            str(refused.exception),
            f"findings: {finding} is being worked on by {first}. Leave it out, or let {first} "
            "end first: withdraw it, or undo it.",
        )
        self.assertQuerySetEqual(free_of(Finding.objects.all()), [])
        withdraw_order(first, self.admin, "another day")
        self.assertQuerySetEqual(free_of(Finding.objects.all()), [finding])
        self.assertEqual(make_order(self.pod, wish, self.admin).name, "s-w2")


class JobTest(OrderCase):
    def test_the_job_says_what_an_order_would_take_and_then_makes_it(self) -> None:
        job = Job.objects.get(job_class_name="MakeOrder")
        job.enabled = True
        job.validated_save()
        for dry in (True, False):
            result = JobResult.enqueue_job(
                job,
                self.admin,
                pod=self.pod.pk,
                kind="install",
                slots="3",
                crews=2,
                dryrun=dry,
                synchronous=True,
            )
            self.assertEqual(result.status, "SUCCESS", result.traceback)
            self.assertEqual(WorkOrder.objects.count(), 0 if dry else 1)
        self.assertTrue(result.result.startswith("Made iw-w1: Install cube 3 of iw. "))
