"""A packet switch is found by where it takes flow entries, and by the datapath id it shows."""

from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.models import Switch
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import admin, allow, somebody

FIRST, SECOND = "g-row-01-1-1", "g-row-02-1-1"
#: What somebody types, and who is found by it.
ROWS = (
    ("10.7.0.11:6653", [FIRST]),
    ("10.7.0.", [FIRST, SECOND]),
    ("00000000000000a1", [FIRST]),
    ("0xA1", [FIRST]),
    ("00:00:00:00:00:00:00:a2", [SECOND]),
    ("000000a", [FIRST, SECOND]),
    ("00000000000000a3", []),
    ("0x", []),
    (":", [FIRST, SECOND]),  # addresses have one; it is no datapath id
)


class FoundByFlowsTest(TestCase):
    """A cluster `g`; two of its switches take flow entries."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-chains", hall())
        for number, digit in ((0, 1), (1, 2)):
            Switch.objects.filter(number=number).update(
                flow_address=f"10.7.0.1{digit}:6653", datapath=f"a{digit}".rjust(16, "0")
            )

    def listed(self, text: str) -> list[str]:
        """What the REST list gives."""
        url = reverse("plugins-api:fabric_twin-api:switch-list")
        answer = self.client.get(url, {"q": text})
        self.assertHttpStatus(answer, 200)
        return [row["display"] for row in answer.json()["results"]]

    def searched(self, text: str) -> list[str]:
        """What Nautobot's search shows."""
        asked = {"q": text, "model": "fabric_twin.switch"}
        shown = self.client.get(reverse("search"), asked, headers={"HX-Request": "true"})
        self.assertHttpStatus(shown, 200)
        table = shown.context["table"]
        return [str(row.record) for row in table.page.object_list] if table else []

    def test_by_the_search_and_in_lists(self) -> None:
        self.client.force_login(admin())
        for text, found in ROWS:
            with self.subTest(text):
                self.assertEqual(self.listed(text), found)
                self.assertEqual(self.searched(text), found)

    def test_who_may_not_see_a_switch_does_not_find_it(self) -> None:
        user = somebody("otto")
        allow(user, ["view"], Switch, device__name=SECOND)
        self.client.force_login(user)
        self.assertEqual(self.listed("10.7.0."), [SECOND])
        self.assertEqual(self.searched("0xA1"), [])
