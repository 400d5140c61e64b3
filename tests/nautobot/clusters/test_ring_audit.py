"""Audits of a cluster that ask its packet switches, which are Open vSwitch."""

import re

import pytest
from nautobot.dcim.models import Cable
from nautobot.extras.models import Status

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Finding, Reading, Switch
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit, try_audit
from fabric_twin.operations.tickets.create import mend_by_ticket
from fabric_twin.operations.tickets.drafts.propose import wish_of_finding
from tests.nautobot.bases.cluster_on_ovs import ODD, ClusterOnOpenVSwitch, entry
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase

pytestmark = pytest.mark.integration

ROW_1, ROW_2, ROW_3 = "g-row-01-1-1", "g-row-02-1-1", "g-row-03-1-1"


class RingAuditTest(ClusterOnOpenVSwitch):
    """A job `a` on the first two groups of row 1: 2->3 and 4->1."""

    def setUp(self) -> None:
        super().setUp()
        self.done(name="a", sequence=10)
        self.client.force_login(self.root)

    def open_ring(self) -> Finding:
        """An entry of the job leads elsewhere."""
        self.ovs.change("del-flows", ROW_1, "in_port=2")
        self.ovs.change("add-flow", ROW_1, entry(2, 9))
        self.audit()
        return self.finding("ring-open")

    def test_a_cluster_as_its_jobs_want_it_is_clean(self) -> None:
        run = self.audit()
        self.assertEqual((run.state, run.gate, run.found, run.not_reached), ("done", "pass", 0, {}))
        facts = Reading.objects.get(switch__number=0).facts["entries"]
        self.assertTrue(facts["answered"] == facts["asked"] and not facts["silence"])

    def test_a_ring_that_does_not_close_is_found_with_its_job_and_mended_by_a_ticket(self) -> None:
        finding = self.open_ring()
        self.assertEqual(
            self.found(),
            [
                (
                    "ring-open",
                    "The ring of row of a in plane row-1-1, forward, does not close: at "
                    "g-row-01-1-1 what comes in at port 2 goes out at port 9, and should go out at "
                    "port 3",
                )
            ],
        )
        places = finding.places.values_list("device_name", "port_name", "port__interface__name")
        self.assertEqual(list(places), [(ROW_1, "2", "2")])
        self.assertEqual([one.name for one in finding.slices.all()], ["a"])
        self.assertEqual((finding.circuits_lost, finding.observed), (1, True))
        self.assertEqual(self.recorded(seen=True), {(ROW_1, 2, 9), (ROW_1, 4, 1)})
        page = self.client.get(finding.get_absolute_url()).content.decode()
        self.assertIn("Jobs that lack links", page)
        self.assertIn("has the entries for what comes in at port 2 that jobs need", page)
        said = re.sub(r"<script.*?</script>|<[^>]+>", " ", page, flags=re.DOTALL)
        self.assertEqual(re.findall(r"\b\d+[AB]\b", said), [])
        self.assertEqual(
            wish_of_finding(finding),
            (
                "drift",
                {
                    "ports": [[ROW_1, "2A"], [ROW_1, "9B"], [ROW_1, "2A"], [ROW_1, "3B"]],
                    "accept": False,
                },
            ),
        )
        ticket = mend_by_ticket(finding, self.ada)
        self.assertEqual(self.run_it(self.approved(ticket)).state, "done")
        self.assertEqual(self.shown(), {(ROW_1, 2, 3), (ROW_1, 4, 1)})
        self.audit()
        self.assertEqual(self.found(), [])

    def test_two_entries_that_send_to_one_link_are_found(self) -> None:
        self.ovs.change("add-flow", ROW_1, entry(9, 3))
        self.audit()
        self.assertEqual(
            self.found(),
            [
                (
                    "ring-shared",
                    "What goes out at port 3 of g-row-01-1-1 is of 2 entries: 2->3 of a and 9->3 "
                    "of no job",
                )
            ],
        )
        # The record has one of the two: a port is in one circuit that is seen.
        self.assertEqual(self.recorded(seen=True), {(ROW_1, 2, 3), (ROW_1, 4, 1)})
        self.ovs.change("del-flows", ROW_1, "in_port=9")
        self.audit()
        self.assertEqual(self.found(), [])

    def test_entries_of_nobody_are_a_warning_and_removed_by_a_ticket(self) -> None:
        self.ovs.change("add-flow", ROW_2, entry(40, 41))
        run = self.audit()
        self.assertEqual(run.gate, "warn")
        finding = self.finding("entry-unexpected")
        self.assertEqual(finding.cause, "g-row-02-1-1 has 1 entry of no ring: 40->41")
        self.run_it(self.approved(mend_by_ticket(finding, self.ada)))
        self.assertEqual(self.ovs.flows(ROW_2), [])

    def test_a_row_of_ours_that_somebody_changed_is_no_circuit_and_no_ticket_touches_it(
        self,
    ) -> None:
        self.ovs.change("add-flow", ROW_1, ODD)
        self.audit()
        finding = self.finding("entry-unexpected")
        self.assertEqual(
            finding.cause,
            "g-row-01-1-1 has 1 row of ours changed by somebody: table 0, priority 16384, "
            "in_port 20",
        )
        self.assertEqual(self.recorded(seen=True), {(ROW_1, 2, 3), (ROW_1, 4, 1)})
        with self.assertRaisesMessage(NotPossible, "no ticket touches it"):
            mend_by_ticket(finding, self.ada)
        self.ovs.change("del-flows", ROW_1, "in_port=20")
        self.audit()
        self.assertEqual(self.found(), [])

    def test_of_a_switch_that_is_silent_nothing_is_closed(self) -> None:
        finding = self.open_ring()
        seen = self.recorded(seen=True)
        at = Switch.objects.get(device__name=ROW_1).flow_address
        Switch.objects.filter(device__name=ROW_1).update(flow_address="127.0.0.1:9")
        run = self.audit()
        why = "it did not answer (connection refused)"
        self.assertEqual((run.not_reached, run.gate), ({ROW_1: why}, "warn"))
        self.assertEqual(
            [code for code, _ in self.found()], ["ring-open", "stale"], "what was found stays open"
        )
        self.assertEqual(
            self.finding("stale").cause,
            f"{ROW_1} does not tell its entries ({why}): what is known of them is old",
        )
        finding.refresh_from_db()
        self.assertFalse(finding.seen)
        self.assertEqual(self.recorded(seen=True), seen)
        facts = Reading.objects.get(switch__number=0).facts["entries"]
        self.assertEqual((facts["silence"], facts["answered"] < facts["asked"]), (why, True))
        self.ovs.change("del-flows", ROW_1, "in_port=2")
        self.ovs.change("add-flow", ROW_1, entry(2, 3))
        Switch.objects.filter(device__name=ROW_1).update(flow_address=at)
        self.assertEqual((self.audit().gate, self.found()), ("pass", []))

    def test_another_switch_at_an_address_is_refused_and_told(self) -> None:
        Switch.objects.filter(device__name=ROW_1).update(datapath="00000000000000ff")
        self.audit()
        self.assertEqual(
            self.found(),
            [
                (
                    "refused",
                    f"{ROW_1}: another switch answers at its address (datapath 0000000000000001); "
                    "recorded is datapath 00000000000000ff. Check its address; if the switch was "
                    "replaced, record its datapath",
                )
            ],
        )
        self.assertEqual(self.recorded(seen=True), {(ROW_1, 2, 3), (ROW_1, 4, 1)})

    def test_nobody_answers_is_one_finding(self) -> None:
        for number, switch in enumerate(Switch.objects.all(), 9):
            Switch.objects.filter(pk=switch.pk).update(flow_address=f"127.0.0.1:{number}")
        self.audit()
        [(code, cause)] = self.found()
        self.assertEqual(code, "stale")
        self.assertTrue(cause.startswith("None of the 4 packet switches that were asked"))

    def test_an_audit_of_records_alone_closes_nothing_of_rings(self) -> None:
        self.open_ring()
        run_audit(self.pod)
        self.assertEqual([code for code, _ in self.found()], ["ring-open"])
        Switch.objects.filter(pod=self.pod).update(flow_address="", datapath="")
        self.assertEqual([self.audit().not_reached, len(self.found())], [{}, 1])

    def test_a_switch_out_of_service_is_not_asked(self) -> None:
        self.ovs.change("add-flow", ROW_2, entry(40, 41))
        out = Status.objects.get_for_model(Switch).get(name="Maintenance")
        Switch.objects.filter(device__name=ROW_2).update(status=out)
        self.assertEqual((self.audit().not_reached, self.found()), ({}, []))
        self.assertEqual(self.recorded(seen=True, wanted=False), set())

    def test_an_audit_of_one_switch_asks_and_judges_that_one(self) -> None:
        self.ovs.change("add-flow", ROW_1, entry(40, 41))
        self.ovs.change("add-flow", ROW_2, entry(40, 41))
        scope = Scope(switches=frozenset({1}))
        run_audit(self.pod, scope, How(look=observe_scope))
        self.assertEqual(
            self.found(),
            [("entry-unexpected", "g-row-02-1-1 has 1 entry of no ring: 40->41")],
        )

    def test_drafts_and_jobs_on_their_way_are_not_missed(self) -> None:
        self.ready(name="b", sequence=15)
        self.audit()
        self.assertEqual(self.found(), [])

    def test_a_dry_run_tells_and_writes_nothing(self) -> None:
        self.ovs.change("del-flows", ROW_1, "in_port=2")
        audit, turned = try_audit(self.pod, look=observe_scope)
        self.assertEqual([one.finding.code for one in audit.found], ["ring-open"])
        self.assertEqual((len(turned.new), self.found()), (1, []))
        self.assertEqual(self.recorded(seen=True), {(ROW_1, 2, 3), (ROW_1, 4, 1)})


class OrdersBesideRingsTest(ClusterOnOpenVSwitch):
    """Cables of a cluster whose switches tell entries, and no neighbours."""

    begun, go_on = OrderOnFabricCase.begun, OrderOnFabricCase.go_on
    ahead, report = OrderOnFabricCase.ahead, OrderOnFabricCase.report

    def setUp(self) -> None:
        super().setUp()
        self.admin, self.messages = self.root, 0

    def test_an_audit_of_entries_closes_an_order_of_cables_and_holds_no_entry_against_it(
        self,
    ) -> None:
        Cable.objects.get(label="g-row-03-1-1:9").delete()
        run_audit(self.pod)
        finding = self.finding("missing")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.go_on(order)
        self.ovs.change("add-flow", ROW_3, entry(9, 10))
        Switch.objects.filter(device__name=ROW_2).update(flow_address="127.0.0.1:9")
        self.audit()
        order.refresh_from_db()
        finding.refresh_from_db()
        self.assertEqual((finding.state, order.state), ("mended", "done"))
        self.assertEqual([code for code, _ in self.found()], ["entry-unexpected", "stale"])
