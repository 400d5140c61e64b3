"""Clusters audited by their records: the codes of tiers, planes and lanes."""

from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Interface
from nautobot.extras.models import Status

from fabric_twin.models import Finding, Pod
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import admin


class AuditOfClustersTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-cluster", hall())
        cls.pod = Pod.objects.get()

    def move(self, label: str, end: str, device: str, port: str) -> None:
        """Put an end of a cable into another port, by hand as in Nautobot."""
        cable = Cable.objects.get(label=label)
        ends = {
            "a": Interface.objects.get(
                cable_termination__cable=cable, cable_termination__cable_end="A"
            ),
            "b": Interface.objects.get(
                cable_termination__cable=cable, cable_termination__cable_end="B"
            ),
        }
        ends[end] = Interface.objects.get(device__name=device, name=port)
        cable.delete()
        connected = Status.objects.get_for_model(Cable).get(name="Connected")
        Cable(
            label=label, status=connected, termination_a=ends["a"], termination_b=ends["b"]
        ).validated_save()

    def test_a_cluster_as_loaded_is_clean(self) -> None:
        run = run_audit(self.pod)
        self.assertEqual((run.state, run.gate, run.found), ("done", "pass", 0))
        self.assertEqual((run.cables, run.expected), (288, 288))

    def test_findings_have_the_codes_of_clusters_and_close(self) -> None:
        self.move("g-row-02-1-2:49", "b", "g-row-t1-1-3-1", "60")
        self.move("g-r01c02:1.4/E1", "b", "g-col-02-1-1", "20")
        Cable.objects.get(label="g-r02c01:4.1/S3").delete()
        run = run_audit(self.pod)
        self.assertEqual(
            sorted((one.code, one.cause) for one in Finding.objects.all()),
            [
                (
                    "crossed-lane",
                    "g-row-02-1-2:49 is on g-row-t1-1-3-1 port 60, which serves another lane, and "
                    "belongs on g-row-t1-1-2-1 port 2",
                ),
                (
                    "missing",
                    "g-r02c01:4.1/S3 is missing between g-r02c01 port 4.1/S3 and g-col-01-1-3 "
                    "port 4",
                ),
                (
                    "wrong-axis",
                    "g-r01c02:1.4/E1 is on g-col-02-1-1 port 20, which serves the other "
                    "dimension, and belongs on g-row-01-1-1 port 4",
                ),
            ],
        )
        self.client.force_login(admin())
        for page in (run, *Finding.objects.all(), self.pod):
            answer = self.client.get(page.get_absolute_url(), follow=True)
            self.assertEqual(answer.status_code, 200, page)
        self.move("g-row-02-1-2:49", "b", "g-row-t1-1-2-1", "2")
        run_audit(self.pod)
        self.assertEqual(
            set(self.pod.open_findings.values_list("code", flat=True)), {"missing", "wrong-axis"}
        )
