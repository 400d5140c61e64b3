"""The App's panel on the home page; counts are of what the user may see."""

from collections import Counter
from datetime import timedelta
from typing import Any

from django.utils import timezone
from nautobot.apps.ui import HomePageItem, HomePagePanel

from fabric_twin.core.slices.slot_use import NO_CUBE, NO_GROUP, in_order
from fabric_twin.models import (
    Block,
    Cube,
    Finding,
    OpticalCircuit,
    Pod,
    Slice,
    Switch,
    Ticket,
    WorkOrder,
)
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations.audits.findings_of import heard_there
from fabric_twin.operations.slices.slot_uses import count_uses_of
from fabric_twin.operations.tickets.related_tickets import open_tickets
from fabric_twin.presenters.stuck import Row, stuck_rows


def _item(name: str, model: type, description: str, weight: int) -> HomePageItem:
    kind = model.__name__.lower()
    return HomePageItem(
        name=name,
        model=model,
        weight=weight,
        link=f"plugins:fabric_twin:{kind}_list",
        description=description,
        permissions=[f"fabric_twin.view_{kind}"],
    )


def count_cubes(request: Any) -> dict[str, Any]:
    """How the cubes are used of pods that the user may see."""
    uses: Counter[str] = Counter()
    with_cubes = Pod.objects.filter(pk__in=Cube.objects.order_by().values("pod"))
    pods = with_cubes.restrict(request.user, "view").select_related("status")
    for _, counts in count_uses_of(pods):
        uses.update(counts)
    del uses[NO_CUBE], uses[NO_GROUP]
    cubes = Cube.objects.restrict(request.user, "view").count()
    told = ", ".join(f"{uses[use]:,} {use}" for use in in_order(uses) if uses[use])
    return {"many": cubes, "told": told}


def count_blocks(request: Any) -> int:
    """How many blocks there are of networks that the user may see."""
    return int(Block.objects.restrict(request.user, "view").count())


def count_findings(request: Any) -> dict[str, int]:
    """What is wrong now and not silenced, in pods that the user may see."""
    there = Finding.objects.restrict(request.user, "view").filter(
        state__in=FindingStateChoices.THERE
    )
    counts = Counter(heard_there(request.user).values_list("severity", flat=True))
    since = timezone.now() - timedelta(days=1)
    return {
        "errors": counts["error"],
        "warnings": counts["warning"],
        "new": there.filter(opened__gte=since).count(),
    }


def count_tickets(request: Any) -> dict[str, int]:
    """What changes now, and what waits for somebody, in pods that the user may see."""
    there = open_tickets(Ticket.objects.restrict(request.user, "view")).order_by()
    states = Counter(there.values_list("state", flat=True))
    return {
        "open": sum(states.values()),
        "waiting": states["submitted"],
        "running": states["running"],
        "failed": states["failed"],
    }


def count_orders(request: Any) -> dict[str, int]:
    """The open work orders of pods that the user may see."""
    there = WorkOrder.objects.restrict(request.user, "view").exclude(state__in=ENDED).order_by()
    states = Counter(there.values_list("state", flat=True))
    return {
        "open": sum(states.values()),
        "waiting": states["drafted"],
        "running": states["under way"],
        "reopened": states["reopened"],
    }


def tell_stuck(request: Any) -> list[Row]:
    """What does not go on by itself, in pods that the user may see."""
    return stuck_rows(request.user)


layout = (
    HomePagePanel(
        name="Fabric Twin",
        weight=150,
        items=(
            HomePageItem(
                name="Stuck",
                weight=50,
                custom_template="homepage_stuck.html",
                custom_data={"fabric_twin_stuck": tell_stuck},
                permissions=["fabric_twin.view_pod", "extras.view_job"],
            ),
            HomePageItem(
                name="Shift",
                weight=75,
                link="plugins:fabric_twin:shift",
                description="What broke, what was mended, what waits for whom",
                permissions=["fabric_twin.view_finding"],
            ),
            _item("Pods", Pod, "Cubes, switches and cables of one fabric", 100),
            HomePageItem(
                name="Cubes",
                weight=200,
                custom_template="homepage_cubes.html",
                custom_data={"fabric_twin_cubes": count_cubes},
                permissions=["fabric_twin.view_cube"],
            ),
            HomePageItem(
                name="Blocks",
                weight=250,
                custom_template="homepage_blocks.html",
                custom_data={"fabric_twin_blocks": count_blocks},
                permissions=["fabric_twin.view_block"],
            ),
            _item("Switches", Switch, "Optical circuit switches", 300),
            _item("Slices", Slice, "Cubes joined into a torus for a job", 400),
            HomePageItem(
                name="Findings",
                weight=450,
                custom_template="homepage_findings.html",
                custom_data={"fabric_twin_findings": count_findings},
                permissions=["fabric_twin.view_finding"],
            ),
            HomePageItem(
                name="Tickets",
                weight=470,
                custom_template="homepage_tickets.html",
                custom_data={"fabric_twin_tickets": count_tickets},
                permissions=["fabric_twin.view_ticket"],
            ),
            HomePageItem(
                name="Work orders",
                weight=480,
                custom_template="homepage_orders.html",
                custom_data={"fabric_twin_orders": count_orders},
                permissions=["fabric_twin.view_workorder"],
            ),
            HomePageItem(
                name="My orders",
                weight=80,
                link="plugins:fabric_twin:my_orders",
                description="Orders given to you, for a phone",
                permissions=["fabric_twin.do_workorder"],
            ),
            _item("Circuits", OpticalCircuit, "Ports joined by light", 500),
        ),
    ),
)
