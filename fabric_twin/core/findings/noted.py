"""A finding as drawings and lists mark it at the place where it is."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Noted:
    """A finding at a place."""

    code: str
    cause: str
    #: It takes something from the pod; else it is a warning.
    is_error: bool
    #: The last look at its place saw it; else it is there still, and not seen since.
    seen: bool = True

    @property
    def called(self) -> str:
        """Its code, with a word where it is not seen since.

        >>> Noted("dark", "no light", is_error=True, seen=False).called
        'dark, not seen since'
        """
        return self.code if self.seen else f"{self.code}, not seen since"

    def __str__(self) -> str:
        return f"{self.called}: {self.cause}"


def only_unseen(noted: Collection[Noted]) -> bool:
    """Whether a place has findings, and none that the last look saw: it is marked otherwise."""
    return bool(noted) and not any(one.seen for one in noted)
