"""What no field and no database can take is refused in words, whatever it is sent to."""

import json
from typing import Any
from uuid import uuid4

from django.test import Client
from nautobot.apps.testing import APITestCase

from fabric_twin.api.urls import router
from fabric_twin.models import Pod, Slice, Ticket, WorkOrder
from fabric_twin.urls import router as page_router
from tests.nautobot.bases.audits.small_findings import add_findings
from tests.nautobot.bases.fuzz.odd_values import NO_KEYS

ROOT = "/api/plugins/fabric-twin/"
PAGES = "/plugins/fabric-twin/"
DEEP = 50_000


class BoundsCase(APITestCase):
    """An administrator, and a small pod with findings."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = add_findings()
        cls.finding = cls.pod.findings.first()

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def refusal(self, method: str, path: str, body: Any = None, code: int = 400) -> Any:
        """What is answered; a body of bytes goes as it is."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = "application/json"
        told = self.client.generic(method, f"{ROOT}{path}", sent, kind, **self.header)
        self.assertEqual(told.status_code, code, told.content[:300])
        return told.json()

    def assert_refused(self, told: Any, what: str, where: str) -> None:
        self.assertEqual((told["what"], told["where"]), (what, where))


class BodiesTest(BoundsCase):
    def test_what_is_nested_too_deep_is_refused_by_every_address(self) -> None:
        finding, pod = f"findings/{self.finding.pk}/", f"pods/{self.pod.pk}/"
        asked = {
            f"{prefix}/": "POST" for prefix, view, _ in router.registry if hasattr(view, "create")
        }
        asked |= {pod: "PATCH", finding: "PATCH", f"{finding}acknowledge/": "POST"}
        asked |= {f"{pod}audit/": "POST", f"{pod}notes/": "POST", "cubes/": "POST"}
        for path, method in asked.items():
            for body in (b"[" * DEEP, b'{"a":' * DEEP, b'{"a":' + b"[" * 40 + b"]" * 40 + b"}"):
                with self.subTest(path, body=body[:5]):
                    told = self.refusal(method, path, body)
                    # A parser may give up before: its words are its own.
                    self.assertIn(told.get("what", "JSON parse error"), TOO_DEEP, told)

    def test_a_list_is_refused_where_one_thing_is_made_or_changed(self) -> None:
        for method, path in (
            ("POST", "tickets/"),
            ("POST", "work-orders/"),
            ("PATCH", f"pods/{self.pod.pk}/"),
            ("PUT", f"pods/{self.pod.pk}/"),
            ("POST", f"pods/{self.pod.pk}/notes/"),
            ("POST", f"findings/{self.finding.pk}/acknowledge/"),
        ):
            for body in ([], [{"pod": "s"}]):
                told = self.refusal(method, path, body)
                self.assert_refused(told, "a list was sent", "request")
                self.assertEqual(told["remedy"], "Send one object")
        self.assertFalse(Ticket.objects.exists() or WorkOrder.objects.exists())

    def test_a_text_or_a_number_is_no_object(self) -> None:
        for body, what in (("x", "text"), (7, "number"), (True, "truth"), (None, "value")):
            self.assert_refused(
                self.refusal("POST", f"pods/{self.pod.pk}/notes/", body),
                f"a {what} was sent",
                "request",
            )

    def test_what_no_database_keeps_is_refused_wherever_it_stands(self) -> None:
        pod, half = f"pods/{self.pod.pk}/", b'"\\ud800"'
        for method, path, body, where in (
            ("PATCH", pod, b'{"status": %s}' % half, "status"),
            ("POST", "slices/", b'{"pod": [%s], "shape": "4x4x8"}' % half, "pod"),
            ("POST", "slices/", b'{"pod": {"name": [{"x": %s}]}}' % half, "x"),
            ("POST", "switches/", b'{"dialect": %s}' % half, "dialect"),
            ("POST", "slices/", b"{%s: 1}" % half, "request"),
            ("PATCH", pod, b'{"tags": [{"name": %s}]}' % half, "name"),
        ):
            told = self.refusal(method, path, body)
            self.assert_refused(told, "it holds half of a character", where)
        for path, body in (
            ("slices/", {"pod": "a\0b", "shape": "4x4x8"}),
            ("substitutions/", {"spare": "a\0b"}),
            ("slices/", {"custom_fields": {"x": ["\0"]}}),
        ):
            self.assertEqual(self.refusal("POST", path, body)["what"], "it holds the character NUL")
        told = self.refusal("PATCH", pod, b'{"custom_fields": {"x": 1e999}}')
        self.assert_refused(told, "it is not a number", "x")

    def test_custom_fields_and_relationships_are_objects(self) -> None:
        for name in ("custom_fields", "relationships"):
            for odd in ([], "x", 1):
                told = self.refusal("PATCH", f"pods/{self.pod.pk}/", {name: odd})
                self.assertEqual(told, {name: ["It is not an object."]})

    def test_a_record_is_named_by_no_list_and_by_nothing_else_odd(self) -> None:
        told = ["Name a record by its ID, or by an object with its attributes."]
        pod = str(self.pod.pk)
        for path, name, odds in (
            (f"pods/{pod}/", "location", ([], [str(self.pod.location.pk)], {"id": []})),
            (f"pods/{pod}/", "tags", ([[]], [None], [[None]])),
        ):
            for odd in odds:
                with self.subTest(name, odd=odd):
                    answer = self.refusal("PATCH", path, {name: odd})
                    self.assertEqual(list(answer), [name])
                    if odd != [[None]]:  # Nautobot refuses it first, in words of its own
                        self.assertEqual(answer, {name: told})

    def test_csv_is_for_what_is_read(self) -> None:
        for method, path in (("POST", "pods/"), ("POST", "notes/"), ("GET", "notes/")):
            where = path if path == "pods/" else f"pods/{self.pod.pk}/{path}"
            body = {} if method == "POST" else b""
            told = self.refusal(method, f"{where}?format=csv", body)
            self.assert_refused(
                told, "CSV is only for reading records, and not for their notes", "format"
            )


class AskingTest(BoundsCase):
    def test_what_the_database_could_not_look_for_is_refused_at_every_door(
        self,
    ) -> None:
        page = Client()
        page.force_login(self.user)
        for asked, why in (
            ("name__re=*", NO_PATTERN),
            ("name__ire=(", NO_PATTERN),
            ("name__nre=[", NO_PATTERN),
            ("name__re=\\", NO_PATTERN),
            ("name__ic=null", "An empty value is not text: filter without `__`."),
            ("design__isw=null", "An empty value is not text: filter without `__`."),
        ):
            with self.subTest(asked):
                name = asked.partition("=")[0]
                self.assertEqual(self.refusal("GET", f"pods/?{asked}", b""), {name: [why]})
                shown = page.get(f"{PAGES}pods/?{asked}", headers={"HX-Request": "true"})
                self.assertContains(shown, "No pods found")
        found = self.client.get(f"{ROOT}pods/?name__re=^s.*$", **self.header).json()
        self.assertEqual([one["name"] for one in found["results"]], ["s"])

    def test_exclude_m2m_is_true_or_false(self) -> None:
        for prefix, _, _ in router.registry:
            told = self.refusal("GET", f"{prefix}/?exclude_m2m=x", b"")
            self.assert_refused(told, "'x' is neither true nor false", "exclude_m2m")

    def test_what_is_no_key_is_not_there(self) -> None:
        for key in NO_KEYS:
            for path in ("", "notes/", "audit/"):
                method = "POST" if path == "audit/" else "GET"
                self.refusal(method, f"pods/{key}/{path}", b"", code=404)

    def test_what_is_as_long_as_a_key_is_none_in_any_address(self) -> None:
        page, wished = Client(), f"{ROOT}work-orders/{uuid4()}"
        page.force_login(self.user)
        for key in ("-" * 36, "a" * 36):
            for path in (f"{PAGES}pods/{key}/", f"{ROOT}pods/{key}/", f"{wished}/photos/{key}/"):
                with self.subTest(path):
                    self.assertEqual(page.get(path).status_code, 404)


class PagesTest(BoundsCase):
    def setUp(self) -> None:
        super().setUp()
        self.page = Client()
        self.page.force_login(self.user)

    def test_what_is_only_done_leads_back_where_it_is_asked_for(self) -> None:
        finding = f"{PAGES}findings/{self.finding.pk}/"
        for act, back in (
            (f"{finding}reopen/", finding),
            (f"{finding}ticket/", finding),
            (f"{PAGES}findings/acknowledge/", f"{PAGES}findings/"),
            (f"{PAGES}findings/repair/", f"{PAGES}findings/"),
            (f"{PAGES}pods/edit/", f"{PAGES}pods/"),
            (f"{PAGES}pods/delete/", f"{PAGES}pods/"),
            (f"{PAGES}pods/import/", f"{PAGES}pods/"),
        ):
            self.assertRedirects(self.page.get(act), back)
            self.assertEqual(self.page.put(act).status_code, 405)

    def test_what_is_read_may_be_asked_for_its_head(self) -> None:
        for prefix, _, _ in page_router.registry:
            with self.subTest(prefix):
                told = self.page.head(f"{PAGES}{prefix}/")
                self.assertEqual((told.status_code, told.content), (200, b""))
                self.assertEqual(self.page.options(f"{PAGES}{prefix}/").status_code, 405)
        self.assertEqual(self.page.head(f"{PAGES}pods/{self.pod.pk}/").status_code, 200)

    def test_what_is_posted_to_a_page_is_a_form(self) -> None:
        act = f"{PAGES}findings/{self.finding.pk}/acknowledge/"
        told = self.page.post(act, {"why": "I know"}, content_type="application/json")
        self.assertEqual((told.status_code, told.text), (415, "Send a form."))

    def test_what_holds_nul_is_refused_by_a_page(self) -> None:
        told = self.page.post(f"{PAGES}pods/delete/?design__nisw=a%00b", {"pk": self.pod.pk})
        self.assertEqual((told.status_code, told.text), (400, "It holds the character NUL."))
        self.assertEqual(self.page.post(f"{PAGES}slices/add/", {"name": "\0"}).status_code, 400)

    def test_a_pod_without_a_cube_has_a_page(self) -> None:
        self.pod.cubes.all().delete()
        self.assertContains(self.page.get(f"{PAGES}pods/{self.pod.pk}/"), "no active cube yet")


class RenameTest(BoundsCase):
    def test_a_pod_whose_parts_bear_its_name_keeps_it(self) -> None:
        path = f"pods/{self.pod.pk}/"
        shown = self.client.get(f"{ROOT}{path}", **self.header).json()
        why = (
            "Its racks, devices and cables bear the name s, on labels too: "
            "remove the pod, and load it under the new one."
        )
        for method, body in (("PATCH", {"name": "0"}), ("PUT", {**shown, "name": "0"})):
            self.assertEqual(self.refusal(method, path, body), {"name": [why]})
        empty = Pod.objects.create(
            name="empty", design="small", location=self.pod.location, status=self.pod.status
        )
        self.refusal("PATCH", f"pods/{empty.pk}/", {"name": "fresh"}, code=200)
        self.assertFalse(Slice.objects.exists())


NO_PATTERN = "It is not a regular expression that PostgreSQL knows."
TOO_DEEP = ("it is nested more than 32 deep", "JSON parse error")
