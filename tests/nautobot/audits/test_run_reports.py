"""Reports and pages of runs: never an all-clear over what is not seen, or not shown."""

import csv
import io
import json
from typing import Any

from django.urls import reverse
from nautobot.apps.testing import APITestCase

from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.models import AuditRun, Finding, FindingPlace, Pod
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.run import sentence
from tests.nautobot.bases.audits.small_findings import audit, fade, mend, small_pod
from tests.nautobot.bases.users import allow

#: Those that can be read as text here; paper says the same.
FORMS = ("html", "txt", "csv", "json")
CLEAN = "Clean"


def lose_sight(pod: Pod, *numbers: int) -> AuditRun:
    """Faults at some ports that only light can show mended are looked for, and not seen."""
    cables = [fade(pod, number) for number in numbers]
    audit(pod)
    for finding in pod.findings.all():
        place = finding.places.exclude(port_name="").first()
        assert place
        Finding.objects.filter(pk=finding.pk).update(
            proof=[["light", place.device_name, place.port_name]]
        )
    for cable in cables:
        mend(cable)
    return audit(pod)


class RunReportTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()

    def setUp(self) -> None:
        super().setUp()
        self.pod = Pod.objects.get(pk=self.pod.pk)

    def become_administrator(self) -> None:
        self.user.is_superuser = True
        self.user.save()

    def report(self, run: AuditRun, form: str, status: int = 200) -> str:
        url = reverse("plugins-api:fabric_twin-api:auditrun-report", args=[run.pk])
        answer = self.client.get(url, {"form": form}, **self.header)
        self.assertHttpStatus(answer, status)
        return answer.content.decode(errors="replace")

    def page(self, run: AuditRun) -> str:
        self.client.force_login(self.user)
        answer = self.client.get(run.get_absolute_url())
        self.assertHttpStatus(answer, 200)
        return answer.content.decode()

    def says_hidden(self, run: AuditRun) -> None:
        """Every form says that findings are missing, and none that all is well."""
        for form in FORMS[:3]:
            said = self.report(run, form)
            self.assertIn(FINDINGS_HIDDEN, said, form)
            self.assertNotIn(CLEAN, said, form)
        self.assertIs(json.loads(self.report(run, "json"))["findings_hidden"], True)
        *_, last = csv.reader(io.StringIO(self.report(run, "csv")))
        self.assertEqual(last, ["", "", "", f"{FINDINGS_HIDDEN}.", "", "", ""])
        self.report(run, "pdf")
        self.assertIn(FINDINGS_HIDDEN, self.page(run))

    def says_what_is_left_out(self, run: AuditRun, gap: str, **facts: Any) -> None:
        """Every form says what the run did not look at, and none that all is well."""
        for form in FORMS[:3]:
            said = self.report(run, form)
            self.assertIn(gap, said, form)
            self.assertNotIn(CLEAN, said, form)
        self.assertLessEqual(facts.items(), json.loads(self.report(run, "json")).items())
        self.report(run, "pdf")

    def test_who_did_not_answer_is_named(self) -> None:
        self.become_administrator()
        run = audit(self.pod)
        AuditRun.objects.filter(pk=run.pk).update(not_reached={"s-ocs-x-1-1": "it is silent"})
        gap = "Nothing is known of what did not answer: s-ocs-x-1-1."
        self.says_what_is_left_out(run, gap, not_answered=["s-ocs-x-1-1"])

    def test_a_run_of_a_part_of_a_pod_says_which(self) -> None:
        self.become_administrator()
        run = audit(self.pod, Scope(slots=frozenset({2})))
        gap = "Not all of the pod was looked at, only s-c002."
        self.says_what_is_left_out(run, gap, places="s-c002")
        self.assertIn(f"Nothing was found. {gap}", self.report(run, "txt"))

    def test_a_run_of_light_says_what_it_left_to_others(self) -> None:
        self.become_administrator()
        run = audit(self.pod, Scope(light=True))
        self.says_what_is_left_out(run, "Serials and parts were not looked at.", light_only=True)

    def test_who_may_not_see_findings_gets_no_all_clear(self) -> None:
        fade(self.pod, 0)
        run = audit(self.pod)
        allow(self.user, ["view"], AuditRun, Pod)
        self.says_hidden(run)
        self.assertEqual(json.loads(self.report(run, "json"))["findings"], [])
        page = self.page(run)
        self.assertNotIn("None.", page)
        # Nor does such a user learn from a report that there is nothing.
        mend(self.pod.ports.get(number=0).interface.cable)
        self.says_hidden(audit(self.pod))

    def test_who_may_see_some_findings_is_told_that_others_are_missing(self) -> None:
        fade(self.pod, 0)
        fade(self.pod, 24)
        run = audit(self.pod)
        allow(self.user, ["view"], AuditRun, Pod, FindingPlace)
        mine, _ = self.pod.findings.order_by("key")
        allow(self.user, ["view"], Finding, key=mine.key)
        self.says_hidden(run)
        self.assertIn("1 finding: 1 missing.", self.report(run, "txt"))
        allow(self.user, ["view"], Finding)
        for form in FORMS:
            self.assertNotIn("missing here", self.report(run, form), form)
        self.assertNotIn("findings_hidden", json.loads(self.report(run, "json")))
        self.assertNotIn(FINDINGS_HIDDEN, self.page(run))

    def test_who_may_not_see_what_is_not_seen_since_gets_no_all_clear(self) -> None:
        run = lose_sight(self.pod, 0)
        allow(self.user, ["view"], AuditRun, Pod)
        self.says_hidden(run)

    def test_what_is_not_seen_since_is_listed_apart(self) -> None:
        run = lose_sight(self.pod, 0, 24)
        self.become_administrator()
        self.assertEqual((run.found, len(run.keys["not_seen"])), (0, 2))
        unseen = {one.key: one for one in self.pod.findings.filter(seen=False)}
        said: dict[str, Any] = json.loads(self.report(run, "json"))
        self.assertEqual((said["findings"], said["summary"]), ([], {}))
        self.assertEqual(
            {one["id"]: one["last_seen"] for one in said["not_seen"]},
            {key: one.last_seen.isoformat() for key, one in unseen.items()},
        )
        rows = list(csv.DictReader(io.StringIO(self.report(run, "csv"))))
        self.assertEqual({row["id"] for row in rows}, set(unseen))
        for form in ("html", "txt"):
            said_so = self.report(run, form)
            self.assertIn("2 not seen since, and not shown to be gone.", said_so)
            self.assertNotIn(CLEAN, said_so)
            self.assertNotIn("do this first", said_so)
        for one in unseen.values():
            when = f"last seen {one.last_seen:%Y-%m-%d %H:%M} UTC"
            self.assertIn(f"Not seen since, {when}: {one.cause}", self.report(run, "csv"))
            for form in ("html", "txt"):
                self.assertIn(when, self.report(run, form))
            self.assertIn(one.get_absolute_url(), self.page(run))
        self.report(run, "pdf")

    def test_what_is_found_stands_before_what_is_not_seen_since(self) -> None:
        lose_sight(self.pod, 0)
        fade(self.pod, 24)
        run = audit(self.pod)
        self.become_administrator()
        said = self.report(run, "txt")
        self.assertIn("1 finding: 1 missing. 1 not seen since", said)
        seen, unseen = said.split("Not seen since\n")
        self.assertIn("s-c002:2.1.1/X+ is missing", seen)
        self.assertIn("s-c001:2.1.1/X+ is missing", unseen)

    def test_a_pod_as_it_should_be_is_clean(self) -> None:
        run = audit(self.pod)
        allow(self.user, ["view"], AuditRun, Pod, Finding)
        self.assertIn("Clean: all 72 cables", self.report(run, "txt"))
        self.assertNotIn("not_seen", json.loads(self.report(run, "json")))

    def test_a_run_that_is_not_done_is_not_clean(self) -> None:
        run = audit(self.pod)
        self.become_administrator()
        for state in ("queued", "running", "failed", "lost"):
            lease = {"lease_token": run.pk, "lease_until": run.ended}
            AuditRun.objects.filter(pk=run.pk).update(state=state, **lease)
            self.assertIn(f"the run is {state}", self.report(run, "txt", 409))

    def test_a_gate_warns_of_what_the_run_looked_for_and_says_so(self) -> None:
        whole = lose_sight(self.pod, 0)
        self.assertEqual((whole.gate, whole.found), ("warn", 0))
        self.assertTrue(sentence(whole).endswith(": warn. 1 not seen since."))
        gates = {slot: audit(self.pod, Scope(slots=frozenset({slot}))) for slot in (1, 2)}
        self.assertEqual({slot: run.gate for slot, run in gates.items()}, {1: "warn", 2: "pass"})
        self.assertEqual(gates[1].keys["not_seen"], whole.keys["not_seen"])
        self.assertEqual(gates[2].keys["not_seen"], [])
