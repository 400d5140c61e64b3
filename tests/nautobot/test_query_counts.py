"""Lists over REST take as many queries for many rows as for few."""

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from nautobot.apps.testing import APITestCase
from small_findings import audit, fade, silence, small_pod
from small_pod import (
    add_ports,
    add_written_ends,
    cable_together,
    make_location,
    make_pod,
    status_of,
)

from fabric_twin.models import Pod, Substitution
from fabric_twin.repositories.slices import Wish, make_slice

LISTS = (
    "pods",
    "cubes",
    "switches",
    "ports",
    "slices",
    "slice-parts",
    "written-ends",
    "optical-circuits",
    "audit-runs",
    "findings",
    "finding-places",
    "silences",
    "substitutions",
)


class QueryCountTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        admin = get_user_model().objects.create_superuser("admin of counts")
        pod = make_pod("v4", slots=range(1, 13))
        per_cube = pod.to_core().layout.ports_per_cube
        ports = add_ports(pod, [cube * per_cube for cube in range(12)])
        cable_together([port.interface for port in ports])
        add_written_ends(pod, 12)
        for _ in range(12):
            make_slice(pod, Wish(shape="4x4x4"), admin)
        small = small_pod()
        for number in range(12):
            fade(small, number)
        for _ in range(12):
            audit(small)
        for finding in small.findings.all():
            silence(small, finding=finding)
        first = small.to_core().layout.cube_ports
        ports_of = {port.number: port for port in small.ports.filter(number__gte=first)}
        Substitution.objects.bulk_create(
            Substitution(port=ports_of[first + 8 * n], spare=ports_of[first + 8 * n + 3])
            for n in range(12)
        )
        hall, active = make_location("Hall"), status_of(Pod)
        for number in range(12):
            Pod.objects.create(name=f"p{number}", design="ironwood", location=hall, status=active)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def queries(self, path: str, limit: int, depth: int) -> int:
        url = f"/api/plugins/fabric-twin/{path}/?limit={limit}&depth={depth}"
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(url, **self.header)
        self.assertHttpStatus(response, 200)
        self.assertEqual(len(response.data["results"]), limit)
        return len(queries)

    def test_queries_do_not_grow_with_rows(self) -> None:
        for path in LISTS:
            for depth in (0, 1):
                with self.subTest(path, depth=depth):
                    self.queries(path, 3, depth)  # what Nautobot remembers is remembered
                    few, many = (self.queries(path, limit, depth) for limit in (3, 12))
                    self.assertEqual(few, many)
