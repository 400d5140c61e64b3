"""The column of Nautobot's list of cables that says when light last agreed with each."""

from typing import Any

from django_tables2 import Column

from fabric_twin.operations.pods.light_agreed import light_told
from fabric_twin.presenters.moments import local_moment
from fabric_twin.repositories.change_log import acting_user

_NOT_OURS = "—"


class LightAgreedColumn(Column):
    """A moment, or `never`; a dash for a cable that is in no pod that the user may see.

    Asked for once for all rows of a page.
    """

    def __init__(self) -> None:
        super().__init__(
            accessor="pk",
            verbose_name="Light agreed",
            order_by=("fabric_light__agreement__at",),
        )

    # django_tables2 gives what is named.
    def render(self, record: Any, table: Any) -> str:  # type: ignore[override]
        """When it was, in the user's time zone."""
        told = _told(table)
        if record.pk not in told:
            return _NOT_OURS
        at = told[record.pk]
        return local_moment(at) if at else "never"

    def value(self, record: Any, table: Any) -> str:  # type: ignore[override]
        """The same in a file."""
        at = _told(table).get(record.pk)
        return at.isoformat() if at else ""


def _told(table: Any) -> Any:
    """What the column shows for the rows of the table, read once for all of them."""
    rows = table.page.object_list if getattr(table, "page", None) else table.rows
    kept = vars(table).get("_light_told")
    if kept is None or kept[0] is not rows:
        user = getattr(getattr(table, "request", None), "user", None) or acting_user()
        kept = rows, light_told([row.record.pk for row in rows], user)
        vars(table)["_light_told"] = kept
    return kept[1]
