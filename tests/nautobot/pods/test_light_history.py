"""The history of light: a reading rewrites nothing, a day is folded once, old days are thinned."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, ClassVar
from unittest import mock

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from nautobot.apps.testing import TestCase, run_job_for_testing
from nautobot.extras.models import Job
from nautobot.users.models import User

from fabric_twin.app_config import FabricTwinConfig
from fabric_twin.models import Cube, LightDay, LightReading, Pod, Reading, Switch
from fabric_twin.operations.pods.poll import Look, must_look
from fabric_twin.operations.pods.sync import Synced, sync
from fabric_twin.operations.pods.thin_light import thin_light
from fabric_twin.repositories import light_history
from fabric_twin.repositories.light_history import baseline_of
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.fabric import FabricTestCase

DAY = date(2026, 3, 2)
WHERE = {"Audit pod": "audit_pod", "Sync pod": "sync_pod"}


def at(hour: float, days: int = 0) -> datetime:
    return datetime(2026, 3, 2, tzinfo=UTC) + timedelta(days=days, hours=hour)


class ReadingsTest(FabricTestCase):
    """Cube 1's first port is what moves."""

    looked: ClassVar[Look | None] = None

    def setUp(self) -> None:
        super().setUp()
        self.record = PodRecord(self.pod)
        type(self).looked = self.looked or must_look(self.record)

    def read(self, moment: datetime, sent: float = 2.0, ber: float = 1e-7) -> None:
        """A reading in which the first port sends so much, and has so many errors."""
        assert self.looked
        cubes = self.looked.shown.cubes
        levels: dict[str, Any] = {"sent": cubes.sent.copy(), "ber": cubes.ber.copy()}
        levels["sent"][0], levels["ber"][0] = sent, ber
        shown = replace(self.looked.shown, cubes=replace(cubes, **levels))
        with transaction.atomic():
            sync(self.record, replace(self.looked, shown=shown, at=moment))

    def first_port(self) -> list[tuple[str, int, float, float, float]]:
        """Each day of the first cube: how often it was read, and what its first port sent."""
        rows = LightDay.objects.filter(cube__slot=1).order_by("day")
        return [
            (str(row.day), row.readings, *(of["sent"][0] for of in (row.least, row.last, row.most)))
            for row in rows
        ]

    def test_a_reading_adds_one_row_and_the_next_day_folds_them(self) -> None:
        for hour, sent in ((1, 2.0), (2, 3.0), (3, 1.5)):
            self.read(at(hour), sent)
        self.assertEqual((LightReading.objects.count(), LightDay.objects.count()), (3, 0))
        self.read(at(1, days=1), 2.5)
        self.assertEqual((LightReading.objects.count(), LightDay.objects.count()), (1, 51))
        self.assertEqual(self.first_port(), [("2026-03-02", 3, 1.5, 1.5, 3.0)])

    def test_a_reading_writes_to_no_row_of_a_day(self) -> None:
        self.read(at(1))
        with CaptureQueriesContext(connection) as queries:
            self.read(at(2))
        light = [q["sql"].split(" (")[0] for q in queries if "fabric_twin_light" in q["sql"]]
        self.assertEqual(
            [sql for sql in light if not sql.startswith("SELECT")],
            ['INSERT INTO "fabric_twin_lightreading"'],
        )

    def test_many_readings_of_a_day_are_folded_before_it_is_over(self) -> None:
        with mock.patch.object(light_history, "MOST_WAIT", 3):
            for hour in range(7):
                self.read(at(hour), 2.0 + hour / 10)
        self.assertEqual(LightReading.objects.count(), 1)
        self.assertEqual(self.first_port(), [("2026-03-02", 6, 2.0, 2.5, 2.5)])
        self.read(at(0, days=3))
        self.assertEqual(self.first_port(), [("2026-03-02", 7, 2.0, 2.6, 2.6)])

    def test_light_is_compared_with_what_waits_as_with_what_is_folded(self) -> None:
        for hour, ber in ((1, 1e-7), (2, 1e-9), (3, 1e-8)):
            self.read(at(hour), ber=ber)
        tomorrow = DAY + timedelta(days=1)
        self.assertTrue(np.isnan(baseline_of(self.record, DAY).ber).all())
        waits = baseline_of(self.record, tomorrow)
        self.assertEqual(waits.ber[0], 1e-9)
        self.read(at(1, days=1))
        folded = baseline_of(self.record, tomorrow)
        np.testing.assert_array_equal(folded.ber, waits.ber)
        np.testing.assert_array_equal(folded.loss, waits.loss)
        self.assertTrue(np.isnan(baseline_of(self.record, DAY + timedelta(days=40)).ber).all())

    def test_of_what_is_gone_nothing_is_folded(self) -> None:
        self.read(at(1))
        self.record = PodRecord(self.pod)
        self.assertIn(1, self.record.cubes)  # it is removed while the fabric is asked
        Cube.objects.get(slot=1).delete()
        self.read(at(1, days=1))
        connection.check_constraints()
        self.assertEqual(self.first_port(), [])
        self.assertEqual(LightDay.objects.count(), 50)

    def test_a_level_that_no_device_has_is_told_as_none(self) -> None:
        self.read(at(1), ber=1e300)
        self.read(at(1, days=1))
        [day] = LightDay.objects.filter(cube__slot=1)
        self.assertEqual((day.least["ber"][0], day.most["ber"][0]), (None, None))

    def test_noise_moves_only_the_time_of_what_a_device_last_said(self) -> None:
        self.read(at(1), 2.0)
        self.read(at(2), 2.2)
        rows = Reading.objects.filter(cube__slot=1)
        [now] = rows.values_list("asked", "answered", "facts__sent__0")
        self.assertEqual(now, (at(2), at(2), 2.0))
        self.read(at(3), 2.4)
        self.assertEqual(rows.get().facts["sent"][0], 2.4)


class ThinningTest(TestCase):
    """A pod that was read every day for two years, but its second cube only on Mondays."""

    @classmethod
    def setUpTestData(cls) -> None:
        User.objects.create(username="night", is_superuser=True, is_staff=True)
        cls.pod = small_pod()
        cls.cube, cls.other = Cube.objects.filter(pod=cls.pod).order_by("slot")[:2]
        cls.switch = Switch.objects.filter(pod=cls.pod).first()
        cls.today = timezone.now().astimezone(UTC).date()
        days = [cls.today - timedelta(days=ago) for ago in range(730)]
        rows = [
            LightDay(pod=cls.pod, day=day, readings=24, **{kind: device})
            for kind, device in (("cube", cls.cube), ("switch", cls.switch), ("cube", cls.other))
            for day in days
            if device != cls.other or day.weekday() == 0
        ]
        LightDay.objects.bulk_create(rows)

    def ages(self, **of: Any) -> list[int]:
        """How old the days are that are left of a device."""
        days = LightDay.objects.filter(**of).order_by("-day").values_list("day", flat=True)
        return [(self.today - day).days for day in days]

    def test_all_of_the_last_days_are_kept_then_one_a_week_then_one_a_month(self) -> None:
        before = LightDay.objects.count()
        gone = thin_light(self.pod)
        self.assertEqual(LightDay.objects.count(), before - gone)
        self.assertEqual(self.ages(cube=self.cube), self.ages(switch=self.switch))
        ages = self.ages(cube=self.cube)
        self.assertEqual(ages[:61], list(range(61)))
        weeks = [age for age in ages if 67 < age < 358]
        self.assertEqual({b - a for a, b in pairwise(weeks)}, {7})
        months = [age for age in ages if age > 372]
        self.assertIn(len(months), (11, 12, 13))
        self.assertLessEqual({b - a for a, b in pairwise(months)}, {28, 35})

    def test_a_device_that_was_silent_on_the_day_of_others_keeps_its_own(self) -> None:
        thin_light(self.pod)
        days = LightDay.objects.filter(cube=self.other).values_list("day", flat=True)
        self.assertEqual({day.weekday() for day in days}, {0})
        weeks = [age for age in self.ages(cube=self.other) if 67 < age < 358]
        self.assertEqual({b - a for a, b in pairwise(weeks)}, {7})

    def test_thinned_again_it_loses_nothing_and_other_pods_lose_nothing(self) -> None:
        other = Pod.objects.create(
            name="other",
            design=self.pod.design,
            location=self.pod.location,
            status=self.pod.status,
        )
        LightDay.objects.filter(cube=self.other).update(pod=other)
        many = LightDay.objects.filter(pod=other).count()
        self.assertGreater(thin_light(self.pod), 1000)
        self.assertEqual(thin_light(self.pod), 0)
        self.assertEqual(LightDay.objects.filter(pod=other).count(), many)

    def test_a_clock_that_jumps_ahead_loses_nothing(self) -> None:
        thin_light(self.pod)
        before = LightDay.objects.count()
        ahead = timezone.now() + timedelta(days=4000)
        with mock.patch("django.utils.timezone.now", return_value=ahead):
            self.assertEqual(thin_light(self.pod), 0)
        # Where the database's own clock was ahead too, a day was written of then.
        LightDay.objects.create(pod=self.pod, day=ahead.date(), readings=1, cube=self.cube)
        self.assertEqual(thin_light(self.pod), 0)
        self.assertEqual(LightDay.objects.count(), before + 1)

    def test_a_pod_is_not_held_where_nothing_goes(self) -> None:
        thin_light(self.pod)  # the cube that is read on Mondays has other days than the others
        with CaptureQueriesContext(connection) as queries:
            self.assertEqual(thin_light(self.pod), 0)
        self.assertFalse([one for one in queries if "FOR NO KEY UPDATE" in one["sql"]])

    def test_what_is_written_meanwhile_is_waited_for(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            thin_light(self.pod)
        asked = [query["sql"] for query in queries]
        [held] = [n for n, sql in enumerate(asked) if "FOR NO KEY UPDATE" in sql]
        written = [n for n, sql in enumerate(asked) if sql.startswith(("DELETE", "UPDATE"))]
        self.assertLess(held, min(written))
        self.assertEqual(len(written), 1)

    def test_the_jobs_that_audit_and_sync_thin(self) -> None:
        for job in ("Audit pod", "Sync pod"):
            with (
                self.subTest(job),
                mock.patch(f"fabric_twin.tasks.{WHERE[job]}.thin_light") as thin,
            ):
                record = Job.objects.get(name=job)
                with mock.patch("fabric_twin.tasks.sync_pod.sync_pod", return_value=Synced(0, {})):
                    run_job_for_testing(
                        record, pod=str(self.pod.pk), dryrun=False, username="night"
                    )
                thin.assert_called_once_with(self.pod)

    def test_the_settings_say_for_how_long(self) -> None:
        asked = settings.PLUGINS_CONFIG["fabric_twin"]
        days = {
            "light_kept_days": 30,
            "light_kept_weekly_days": 30,
            "light_kept_monthly_days": 30,
        }
        with override_settings(PLUGINS_CONFIG={"fabric_twin": asked | days}):
            thin_light(self.pod)
        self.assertLess(max(self.ages(cube=self.cube)), 30 + 31 + 6)
        self.assertEqual(self.ages(cube=self.cube)[:31], list(range(31)))

    def test_fewer_days_than_light_is_compared_with_are_refused_at_the_start(self) -> None:
        with self.assertRaises(ImproperlyConfigured) as refused:
            FabricTwinConfig.validate({"light_kept_days": 7}, "3.2.7")
        self.assertEqual(
            str(refused.exception),
            "light_kept_days: 7 days are fewer than light is compared with. At least 30.",
        )
