"""How far something is that takes its time, and how much longer it is expected to take."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fabric_twin.core.moments import length


@dataclass(frozen=True)
class HowFar:
    """So many of so many are done; and how long the rest may take."""

    done: int
    of: int
    #: None where nothing was measured that tells it, or it takes longer than that.
    left: timedelta | None = None

    @property
    def share(self) -> int:
        """Percent that is done."""
        return min(100, 100 * self.done // self.of) if self.of else 0

    @property
    def rest(self) -> str:
        """How long the rest may take, in words."""
        return length(self.left) if self.left is not None else ""


@dataclass(frozen=True)
class Progress:
    """What a running job last said of itself."""

    #: What is counted, such as `rows written`; a sentence where nothing is counted.
    what: str
    #: When the job began, when it began to count, and when it said this.
    began: datetime
    counts_since: datetime
    at: datetime
    done: int = 0
    of: int = 0
    #: How long the same took the last time, where that was measured.
    usual: timedelta | None = None

    def __str__(self) -> str:
        """What is done of what is to do."""
        return f"{self.done:,} of {self.of:,} {self.what}" if self.of else self.what

    def how_far(self, now: datetime) -> HowFar:
        """How far it is; the rest takes as long as the last time, or goes on at the pace so far.

        >>> at = datetime(2026, 11, 26, 10).replace
        >>> begun = Progress("rows written", at(), at(), at(second=20), 40, 100)
        >>> begun.how_far(at(second=20)).rest, begun.how_far(at(second=25)).rest
        ('30 s', '25 s')
        """
        left = None
        if self.usual:
            left = self.usual - (now - self.began)
        elif 0 < self.done < self.of:
            took = self.at - self.counts_since
            left = took * (self.of - self.done) / self.done - (now - self.at)
        return HowFar(self.done, self.of, left if left and left > timedelta() else None)
