"""A static pod whose cubes answer is audited by its records: it has no paths of light."""

from nautobot.dcim.models import Cable

from fabric_twin.models import Finding, Reading
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from tests.nautobot.bases.fabric import FabricTestCase


class StaticAuditTest(FabricTestCase):
    design = "tpu-v5e"
    slots = tuple(range(1, 17))

    def test_cubes_are_read_and_cables_are_judged_by_the_records(self) -> None:
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual((run.state, run.gate, run.found), ("done", "pass", 0))
        self.assertEqual(Reading.objects.count(), 16)
        Cable.objects.get(label="iw-c001:4.1/X+").delete()
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual((run.state, run.found), ("done", 1))
        self.assertEqual(Finding.objects.get().code, "missing")
