"""What audits and syncs learn of tickets: ports and switches that a running one changes."""

from fabric_twin.operations.hooks import InHand
from fabric_twin.operations.tickets.changes.ports_in_progress import (
    ports_under_way,
    switches_under_way,
)

TICKETS_IN_HAND = InHand(domain="tickets", ports=ports_under_way, switches=switches_under_way)
