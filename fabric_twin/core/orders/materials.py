"""What an order needs, against what lies on the shelf and what is on its way."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.errors import NotPossible

#: How many parts a refusal names.
MOST = 3


@dataclass(frozen=True)
class Part:
    """One part of an order."""

    name: str
    needed: int
    on_hand: int = 0
    ordered: int = 0
    #: How many of those needed are for rungs that may never be due.
    perhaps: int = 0

    @property
    def short(self) -> int:
        """How many are neither there nor on their way."""
        return max(0, self.needed - self.on_hand - self.ordered)

    def as_json(self) -> dict[str, Any]:
        """For a program."""
        return {
            "part": self.name,
            "needed": self.needed,
            "on_hand": self.on_hand,
            "ordered": self.ordered,
            "short": self.short,
        } | ({"perhaps": self.perhaps} if self.perhaps else {})


@dataclass
class Stock:
    """Parts on hand and ordered, by name; what an order takes is gone for the next."""

    on_hand: Counter[str] = field(default_factory=Counter)
    ordered: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, on_hand: Mapping[str, int], ordered: Mapping[str, int] | None = None) -> "Stock":
        """A stock by what is there and what comes."""
        return cls(Counter(on_hand), Counter(ordered or {}))

    def left(self, part: str) -> int:
        """How many of a part can still be promised."""
        return self.on_hand[part] + self.ordered[part]

    def take(self, part: str, count: int = 1) -> bool:
        """Promise some of a part, those on hand first; nothing is promised if all are not there."""
        if self.left(part) < count:
            return False
        here = min(count, self.on_hand[part])
        self.on_hand[part] -= here
        self.ordered[part] -= count - here
        return True


def bill(
    parts: Mapping[str, int], stock: Stock | None, perhaps: Mapping[str, int] | None = None
) -> tuple[Part, ...]:
    """A bill: what is needed against a stock; without one nothing is known of what is there."""
    perhaps = perhaps or {}
    on_hand, ordered = (stock.on_hand, stock.ordered) if stock else (Counter(), Counter())
    return tuple(
        Part(part, count, on_hand[part], ordered[part], perhaps.get(part, 0))
        for part, count in sorted(parts.items())
        if count
    )


def used(bill: Iterable[Part], tried: Mapping[str, int]) -> Counter[str]:
    """What was taken off the shelf: of what later rungs might need only what they `tried`."""
    found: Counter[str] = Counter()
    for part in bill:
        found[part.name] += part.needed - part.perhaps + min(part.perhaps, tried.get(part.name, 0))
    return found


def promise(bill: Iterable[Part], stock: Stock) -> None:
    """Take all of a bill from a stock, or refuse and take nothing."""
    bill = list(bill)
    short = [part for part in bill if part.short]
    if short:
        said = ", ".join(f"{part.short:,} of {part.name}" for part in short[:MOST])
        more = f" and {len(short) - MOST} more parts" if len(short) > MOST else ""
        raise NotPossible(
            f"short of {said}{more}",
            where="materials",
            remedy="Order what is short, or do less at a time",
        )
    for part in bill:
        stock.take(part.name, part.needed)
