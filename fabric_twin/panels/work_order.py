"""What the page of a work order shows, and the tab with the orders of a rack or a device."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nautobot.apps.ui import DistinctViewTab, Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.documents.sheet import Table
from fabric_twin.models import WorkOrder
from fabric_twin.panels.concerning import ConcerningPanel
from fabric_twin.panels.once import once
from fabric_twin.presenters import work_order as told
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.presenters.order_needs import NeedRow, needs_of
from fabric_twin.presenters.order_wish import curve_of
from fabric_twin.presenters.work_order import about_order, address_wanted, cost_of, undone_of


def crews_of(order: WorkOrder) -> Table:
    """How far each crew is."""
    return told.progress_by(order, "crew", "Crews")


def bundles_of(order: WorkOrder) -> Table:
    """How far each bundle, or each finding of a repair, is."""
    return told.progress_by(order, "bundle", "Bundles")


def parts_of(order: WorkOrder) -> Table:
    """What it takes from the shelf."""
    return told.parts_of(order.facts)


#: The tables of an order's page in which something is named.
NAMING: tuple[Callable[[WorkOrder], Table], ...] = (
    bundles_of,
    told.steps_of,
    told.said_of,
    told.history_of,
)


def links_of(order: WorkOrder, user: User) -> NameLinks:
    """The pages of all that the page of an order names, read at once."""
    texts = [cell for of in NAMING for row in once(of, order).rows for cell in row]
    told = {**about_order(order), **address_wanted(order, user)}
    texts += [text for text in told.values() if type(text) is str]
    for row in once(undone_of, order):
        texts += [row["rack"], row["words"]]
    for need in once(needs_of, order, user):
        texts += [need.what, need.waits_for]
    return NameLinks(user, order.pod, texts)


def tell_order(order: WorkOrder, user: User) -> Mapping[str, Any]:
    """What it is, who has it, and how far it is."""
    told = {**about_order(order), **address_wanted(order, user)}
    return once(links_of, order, user).facts(told)


def tell_cost(order: WorkOrder, user: User) -> Mapping[str, Any]:  # noqa: ARG001
    """What it takes, and what it would take one by one."""
    return cost_of(order.measure)


class NeedsPanel(Panel):
    """What it needs first: each need with its ticket, what that waits for, and who acts next."""

    body_content_template_path = "fabric_twin/panels/order_needs.html"

    def should_render(self, context: Any) -> bool:
        """Show it where there is a need."""
        return super().should_render(context) and bool(self._rows(context))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The needs, as the user may see them."""
        links = once(links_of, get_obj_from_context(context), context["request"].user)
        rows = [
            (row, links.linked(row.what), links.linked(row.waits_for))
            for row in self._rows(context)
        ]
        return {**super().get_extra_context(context), "rows": rows}

    def _rows(self, context: Any) -> list[NeedRow]:
        return once(needs_of, get_obj_from_context(context), context["request"].user)


class RoutePanel(Panel):
    """The routes that the lead could choose from, as they were when the order was made."""

    body_content_template_path = "fabric_twin/inc/route_curve.html"

    def should_render(self, context: Any) -> bool:
        """Show it where there was a choice."""
        return super().should_render(context) and bool(self._curve(context))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The drawing and its table."""
        return {**super().get_extra_context(context), **self._curve(context)}

    def _curve(self, context: Any) -> dict[str, Any]:
        order = get_obj_from_context(context)
        return once(_curve_of, order)


def _curve_of(order: WorkOrder) -> dict[str, Any]:
    return curve_of(order.measure, order.name, order.wish.get("route", ""))


class UndonePanel(Panel):
    """The steps that cannot be done, with their reasons and photos."""

    body_content_template_path = "fabric_twin/panels/undone.html"

    def should_render(self, context: Any) -> bool:
        """Show it where there is one."""
        return super().should_render(context) and bool(self._rows(context))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The steps."""
        links = once(links_of, get_obj_from_context(context), context["request"].user)
        rows = [
            row | {name: links.linked(row[name]) for name in ("rack", "words")}
            for row in self._rows(context)
        ]
        return {**super().get_extra_context(context), "rows": rows}

    def _rows(self, context: Any) -> list[dict[str, Any]]:
        return once(undone_of, get_obj_from_context(context))


def can_do(order: WorkOrder, user: User) -> bool:
    """Whether there is something to do in the aisle, and this user may do it."""
    may = WorkOrder.objects.restrict(user, "do").filter(pk=order.pk).exists()
    return order.is_open and may


class OrdersPanel(ConcerningPanel):
    """Work orders with steps at the record of the page, the newest first."""

    heads = ("Order", "What", "Kind", "State", "Assigned to")
    #: The key of a step that names the record.
    at = ""

    def rows(self, record: Any, user: User) -> Any:
        """The newest of them."""
        rows = WorkOrder.objects.restrict(user, "view").filter(**{f"steps__{self.at}": record})
        rows = rows.defer("facts").select_related("pod", "assignee", "team").distinct()
        return rows.order_by("-created")

    def more(self, row: Any) -> Iterable[Any]:
        """Who has it."""
        return [" ".join(str(one) for one in (row.assignee, row.team) if one)]


class OrdersTab(DistinctViewTab):
    """A tab with the work orders of a record."""

    required_permissions = ("fabric_twin.view_workorder",)

    def __init__(self, url_name: str, at: str) -> None:
        panel = OrdersPanel(weight=100, label="Work orders", at=at)
        super().__init__(
            weight=950, tab_id="work_orders", label="Work orders", url_name=url_name, panels=[panel]
        )
