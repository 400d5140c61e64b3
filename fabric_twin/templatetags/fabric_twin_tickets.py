"""A ticket in the words of its documents, and its change drawn: where somebody decides about it."""

from typing import Any

from django import template

from fabric_twin.documents.tickets import ticket as told
from fabric_twin.models import Ticket
from fabric_twin.panels.ticket import drawn_in_page, facts_of

register = template.Library()


@register.inclusion_tag("fabric_twin/inc/ticket_decided_on.html")
def ticket_decided_on(ticket: Ticket) -> dict[str, Any]:
    """What it is, whom it concerns, what becomes what, and the change port by port."""
    facts = facts_of(ticket)
    return {"ticket": ticket, "tables": told.decided_on(facts), **drawn_in_page(facts)}
