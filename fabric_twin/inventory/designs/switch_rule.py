"""The rule of a design file, by keys: which switch, which port, which side."""

from collections.abc import Mapping
from dataclasses import dataclass

from fabric_twin.core.rule import Plant
from fabric_twin.core.rule_by_keys import Key, RuleByKeys, is_told_apart
from fabric_twin.inventory.designs.values import Value

FIRST = "first"
#: The most numbers in a switch's name, and the most keys that a port is counted by.
MOST_NUMBERS, MOST_STEPS = 4, 8
_SIDES = {("A", "B"): (0, 1), ("B", "A"): (1, 0)}
_PARTS = {"switch": "[i, j]", "port": "{slot: 1}", "side": "{+: A, -: B}"}


@dataclass(frozen=True)
class RuleRead:
    """What a file says of its rule, before it is known what pod it is for."""

    switch: tuple[Key, ...]
    steps: tuple[tuple[Key, int], ...]
    first: int
    #: The sides of `+` and `-`, where they are given.
    sides: tuple[int, int] | None
    #: Where ports are given, and sides.
    port: Value
    side: Value | None

    def made(self, plant: Plant, counts: Mapping[str, int]) -> RuleByKeys | None:
        """The rule of a pod that has so many of each key; what does not fit is noted."""
        keys = [*self.switch, *(key for key, _ in self.steps)]
        if self.side and plant is Plant.PAIRED:
            what = "a paired plant has no `side`: a port is A and B together"
            self.side.note(what, "Leave it out")
        if any(key.of not in counts for key in keys):  # there is one that a cube may lack
            self.port.note("a cube of two sides has no `j`", "Leave it out: its index is `i` alone")
            return None
        for key in keys:
            if key.part and key.many(counts) == 1:
                what = f"`{key}` is the same for all: there are {counts[key.of]} of `{key.of}`"
                self.port.note(what, "Leave it out")
        for name, many in counts.items():
            by_side = name == "sign" and plant is Plant.SPLIT
            if many > 1 and not by_side and not is_told_apart(name, keys):
                what = f"switch and port do not tell each `{name}` of {many} from the others"
                remedy = f"Add `{name}` to `switch` or to `port`: two cables share no port"
                self.port.note(what, remedy)
        sides = (0, 0) if plant is Plant.PAIRED else self.sides or (0, 1)
        return RuleByKeys(self.switch, self.steps, self.first, sides)


def read_rule(value: Value, example: str) -> RuleRead | None:
    """Read the parts of a rule; mistakes are noted."""
    parts = value.table(example, _PARTS)
    if parts is None:
        return None
    for key in ("switch", "port"):
        if key not in parts:
            value.note(f"`{key}` is missing in `rule`", f"Write `{key}: {_PARTS[key]}`")
    switch = parts["switch"].keys(_PARTS["switch"]) if "switch" in parts else None
    if switch and len(switch) > MOST_NUMBERS:
        what = f"the name of a switch has {len(switch):,} numbers, and at most {MOST_NUMBERS} fit"
        parts["switch"].note(what, f"Write fewer, such as {_PARTS['switch']}")
        return None
    port = _port(parts["port"]) if "port" in parts else None
    sides = _sides(parts["side"]) if "side" in parts else None
    if switch is None or port is None:
        return None
    first, steps = port
    return RuleRead(switch, steps, first, sides, parts["port"], parts.get("side"))


def _port(value: Value) -> tuple[int, tuple[tuple[Key, int], ...]] | None:
    """The first port, and how much further the next of each key is."""
    rows = value.table(_PARTS["port"])
    if rows is None:
        return None
    if len(rows) > MOST_STEPS + 1:
        what = f"a port is counted by {len(rows):,} keys, and at most {MOST_STEPS} are read"
        value.note(what, f"Write fewer, such as {_PARTS['port']}")
        return None
    first, steps = 1, []
    for word, row in rows.items():
        if word == FIRST:
            first = row.number("1", 1, 10_000) or 1
            continue
        key = row.read_key(word)
        step = row.number("1", -10_000, 10_000)
        if step == 0:
            row.note(f"`{word}: 0` puts all of them on one port", f"Write `{word}: 1`, or more")
        if key is not None and step:
            steps.append((key, step))
    return (first, tuple(steps)) if len(steps) == len(rows.keys() - {FIRST}) else None


def _sides(value: Value) -> tuple[int, int] | None:
    """The sides of `+` and of `-`."""
    rows = value.table(_PARTS["side"], "+-")
    if rows is None:
        return None
    plus, minus = ((rows[sign].word() or "") if sign in rows else "" for sign in "+-")
    if (plus, minus) not in _SIDES:
        value.note("`side` does not give `+` one side and `-` the other", "Write `{+: A, -: B}`")
    return _SIDES.get((plus, minus))
