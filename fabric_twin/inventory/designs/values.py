"""One value of a design file: what its text means, or a mistake that is noted."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from fabric_twin.core.designs import is_name
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.groups.cluster import Joined
from fabric_twin.core.rule import Plant
from fabric_twin.core.rule_by_keys import NAMES, Key, parse_key
from fabric_twin.inventory.designs.yaml_lines import (
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    YamlFile,
    line_of,
)
from fabric_twin.inventory.json_files import printable

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,7})", re.ASCII)
_SIDES = re.compile(r"[1-9][0-9]{0,3}(?:x[1-9][0-9]{0,3}){1,2}", re.ASCII)
_FLAGS = {"yes": True, "no": False, "true": True, "false": False}
MOST_TEXTS = 50
KEYS = "slot, sign, lane, i, j, or a part of one such as j/2 (which pair) and j%2 (which of it)"


class Value:
    """A value, its key and where it is."""

    def __init__(self, file: YamlFile, key: str, node: Node) -> None:
        self.file, self.key, self.node = file, key, node
        self.line = line_of(node)

    def note(self, what: str, remedy: str) -> None:
        """Say that it cannot be used."""
        self.file.note(self.line, what, remedy)

    def word(self) -> str | None:
        """Its text, or nothing where it is none."""
        if not isinstance(self.node, ScalarNode):
            return None
        return str(self.node.value)

    def is_not(self, what: str, example: str) -> None:
        """Say what it is in place of what it should be."""
        word = self.word()
        told = repr(word[:40]) if word else "nothing" if word == "" else "more than one value"
        self.note(f"`{self.key}` is {told}, and not {what}", f"Write `{self.key}: {example}`")

    def text(self, example: str) -> str | None:
        """A line for a person."""
        word = self.word()
        if not word:
            self.is_not("a line of text", example)
            return None
        try:
            return printable(word, f"`{self.key}`", "")
        except UnusableInput as refusal:
            self.note(refusal.what, refusal.remedy)
            return None

    def name(self, example: str) -> str | None:
        """A name of a design."""
        word = self.word()
        if word and is_name(word):
            return word
        self.is_not("a name of at most 40 of a-z, 0-9 and -", example)
        return None

    def number(self, example: str, least: int, most: int) -> int | None:
        """A whole number within a range."""
        word = self.word() or ""
        if _NUMBER.fullmatch(word) and least <= int(word) <= most:
            return int(word)
        self.is_not(f"a whole number from {least:,} to {most:,}", example)
        return None

    def sides(self, example: str) -> tuple[int, ...] | None:
        """Two or three sides, in chips or in units."""
        word = self.word() or ""
        if _SIDES.fullmatch(word):
            return tuple(map(int, word.split("x")))
        self.is_not("two or three sides", example)
        return None

    def flag(self, example: str) -> bool | None:
        """Yes or no."""
        word = self.word() or ""
        if word not in _FLAGS:
            self.is_not("yes or no", example)
        return _FLAGS.get(word)

    def plant(self, example: str) -> Plant | None:
        """How cables meet switches."""
        word = self.word() or ""
        if word in {plant.value for plant in Plant}:
            return Plant(word)
        self.is_not("split, paired, static, packet or ring", example)
        return None

    def joined(self, example: str) -> Joined | None:
        """What joins the switches of a cluster."""
        word = self.word() or ""
        if word in {joined.value for joined in Joined}:
            return Joined(word)
        self.is_not(f"one of {', '.join(joined.value for joined in Joined)}", example)
        return None

    def texts(self, example: str) -> tuple[str, ...] | None:
        """A list of lines for a person."""
        node = self.node
        if not isinstance(node, SequenceNode) or len(node.value) > MOST_TEXTS:
            what = f"`{self.key}` is not a list of at most {MOST_TEXTS} lines"
            self.note(what, f"Write each on a line of its own, as `- {example}`")
            return None
        lines = [Value(self.file, self.key, item).text(example) for item in node.value]
        return tuple(line for line in lines if line is not None)

    def table(self, example: str, keys: Iterable[str] | None = None) -> dict[str, "Value"] | None:
        """The values of a table's keys; a key that is not one of those there can be is noted."""
        if not isinstance(self.node, MappingNode):
            self.is_not("a table of keys", example)
            return None
        found = {}
        for key, (line, node) in self.file.pairs(self.node).items():
            if keys is None or key in keys:
                found[key] = Value(self.file, key, node)
            else:
                within = f" in `{self.key}`" if self.key else ""
                self.file.note(line, f"there is no key `{key[:40]}`{within}", meant(key, keys))
        return found

    def keys(self, example: str) -> tuple[Key, ...] | None:
        """A list of keys, such as the numbers in a switch's name."""
        if not isinstance(self.node, SequenceNode):
            self.is_not("a list of keys", example)
            return None
        words = [Value(self.file, self.key, item) for item in self.node.value]
        keys = tuple(key for word in words if (key := word.read_key(word.word() or "")))
        if len(set(keys)) < len(keys):
            self.note("a key is written twice", f"Write each once, such as {example}")
            return None
        return keys if len(keys) == len(words) else None

    def read_key(self, word: str) -> Key | None:
        """A key of a cube port, which is written here."""
        key = parse_key(word)
        if key is None:
            self.note(f"{word[:40]!r} is no key of a cube port", f"Use {KEYS}")
        return key


def meant(word: str, names: Iterable[str] = NAMES) -> str:
    """The nearest of some names, or all of them."""
    names = list(names)
    near = get_close_matches(word, names, n=1)
    return f"Perhaps `{near[0]}` is meant" if near else f"Use one of {', '.join(names)}"
