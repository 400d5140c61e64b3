"""A finding as a drawing: where cables stand, and where they are wanted.

    stays               stands / wanted
    c002 4.1.1/X+ ----. .---- ocs-x-1-1 2A
                       X             solid: as it is, dashed: as it should be
    c003 4.1.1/X+ ----' '---- ocs-x-1-1 3A

Only numbers and names leave here; the template `audit/finding.svg` makes the picture.
"""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.audit.places import Stray, natural
from fabric_twin.core.fabric.plant import End
from fabric_twin.documents.sheet import Document

#: More cables than this make a drawing that nobody reads.
MOST = 8
ROW = 26
TOP = 30
LONGEST = 32
NOT_KNOWN = "end not known"


def drawing(finding: Finding, pod: str) -> dict[str, Any]:
    """The picture's facts: labels at heights, and lines between heights."""
    strays = _strands(finding) if finding.code == "crossed-pair" else _first(finding.strays)
    left = list(dict.fromkeys(stray.stays for stray in strays))
    ends = {end for stray in strays for end in (stray.stands, stray.wanted) if end is not None}
    right = sorted((end for end in ends if any(end)), key=natural)
    right += [end for end in ends if not any(end)]
    left_y, right_y = _heights(left, len(right)), _heights(right, len(left))
    wanted = {stray.wanted for stray in strays}
    return {
        "height": TOP + ROW * max(len(left), len(right)) + 6,
        "left": [{"y": left_y[end], "label": _label(end, pod)} for end in left],
        "right": [
            {"y": right_y[end], "label": _label(end, pod), "wanted": end in wanted} for end in right
        ],
        "lines": [
            {"from": left_y[stray.stays], "to": right_y[end], "kind": kind}
            for stray in strays
            for kind, end in (("wanted", stray.wanted), ("stands", stray.stands))
            if end is not None and (kind == "stands" or end != stray.stands)
        ],
        "surplus": [
            {"y": (left_y[stray.stays] + right_y[stray.stands]) / 2}
            for stray in strays
            if stray.wanted is None and stray.stands is not None
        ],
        "more": max(0, len(finding.strays) - len(strays)),
        "explanations": len(finding.evidence.get("explanations", ())),
    }


def _first(strays: Sequence[Stray]) -> list[Stray]:
    """Some of the cables, each with the one that stands in its place."""
    standing = {stray.stands: stray for stray in strays}
    chosen: dict[int, Stray] = {}
    for stray in strays:
        following: Stray | None = stray
        while following and id(following) not in chosen and len(chosen) < MOST:
            chosen[id(following)] = following
            following = standing.get(following.wanted)
    # In the order wanted, dashed lines lie straight and what crosses is wrong.
    return sorted(chosen.values(), key=lambda stray: natural(stray.wanted or ("", "")))


def _strands(finding: Finding) -> list[Stray]:
    """The two strands of a crossed pair, as if each were a cable."""
    ((_, (a_device, a_port), b, _),) = map(astuple, finding.strays)
    halves = [(b[0], f"{b[1]}{side}") for side in "AB"]
    return [
        Stray("", (a_device, f"{a_port}:{strand}"), halves[2 - strand], halves[strand - 1])
        for strand in (1, 2)
    ]


def _heights(ends: list[End], others: int) -> dict[End, int]:
    """Spread a column over the height of the longer one."""
    if not ends:
        return {}
    step = ROW * max(len(ends), others) / len(ends)
    return {end: round(TOP + step * (row + 0.5)) for row, end in enumerate(ends)}


def _label(end: End, pod: str) -> str:
    """A port without its pod's name, which is the same all over the page."""
    if not any(end):
        return NOT_KNOWN
    device, port = end
    text = f"{device.removeprefix(f'{pod}-')} port {port}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"


def finding_document(finding: Finding, pod: str) -> Document:
    """The drawing for a page that shows one finding."""
    return Document(
        kind="finding",
        name=finding.id,
        title=f"{finding.code}: {finding.cause}",
        lines=(),
        tables=(),
        drawing=drawing(finding, pod),
    )
