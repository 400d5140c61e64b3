"""A switch that answers, and not as it is asked, is no dead switch: nobody is sent to it."""

from fabric_twin.models import AuditRun, Cube, Finding, Port, Switch
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.users import admin


class RefusingTest(FabricTestCase):
    def audit(self) -> AuditRun:
        return run_audit(self.pod, WHOLE_POD, How(look=observe_scope))

    def there(self) -> list[Finding]:
        return list(Finding.objects.filter(pod=self.pod).exclude(state="mended").order_by("cause"))

    def refuse(self, count: int) -> list[str]:
        """Let the records of some switches lead to where their gateway knows nobody."""
        switches = list(Switch.objects.order_by("number")[:count])
        for number, switch in enumerate(switches):
            Switch.objects.filter(pk=switch.pk).update(target=f"nobody-{number}")
        return [str(switch) for switch in switches]

    def let_in(self, name: str) -> None:
        """Its record leads to it again."""
        Switch.objects.filter(device__name=name).update(target=name)

    def carry(self) -> None:
        """A slice runs over every switch."""
        make_slice(self.pod, Wish(shape="4x4x8", name="train"), admin())
        self.carried(add=True)

    def test_ten_that_refuse_are_ten_findings_and_the_others_are_audited(self) -> None:
        names = self.refuse(10)
        self.carry()
        self.set_circuits(set(), "iw-ocs-z-4-4")
        run = self.audit()
        found = {f.places.get().device_name: f for f in self.there() if f.code == "refused"}
        self.assertEqual(sorted(found), sorted(names))
        for name, finding in found.items():
            self.assertEqual((finding.severity, finding.remedy), ("error", []))
            self.assertIn(f"{name}: it refused: ", finding.cause)
            self.assertIn(
                "Check its address and target, its dialect, and what we may do there",
                finding.cause,
            )
        [other] = [f for f in self.there() if f.code != "refused"]
        self.assertEqual(other.code, "circuit-missing")
        self.assertIn("iw-ocs-z-4-4", other.cause)
        self.assertEqual(len(run.not_reached), 10)

    def test_an_audit_of_its_ports_or_of_a_cube_says_so_too(self) -> None:
        [name] = self.refuse(1)
        port = Port.objects.filter(interface__device__name=name).earliest("number")
        Cube.objects.filter(slot=1).update(target="nobody")
        scopes = Scope(ports=frozenset({port.number})), Scope(slots=frozenset({1}))
        for scope in scopes:
            run_audit(self.pod, scope, How(look=observe_scope))
        of_both = [(f.code, f.places.get().device_name) for f in self.there()]
        self.assertEqual(of_both, [("refused", "iw-c001"), ("refused", name)])

        self.let_in(name)
        run_audit(self.pod, scopes[0], How(look=observe_scope))
        self.assertEqual([f.places.get().device_name for f in self.there()], ["iw-c001"])

    def test_one_that_refuses_while_its_neighbours_are_dark_is_not_reseated(self) -> None:
        self.carry()
        [name] = self.refuse(1)
        self.set_circuits(set(), name)
        self.audit()
        [finding] = self.there()
        self.assertEqual((finding.code, finding.remedy), ("refused", []))

    def test_one_that_times_out_while_light_passes_is_not_reseated(self) -> None:
        self.carry()
        self.break_it("silent", device="iw-ocs-x-1-1")
        self.audit()
        [finding] = self.there()
        self.assertEqual((finding.code, finding.remedy), ("stale", []))
        self.assertIn("light passes: only its controller is silent", finding.cause)

    def test_one_that_answers_nothing_and_carries_no_light_is(self) -> None:
        self.carry()
        self.break_it("switch-down", device="iw-ocs-x-1-1")
        self.audit()
        [finding] = self.there()
        self.assertEqual(finding.code, "switch-down")
        self.assertEqual([step["do"] for step in finding.remedy], ["reseat"])

    def test_whom_nobody_lets_in_is_one_finding(self) -> None:
        import os
        from unittest import mock

        with mock.patch.dict(os.environ, FABRIC_TWIN_GNMI_PASSWORD="wrong"):
            self.audit()
        [finding] = self.there()
        self.assertEqual(finding.code, "refused")
        self.assertIn("All 51 devices answer alike: it refuses the login", finding.cause)
        self.audit()
        self.assertEqual(self.there(), [])
