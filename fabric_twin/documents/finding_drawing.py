"""A finding as a drawing: where cables stand, and where they are wanted.

    stays               stands / wanted
    c002 4.1.1/X+ ----. .---- ocs-x-1-1 2A
                       X             solid: as it is, dashed: as it should be
    c003 4.1.1/X+ ----' '---- ocs-x-1-1 3A

Only numbers and names leave here; the template `audit/finding.svg` makes the picture.
"""

from typing import Any

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.audit.places import End, natural

#: More cables than this make a drawing that nobody reads.
MOST = 8
ROW = 26
TOP = 30
NOT_KNOWN = "end not known"


def drawing(finding: Finding) -> dict[str, Any]:
    """The picture's facts: labels at heights, and lines between heights."""
    strays = finding.strays[:MOST]
    left = list(dict.fromkeys(stray.stays for stray in strays))
    ends = {end for stray in strays for end in (stray.stands, stray.wanted) if end is not None}
    right = sorted((end for end in ends if any(end)), key=natural)
    right += [end for end in ends if not any(end)]
    left_y, right_y = _heights(left, len(right)), _heights(right, len(left))
    wanted = {stray.wanted for stray in strays}
    return {
        "height": TOP + ROW * max(len(left), len(right)) + 6,
        "left": [{"y": left_y[end], "label": _label(end)} for end in left],
        "right": [
            {"y": right_y[end], "label": _label(end), "wanted": end in wanted} for end in right
        ],
        "lines": [
            {"from": left_y[stray.stays], "to": right_y[end], "kind": kind}
            for stray in strays
            for kind, end in (("wanted", stray.wanted), ("stands", stray.stands))
            if end is not None and (kind == "stands" or end != stray.stands)
        ],
        "more": len(finding.strays) - len(strays),
    }


def _heights(ends: list[End], others: int) -> dict[End, int]:
    """Spread a column over the height of the longer one."""
    if not ends:
        return {}
    step = ROW * max(len(ends), others) / len(ends)
    return {end: round(TOP + step * (row + 0.5)) for row, end in enumerate(ends)}


def _label(end: End) -> str:
    return "  ".join(end) if any(end) else NOT_KNOWN
