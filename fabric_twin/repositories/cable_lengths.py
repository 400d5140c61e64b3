"""Lengths as sheets write them, in metres, and as cables keep them, in whole units.

Centimetres as long as the record can hold so many of them (327 m), metres beyond.
"""

from decimal import Decimal, InvalidOperation

import numpy as np
from django.contrib.contenttypes.models import ContentType
from nautobot.core.utils.data import to_meters
from nautobot.dcim.models import Cable, CablePath, Interface

from fabric_twin.core.cabling.lengths import Lengths, unknown
from fabric_twin.core.topology.network import LONGEST_CABLE_M
from fabric_twin.models import Pod

#: The most of any unit that a cable's record can hold.
_MOST = LONGEST_CABLE_M


def centimetres(text: str) -> int | None:
    """Read a length as a cable would keep it; ValueError where it could not.

    >>> centimetres("12.5"), centimetres("3.6576"), centimetres("2400.55"), centimetres("")
    (1250, 366, 240100, None)
    """
    if not text:
        return None
    if not text.isascii():  # Decimal reads the digits of every script
        raise ValueError(text)
    try:
        exact = Decimal(text) * 100
    except InvalidOperation:
        raise ValueError(text) from None
    if not exact.is_finite() or not 0 < (near := round(exact)) <= 100 * LONGEST_CABLE_M:
        raise ValueError(text)
    return near if near <= _MOST else 100 * round(exact / 100)


def kept(length_cm: int | None) -> tuple[int | None, str]:
    """A length as a cable's record has it: how many, of which unit.

    >>> kept(1250), kept(240100), kept(None)
    ((1250, 'cm'), (2401, 'm'), (None, ''))
    """
    if length_cm is None:
        return None, ""
    return (length_cm, "cm") if length_cm <= _MOST else (length_cm // 100, "m")


def metres(length: int | None, unit: str) -> str:
    """Write a length, of whatever unit, without zeros that say nothing.

    >>> metres(1250, "cm"), metres(12, "m"), metres(None, "")
    ('12.5', '12', '')
    """
    if not length or not unit:
        return ""
    text = f"{Decimal(length) / 100:f}" if unit == "cm" else f"{to_meters(length, unit):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def lengths_of_blocks(pod: Pod) -> Lengths:
    """By strand of a network: metres of all cables from there to its switch, as recorded."""
    interface, cable = (ContentType.objects.get_for_model(kind) for kind in (Interface, Cable))
    ports = pod.ports.order_by().filter(block__isnull=False)
    numbers = dict(ports.values_list("interface_id", "number"))
    paths = CablePath.objects.filter(
        origin_type=interface, origin_id__in=ports.values("interface_id")
    ).order_by()
    passed = {
        numbers[origin]: [
            key for kind, _, key in (node.partition(":") for node in path) if int(kind) == cable.pk
        ]
        for origin, path in paths.values_list("origin_id", "path")
    }
    every = {key for keys in passed.values() for key in keys}
    told = Cable.objects.filter(pk__in=every, _abs_length__isnull=False).order_by()
    metres_of = {str(key): float(metres) for key, metres in told.values_list("pk", "_abs_length")}
    if not metres_of:
        return unknown()
    lengths = np.zeros(pod.to_core().layout.cube_ports)
    for number, keys in passed.items():
        lengths[number] = sum(metres_of.get(key, 0.0) for key in keys)
    return lengths
