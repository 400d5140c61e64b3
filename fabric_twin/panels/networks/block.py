"""What the page of a block shows."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.models import Block
from fabric_twin.panels.facts import link
from fabric_twin.panels.seeing import sight_of, tell_cabled
from fabric_twin.presenters.visible_pod import HIDDEN
from fabric_twin.tables.block import ports_told

_NONE = "nobody asks for it: the block has no address"


def tell_uplinks(block: Block, user: User) -> Mapping[str, Any]:
    """Which ports of the switches it has, and how many of its strands are cabled."""
    cabled = tell_cabled(sight_of(block.pod, user), block.strands, block=block)
    listed = f"{reverse('plugins:fabric_twin:port_list')}?block={block.pk}"
    return {
        "Ports": f"{ports_told(block)} of every switch",
        "Strands with a cable": link("" if cabled == HIDDEN else listed, cabled),
        **({} if block.address else {"Light that it hears": _NONE}),
    }
