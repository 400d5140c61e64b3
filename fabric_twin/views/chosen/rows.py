"""Which rows of a list are chosen: those that are ticked, or all that the list's filters find."""

from typing import Any

from django import forms

from fabric_twin.core.errors import UnusableInput


def chosen_rows(view: Any, request: Any, rows: Any, what: str) -> list[Any]:
    """The chosen ones of those rows that the user may have; `what` they are, in the plural."""
    if "_all" in request.POST:
        filters = view.filterset_class(view.get_filter_params(request), rows)  # or a saved view's
        if not filters.is_valid():
            raise UnusableInput(
                "; ".join(f"{name}: {' '.join(why)}" for name, why in filters.errors.items()),
                where=f"filters of {what}",
                remedy="Correct the filter of the list, and choose again",
            )
        return list(filters.qs)
    keys = request.POST.getlist("pk")
    try:
        return list(forms.ModelMultipleChoiceField(rows).clean(keys))
    except forms.ValidationError:
        raise UnusableInput(
            "you may not see all of them, or some are gone"
            if keys
            else f"no {what[:-1]} is chosen",
            where=what,
            remedy="Choose some of the list",
        ) from None
