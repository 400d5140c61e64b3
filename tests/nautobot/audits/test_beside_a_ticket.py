"""An audit that looks while a ticket switches says nothing of what the ticket does."""

from fabric_twin.models import Finding, Ticket
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.observe import Observation, observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.tickets.ticket_runs import RunCase


class BesideATicketTest(RunCase):
    def audit_over(self, ticket: Ticket) -> None:
        """The devices answer, the ticket runs to its end, and only then the records are read."""

        def look(_record: PodRecord, scope: Scope) -> Observation | None:
            observed = observe_scope(PodRecord(self.pod), scope)
            self.done(ticket)
            return observed

        run_audit(self.pod, WHOLE_POD, How(look=look))

    def test_what_devices_told_before_a_ticket_ended_is_no_finding_after_it(self) -> None:
        self.audit_over(self.wish())
        self.assertEqual(list(Finding.objects.values_list("code", "cause")), [])
        self.audit_over(self.wish("release", slice="train"))
        self.assertEqual(list(Finding.objects.values_list("code", "cause")), [])
