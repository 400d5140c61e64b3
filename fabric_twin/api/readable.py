"""What a request may hold at all, before a filter, a field or the database is given any of it."""

import math
import re
from typing import Any

from django.http import Http404, QueryDict
from nautobot.core.settings_funcs import is_truthy
from nautobot.core.utils.data import is_uuid
from rest_framework.request import Request

from fabric_twin.core.errors import UnusableInput

#: How a key of a record is written in an address.
KEY = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
#: Lists and objects within each other.
DEEPEST = 32
#: Records at a time, by how deep what they name is shown with them: each level asks for each anew.
MOST_NESTED = {1: 500, 2: 25, 3: 5}
#: What lists of records are sent to, besides making them.
_BULK = ("bulk_update", "bulk_partial_update", "bulk_destroy")
#: No database takes them: the character NUL, and half of a character.
_UNKEPT = re.compile("[\0\ud800-\udfff]")


def check_nested(depth: int, records: int) -> None:
    """Refuse more records than can be shown that deep while somebody waits."""
    most = MOST_NESTED.get(depth, 0)
    if depth and records > most:
        raise UnusableInput(
            f"{records:,} records with depth={depth} are too many",
            where="depth",
            remedy=f"Use limit={most} and offset"
            if most
            else f"Use depth={max(MOST_NESTED)} at most, or GraphQL",
        )


def check_address(key: str | None) -> None:
    """Refuse what is no key of a record: nothing is there."""
    if key is not None and not is_uuid(key):
        raise Http404


def check_asked(request: Request) -> None:
    """Refuse what is asked of a list or of a form, and cannot be."""
    for name, values in request.query_params.lists():
        for text in (name, *values):
            _check_text(text, _UNKEPT.sub("", name)[:60])
    for shown in request.query_params.getlist("exclude_m2m"):
        try:
            is_truthy(shown)
        except ValueError:
            raise UnusableInput(
                f"{shown[:20]!r} is neither true nor false",
                where="exclude_m2m",
                remedy="Write true or false",
            ) from None


def check_sent(request: Request, action: str | None, *, many: bool) -> None:
    """Refuse a body of another shape than is read there, or one that nobody can keep.

    `many`: whether several records may be made by one request.
    """
    try:
        sent: Any = request.data
    except RecursionError:
        raise _too_deep() from None
    if isinstance(sent, QueryDict):
        sent = dict(sent.lists())
    takes_list = action in _BULK or (many and action == "create")
    if not isinstance(sent, (dict, list) if takes_list else dict):
        raise UnusableInput(
            f"a {_KINDS.get(type(sent), 'value')} was sent",
            where="request",
            remedy="Send an object or a list of them" if takes_list else "Send one object",
        )
    _check_values(sent)


_KINDS = {list: "list", str: "text", int: "number", float: "number", bool: "truth"}


def _check_values(sent: Any) -> None:
    """Look at all of a body, level by level: what is nested in it calls nothing here."""
    level, depth = [("request", sent)], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise _too_deep()
        below = []
        for where, value in level:
            if isinstance(value, dict):
                for name, inner in value.items():
                    _check_text(str(name), where)
                    below.append((str(name)[:60], inner))
            elif isinstance(value, list):
                below += [(where, inner) for inner in value]
            elif isinstance(value, str):
                _check_text(value, where)
            elif isinstance(value, float) and not math.isfinite(value):
                raise UnusableInput("it is not a number", where=where, remedy="Send a smaller one")
        level = below


def _check_text(text: str, where: str) -> None:
    if found := _UNKEPT.search(text):
        what = "the character NUL" if found[0] == "\0" else "half of a character"
        raise UnusableInput(f"it holds {what}", where=where, remedy="Leave it out")


def _too_deep() -> UnusableInput:
    return UnusableInput(
        f"it is nested more than {DEEPEST} deep", where="request", remedy="Send what is asked for"
    )
