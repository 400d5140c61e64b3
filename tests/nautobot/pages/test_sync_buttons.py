"""A pod, a switch and a cube are read by a button on their pages, which say how old that is."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.extras.models import JobResult
from nautobot.users.models import ObjectPermission

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.models import Cube, OpticalCircuit, Reading, Switch
from fabric_twin.operations.pods.ask_sync import ask_for_sync
from fabric_twin.repositories.circuits import note_seen
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.run_jobs import at_once, said

X32 = "iw-ocs-x-3-2"


def text_of(page: str) -> str:
    """What a page says, in one line."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


class SyncButtonsTest(FabricTestCase):
    def setUp(self) -> None:
        super().setUp()
        at_once(self)
        self.admin = get_user_model().objects.create_superuser("operator")
        self.client.force_login(self.admin)
        self.switch = Switch.objects.get(device__name=X32)

    def page(self, record: Any) -> str:
        response = self.client.get(record.get_absolute_url())
        self.assertEqual(response.status_code, 200)
        return str(response.content.decode())

    def press(self, record: Any, act: str) -> JobResult:
        """Press a button of its page: the page of the job follows."""
        url = reverse(f"plugins:fabric_twin:{record._meta.model_name}_{act}", args=[record.pk])
        self.assertIn(f'action="{url}"', self.page(record))
        answer = self.client.post(url)
        job = JobResult.objects.order_by("date_created").last()
        assert job is not None
        self.assertRedirects(answer, job.get_absolute_url(), fetch_redirect_response=False)
        return job

    def test_all_of_a_pod_is_read_and_its_page_says_how_old_that_is(self) -> None:
        self.assertIn("Last read Never", text_of(self.page(self.pod)))
        job = self.press(self.pod, "sync")
        self.assertIn("51 of 51 devices answered", said(job))
        self.assertRegex(
            text_of(self.page(self.pod)),
            r"Last read \d{4}-\d\d-\d\d \d\d:\d\d UTC, \d+ s ago: the oldest answer of 51 devices ",
        )

    def test_one_device_is_read_alone(self) -> None:
        cube = Cube.objects.get(slot=1)
        for record in (self.switch, cube):
            self.assertIn("Last read Never", text_of(self.page(record)))
            self.assertIn("1 of 1 device answered", said(self.press(record, "sync")))
            self.assertRegex(text_of(self.page(record)), r"Last read \S+ \S+ UTC, \d+ s ago ")
        self.assertEqual(Reading.objects.count(), 2)
        self.assertRegex(
            text_of(self.page(self.pod)),
            r"s ago: the oldest answer of 2 devices; 49 never answered ",
        )

    def test_to_compare_says_what_differs_and_keeps_nothing(self) -> None:
        note_seen({self.switch.pk: {(1, 2)}}, timezone.now())
        self.assertIn("circuits", said(self.press(self.switch, "compare")))
        self.assertEqual(OpticalCircuit.objects.filter(seen=True).count(), 1)
        self.assertEqual(Reading.objects.count(), 0)

    def test_who_may_not_run_the_job_sees_no_button_and_is_refused(self) -> None:
        somebody = get_user_model().objects.create_user("somebody")
        may = ObjectPermission.objects.create(name="looks", actions=["view"])
        may.object_types.add(ContentType.objects.get_for_model(Switch))
        may.users.add(somebody)
        self.client.force_login(somebody)
        self.assertNotIn("/sync/", self.page(self.switch))
        url = reverse("plugins:fabric_twin:switch_sync", args=[self.switch.pk])
        told = self.client.post(url, follow=True).content.decode()
        self.assertIn("you may not run the job Sync pod", told)
        self.assertFalse(JobResult.objects.exists())
        with self.assertRaises(NotPermitted):
            ask_for_sync(self.switch, somebody)


class AskedTwiceTest(TestCase):
    def test_what_waits_already_is_not_asked_for_again(self) -> None:
        pod, admin = small_pod(), get_user_model().objects.create_superuser("operator")
        switch = pod.switches.first()
        pod.switches.filter(pk=switch.pk).update(address="127.0.0.1:1")
        switch.refresh_from_db()
        waiting = [ask_for_sync(record, admin).pk for record in (pod, switch)]
        again = [ask_for_sync(record, admin).pk for record in (pod, switch)]
        self.assertEqual((len(set(waiting)), waiting), (2, again))
        self.assertNotIn(ask_for_sync(switch, admin, write=False).pk, waiting)


class NoAddressTest(TestCase):
    def test_what_has_no_address_has_no_button_and_is_refused_with_the_remedy(self) -> None:
        pod = small_pod()
        admin = get_user_model().objects.create_superuser("operator")
        self.client.force_login(admin)
        switch = pod.switches.first()
        for record, what in (
            (pod, "no device of it has an address"),
            (switch, "it has no address"),
        ):
            page = self.client.get(record.get_absolute_url()).content.decode()
            self.assertNotIn("/sync/", page)
            with self.assertRaisesMessage(NotPossible, what):
                ask_for_sync(record, admin)
