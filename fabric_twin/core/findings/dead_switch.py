"""A dead switch: nobody answers there, and no light passes; and how it came back.

dead          its slices do without it already; hands need no drain while nothing is lit
answers again what slices want there is made again, or not; and light says how good it is
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.counted import counted

#: The finding of a switch that is dead, or that answers and is dark.
SWITCH_DOWN = "switch-down"
#: What evidence keeps of a death, whatever its finding is called until it is mended.
DIED = "was_dead"
#: How the line of a history begins.
CAME_BACK = "came back: "


def is_dead(code: str, evidence: Mapping[str, Any]) -> bool:
    """Whether a finding is of a dead switch: it does not answer, and cubes that should hear each
    other through it do not. One that answers, or of which light shows nothing, is not dead.
    """
    return code == SWITCH_DOWN and evidence.get("neighbours_agree") is True


def has_died(code: str, evidence: Mapping[str, Any]) -> bool:
    """Whether a finding is of a dead switch, or was since it was opened: light may be back before
    the controller answers.
    """
    return is_dead(code, evidence) or evidence.get(DIED) is True


def are_enough(dark: int, wanted: int) -> bool:
    """Whether so many dark circuits show that a silent switch is dead: of those that are wanted at
    least half, and one. The cubes at both ends of each answer, and none of them hears anything.

    >>> are_enough(1, 1), are_enough(1, 2), are_enough(1, 3), are_enough(0, 0)
    (True, True, False, False)
    """
    return 0 < wanted <= 2 * dark


@dataclass(frozen=True)
class CameBack:
    """What slices want of a switch that answers again, and what of that is there."""

    wanted: int
    made: int
    slices: int
    #: Whether light was read at both ends of what is made.
    looked: bool = True
    #: Circuits whose light is not good, or was better before, each in words.
    worse: Sequence[str] = ()

    def __str__(self) -> str:
        """In words.

        >>> print(CameBack(wanted=64, made=64, slices=3))
        came back: 64 of 64 circuits of 3 slices are made again; light as expected
        >>> print(CameBack(2, 1, 1, worse=["1A to 2B on x: its path loses 9 dB"]))
        came back: 1 of 2 circuits of 1 slice is made again; 1A to 2B on x: its path loses 9 dB
        >>> print(CameBack(2, 2, 1, looked=False, worse=["1A to 2B on x: no light passes"]))
        came back: 2 of 2 circuits of 1 slice are made again; 1A to 2B on x: no light passes
        >>> print(CameBack(2, 2, 1, looked=False))
        came back: 2 of 2 circuits of 1 slice are made again; not looked at by light
        >>> print(CameBack(wanted=0, made=0, slices=0))
        came back: no slice wants a circuit there
        """
        if not self.wanted:
            return f"{CAME_BACK}no slice wants a circuit there"
        many = (
            f"{self.made:,} of {counted(self.wanted, 'circuit')} of {counted(self.slices, 'slice')}"
        )
        said = f"{CAME_BACK}{many} {'is' if self.made == 1 else 'are'} made again"
        return f"{said}; {self._light}" if self.made else said

    @property
    def _light(self) -> str:
        if self.worse:
            more = f", and {len(self.worse) - 1:,} more" if len(self.worse) > 1 else ""
            return f"{self.worse[0]}{more}"
        return "light as expected" if self.looked else "not looked at by light"
