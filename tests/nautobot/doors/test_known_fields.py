"""Whatever is sent over REST is heard or refused: no field and no filter is left out silently."""

from typing import Any

from django_filters import BooleanFilter
from nautobot.apps.testing import APITestCase

from fabric_twin.api.urls import router as api
from fabric_twin.models import Pod
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.audits.small_findings import audit, fade, small_pod

ROOT = "/api/plugins/fabric-twin/"


class KnownFieldsTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        fade(cls.pod, 0)
        audit(cls.pod)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def send(self, code: int, path: str, method: str = "post", /, **said: Any) -> Any:
        answer = getattr(self.client, method)(ROOT + path, said, format="json", **self.header)
        self.assertHttpStatus(answer, code)
        return answer.json()

    def test_a_field_that_there_is_not_is_refused_with_those_that_there_are(self) -> None:
        for path, view, _ in api.registry:
            if "post" in view.http_method_names and hasattr(view, "create"):
                [told] = self.send(400, f"{path}/", banana=1)["banana"]
                self.assertRegex(told, r"^There is no such field. Known fields: \w+, \w+")
        finding, pod = self.pod.findings.get(), f"pods/{self.pod.pk}/"
        for path, known in (
            (f"findings/{finding.pk}/acknowledge/", "why"),
            (f"{pod}audit/", "light_test"),
            (f"switches/{self.pod.switches.first().pk}/confirm/", "serial"),
        ):
            self.assertIn(known, self.send(400, path, banana=1)["banana"][0])
        for path in (pod, f"findings/{finding.pk}/"):
            told = self.send(400, path, "patch", banana=1)["banana"][0]
            self.assertIn("tags", told)
            self.assertNotIn("display", told, "that is only read")

    def test_an_act_that_takes_no_field_is_not_done_with_one(self) -> None:
        pod = small_pod("other")
        made, _ = make_slice(pod, Wish(shape="2x2x2", name="kept", slots=(1,)), self.user)
        told = self.send(400, f"slices/{made.pk}/release/", by_ticket=True)
        self.assertEqual(told["by_ticket"], ["There is no such field. Known fields: none."])
        self.assertTrue(pod.slices.filter(name="kept").exists())
        self.send(400, f"findings/{self.pod.findings.get().pk}/reopen/", why="It is back")

    def test_what_was_read_may_be_sent_back_whole(self) -> None:
        for path in (f"pods/{self.pod.pk}/", f"findings/{self.pod.findings.get().pk}/"):
            shown = self.client.get(f"{ROOT}{path}?include=relationships", **self.header).json()
            self.assertIn("relationships", shown)
            again = self.send(200, path, "patch", **shown)
            differ = {name for name, value in again.items() if shown.get(name, value) != value}
            self.assertLessEqual(differ, {"last_updated"})
        self.assertEqual(Pod.objects.get(), self.pod)

    def test_a_filter_takes_true_and_false_and_no_other_word(self) -> None:
        for name in ("is_there", "silenced", "seen"):
            for word, code in (("true", 200), ("False", 200), ("", 200), ("banana", 400)):
                answer = self.client.get(f"{ROOT}findings/?{name}={word}", **self.header)
                self.assertHttpStatus(answer, code)
            self.assertEqual(answer.json(), {name: ["It is neither true nor false."]})
        for path, view, _ in api.registry:
            filters = view.filterset_class.base_filters
            asked = [name for name, one in filters.items() if isinstance(one, BooleanFilter)]
            found = view.filterset_class(dict.fromkeys(asked, "banana"))
            self.assertEqual(found.is_valid(), not asked, path)
            self.assertEqual(set(found.errors), set(asked), path)
