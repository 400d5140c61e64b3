"""From where on something is wrong with light: our own numbers, or those of a site."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from fabric_twin.core.circuits.driver_boards import BOARDS
from fabric_twin.core.errors import UnusableInput


@dataclass(frozen=True, kw_only=True)
class Limits:
    """From where on something is wrong; a site may have its own [A: all but those of the field]."""

    #: Seconds after which what a device tells is old news.
    stale: float = 300.0
    #: dB that a switch may lose at most (the field), and may lose more than its baseline.
    switch_loss: float = 3.0
    switch_rise: float = 0.8
    #: dB that two cables with clean connectors lose, and what they may lose more.
    cables_loss: float = 0.94
    cables_rise: float = 1.2
    #: dB that a kilometre of fibre loses; it counts as long as its cable is recorded.
    fibre_loss: float = 0.4
    #: dB that a switch is taken to lose which does not measure, and has no baseline.
    switch_typical: float = 1.7
    #: dB under what is sent that comes back at most: a port sees up to four connectors of which
    #: each may throw back -38 dB (the field).
    reflection: float = -36.0
    #: Errors before correction: corrected up to here (the field); or so many times the baseline,
    #: once they are more than noise.
    ber: float = 2e-4
    ber_noise: float = 2e-5
    ber_times: float = 10.0
    #: What passes, and is named as worse than before: dB that a path loses more than when it was
    #: last good, and how many times as many errors; fewer errors than the least are none [A].
    worse_loss: float = 0.3
    worse_ber_times: float = 10.0
    worse_ber_least: float = 1e-12
    #: dBm that a module must send over all its lanes, and on each.
    sent: float = 0.5
    sent_lane: float = -1.5
    #: Degrees from which a module runs warm.
    warm: float = 57.0
    #: dBm under which a receiver is in the dark.
    dark: float = -30.0
    #: Driver boards of a switch, each with the mirrors of a run of ports on both sides.
    boards: int = BOARDS


#: What a site may set; how many driver boards there are its switches decide.
SET = tuple(field.name for field in fields(Limits) if field.name != "boards")


#: No limit is so large.
MOST = 1e9


def _within(name: str) -> tuple[float, float]:
    """What a limit has to lie between."""
    if name in ("reflection", "dark"):  # dB under what is sent, dBm of no light
        return -MOST, 0.0
    if name in ("sent", "sent_lane"):
        return -MOST, MOST
    return (1.0 if name.endswith("_times") else 0.0), MOST


def _words(least: float, most: float) -> str:
    return f"more than {least:g}" if least > -MOST else f"less than {most:g}"


def limits_of(given: Mapping[str, Any], where: str) -> Limits:
    """Limits of a site by name; those that it does not name are ours.

    >>> limits_of({"switch_loss": 2.5}, "limits").switch_loss
    2.5
    """
    if not isinstance(given, Mapping):
        raise UnusableInput(
            "limits are not names with numbers", where=where, remedy='Write {"switch_loss": 2.5}'
        )
    for name, value in given.items():
        if name not in SET:
            raise UnusableInput(
                f"there is no limit {str(name)[:40]!r}",
                where=where,
                remedy=f"One of {', '.join(SET)}",
            )
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not abs(value) < MOST:
            raise UnusableInput(
                f"{name} is {value!r:.40}, which is not a number",
                where=where,
                remedy=f"It is {getattr(Limits, name):g} where nothing is set",
            )
        least, most = _within(name)
        if not least < value < most:
            raise UnusableInput(
                f"{name} is {value:g}, and has to be {_words(least, most)}",
                where=where,
                remedy=f"It is {getattr(Limits, name):g} where nothing is set",
            )
    set_here: dict[str, Any] = {name: float(value) for name, value in given.items()}
    return Limits(**set_here)
