"""Ring files: jobs over several pods, the blocks of each pod, and what a chip sends, as JSON."""

from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.superpods.collective import Collective
from fabric_twin.core.superpods.rings import MOST_LEAST, Multislice, PodBlocks
from fabric_twin.core.superpods.wish import WishedRings
from fabric_twin.inventory.json_files import (
    check_keys,
    list_of,
    read_object,
    text_of,
    unlike,
    whole_number,
)

_SHAPE = (
    '{"version": 1, "least": 1, "multislices": [{"name": "job7", "pods": '
    '[{"pod": "v4a", "blocks": ["ab01"]}, {"pod": "v4b", "blocks": ["ab02"]}]}]}'
)
_KEYS = ("version", "least", "multislices")
_OF_JOB = ("name", "pods", "runs", "collective")
_OF_POD = ("pod", "blocks")
_OF_COLLECTIVE = ("bytes", "chips", "axes", "ici_bytes_s", "dcn_bytes_s")


@dataclass(frozen=True)
class RingsRead:
    """Jobs, and how many links each two blocks keep that are no neighbours."""

    wishes: tuple[WishedRings, ...]
    least: int


def read_rings(data: bytes, source: str) -> RingsRead:
    """Read a ring file, or refuse it whole."""
    content = read_object(data, source, _SHAPE)
    check_keys(content, _KEYS, source)
    least = whole_number(content.get("least", 1), '"least"', source, _SHAPE)
    if least > MOST_LEAST:
        raise unlike(f'"least" is more than {MOST_LEAST:,}', source, _SHAPE)
    rows = list_of(content, "multislices", source, _SHAPE, needed=True)
    if not rows:
        raise unlike("there are no multislices", source, _SHAPE)
    return RingsRead(
        tuple(_wish(row, f"{source}, multislice {number}") for number, row in enumerate(rows, 1)),
        least,
    )


def _wish(row: Any, where: str) -> WishedRings:
    name = text_of(row, "name", where, _SHAPE)
    check_keys(row, _OF_JOB, where)
    runs = row.get("runs", False)
    if not isinstance(runs, bool):
        raise unlike('"runs" is neither true nor false', where, _SHAPE)
    pods = []
    for number, pod in enumerate(list_of(row, "pods", where, _SHAPE, needed=True), 1):
        at = f"{where}, pod {number}"
        called = text_of(pod, "pod", at, _SHAPE)
        check_keys(pod, _OF_POD, at)
        blocks = [
            text_of({"block": block}, "block", at, _SHAPE)
            for block in list_of(pod, "blocks", at, _SHAPE, needed=True)
        ]
        pods.append(PodBlocks(called, tuple(blocks)))
    try:
        collective = _collective(row.get("collective"), where)
        gbps = collective.gbps if collective else None
        return WishedRings(Multislice(name, tuple(pods), gbps), runs, collective)
    except UnusableInput as refusal:
        if refusal.where.startswith(where):
            raise
        raise UnusableInput(
            refusal.what, where=f"{where}, {refusal.where}", remedy=refusal.remedy
        ) from None


def _collective(given: Any, where: str) -> Collective | None:
    if given is None:
        return None
    if not isinstance(given, dict) or sorted(given) != sorted(_OF_COLLECTIVE):
        raise UnusableInput(
            '"collective" is not what it should be',
            where=where,
            remedy=f"Write an object of {', '.join(_OF_COLLECTIVE)}",
        )
    numbers: dict[str, Any] = {}
    for key in _OF_COLLECTIVE:
        value = given[key]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_part = isinstance(value, float) and not value.is_integer()
        if not is_number or (key in ("chips", "axes") and is_part):
            raise UnusableInput(
                f'"{key}" is no number of its kind',
                where=f"{where}, collective",
                remedy="Write whole numbers of chips and axes, bytes and bytes a second",
            )
        numbers[key] = value
    return Collective(**numbers)
