"""A connector soiled at the moment of a switching is named while technicians are near."""

import re

from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from nautobot.apps.testing import TestCase

from fabric_twin.app_config import FabricTwinConfig
from fabric_twin.models import Finding, LastGoodLight, Ticket
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.presenters.ticket import ticket_document_of, ticket_facts
from tests.nautobot.bases.tickets.ticket_runs import RunCase

SWITCH = "iw-ocs-x-3-2"
PLUG = ("iw-c001-t04", "4.3.2/X+")


class WorseThanBeforeTest(RunCase):
    def audit(self) -> None:
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))

    def again(self) -> Ticket:
        """The slice is released by a ticket, a connector soiled meanwhile, and it is made again."""
        made = self.done(self.wish())
        self.audit()
        self.done(self.wish("release", slice="train"))
        self.fault = self.break_it(
            "dirty", device=SWITCH, port="1A", loss_db=0.4, reflection_db=-42
        )
        slice_again = self.wish()
        self.assertEqual(slice_again.plan["add"], made.plan["add"])
        return self.done(slice_again)

    def test_a_ticket_names_it_before_it_ends_and_an_audit_finds_it(self) -> None:
        ended = self.again()
        [stage] = ended.stages.all()
        [worse] = stage.report["worse"]
        b = worse["b"]
        self.assertEqual((worse["switch"], worse["a"], stage.report["bad"]), (SWITCH, "1A", []))
        self.assertRegex(
            worse["why"], r"^its path loses 0\.4 dB more than on [-0-9]+ [:0-9]+ UTC(; .*)?$"
        )
        [staged] = ended.events.filter(what="staged")
        self.assertEqual(
            staged.said,
            f"stage 1 is verified; 1A to {b} on {SWITCH} of train passes, worse than before: "
            f"{worse['why']}",
        )
        [told] = ticket_facts(ended).stages[0].worse
        self.assertEqual(told, f"1A to {b} on {SWITCH}: {worse['why']}")
        _, _, paper = ticket_document_of(ended, "md")
        self.assertIn("Passes, worse than before", paper.decode())

        self.audit()
        finding = Finding.objects.get()
        self.assertEqual(
            (finding.code, finding.severity, finding.state),
            ("worse-than-before", "warning", "open"),
        )
        self.assertIn((SWITCH, "1A"), set(finding.places.values_list("device_name", "port_name")))
        key = finding.key
        self.done(self.wish("release", slice="train"))
        self.audit()
        finding.refresh_from_db()
        self.assertEqual((finding.state, finding.seen), ("open", False))
        self.control("/mend", number=self.fault)
        self.audit()
        finding.refresh_from_db()
        self.assertEqual(finding.state, "open")
        self.done(self.wish())
        self.audit()
        finding.refresh_from_db()
        self.assertEqual((finding.key, finding.state), (key, "mended"))

    def test_what_hardly_moved_is_not_written_again(self) -> None:
        self.done(self.wish())
        self.audit()
        rows = LastGoodLight.objects.order_by("switch")
        before = list(rows.values_list("switch", "paths"))
        self.assertEqual(len(before), 48)
        self.audit()
        self.assertEqual(list(rows.values_list("switch", "paths")), before)


class LimitsTest(TestCase):
    def test_limits_that_mean_nothing_stop_the_start(self) -> None:
        for limits, said in (
            ({"worse_los": 0.3}, "there is no limit 'worse_los'"),
            ({"worse_loss": "0.3"}, "worse_loss is '0.3', which is not a number"),
            ({"worse_loss": 10**400}, "worse_loss is 1000"),
            ({"worse_loss": float("nan")}, "worse_loss is nan, which is not a number"),
            ({"worse_ber_times": 0.5}, "worse_ber_times is 0.5, and has to be more than 1"),
            ({"reflection": 5}, "reflection is 5, and has to be less than 0"),
            ({"worse_loss": -1}, "worse_loss is -1, and has to be more than 0"),
            ([1], "limits are not names with numbers"),
        ):
            with self.assertRaises(ImproperlyConfigured) as refused:
                FabricTwinConfig.validate({"limits": limits}, "3.2.7")
            self.assertTrue(
                re.match(
                    re.escape(f'PLUGINS_CONFIG["fabric_twin"]["limits"]: {said}'),
                    str(refused.exception),
                ),
                refused.exception,
            )

    @override_settings(PLUGINS_CONFIG={"fabric_twin": {"limits": {"worse_loss": 0.1}}})
    def test_a_site_has_its_own(self) -> None:
        from fabric_twin.operations.site_limits import site_limits

        self.assertEqual((site_limits().worse_loss, site_limits().switch_loss), (0.1, 3.0))
