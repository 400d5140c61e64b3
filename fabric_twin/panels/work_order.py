"""What the page of a work order shows, and the tab with the orders of a rack or a device."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nautobot.apps.ui import Button, DistinctViewTab, Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.documents.sheet import Table
from fabric_twin.models import WorkOrder
from fabric_twin.panels.concerning import ConcerningPanel
from fabric_twin.repositories.order_actions import possible_deeds
from fabric_twin.repositories.order_facts import about_order, cost_of, undone_of


def tell_order(order: WorkOrder, user: Any) -> Mapping[str, Any]:  # noqa: ARG001
    """What it is, who has it, and how far it is."""
    return about_order(order)


def tell_cost(order: WorkOrder, user: Any) -> Mapping[str, Any]:  # noqa: ARG001
    """What it takes, and what it would take finding by finding."""
    return cost_of(order.measure)


class OrderSheetPanel(Panel):
    """A table of an order."""

    of: Callable[[WorkOrder], Table] | None = None
    body_content_template_path = "fabric_twin/panels/sheet.html"

    def table(self, context: Any) -> Table:
        """The rows; the record keeps them while the page is made."""
        assert self.of  # noqa: S101 - every panel says which table
        order = get_obj_from_context(context)
        kept = order.__dict__.setdefault("_fabric_twin_sheets", {})
        if self.component_id not in kept:
            kept[self.component_id] = self.of(order)
        found: Table = kept[self.component_id]
        return found

    def should_render(self, context: Any) -> bool:
        """Show it where there is a row."""
        return super().should_render(context) and bool(self.table(context).rows)

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The table."""
        return {**super().get_extra_context(context), "table": self.table(context)}

    def render_label(self, context: Any) -> str:
        """The table's own title."""
        return self.table(context).title


class UndonePanel(Panel):
    """The steps that cannot be done, with their reasons and photos."""

    body_content_template_path = "fabric_twin/panels/undone.html"

    def should_render(self, context: Any) -> bool:
        """Show it where there is one."""
        return super().should_render(context) and bool(self._rows(context))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The steps."""
        return {**super().get_extra_context(context), "rows": self._rows(context)}

    def _rows(self, context: Any) -> list[dict[str, Any]]:
        order = get_obj_from_context(context)
        if "_fabric_twin_undone" not in order.__dict__:
            order.__dict__["_fabric_twin_undone"] = undone_of(order)
        found: list[dict[str, Any]] = order.__dict__["_fabric_twin_undone"]
        return found


class OrderDeedButton(Button):
    """One act on an order; shown only where this user can do it now."""

    deed = ""
    link_name = "plugins:fabric_twin:workorder_act"

    def should_render(self, context: Any) -> bool:
        """Whether it can be done now, by this user."""
        order, user = get_obj_from_context(context), context["request"].user
        kept = order.__dict__.setdefault("_fabric_twin_deeds", {})
        if user.pk not in kept:
            kept[user.pk] = {deed.act for deed in possible_deeds(order, user)}
        return self.deed in kept[user.pk]

    def get_link(self, context: Any) -> str:
        """The page that asks for a word, and for sure."""
        return f"{super().get_link(context)}?do={self.deed}"


class DoButton(Button):
    """Leads to the page for the aisle."""

    link_name = "plugins:fabric_twin:workorder_do"

    def should_render(self, context: Any) -> bool:
        """To whoever may do it, while there is something to do."""
        order, user = get_obj_from_context(context), context["request"].user
        may = WorkOrder.objects.restrict(user, "do").filter(pk=order.pk).exists()
        return super().should_render(context) and order.is_open and may


class PaperButton(Button):
    """Leads to an order's paper in one form."""

    form = "html"
    link_name = "plugins:fabric_twin:workorder_document"

    def get_link(self, context: Any) -> str:
        """The document's address."""
        return f"{super().get_link(context)}?form={self.form}"


class OrdersPanel(ConcerningPanel):
    """Work orders with steps at the record of the page, the newest first."""

    heads = ("Order", "What", "Kind", "State", "Assigned to")
    #: The key of a step that names the record.
    at = ""

    def rows(self, record: Any, user: Any) -> Any:
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
