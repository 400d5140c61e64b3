"""Two pods with findings, and pages as a user sees them: `mine` has a few, `theirs` more."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.models import (
    AuditRun,
    Finding,
    FindingPlace,
    Pod,
    Silence,
)
from tests.nautobot.bases.audits.small_findings import audit, fade, mend, small_pod
from tests.nautobot.bases.pods.one_pod import see_one_pod

FINDINGS = reverse("plugins:fabric_twin:finding_list")
#: Lists ask for their rows apart.
HTMX = {"HX-Request": "true"}
#: How each kind is tied to its pod.
POD_OF = {
    Pod: "name",
    Finding: "pod__name",
    FindingPlace: "finding__pod__name",
    AuditRun: "pod__name",
    Silence: "pod__name",
}


class FindingPagesCase(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.mine, cls.theirs = small_pod("mine"), small_pod("theirs")
        gone = fade(cls.mine, 24)
        for pod, numbers in ((cls.mine, (0,)), (cls.theirs, (0, 1, 2, 24, 25))):
            for number in numbers:
                fade(pod, number)
            audit(pod)
        mend(gone)
        fade(cls.mine, 48)
        audit(cls.mine)
        cls.finding = Finding.objects.get(pod=cls.mine, places__port__number=0)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def become_a_user_of(self, pod: str, *actions: str) -> None:
        """See one pod and what is found in it; more only as named."""
        see_one_pod(self.user, pod, POD_OF, dict.fromkeys(POD_OF, actions))
        self.add_permissions(*(f"dcim.view_{kind}" for kind in ("rack", "device", "cable")))

    def page(self, record: Any, **headers: str) -> str:
        url = record if isinstance(record, str) else record.get_absolute_url()
        response = self.client.get(url, headers=headers)
        self.assertHttpStatus(response, 200)
        return response.content.decode()

    def queries(self, record: Any) -> int:
        with CaptureQueriesContext(connection) as queries:
            self.page(record)
        return len(queries)
