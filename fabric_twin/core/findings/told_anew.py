"""What is said of a finding that a look tells otherwise than before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

#: Levels move from look to look, and nothing is known better by that.
_LEVEL = re.compile(
    r"-?\d[\d.,]*(e[+-]?\d+)?( hours| seconds|(?= (dB|dBm|of its bits|times as many|degrees)\b))"
    r"|(?<=where it lost )-?[\d.]+"
)


@dataclass(frozen=True)
class Told:
    """How a finding is told."""

    code: str
    cause: str
    #: What it may be, where light does not tell.
    explanations: Sequence[str] = ()


def told_anew(was: Told, now: Told) -> str:
    """What a look refined, in words; empty where it says the same, whatever the levels are."""
    if was.code != now.code:
        return f"seen as {now.code}, before as {was.code}"
    if _LEVEL.sub("", was.cause) != _LEVEL.sub("", now.cause):
        return f"its cause is now: {now.cause}"
    if [*was.explanations] != [*now.explanations]:
        return f"it may be now: {'; or '.join(now.explanations) or 'what its cause says'}"
    return ""
