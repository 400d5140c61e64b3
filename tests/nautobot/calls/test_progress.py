"""A running job says how far it is: on its page, on that of its run, and on that of its pod."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.extras.choices import JobResultStatusChoices
from nautobot.extras.models import Job, JobResult

from fabric_twin.core.how_far import Progress
from fabric_twin.models import JobLease
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run_lease import RunLease, queue_run, take_lease
from fabric_twin.operations.calls import progress
from fabric_twin.operations.calls.progress import counting, tell, telling, told
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.audits.small_findings import audit, small_pod
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_sheet import sheet
from tests.nautobot.bases.run_jobs import log_in_this_transaction, run, said

STARTED = JobResultStatusChoices.STATUS_STARTED


def until(is_so: Callable[[], bool]) -> None:
    """Wait for the thread that writes; it has much longer than it takes."""
    last = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < last, "it was never written"
        time.sleep(0.05)


def words_of(key: UUID) -> str:
    return str(told([key]).get(key, ""))


@contextmanager
def all_that_is_told() -> Iterator[list[str]]:
    """What is told, whether or not it lasts long enough to be written."""
    words: list[str] = []
    say = progress._Teller.say

    def heard(teller: Any, *given: Any) -> None:
        say(teller, *given)
        words.append(str(teller.said))

    with mock.patch.object(progress._Teller, "say", heard):
        yield words


class TellingTest(TestCase):
    def test_what_a_job_tells_is_written_beside_it(self) -> None:
        job = uuid4()
        with telling(job):
            self.assertEqual(told([job]), {})
            tell("Reads")
            until(lambda: words_of(job) == "Reads")
            count = counting("rows written", 1200)
            count(300)
            until(lambda: words_of(job) == "300 of 1,200 rows written")

    def test_many_threads_count_together(self) -> None:
        job = uuid4()
        with telling(job):
            count = counting("devices read", 640)
            threads = [
                threading.Thread(target=lambda: [count() for _ in range(10)]) for _ in range(64)
            ]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
            until(lambda: words_of(job) == "640 of 640 devices read")

    def test_however_often_it_tells_it_is_written_once_a_second(self) -> None:
        written: list[Any] = []
        kept = mock.Mock(set_many=lambda facts, _seconds: written.append(facts))
        with mock.patch.object(progress, "cache", kept):
            began = time.monotonic()
            with telling(uuid4()):
                count = counting("rows written", 10**6)
                until(lambda: [count() for _ in range(1000)] and len(written) > 1)
            seconds = time.monotonic() - began
        self.assertLessEqual(len(written), seconds / progress.EVERY)

    def test_a_run_in_a_job_is_told_on_the_pages_of_both(self) -> None:
        job, run_of_it = uuid4(), uuid4()
        with telling(job):
            with telling(run_of_it, timedelta(seconds=90)):
                tell("Compares")
                until(lambda: words_of(job) == words_of(run_of_it) == "Compares")
                self.assertEqual(told([job])[job].usual, timedelta(seconds=90))
            tell("Thins old light")
            until(lambda: words_of(job) == "Thins old light")
            self.assertEqual(words_of(run_of_it), "Compares")
            self.assertIsNone(told([job])[job].usual)

    def test_outside_of_a_job_nothing_is_told(self) -> None:
        tell("Compares")
        counting("devices read", 3)()

    def test_a_cache_that_is_away_stops_neither_job_nor_page(self) -> None:
        gone = ConnectionError("Redis is away")
        away = mock.Mock(**{"set_many.side_effect": gone, "get_many.side_effect": gone})
        with (
            mock.patch.object(progress, "cache", away),
            self.assertLogs("fabric_twin.jobs", "WARNING"),
            telling(uuid4()),
        ):
            tell("Compares")
            until(lambda: away.set_many.called)
        with mock.patch.object(progress, "cache", away), self.assertLogs("fabric_twin.jobs"):
            self.assertEqual(told([uuid4()]), {})


class WhatJobsTellTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)

    def test_a_load_counts_its_rows_to_the_last(self) -> None:
        """Of a pod that is new, of cubes that are added, and of sheets with all their mistakes."""
        doubled = {"s-c002:2.1.1/X+": {"b_port": "1A"}}
        place = hall()
        for name, design, given in (
            ("s", "small", {"cut_sheet": sheet(**doubled)}),
            ("new", "small", {"slots": (1, 2)}),
            ("new", "small", {}),
            ("paired", "small-paired", {"slots": (1,)}),
            ("paired", "small-paired", {}),
            ("cwdm8", "tpu-v4-cwdm8", {"slots": (1,)}),
        ):
            with self.subTest(name), all_that_is_told() as words, telling(uuid4()):
                load_pod(name, design, place, **given)
                self.assertEqual(words[0], "Compares what is there with what is to be loaded")
                self.assertEqual(words[-1], "Checks what was written")
                done, of = re.findall(r"[\d,]+", words[-2])
                self.assertEqual(done, of)

    def test_a_render_counts_its_documents(self) -> None:
        pod = small_pod()
        with all_that_is_told() as words:
            result = run("RenderDocuments", pod=pod.pk, kind="port-map", form="html")
        self.assertIn("12 port-map as html", said(result))
        many = [f"{done} of 12 documents made" for done in range(13)]
        self.assertEqual(words, ["Reads the records of the pod", *many])

    def test_an_audit_of_records_says_what_it_does(self) -> None:
        pod = small_pod()
        with all_that_is_told() as words:
            run("AuditPod", pod=pod.pk)
        compared = "Compares the records with the rule"
        self.assertEqual(words, ["Waits for its turn", compared, "Writes what it found"])


class AuditOfFabricTest(FabricTestCase):
    def test_it_counts_the_devices_that_it_reads(self) -> None:
        with telling(uuid4()), all_that_is_told() as words:
            audit(self.pod, look=observe_scope)
        counted = [word for word in words if "devices" in word]
        self.assertEqual(counted, [f"{done} of 51 devices read" for done in range(52)])
        self.assertEqual(
            [word for word in words if "devices" not in word],
            [
                "Waits for its turn",
                "Compares the records with the rule and the fabric",
                "Writes what it found",
            ],
        )


class PagesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.admin = get_user_model().objects.create_superuser("operator")

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.admin)

    def running(self) -> RunLease:
        return take_lease(queue_run(self.pod))

    def job(self, name: str, **wish: Any) -> JobResult:
        """A job that a worker has."""
        model = Job.objects.get(job_class_name=name, module_name__startswith="fabric_twin.tasks")
        now = timezone.now()
        job = JobResult.objects.create(
            name=model.name, job_model=model, user=self.admin, status=STARTED, task_kwargs=wish
        )
        JobLease.objects.create(
            job_result=job, called=now, lease_until=Now() + timedelta(minutes=1)
        )
        return job

    def tells(self, key: UUID, what: str, done: int = 0, of: int = 0) -> None:
        """As a worker wrote it, that took an hour so far: three are left, or a little less."""
        now = timezone.now()
        began = now - timedelta(hours=1)
        said = Progress(what, began, began, now, done, of)
        cache.set(progress._KEY.format(key), said, progress.KEPT)
        self.addCleanup(cache.delete, progress._KEY.format(key))

    def text(self, url: str) -> str:
        page = self.client.get(url)
        self.assertHttpStatus(page, 200)
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.content.decode()))

    def test_a_run_shows_a_bar_until_it_has_ended(self) -> None:
        lease = self.running()
        run_url = f"/plugins/fabric-twin/audit-runs/{lease.pk}/"
        bar = reverse("plugins:fabric_twin:progress", args=[lease.pk])
        self.assertIn("Runs.", self.text(run_url))
        self.tells(lease.pk, "devices read", 30, 120)
        self.assertRegex(self.text(run_url), r"30 of 120 devices read; about 2 h more\.")
        answer = self.client.get(bar)
        self.assertContains(answer, 'aria-valuenow="25"')
        self.assertNotIn("HX-Refresh", answer.headers)
        lease.end("done")
        answer = self.client.get(bar)
        self.assertEqual((answer.content, answer.headers["HX-Refresh"]), (b"", "true"))
        self.assertNotIn(bar, self.client.get(run_url).content.decode())

    def test_a_run_that_waits_says_so_and_has_no_bar(self) -> None:
        run_of_it = queue_run(self.pod)
        page = self.client.get(run_of_it.get_absolute_url())
        self.assertContains(page, "Waits for its turn.")
        self.assertNotContains(page, "progress-bar")

    def test_a_job_shows_a_bar_until_it_has_ended(self) -> None:
        job = self.job("RenderDocuments", pod=str(self.pod.pk))
        self.tells(job.pk, "documents made", 12, 48)
        self.assertRegex(
            self.text(job.get_absolute_url()), r"12 of 48 documents made; about 2 h more\."
        )
        JobResult.objects.filter(pk=job.pk).update(status="SUCCESS", date_done=timezone.now())
        self.assertNotIn("documents made", self.text(job.get_absolute_url()))
        answer = self.client.get(reverse("plugins:fabric_twin:progress", args=[job.pk]))
        self.assertEqual((answer.content, answer.headers["HX-Refresh"]), (b"", "true"))

    def test_a_pod_shows_what_runs_in_it_and_nothing_of_others(self) -> None:
        self.assertNotIn("Under way", self.text(self.pod.get_absolute_url()))
        lease = self.running()
        of_run = self.job("AuditPod", pod=str(self.pod.pk))
        self.pod.audit_runs.filter(pk=lease.pk).update(job_result=of_run)
        load = self.job("LoadPod", pod=self.pod.name)
        other = self.job("LoadPod", pod="other")
        for key, what in ((lease.pk, "devices read"), (load.pk, "rows written")):
            self.tells(key, what, 1, 4)
        page = self.client.get(self.pod.get_absolute_url()).content.decode()
        asked = re.findall(r'hx-get="/plugins/fabric-twin/progress/([^/]*)/\?titled=1"', page)
        self.assertEqual(asked, [str(lease.pk), str(load.pk)])
        self.assertNotIn(str(other.pk), page)
        text = self.text(self.pod.get_absolute_url())
        self.assertRegex(text, r"s audit 1 1 of 4 devices read; about 2 h more\.")
        self.assertRegex(text, r"Load pod 1 of 4 rows written; about 2 h more\.")

    def test_who_may_not_see_a_run_or_a_job_is_told_nothing(self) -> None:
        keys = [self.running().pk, self.job("LoadPod", pod=self.pod.name).pk, uuid4()]
        self.client.force_login(get_user_model().objects.create_user("somebody"))
        for key in keys:
            answer = self.client.get(reverse("plugins:fabric_twin:progress", args=[key]))
            self.assertEqual(answer.status_code, 404)
        self.client.logout()
        answer = self.client.get(reverse("plugins:fabric_twin:progress", args=[keys[0]]))
        self.assertEqual(answer.status_code, 302)
