"""What the page of a block shows."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.models import Block
from fabric_twin.operations.audits.findings_of import findings_of, heard_there
from fabric_twin.panels.facts import link
from fabric_twin.panels.seeing import sight_of
from fabric_twin.tables.block import ports_told


def tell_uplinks(block: Block, user: User) -> Mapping[str, Any]:
    """Which ports of the switches it has, how many of them are cabled, and what is wrong there."""
    ports = sight_of(block.pod, user).ports.filter(block=block)
    cabled = ports.filter(interface__cable_termination__isnull=False).count()
    return {
        "Ports": f"{ports_told(block)} of every switch",
        "Strands with a cable": _list("port", block, f"{cabled:,} of {block.strands:,}"),
        **(_tell_findings(block, user) if user.has_perm("fabric_twin.view_finding") else {}),
    }


def _tell_findings(block: Block, user: User) -> Mapping[str, Any]:
    """How many findings are there that nobody silenced."""
    at_device = findings_of(block.device, user).order_by().values("pk")
    many = heard_there(user).filter(pk__in=at_device).count()
    return {"Findings": _list("finding", block, f"{many:,}", is_there=True, silenced=False)}


def _list(model: str, block: Block, text: str, **only: Any) -> str:
    """A link to what a list has of a block."""
    asked = urlencode({"block": block.pk, **only})
    return link(f"{reverse(f'plugins:fabric_twin:{model}_list')}?{asked}", text)
