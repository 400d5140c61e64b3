"""Pages of findings and of runs: what they say, whom they let act, how many queries they take."""

import re

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.core.templatetags.helpers import get_docs_url
from nautobot.users.models import ObjectPermission

from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.models import (
    AuditRun,
    Cube,
    Finding,
    FindingPlace,
    Silence,
    Slice,
    Substitution,
    Switch,
)
from fabric_twin.operations.audits.finding_life import acknowledge
from fabric_twin.operations.audits.finding_places import write_places
from fabric_twin.operations.audits.finding_rows import Found, finding_of
from fabric_twin.panels.finding import tell_evidence, tell_proof
from fabric_twin.presenters.runs.audit_report import LATER, run_report
from tests.nautobot.bases.audits.finding_pages import FINDINGS, HTMX, FindingPagesCase
from tests.nautobot.bases.audits.small_findings import silence
from tests.nautobot.bases.drawings import drawing_of, words
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import allow


class FindingPagesTest(FindingPagesCase):
    def test_a_light_test_is_offered_to_who_may_change_all_switches(self) -> None:
        type(self.user).objects.filter(pk=self.user.pk).update(is_superuser=False)
        Finding.objects.filter(pk=self.finding.pk).update(seen=False)
        self.add_permissions("fabric_twin.view_finding", "fabric_twin.view_pod", "extras.run_job")
        page = self.finding.get_absolute_url()
        some = self.mine.switches.values_list("pk", flat=True)[:1]
        allow(self.user, ["change"], Switch, pk__in=[str(pk) for pk in some])
        self.assertNotIn("light_test=True", str(self.client.get(page).content))
        allow(self.user, ["change"], Switch)
        self.assertIn("light_test=True", str(self.client.get(page).content))

    def test_a_finding_says_what_to_do_and_draws_its_place(self) -> None:
        page = self.page(self.finding)
        step = "lay a cable from mine-c001-t01 port 2.1.1/X+ to mine-ocs-x-1-1 port 1A"
        self.assertIn(step, re.sub(r"</?a\b[^>]*>", "", page))
        self.assertIn('<svg class="finding"', page)
        self.assertIn("c001-t01 port 2.1.1/X+", page)
        self.assertIn(f'href="{self.finding.places.first().port.get_absolute_url()}"', page)

    def test_evidence_is_said_in_words_with_units(self) -> None:
        seen = {"sure": False, "received_dbm": -31.25, "ber": None, "heard": [["7A", "9B"]]}
        seen["or"] = [{"cause": "the other two are", "cables": ["c1", "c2"]}]
        self.finding.evidence_now = seen
        self.finding.evidence_then = {**seen, "sure": True, "received_dbm": -30.0}
        self.assertEqual(
            tell_evidence(self.finding, self.user),
            {
                "The only explanation": "no (at first yes)",
                "Received (dBm)": "-31.25 (at first -30)",
                "Bit error ratio": "not known",
                "Neighbours received": "7A to 9B",
                "Alternative": "the other two are",
            },
        )

    def test_a_finding_says_what_would_show_that_it_is_gone(self) -> None:
        self.assertEqual(
            tell_proof(self.finding, self.user),
            {
                "Now": "The last look at its place saw it",
                "Mended once": "<div>mine-c001-t01 port 2.1.1/X+ is recorded as the wiring rule "
                "wants</div><div>mine-ocs-x-1-1 port 1A is recorded as the wiring rule wants</div>",
            },
        )
        self.finding.seen = False
        told = tell_proof(self.finding, self.user)
        self.assertRegex(told["Now"], "Not seen since 2.*, and not shown to be gone")
        self.assertNotIn("Found there now", told)
        gone = Finding.objects.get(pod=self.mine, state="mended")
        self.assertEqual(list(tell_proof(gone, self.user)), ["Now"])

    def test_a_run_says_how_many_seconds_it_took(self) -> None:
        run = AuditRun.objects.get(pod=self.mine, number=2)
        AuditRun.objects.filter(pk=run.pk).update(duration=1.683879)
        self.assertIn("1.7 s", self.page(run))
        AuditRun.objects.filter(pk=run.pk).update(duration=None, state="lost")
        self.page(run)

    def test_a_run_says_what_is_new_what_is_gone_and_what_is_still_there(self) -> None:
        page = self.page(AuditRun.objects.get(pod=self.mine, number=2))
        for label, cable in (("New", "c003"), ("Gone", "c002"), ("Still there", "c001")):
            after = page.split(f"{label.upper()}<", 1)[-1].split(f"{label}<", 1)[-1]
            self.assertIn(f"mine-{cable}:2.1.1/X+", after, label)
        self.assertIn("Changed since the run before", page)

    def test_the_pods_page_draws_its_health_and_lists_what_is_open(self) -> None:
        page = self.page(self.mine)
        self.assertIn("Findings of mine in its last 2 runs", page)
        self.assertRegex(page, "errors? found")
        self.assertIn("mine-c003:2.1.1/X+ is missing", page)
        self.assertNotIn("mine-c002:2.1.1/X+ is missing", page)

    def test_tabs_of_racks_devices_and_cables_list_their_findings(self) -> None:
        places = self.finding.places.select_related("rack", "device", "cable")
        first, cable = places.first(), places.get(cable__isnull=False).cable
        for kind, record in (("rack", first.rack), ("device", first.device), ("cable", cable)):
            with self.subTest(kind):
                url = reverse(f"plugins:fabric_twin:{kind}_findings", args=[record.pk])
                self.assertIn(url, self.page(record))
                self.assertIn(self.finding.get_absolute_url(), self.page(url))
        quiet = self.mine.cubes.get(slot=2).rack
        Finding.objects.filter(places__rack=quiet).delete()
        self.assertNotIn("rack_findings", self.page(quiet))

    def test_cubes_switches_ports_and_slices_list_and_count_their_findings(self) -> None:
        port, far = (place.port for place in self.finding.places.filter(port__isnull=False))
        made = Slice.objects.create(pod=self.mine, name="a", shape="2x2x2", status=status_of(Slice))
        self.finding.slices.add(made)
        mended = Finding.objects.get(pod=self.mine, state="mended")
        for record, many in ((port.cube, 1), (port, 1), (far.switch, 2), (far, 1), (made, 1)):
            kind = record._meta.model_name
            with self.subTest(record=record):
                page = self.page(f"{record.get_absolute_url()}findings/")
                self.assertIn(self.finding.get_absolute_url(), page)
                self.assertRegex(page, rf'Findings <span class="badge bg-primary">{many}</span>')
                rows = self.page(reverse(f"plugins:fabric_twin:{kind}_list"), **HTMX)
                asked = f"?{kind}={record.pk}&is_there=True&silenced=False"
                self.assertIn(f'{asked}">{many}</a>'.replace("&", "&amp;"), rows)
                found = self.page(f"{FINDINGS}{asked}", **HTMX)
                self.assertIn(self.finding.get_absolute_url(), found)
                self.assertNotIn(mended.get_absolute_url(), found)
        cube = self.mine.cubes.filter(ports__finding_places__finding=mended).first()
        page = self.page(f"{cube.get_absolute_url()}findings/")
        self.assertIn(mended.get_absolute_url(), page)
        self.assertNotIn('Findings <span class="badge', page)
        silence(self.mine, finding=self.finding)
        page = self.page(f"{port.get_absolute_url()}findings/")
        self.assertNotIn('Findings <span class="badge', page)
        self.assertIn(self.finding.get_absolute_url(), page)

    def test_a_tab_never_says_none_over_findings_that_the_user_may_not_see(self) -> None:
        self.become_a_user_of("mine")
        cube = self.finding.places.filter(port__isnull=False).first().port.cube
        tab = f"{cube.get_absolute_url()}findings/"
        allow(self.user, ["view"], Cube)
        self.assertNotIn(FINDINGS_HIDDEN, self.page(tab))
        ObjectPermission.objects.filter(users=self.user, object_types__model="finding").update(
            constraints={"pod__name": "theirs"}
        )
        page = self.page(tab)
        self.assertIn(FINDINGS_HIDDEN, page)
        self.assertNotIn("None.", page)

    def test_a_cube_that_does_not_answer_has_its_finding(self) -> None:
        cube = self.mine.cubes.first()
        found = Found(finding_of(self.finding, [(cube.rack.name, "", "")]))
        self.finding.places.all().delete()
        write_places(self.mine, {found.key: self.finding.pk}, [found], {})
        self.assertEqual(self.finding.places.get(device_name=cube.rack.name).rack, cube.rack)

    def test_to_acknowledge_asks_why(self) -> None:
        self.become_a_user_of("mine", "change")
        url = reverse("plugins:fabric_twin:finding_acknowledge", args=[self.finding.pk])
        self.assertIn("Why", self.page(url))
        self.client.post(url, {"why": ""})
        self.finding.refresh_from_db()
        self.assertEqual(self.finding.state, "open")
        done = self.client.post(url, {"why": "parts come on Monday"}, follow=True)
        self.assertIn("parts come on Monday", done.content.decode())
        self.finding.refresh_from_db()
        self.assertEqual(self.finding.state, "acknowledged")
        self.client.post(reverse("plugins:fabric_twin:finding_reopen", args=[self.finding.pk]))
        self.finding.refresh_from_db()
        self.assertEqual(self.finding.state, "open")

    def test_to_see_is_not_to_act(self) -> None:
        self.become_a_user_of("mine")
        page = self.page(self.finding)
        for action in ("acknowledge", "reopen"):
            url = reverse(f"plugins:fabric_twin:finding_{action}", args=[self.finding.pk])
            self.assertNotIn(url, page)
            refused = self.client.post(url, {"why": "mine"}, follow=True)
            self.assertContains(refused, f"{self.user} may not change 1 of 1 findings")
        self.finding.refresh_from_db()
        self.assertEqual(self.finding.state, "open")

    def test_to_silence_leads_to_a_form_that_is_filled_in(self) -> None:
        url = reverse("plugins:fabric_twin:silence_add")
        self.assertIn(
            f"{url}?pod={self.mine.pk}&amp;finding={self.finding.pk}", self.page(self.finding)
        )
        rule = {"pod": self.mine.pk, "finding": self.finding.pk, "reason": "hands at work"}
        self.client.post(url, rule | {"until": "2090-01-01 00:00:00"})
        made = Silence.objects.get()
        self.assertEqual((made.finding, made.user), (self.finding, self.user))
        self.assertIn("hands at work", self.page(self.finding))

    def test_reports_are_opened_and_saved(self) -> None:
        run = AuditRun.objects.get(pod=self.mine, number=2)
        url = reverse("plugins:fabric_twin:auditrun_report", args=[run.pk])
        for form in ("html", "csv", "pdf"):
            self.assertIn(f"{url}?form={form}", self.page(run))
            self.assertHttpStatus(self.client.get(f"{url}?form={form}"), 200)
        self.assertIn("there is no report as docx", self.page_after(f"{url}?form=docx"))

    def test_a_report_says_that_later_runs_saw_its_findings_again(self) -> None:
        for number, later in ((1, True), (2, False)):
            run = AuditRun.objects.get(pod=self.mine, number=number)
            for form in ("html", "txt"):
                _, _, content = run_report(run, form, self.user)
                self.assertEqual(LATER in content.decode(), later, (number, form))

    def page_after(self, url: str) -> str:
        return self.client.get(url, follow=True).content.decode()

    def test_who_sees_one_pod_never_learns_of_the_other(self) -> None:
        silence(self.theirs)
        self.become_a_user_of("mine")
        for record in (self.mine, self.finding, AuditRun.objects.get(pod=self.mine, number=2), "/"):
            self.assertNotIn("theirs", self.page(record), record)
        for model in (Finding, AuditRun, Silence, Substitution):
            url = reverse(f"plugins:fabric_twin:{model._meta.model_name}_list")
            if model is not Substitution:
                self.assertNotIn("theirs", self.page(url, **{"HX-Request": "true"}), model)
        for record in (
            Finding.objects.filter(pod=self.theirs).first(),
            self.theirs.audit_runs.first(),
            self.theirs.silences.first(),
        ):
            self.assertHttpStatus(self.client.get(record.get_absolute_url()), 404)
        rack = self.theirs.cubes.get(slot=1).rack
        tab = reverse("plugins:fabric_twin:rack_findings", args=[rack.pk])
        self.assertNotIn("is missing", self.page(tab))

    def test_the_home_page_counts_what_is_wrong_and_not_silenced(self) -> None:
        self.become_a_user_of("mine")
        self.assertRegex(self.page("/"), r'title="Errors">2</a>')
        silence(self.mine, finding=self.finding)
        self.assertRegex(self.page("/"), r'title="Errors">1</a>')

    def test_pages_take_as_many_queries_for_many_as_for_few(self) -> None:
        many = AuditRun.objects.get(pod=self.theirs)
        few = AuditRun.objects.get(pod=self.mine, number=1)
        self.page(few)
        self.assertEqual(self.queries(few), self.queries(many))
        self.page(self.mine)
        self.assertEqual(self.queries(self.mine), self.queries(self.theirs))
        for model in (Finding, AuditRun):
            url = reverse(f"plugins:fabric_twin:{model._meta.model_name}_list")
            self.page(f"{url}?per_page=1", **{"HX-Request": "true"})
            taken = []
            for rows in (1, 3):
                with CaptureQueriesContext(connection) as queries:
                    self.page(f"{url}?per_page={rows}", **{"HX-Request": "true"})
                taken.append(len(queries))
            self.assertEqual(*taken, model)

    def test_every_record_has_a_page_of_documentation(self) -> None:
        for model in (Finding, FindingPlace, AuditRun, Silence, Substitution):
            url = get_docs_url(model)
            assert url, model
            self.assertIn("<h1>", b"".join(self.client.get(url)).decode())

    def test_who_acknowledged_and_is_gone_is_somebody(self) -> None:
        user = get_user_model().objects.create_superuser("left")
        acknowledge(self.finding, user, "mine")
        user.delete()
        self.assertIn("a deleted user: mine", self.page(self.finding))

    def test_a_health_drawing_has_a_bar_a_run(self) -> None:
        page = self.page(self.mine)
        health = page[page.index('<svg class="drawing health"') :]
        drawing = drawing_of(health)
        self.assertEqual(words(drawing)[:2], ["2", "0"])
        bars = [one for one in drawing.iter() if one.attrib.get("class") == "of-errors"]
        self.assertEqual([bar.attrib["height"] for bar in bars], ["120.0", "120.0"])
