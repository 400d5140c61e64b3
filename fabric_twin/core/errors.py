"""Everything that can be refused, in words for the person who can mend it."""

from typing import Any


class FabricTwinError(Exception):
    """A refusal that says what is wrong, where it is, and what to do about it.

    The command line, a page and a job all print `str(error)`, so the words are written once.
    """

    #: What the command line exits with (design contract: 2 is unusable input).
    exit_code = 2
    #: Where there is more than one thing to correct: each, in a line of its own.
    details: tuple[str, ...] = ()

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        super().__init__(what, where, remedy)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {"what": self.what, "where": self.where, "remedy": self.remedy}

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}." + (f" {self.remedy}." if self.remedy else "")


class UnusableInput(FabricTwinError):
    """A file, name or option that cannot be read as what it should be."""


class NotInstalled(FabricTwinError):
    """Something that only an extra of the package brings."""


class DesignRefused(FabricTwinError):
    """A design that no pod could be built from."""


class NotPossible(FabricTwinError):
    """A request that is understood and cannot be met; it says what is missing and what would do."""

    exit_code = 1


class NotPermitted(FabricTwinError):
    """The user lacks a permission for this."""


class TemplateRefused(FabricTwinError):
    """A template that fails, reaches outside its sandbox, or does not come to an end."""


class DocumentRefused(FabricTwinError):
    """A document that cannot be made of what was asked for."""


class NoAnswer(FabricTwinError):
    """A fabric or a server that did not answer, or answered what nobody can read."""

    exit_code = 3


class NotAsAsked(NoAnswer):
    """A device that answered, and not as it was asked: it runs, and something is to be checked."""


class TooLate(NoAnswer):
    """A change that was not sent: the time in which it might be was over."""


class LeaseLost(FabricTwinError):
    """A worker's lease has expired, or another worker has taken it over.

    It writes and sends nothing more.
    """

    exit_code = 3


class StackRefused(FabricTwinError):
    """A part of the stack on this machine that cannot be started, or did not stay."""

    exit_code = 3
