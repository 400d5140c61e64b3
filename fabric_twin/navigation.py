"""The menu of the App."""

from nautobot.apps.ui import NavMenuAddButton, NavMenuGroup, NavMenuItem, NavMenuTab

#: Records in the order in which one comes to them, and whether they can be added by hand.
RECORDS = (
    ("Pods", "pod", True),
    ("Cubes", "cube", True),
    ("Blocks", "block", True),
    ("Switches", "switch", True),
    ("Slices", "slice", True),
    ("Multislices", "multislice", True),
    ("Demand", "demand", False),
    ("Circuits", "opticalcircuit", True),
    ("Ports", "port", False),
    ("Substitutions", "substitution", True),
)

#: What people change, and how far it is.
CHANGES = (
    ("Tickets", "ticket", True),
    ("Work orders", "workorder", True),
    ("Stock", "stock", True),
)

#: What audits write, and what people say of it.
AUDITS = (
    ("Findings", "finding", False),
    ("Audit runs", "auditrun", False),
    ("Silences", "silence", True),
)


def _item(name: str, model: str, weight: int, *, add: bool) -> NavMenuItem:
    button = NavMenuAddButton(
        link=f"plugins:fabric_twin:{model}_add", permissions=[f"fabric_twin.add_{model}"]
    )
    return NavMenuItem(
        link=f"plugins:fabric_twin:{model}_list",
        name=name,
        weight=weight,
        permissions=[f"fabric_twin.view_{model}"],
        buttons=(button,) if add else (),
    )


def _group(
    name: str,
    weight: int,
    records: tuple[tuple[str, str, bool], ...],
    first: tuple[NavMenuItem, ...] = (),
) -> NavMenuGroup:
    items = (
        _item(name, model, 100 * place, add=add)
        for place, (name, model, add) in enumerate(records, 1)
    )
    return NavMenuGroup(name=name, weight=weight, items=(*first, *items))


_SHIFT = NavMenuItem(
    link="plugins:fabric_twin:shift",
    name="Shift",
    weight=50,
    permissions=["fabric_twin.view_finding"],
)

_MY_ORDERS = NavMenuItem(
    link="plugins:fabric_twin:my_orders",
    name="My orders",
    weight=50,
    permissions=["fabric_twin.do_workorder"],
)

menu_items = (
    NavMenuTab(
        name="Fabric Twin",
        icon="elements",
        weight=420,
        groups=(
            _group("Fabric", 100, RECORDS),
            _group("Changes", 150, CHANGES, (_MY_ORDERS,)),
            _group("Audits", 200, AUDITS, (_SHIFT,)),
        ),
    ),
)
