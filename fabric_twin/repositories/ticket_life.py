"""What people do with a ticket: by the table of `core/tickets/lifecycle.py`, and with permission.

    submit withdraw                 whoever may change it
    approve deny                    an approver of Nautobot's workflow, and not its author
    hasten                          whoever may `emergency_ticket`; another one reviews it later
    schedule start stop resume undo whoever may `run_ticket`

Each holds the ticket for one transaction, writes a line of its history, and answers with the ticket
as it is then. Refusals are `FabricTwinError`: NotNow, NotPermitted, NotPossible.
"""

from datetime import datetime
from typing import Any

from fabric_twin.models import Ticket


def submit(ticket: Ticket, user: Any, said: str = "") -> Ticket:
    """Ask for approval: Nautobot's workflow begins, and the ticket changes no more."""
    raise NotImplementedError


def withdraw(ticket: Ticket, user: Any, said: str = "") -> Ticket:
    """Let it be, before it runs: all that it holds is free."""
    raise NotImplementedError


def approve(ticket: Ticket, user: Any, said: str = "") -> Ticket:
    """Answer the active stage of its workflow with yes; approved once all stages are."""
    raise NotImplementedError


def deny(ticket: Ticket, user: Any, said: str = "") -> Ticket:
    """Answer with no: it is withdrawn, and a new draft goes back to its author."""
    raise NotImplementedError


def hasten(ticket: Ticket, user: Any, said: str) -> Ticket:
    """Approve a draft at once in an emergency; somebody else reviews it afterwards."""
    raise NotImplementedError


def review(ticket: Ticket, user: Any, said: str) -> Ticket:
    """Look at a hastened ticket afterwards, as somebody else than who wrote or hastened it."""
    raise NotImplementedError


def schedule(
    ticket: Ticket, user: Any, start: datetime | None = None, end: datetime | None = None
) -> Ticket:
    """Let it begin in its window, or in this one; without a start it begins soon."""
    raise NotImplementedError


def start(ticket: Ticket, user: Any) -> Ticket:
    """Begin now: schedule it where it is not, and call a worker."""
    raise NotImplementedError


def stop(ticket: Ticket, user: Any, said: str = "") -> Ticket:
    """Stop a run and hold it as it is; it can be resumed or undone."""
    raise NotImplementedError


def resume(ticket: Ticket, user: Any, said: str = "") -> Ticket:
    """Go on where it was held."""
    raise NotImplementedError


def undo(ticket: Ticket, user: Any, said: str = "") -> Ticket:
    """Go back: a run turns round, one that is held or done runs back."""
    raise NotImplementedError
