"""What a wish for a ticket may say, by its kind: a word that nobody knows would be passed over.

    slice         {"shape": "8x8x16", "twisted": false, "name": "job-a", "slots": "1-64", "bear": 0}
    release       {"slice": "job-a"}
    hand          {"circuits": [{"switch", "a", "b"}]}
    spare         {"port": ["iw1-ocs-x-3-2", "7A"], "spare": null, "move": false, "reason": ""}
    defragment    {"shape": "4x4x8"}
    maintenance   {"switches": [..], "boards": [[switch, 3]], "slots": [7], "interrupt": false,
                   "bear": 1}
    drift         {"ports": [["iw1-ocs-x-3-2", "7A"]], "accept": false}
    return        {"switches": ["iw1-ocs-x-3-2"], "ports": [["iw1-ocs-x-3-3", "7A"]]}
    topology      {"topology": "engineered", "demand": "2026-11-24", "headroom": 0.1, "at_once": 8,
                   "rings": "job7"}

Of a cluster, where slices are jobs on groups:

    slice         {"name": "job-a", "sequence": 150, "axes": ["layer=row-1-1"], "both_ways": false}
                  "processors" of a small one, or "shape": "2x3" groups; "slots" are its groups
    maintenance   {"slots": [7], "switches": ["pg1-row-01-1-1"], "interrupt": false}
    drift, return as above, with "slots"

Only the keys that matter need be there. A proposal carries its own wish in this form.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.proposals import proposal as kinds

Wish = Mapping[str, Any]
#: What a network can be asked for.
TOPOLOGIES = ("uniform", "engineered", "isolated")


@dataclass(frozen=True)
class Said:
    """What one word of a wish takes."""

    is_so: Callable[[Any], bool]
    #: In words, with an example.
    like: str
    needed: bool = False


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 10


def _is_day(value: Any) -> bool:
    try:
        date.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True


def _list_of(is_one: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list | tuple) and all(map(is_one, value))


def _pair_of(second: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def is_so(value: Any) -> bool:
        is_pair = isinstance(value, list | tuple) and len(value) == 2
        return is_pair and _is_text(value[0]) and second(value[1])

    return is_so


def _or_nothing(is_so: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_so(value)


_FLAG = Said(lambda value: isinstance(value, bool), "true or false")
_TEXT = Said(_or_nothing(_is_text), "a text")
_SHAPE = Said(_or_nothing(_is_text), 'chips along each axis, such as "8x8x16"')
_SLOTS = Said(
    lambda value: value is None or _is_text(value) or _list_of(_is_number)(value),
    'slots, such as "1-4,7" or [1, 2, 3, 4, 7]',
)
_NAMES = Said(_list_of(_is_text), "a list of names")
#: The switch of examples.
_SWITCH = "iw1-ocs-x-3-2"
_PORT = Said(_pair_of(_is_text), f'a switch and a port, such as ["{_SWITCH}", "7A"]', needed=True)
_PORTS = Said(
    _list_of(_PORT.is_so), f'switches and ports, such as [["{_SWITCH}", "7A"]]', needed=True
)
_BOARDS = Said(_list_of(_pair_of(_is_number)), f'switches and boards, such as [["{_SWITCH}", 0]]')
_BEAR = Said(
    lambda value: _is_number(value) and value >= 0,
    "how many switches a join of two cubes may lack, such as 1",
)
_NUMBERS = Said(_list_of(_is_number), "a list of slots, such as [7, 8]")
_CIRCUITS = Said(
    _list_of(lambda value: isinstance(value, dict)),
    f'circuits, such as [{{"switch": "{_SWITCH}", "a": "7A", "b": "9B"}}]',
    needed=True,
)
_DAY = Said(_or_nothing(_is_day), 'a day whose demand is kept, such as "2026-11-24"')
_HEADROOM = Said(_is_share, "a share of what is asked, from 0 to 10, such as 0.1")
_AT_ONCE = Said(lambda value: _is_number(value) and value >= 1, "a number of switches, such as 8")

WORDS: Mapping[str, Mapping[str, Said]] = {
    kinds.SLICE: {
        "shape": Said(_is_text, _SHAPE.like, needed=True),
        "twisted": _FLAG,
        "name": _TEXT,
        "slots": _SLOTS,
        "bear": _BEAR,
    },
    kinds.RELEASE: {"slice": Said(_is_text, "the name of a slice", needed=True)},
    kinds.HAND: {"circuits": _CIRCUITS},
    kinds.SPARE: {"port": _PORT, "spare": _TEXT, "move": _FLAG, "reason": _TEXT},
    kinds.DEFRAGMENT: {"shape": _SHAPE, "twisted": _FLAG},
    kinds.MAINTENANCE: {
        "switches": _NAMES,
        "boards": _BOARDS,
        "slots": _NUMBERS,
        "ports": replace(_PORTS, needed=False),
        "interrupt": _FLAG,
        "bear": _BEAR,
    },
    kinds.DRIFT: {"ports": Said(_or_nothing(_PORTS.is_so), _PORTS.like), "accept": _FLAG},
    kinds.RETURN: {"ports": replace(_PORTS, needed=False), "switches": _NAMES},
    kinds.TOPOLOGY: {
        "topology": Said(TOPOLOGIES.__contains__, " or ".join(TOPOLOGIES), needed=True),
        "demand": _DAY,
        "headroom": _HEADROOM,
        "at_once": _AT_ONCE,
    },
}
#: What only records know, beside what files do.
OF_RECORDS: Mapping[str, Mapping[str, Said]] = {
    kinds.MAINTENANCE: {"racks": _NAMES},
    kinds.TOPOLOGY: {"rings": _TEXT},
}

_MANY = Said(lambda value: value is None or (_is_number(value) and value >= 1), "a number")
#: What a cluster of processor groups can be asked for: its slices are jobs.
OF_CLUSTERS: Mapping[str, Mapping[str, Said]] = {
    kinds.SLICE: {
        "name": Said(_is_text, "what the job is called", needed=True),
        "processors": _MANY,
        "sequence": _MANY,
        "shape": Said(_or_nothing(_is_text), 'rows by columns of groups, such as "2x3"'),
        "axes": Said(_list_of(_is_text), 'axes and their planes, such as ["layer=row"]'),
        "both_ways": _FLAG,
        "slots": _SLOTS,
    },
    kinds.RELEASE: WORDS[kinds.RELEASE],
    kinds.MAINTENANCE: {
        "slots": _NUMBERS,
        "switches": _NAMES,
        "ports": replace(_PORTS, needed=False),
        "racks": _NAMES,
        "interrupt": _FLAG,
    },
    kinds.DRIFT: {"ports": WORDS[kinds.DRIFT]["ports"], "accept": _FLAG},
    kinds.RETURN: {**WORDS[kinds.RETURN], "slots": _NUMBERS},
}


def check_wish(
    kind: str,
    wish: Wish,
    more: Mapping[str, Mapping[str, Said]] | None = None,
    switch: str = _SWITCH,
    known: Mapping[str, Mapping[str, Said]] = WORDS,
) -> None:
    """Refuse a wish of a kind that there is not, or with a word that is unknown or unusable.

    A refusal gives `switch` as the example of one.
    """
    if kind not in known:
        *others, last = known
        raise UnusableInput(
            f"there is no kind of ticket {kind[:20]!r}",
            where="kind",
            remedy=f"Use {', '.join(others)} or {last}",
        )
    where, words = f"wish for {kind}", {**known[kind], **(more or {}).get(kind, {})}
    for word, value in wish.items():
        if word not in words:
            raise UnusableInput(
                f"it says {str(word)[:40]!r}, which is not a known key",
                where=where,
                remedy=f"Use {', '.join(words)}",
            )
        if not words[word].is_so(value):
            raise UnusableInput(
                f'"{word}" is {str(value)[:60]!r}',
                where=where,
                remedy=f"Give {words[word].like.replace(_SWITCH, switch)}",
            )
    for word, said in words.items():
        if said.needed and word not in wish:
            like = said.like.replace(_SWITCH, switch)
            raise UnusableInput(f'"{word}" is missing', where=where, remedy=f"Give {like}")
