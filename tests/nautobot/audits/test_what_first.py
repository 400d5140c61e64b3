"""What a finding costs, who sees to it and by when: what comes first, and what is late."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ObjectChange
from nautobot.users.models import User
from rest_framework.test import APIClient

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.models import Finding, Pod, Slice
from fabric_twin.operations.audits.assign_findings import assign_findings
from fabric_twin.operations.audits.finding_costs import write_costs
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from tests.nautobot.bases.audits.small_findings import audit, fade, mend, small_pod, substitute

LIST = reverse("plugins:fabric_twin:finding_list")
HTMX = {"HX-Request": "true"}


def costs(pod: Pod) -> list[tuple[int, str, str]]:
    """What stands in the list: the port of each finding, how bad it is, and what it takes."""
    return [
        (one.places.exclude(port=None).first().port.number, one.impact, str(one.cost))
        for one in Finding.objects.filter(pod=pod)
    ]


class CostTest(TestCase):
    """Cubes 1 and 2 of a small pod are a slice, cube 3 is idle."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.lead = get_user_model().objects.create_superuser("lead")
        make_slice(cls.pod, Wish(name="train", shape="2x2x4"), cls.lead)

    def setUp(self) -> None:
        super().setUp()
        self.pod = Pod.objects.get(pk=self.pod.pk)

    def test_a_running_slice_comes_before_capacity_and_that_before_nothing(self) -> None:
        for number in (48, 0):
            fade(self.pod, number)
        audit(self.pod)
        self.assertEqual(
            costs(self.pod),
            [
                (0, "critical", "1 link in use"),
                (48, "major", "1 idle cube"),
            ],
        )

    def test_the_next_audit_says_what_it_costs_by_then(self) -> None:
        cable = fade(self.pod, 0)
        audit(self.pod)
        release_slice(Slice.objects.get(name="train"), self.lead)
        audit(self.pod)
        self.assertEqual(costs(self.pod), [(0, "major", "1 idle cube")])
        mend(cable)
        audit(self.pod)
        self.assertEqual(costs(self.pod), [(0, "minor", "nothing now")])

    def test_a_port_that_a_spare_stands_in_for_costs_nothing(self) -> None:
        release_slice(Slice.objects.get(name="train"), self.lead)
        port = substitute(self.pod).port
        finding = Finding.objects.create(
            pod=self.pod, key="k", code="mirror-stuck", severity="error", cause="It sticks.",
            first_seen=timezone.now(), opened=timezone.now(), last_seen=timezone.now(),
        )  # fmt: skip
        finding.places.create(number=0, port=port, device_name="d", port_name="1A")
        write_costs(self.pod)
        finding.refresh_from_db()
        self.assertEqual(str(finding.cost), "nothing: a spare carries it")

    def test_rows_come_in_the_order_of_an_independent_count(self) -> None:
        draw, begin = random.Random(7), datetime(2026, 11, 1, tzinfo=UTC)
        rows = []
        for key in range(300):
            opened = begin + timedelta(hours=draw.randint(0, 9))
            gone = begin + timedelta(days=20, hours=draw.randint(0, 9)) if key % 5 == 0 else None
            circuits, cubes = (draw.choice((0, 0, 1, 2, 96)) for _ in "ab")
            if gone:
                circuits = cubes = 0
            rows.append(
                Finding(
                    pod=self.pod,
                    key=f"{key:03}",
                    code="dark",
                    severity="error",
                    cause="x",
                    state="mended" if gone else "open",
                    first_seen=opened,
                    opened=opened,
                    last_seen=opened,
                    mended_at=gone,
                    circuits_lost=circuits,
                    cubes_lost=cubes,
                    is_spared=draw.random() < 0.5,
                )
            )
        Finding.objects.bulk_create(rows)
        there = [one for one in rows if not one.mended_at]
        there.sort(key=lambda f: (-f.circuits_lost, -f.cubes_lost, f.opened, f.is_spared, f.key))
        gone = [one for one in rows if one.mended_at]
        gone.sort(key=lambda f: (-f.mended_at.timestamp(), f.opened, f.is_spared, f.key))
        shown = Finding.objects.values_list("key", flat=True)
        self.assertEqual(list(shown), [one.key for one in (*there, *gone)])

    def test_lists_say_the_impact_and_can_be_asked_for_it(self) -> None:
        for number in (48, 0):
            fade(self.pod, number)
        audit(self.pod)
        self.client.force_login(self.lead)
        rows = self.client.get(LIST, headers=HTMX).content.decode()
        self.assertIn("1 link in use", rows)
        self.assertLess(rows.index("Critical"), rows.index("Major"))
        for impact, many in (("critical", 1), ("major", 1), ("minor", 0)):
            url = reverse("plugins-api:fabric_twin-api:finding-list")
            self.assertEqual(self.client.get(f"{url}?impact={impact}").json()["count"], many)


class AssignTest(TestCase):
    """Somebody sees to a finding, by some time."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        fade(cls.pod, 0)
        cls.gone = fade(cls.pod, 24)
        audit(cls.pod)
        mend(cls.gone)
        audit(cls.pod)
        cls.lead = get_user_model().objects.create_superuser("lead")
        cls.night = get_user_model().objects.create_user("night")
        cls.due = (timezone.now() + timedelta(hours=4)).replace(microsecond=0)

    def setUp(self) -> None:
        super().setUp()
        self.finding = Finding.objects.get(pod=self.pod, state="open")
        self.mended = Finding.objects.get(pod=self.pod, state="mended")

    def post(self, url: str, **form: Any) -> str:
        """What a form's answer says at the top of the page."""
        self.client.force_login(self.lead)
        answer = self.client.post(url, form)
        return " ".join(str(message) for message in get_messages(answer.wsgi_request))

    def test_on_its_page(self) -> None:
        url = reverse("plugins:fabric_twin:finding_assign", args=[self.finding.pk])
        told = self.post(url, owner=self.night.pk, due=f"{self.due:%Y-%m-%d %H:%M:%S}")
        self.assertEqual(told, f"{self.finding}: assigned.")
        self.finding.refresh_from_db()
        self.assertEqual((self.finding.owner, self.finding.due), (self.night, self.due))
        page = self.client.get(self.finding.get_absolute_url()).content.decode()
        for words in ("night", f"{self.due:%Y-%m-%d %H:%M} UTC"):
            self.assertIn(words, page)
        log = ObjectChange.objects.filter(changed_object_id=self.finding.pk).first()
        self.assertEqual((log.user, log.action), (self.lead, "update"))

    def test_several_together_or_none(self) -> None:
        url = reverse("plugins:fabric_twin:finding_bulk_assign")
        both = [self.finding.pk, self.mended.pk]
        asked = self.client
        asked.force_login(self.lead)
        page = asked.post(url, {"pk": both}).content.decode()
        self.assertIn("Assign: 2 findings?", page)
        refused = asked.post(url, {"pk": both, "owner": self.night.pk, "due": "", "sure": 1})
        self.assertContains(refused, f"finding {self.mended}: it is mended. Nothing is left to do.")
        self.assertFalse(Finding.objects.exclude(owner=None).exists())
        told = self.post(url, pk=both[:1], owner=self.night.pk, due="", sure=1)
        self.assertTrue(told.endswith("Assigned 1 finding."), told)

    def test_over_rest(self) -> None:
        client = APIClient()
        client.force_authenticate(self.lead)
        url = reverse("plugins-api:fabric_twin-api:finding-assign", args=[self.finding.pk])
        answer = client.post(url, {"owner": "night", "due": self.due.isoformat()}, format="json")
        self.assertEqual(answer.status_code, 200, answer.content)
        self.assertEqual(answer.json()["owner"]["id"], str(self.night.pk))
        kept = client.post(url, {"owner": None}, format="json").json()
        self.assertEqual((kept["owner"], datetime.fromisoformat(kept["due"])), (None, self.due))
        refused = client.post(url, {"owner": "nobody"}, format="json")
        self.assertEqual(refused.status_code, 400)

    def test_refusals(self) -> None:
        past = timezone.now() - timedelta(minutes=1)
        left = User.objects.create(username="left", is_active=False)
        for words, error, asked in (
            ("is over", UnusableInput, (self.finding, self.lead, None, past)),
            ("left cannot log in", UnusableInput, (self.finding, self.lead, left, None)),
            ("it is mended", NotPossible, (self.mended, self.lead, self.night, None)),
            ("may not change", NotPermitted, (self.finding, self.night, self.night, None)),
        ):
            finding, user, owner, due = asked
            with self.subTest(words), self.assertRaisesRegex(error, words):
                assign_findings([finding], user, {"owner": owner, "due": due})
        self.assertFalse(Finding.objects.exclude(owner=None, due=None).exists())

    def test_what_is_late_is_overdue_until_it_is_mended(self) -> None:
        Finding.objects.update(due=timezone.now() - timedelta(hours=1), owner=self.night)
        url = reverse("plugins-api:fabric_twin-api:finding-list")
        self.client.force_login(self.lead)
        found = self.client.get(f"{url}?overdue=true&owner=night").json()["results"]
        self.assertEqual([one["id"] for one in found], [str(self.finding.pk)])
        self.assertIn("Overdue", self.client.get(LIST, headers=HTMX).content.decode())

    def test_what_is_late_can_be_given_to_somebody_else(self) -> None:
        late = timezone.now() - timedelta(hours=1)
        Finding.objects.update(due=late)
        assign_findings([self.finding], self.lead, {"owner": self.night, "due": late})
        self.finding.refresh_from_db()
        self.assertEqual((self.finding.owner, self.finding.is_overdue), (self.night, True))

    def test_several_keep_what_is_left_empty(self) -> None:
        Finding.objects.update(due=self.due)
        url = reverse("plugins:fabric_twin:finding_bulk_assign")
        self.post(url, pk=self.finding.pk, owner=self.night.pk, due="", sure=1)
        self.finding.refresh_from_db()
        self.assertEqual((self.finding.owner, self.finding.due), (self.night, self.due))
        self.post(url, pk=self.finding.pk, owner="", due="", clear="owner", sure=1)
        self.finding.refresh_from_db()
        self.assertEqual((self.finding.owner, self.finding.due), (None, self.due))

    def test_one_that_comes_back_is_of_another_time(self) -> None:
        Finding.objects.update(owner=self.night, due=self.due)
        fade(self.pod, 24)
        audit(self.pod)
        self.mended.refresh_from_db()
        self.assertEqual(
            (self.mended.state, self.mended.owner, self.mended.due), ("open", None, None)
        )
