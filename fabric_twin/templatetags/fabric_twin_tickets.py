"""A ticket in the words of its documents, and its change drawn: where an approver decides."""

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from fabric_twin.documents import ticket as told
from fabric_twin.documents.sheet import Table
from fabric_twin.models import Ticket
from fabric_twin.panels.ticket import drawn_in_page, facts_of

register = template.Library()


@register.simple_tag
def ticket_change(ticket: Ticket) -> SafeString:
    """The change port by port."""
    return render_to_string("fabric_twin/panels/drawing.html", drawn_in_page(facts_of(ticket)))


@register.simple_tag
def ticket_words(ticket: Ticket) -> SafeString:
    """What it is, whom it concerns, and what each stage does."""
    facts = facts_of(ticket)
    pairs: tuple[tuple[str, Any], ...] = (
        (told.ABOUT, told.about(facts)),
        (told.CONCERNS, told.concerns(facts)),
    )
    tables = [Table(title, ("what", "is"), tuple(said.items())) for title, said in pairs]
    shown = (*tables, told.stages(facts), told.checks(facts))
    return SafeString(
        "".join(
            render_to_string("fabric_twin/panels/sheet.html", {"table": one})
            for one in shown
            if one.rows
        )
    )
