"""Search by a record's own name: the exact one comes alone, before all that is alike."""

import re
from collections.abc import Callable
from typing import Any

from django.db.models import Case, F, IntegerField, Max, Q, QuerySet, When, Window
from nautobot.apps.filters import SearchFilter

from fabric_twin.core.record_names import parse_record_name


class NameSearch(SearchFilter):
    """Finds the records of a name alone; where there are none, all that contain the text."""

    def __init__(self, *args: Any, named: Callable[[str], Q | None], **options: Any) -> None:
        self.named = named
        super().__init__(*args, **options)

    def generate_query(self, value: str, **_: Any) -> Q:
        """All that could be meant: by name or by text."""
        named = self.named(value)
        return self.alike(value) if named is None else named | self.alike(value)

    def alike(self, value: str) -> Q:
        """All that contain the text."""
        text: Q = super().generate_query(value)
        return text

    def filter(self, qs: QuerySet[Any], value: str) -> Any:
        """What is called so; where nothing is of all that is asked for and seen, what is alike.

        The database decides, after every other filter and restriction: a record that the user may
        not see hides none, and is not betrayed.
        """
        found = super().filter(qs, value)
        if not value or (named := self.named(value)) is None:
            return found
        is_named = Case(When(named, then=1), default=0, output_field=IntegerField())
        found = found.alias(is_named=is_named).alias(best=Window(Max("is_named")))
        return found.filter(is_named=F("best"))


def numbered(
    pattern: re.Pattern[str], number: str = "number", *, revisions: bool = False
) -> Callable[[str], Q | None]:
    """Records that are counted in their pod: `iw1-t2`, `t2` and `2` are one, in any case."""

    def named(text: str) -> Q | None:
        name = parse_record_name(pattern, text)
        if name is None:
            return None
        found = Q(**{number: name.number})
        if name.pod is not None:
            found &= Q(pod__name__iexact=name.pod)
        if revisions and name.revision is not None:
            found &= Q(revision=name.revision)
        return found

    return named
