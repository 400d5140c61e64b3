"""Names for cables that have none: an export writes a label only where somebody gave one.

iw1-c007-t02 4.1.1/X+  <->  iw1-ocs-x-1-1 7A      iw1-c007:4.1.1/X+, as the rule names it
host-12 eth3           <->  palomar-4 7A          host-12 eth3 - palomar-4 7A
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

#: A device and a port, both empty where an end is not known.
End = tuple[str, str]

_TRAY = re.compile(r"(.+-c\d{3,})-t\d{2,}")
#: In a cluster, of the two ends of a cable the one whose device comes first here names it.
_OF_CLUSTER = tuple(
    re.compile(rf".+-{device}")
    for device in (
        r"r\d\dc\d\d",
        r"row-\d\d-\d+-\d+",
        r"col-\d\d-\d+-\d+",
        r"(?:row|col)-t1(?:-\d+){3}",
    )
)


def name_cables(
    cables: Sequence[str], a: Sequence[End], b: Sequence[End], connected: Sequence[bool]
) -> list[str]:
    """The names of cables, with one for each that has none and an end.

    A cable is named by its cube end, as the rule does. Where that is the name of another one too,
    or none is on a cube, it is named by both ends; of several between the same ends the later ones
    get a number. Those that are not connected take what names are left.
    """
    names, taken = list(cables), set(cables)
    numbered: dict[tuple[End, ...], Iterator[str]] = {}
    unnamed = [row for row, cable in enumerate(cables) if not cable and any(a[row] + b[row])]
    for now in (True, False):
        rows = [row for row in unnamed if bool(connected[row]) is now]
        by_rule = {row: name for row in rows if (name := _by_rule(a[row], b[row]))}
        times = Counter(by_rule.values())
        for row, name in by_rule.items():
            if times[name] == 1 and name not in taken:
                names[row] = name
        taken.update(names)
        for row in rows:
            if not names[row]:
                ends = _cube_first(a[row], b[row])
                more = numbered.setdefault(ends, _numbered(ends))
                names[row] = next(name for name in more if name not in taken)
                taken.add(names[row])
    return names


def _by_rule(a: End, b: End) -> str:
    """The rule's name of the cable in a port of a cube, if it is in one: of two the + face's.

    In a cluster it is that of the end at a group, or at the switch next to the groups.
    """
    on_cubes = [
        (f"{tray[1]}:{port}", "+" in port)
        for device, port in (a, b)
        if (tray := _TRAY.fullmatch(device))
    ]
    if len(on_cubes) > 1:
        on_cubes = [one for one in on_cubes if one[1]]
    if on_cubes:
        return on_cubes[0][0] if len(on_cubes) == 1 else ""
    of_cluster = sorted(
        (rank, device, port)
        for device, port in (a, b)
        for rank, pattern in enumerate(_OF_CLUSTER)
        if pattern.fullmatch(device)
    )
    # An end at a group says enough; of two switches both have to be known.
    if of_cluster and (len(of_cluster) == 2 or of_cluster[0][0] == 0):
        return ":".join(of_cluster[0][1:])
    return ""


def _cube_first(a: End, b: End) -> tuple[End, ...]:
    """The ends that are known, whichever was written first: the cube's before the other."""
    return tuple(sorted(filter(any, (a, b)), key=lambda end: (not _TRAY.match(end[0]), end)))


def _numbered(ends: tuple[End, ...]) -> Iterator[str]:
    """Both ends, then with a number."""
    words = [" ".join(filter(None, end)) for end in ends]
    name = " - ".join(words if len(words) == 2 else [*words, "not known"])
    yield name
    for number in count(2):
        yield f"{name} ({number})"
