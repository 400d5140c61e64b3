"""A switch that cannot tell who it is: nothing is sent to it but the circuit that confirms it."""

from unittest import mock

from django.db.models import Value
from django.db.models.functions import Replace
from nautobot.apps.testing import run_job_for_testing
from nautobot.dcim.models import Interface
from nautobot.extras.models import Job
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.core.identity import Told
from fabric_twin.models import AuditRun, Finding, Reservation, Switch
from fabric_twin.operations.audits import light_tests
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.confirm_by_circuit import confirm_by_circuit
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.audits.who_answers import told_by
from fabric_twin.operations.pods.sync import sync_pod
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.nautobot.bases.fabric import FabricTestCase

NAME, OTHER = "iw-ocs-x-3-2", "iw-ocs-x-3-3"


class ConfirmByCircuitTest(FabricTestCase):
    simulated_with = ("--identity", "none")

    def setUp(self) -> None:
        super().setUp()
        self.admin = User.objects.create_superuser("admin of circuits")
        self.switch = Switch.objects.get(device__name=NAME)

    def shown(self, name: str = NAME) -> frozenset[tuple[str, str]]:
        targets = shared_targets(self.said["gnmi"], [name])
        with open_fabric(targets, (), Access.from_environment()) as fabric:
            return fabric.read_switches().all()[name].configured

    def audit(self) -> dict[str, str]:
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        there = Finding.objects.filter(pod=self.pod).exclude(state="mended")
        return {one.places.get().device_name: one.code for one in there}

    def test_it_is_left_alone_until_two_cubes_hear_each_other_over_it(self) -> None:
        # Its load named it, and it does not say that it is called so.
        silent = sync_pod(self.pod).silent
        self.assertEqual(len(silent), 48)
        self.assertIn("nobody has confirmed who answers at its address", silent[NAME])
        self.assertEqual(told_by(self.switch), Told())
        said = confirm_by_circuit(self.switch, self.admin)
        self.assertRegex(
            said, r"^iw-c00\d-t\d\d \S+ hears iw-c00\d-t\d\d \S+ over its test circuit$"
        )
        self.switch.refresh_from_db()
        self.assertEqual(self.switch.confirmed_by, "test-circuit")
        self.assertEqual((self.shown(), Reservation.objects.count()), (frozenset(), 0))
        self.assertEqual(AuditRun.objects.count(), 0)
        self.assertNotIn(NAME, sync_pod(self.pod).silent)
        found = self.audit()
        self.assertEqual(set(found.values()), {"refused"})
        self.assertEqual((len(found), NAME in found), (47, False))

    def test_a_circuit_of_somebody_else_is_not_touched(self) -> None:
        all_of_it = {(f"{n}A", f"{n % 3 + 1}B") for n in (1, 2, 3)}
        self.set_circuits(all_of_it, NAME)
        with self.assertRaisesMessage(NotPossible, "it did not make the test circuit"):
            confirm_by_circuit(self.switch, self.admin)
        self.assertEqual((self.shown(), Reservation.objects.count()), (all_of_it, 0))

    def test_another_switch_at_its_address_is_not_confirmed(self) -> None:
        Switch.objects.filter(device__name=OTHER).update(address="")
        Switch.objects.filter(pk=self.switch.pk).update(target=OTHER)
        with self.assertRaisesMessage(NotPossible, "do not hear each other over its test circuit"):
            confirm_by_circuit(self.switch, self.admin)
        self.switch.refresh_from_db()
        self.assertEqual(self.switch.confirmed_by, "load")
        self.assertEqual((self.shown(OTHER), Reservation.objects.count()), (frozenset(), 0))

    def test_who_heard_each_other_before_proves_nothing(self) -> None:
        """The right switch carries an old circuit; the record leads to another switch."""
        self.set_circuits({("1A", "3B")}, NAME)
        Switch.objects.filter(device__name=OTHER).update(address="")
        Switch.objects.filter(pk=self.switch.pk).update(target=OTHER)
        self.switch.refresh_from_db()
        with self.assertRaisesMessage(NotPossible, "heard each other before, over another circuit"):
            confirm_by_circuit(self.switch, self.admin)
        self.assertEqual(self.shown(OTHER), frozenset())

    def test_only_cubes_that_answered_before_can_prove_it(self) -> None:
        """Of the others nobody knows whom they heard before."""
        self.break_it("silent", device="iw-c001")
        fault = self.break_it("silent", device="iw-c002")
        with self.assertRaisesMessage(NotPossible, "needs two idle cubes that answer"):
            confirm_by_circuit(self.switch, self.admin)
        self.switch.refresh_from_db()
        self.assertEqual((self.switch.confirmed_by, self.shown()), ("load", frozenset()))
        self.control("/mend", number=fault)
        self.assertNotIn("iw-c001", confirm_by_circuit(self.switch, self.admin))

    def test_cubes_call_their_ports_by_the_design_whatever_these_are_called_here(self) -> None:
        of_cubes = self.pod.ports.filter(cube__isnull=False).order_by().values("interface")
        other = Replace("name", Value("."), Value("_"))
        Interface.objects.filter(pk__in=of_cubes).update(name=other)
        self.assertRegex(
            confirm_by_circuit(self.switch, self.admin),
            r"^iw-c00\d-t\d\d [1-4]_[1-4]_[1-4]/\S+ hears \S+ \S+ over its test circuit$",
        )

    def test_a_run_that_is_left_shows_no_address(self) -> None:
        with (
            mock.patch.object(light_tests, "_part", side_effect=KeyboardInterrupt),
            self.assertRaises(KeyboardInterrupt),
        ):
            confirm_by_circuit(self.switch, self.admin)
        [places] = AuditRun.objects.values_list("places", flat=True)
        self.assertRegex(places, rf"^test circuit [0-9a-f]{{12}} on {NAME}$")

    def test_what_a_test_left_is_looked_for_where_it_was_made(self) -> None:
        with (
            mock.patch.object(light_tests, "_part", side_effect=KeyboardInterrupt),
            self.assertRaises(KeyboardInterrupt),
        ):
            confirm_by_circuit(self.switch, self.admin)
        left = self.shown()
        self.set_circuits(set(left), OTHER)
        Switch.objects.filter(device__name=OTHER).update(address="")
        Switch.objects.filter(pk=self.switch.pk).update(target=OTHER)
        self.audit()
        self.assertEqual((self.shown(OTHER), Reservation.objects.count()), (left, 2))
        Switch.objects.filter(pk=self.switch.pk).update(target=NAME)
        self.audit()
        self.assertEqual((self.shown(), Reservation.objects.count()), (frozenset(), 0))

    def test_a_killed_worker_leaves_no_circuit_behind(self) -> None:
        with (
            mock.patch.object(light_tests, "_part", side_effect=KeyboardInterrupt),
            self.assertRaises(KeyboardInterrupt),
        ):
            confirm_by_circuit(self.switch, self.admin)
        self.assertEqual((len(self.shown()), Reservation.objects.count()), (1, 2))
        self.audit()
        self.assertEqual((self.shown(), Reservation.objects.count()), (frozenset(), 0))

    def test_who_may_not_connect_it_is_refused_before_anything_is_asked(self) -> None:
        with self.assertRaises(NotPermitted):
            confirm_by_circuit(self.switch, User.objects.create_user("nobody"))
        self.assertFalse(hasattr(self.switch, "reading"))

    def test_the_job_says_what_was_heard(self) -> None:
        job = Job.objects.get(job_class_name="ConfirmSwitch")
        Job.objects.filter(pk=job.pk).update(enabled=True)
        result = run_job_for_testing(job, username=self.admin.username, switch=self.switch.pk)
        self.assertEqual(result.status, "SUCCESS", result.result)
        self.assertIn(f"{NAME} is confirmed: iw-c00", result.result)
