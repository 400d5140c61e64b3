"""The doctor names what does not work, and says what to do about it."""

import json
import os
from datetime import timedelta
from functools import partial
from io import StringIO
from tempfile import NamedTemporaryFile
from threading import Event
from types import SimpleNamespace
from unittest import mock

from django.core.management import call_command
from django.db.migrations.executor import MigrationExecutor
from django.test import override_settings
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Device
from nautobot.extras.models import Job, JobQueue, ScheduledJob

from fabric_twin.models import Pod, Switch
from fabric_twin.operations.calls.heartbeat import say_alive
from fabric_twin.operations.doctor import running
from fabric_twin.operations.doctor.checked import How
from fabric_twin.operations.doctor.examine import examine
from fabric_twin.operations.doctor.in_time import in_time
from fabric_twin.operations.pods.audit_schedule import schedule_audits
from tests.nautobot.bases.pods.small_pod import make_pod
from tests.nautobot.bases.secrets_group import make_group
from tests.nautobot.bases.users import admin

NETWORKS = {"fabric_twin": {"networks": ["127.0.0.0/8"], "limits": {}}}


class Workers:
    """What Celery's workers say that they listen to."""

    def __init__(self, *queues: str) -> None:
        self.queues = queues

    def active_queues(self) -> dict[str, list[dict[str, str]]]:
        return {"worker@here": [{"name": name} for name in self.queues]}


def found(*queues: str) -> dict[str, tuple[str, str]]:
    """What is not good: what was found, and the remedy."""
    with mock.patch.object(running.app.control, "inspect", return_value=Workers(*queues)):
        told = list(examine())
    return {one.what: (one.found, one.remedy) for one in told if one.how is not How.GOOD}


@override_settings(
    PLUGINS_CONFIG=NETWORKS,
    ALLOWED_HOSTS=["nautobot.example.com"],
    SESSION_COOKIE_SECURE=True,
    CSRF_COOKIE_SECURE=True,
    DEBUG=False,
)
class DoctorTest(TestCase):
    """A pod whose switches have addresses; its workers and its watch run."""

    pod: Pod

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=[])
        for number, switch in enumerate(cls.pod.switches.all()):
            Switch.objects.filter(pk=switch.pk).update(address=f"127.0.0.1:{5000 + number}")

    def setUp(self) -> None:
        super().setUp()
        say_alive()

    def assertFound(self, *queues: str, **expected: tuple[str, str]) -> None:
        told = found(*(queues or ("default",)))
        for name in ("approvers", "scheduler", "static files", "FABRIC_TWIN_GNMI_*"):
            told.pop(name, None)
        self.assertEqual(told, expected)

    def test_where_all_is_well_it_says_so(self) -> None:
        self.assertFound()

    def test_networks_that_are_not_named(self) -> None:
        with override_settings(PLUGINS_CONFIG={"fabric_twin": {"networks": [], "limits": {}}}):
            told = found("default")
        self.assertEqual(
            told["networks"],
            (
                "none is named, so no device is contacted",
                "Name those of switches, cubes and blocks in "
                'PLUGINS_CONFIG["fabric_twin"]["networks"]',
            ),
        )
        self.assertIn(
            "lies in no network that may be contacted (none is named yet)", told["pod v4"][0]
        )

    def test_an_address_elsewhere_and_a_name_that_nobody_knows(self) -> None:
        first, second = self.pod.switches.order_by("number")[:2]
        Switch.objects.filter(pk=first.pk).update(address="192.0.2.7:443")
        Switch.objects.filter(pk=second.pk).update(address="nobody.invalid:443")
        told = [one for one in examine() if one.what == "pod v4"]
        self.assertEqual({one.how for one in told}, {How.BAD})
        self.assertEqual(
            sorted(one.found for one in told),
            [
                "its address 192.0.2.7 (192.0.2.7) lies in no network that may be contacted "
                f"(127.0.0.0/8) ({first.device.name})",
                f"nobody knows the name nobody.invalid ({second.device.name})",
            ],
        )

    def test_a_secret_that_cannot_be_read_costs_its_own_device(self) -> None:
        switch = self.pod.switches.order_by("number").first()
        group = make_group(gNMI_username="NOT_SET_ANYWHERE", gNMI_password="NOT_SET_EITHER")
        Device.objects.filter(pk=switch.device_id).update(secrets_group=group)
        told = found("default")["pod v4"]
        self.assertIn("the login cannot be read", told[0])
        self.assertTrue(told[0].endswith(f"({switch.device.name})"), told)

    def test_a_certificate_to_trust_that_is_none(self) -> None:
        with (
            NamedTemporaryFile(suffix=".pem") as file,
            mock.patch.dict(os.environ, {"FABRIC_TWIN_GNMI_CA": file.name}),
        ):
            file.write(b"no certificate")
            file.flush()
            told = found("default")["FABRIC_TWIN_GNMI_*"]
        self.assertIn("the file is not a certificate", told[0])
        self.assertEqual(told[1], "Give a PEM file")

    def test_a_queue_without_a_worker(self) -> None:
        self.pod.queue = JobQueue.objects.create(name="hall-2", queue_type="celery")
        self.pod.save()
        self.assertFound(
            "default",
            **{
                "queue hall-2": (
                    "no worker listens to it",
                    "Start one: nautobot-server celery worker --queues hall-2",
                )
            },
        )

    def test_a_watch_and_a_scheduler_that_do_not_run(self) -> None:
        schedule_audits(self.pod, admin())
        self.assertIn("no hourly schedule is old enough", found("default")["scheduler"][0])
        past = timezone.now() - timedelta(hours=5)
        ScheduledJob.objects.update(start_time=past, last_run_at=past)
        with mock.patch.object(running, "is_watching", return_value=False):
            told = found("default")
        self.assertEqual(
            told["scheduler"],
            (
                "Audit v4 every hour, light only did not run for 2 hours",
                "Start the service nautobot-server celery beat",
            ),
        )
        self.assertIn("not seen since", told["watch_fabric"][0])
        ScheduledJob.objects.update(last_run_at=timezone.now())
        self.assertNotIn("scheduler", found("default"))

    def test_a_cache_that_never_answers_is_left_behind(self) -> None:
        forever = Event()
        with (
            mock.patch.object(running, "cache", SimpleNamespace(set=lambda *_: forever.wait())),
            mock.patch.object(running, "in_time", partial(in_time, seconds=0.05)),
        ):
            told = found("default")
        forever.set()
        late = "it does not answer (TimeoutError: no answer within 0.05 s)"
        self.assertIn(late, told["cache"][0])

    def test_what_cannot_be_looked_at_hides_no_other(self) -> None:
        with mock.patch.object(running, "connection", None):
            told = found("default")
        self.assertIn("it cannot be checked (AttributeError: ", told["services"][0])
        self.assertIn("approvers", told)

    def test_without_its_tables_nothing_else_is_asked(self) -> None:
        coming = [(SimpleNamespace(name="0010_more"), False)]
        with mock.patch.object(MigrationExecutor, "migration_plan", return_value=coming):
            told = list(examine())
        self.assertEqual([one.what for one in told], ["versions", "tables"])
        self.assertEqual(told[-1].found, "not yet made: 0010_more")

    def test_a_job_that_is_disabled(self) -> None:
        Job.objects.filter(job_class_name="RemovePod").update(enabled=False)
        self.assertFound(
            jobs=("not enabled: Remove pod", "Enable those that are needed"),
        )

    def test_programs_read_it_as_json_and_know_by_the_exit_code(self) -> None:
        out = StringIO()
        with (
            mock.patch.object(running.app.control, "inspect", return_value=Workers()),
            self.assertRaises(SystemExit) as end,
        ):
            call_command("fabric_doctor", "--json", stdout=out)
        self.assertEqual(end.exception.code, 1)
        rows = {row["what"]: row for row in json.loads(out.getvalue())}
        self.assertEqual(
            rows["queue default"],
            {
                "what": "queue default",
                "how": "bad",
                "found": "no worker listens to it",
                "remedy": "Start one: nautobot-server celery worker --queues default",
            },
        )
