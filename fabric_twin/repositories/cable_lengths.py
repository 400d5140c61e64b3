"""Lengths as sheets write them, in metres, and as cables keep them, in whole centimetres."""

from decimal import Decimal, InvalidOperation

from nautobot.core.utils.data import to_meters

#: The most that a cable's record can hold.
MOST_CM = 32_767


def centimetres(text: str) -> int | None:
    """Read a length, to the nearest centimetre; ValueError where a cable could not keep it.

    >>> centimetres("12.5"), centimetres("3.6576"), centimetres("")
    (1250, 366, None)
    """
    if not text:
        return None
    if not text.isascii():  # Decimal reads the digits of every script
        raise ValueError(text)
    try:
        exact = Decimal(text) * 100
    except InvalidOperation:
        raise ValueError(text) from None
    if not exact.is_finite() or not 0 < (nearest := round(exact)) <= MOST_CM:
        raise ValueError(text)
    return nearest


def metres(length: int | None, unit: str) -> str:
    """Write a length, of whatever unit, without zeros that say nothing.

    >>> metres(1250, "cm"), metres(12, "m"), metres(None, "")
    ('12.5', '12', '')
    """
    if not length or not unit:
        return ""
    text = f"{Decimal(length) / 100:f}" if unit == "cm" else f"{to_meters(length, unit):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
