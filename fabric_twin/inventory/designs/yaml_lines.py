"""YAML whose every part knows its line: small, shallow, and nothing that YAML can do beside data.

No tags, no anchors, no second document, no key twice. What a value is, a number or a word, is read
from its text by who asks for it: `yes`, `010` and `1:30` mean what is written.
"""

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.mistakes import MOST, Mistake, MistakesInFile
from fabric_twin.inventory.text import decoded

__all__ = ["MappingNode", "Node", "ScalarNode", "SequenceNode", "YamlFile", "line_of"]

LARGEST, DEEPEST = 2**16, 8
SUFFIX = ".yaml"
_SMALLER = "Keep one design in a file"


def line_of(node: Node) -> int:
    """The line on which a part begins, from 1."""
    return int(node.start_mark.line) + 1


class YamlFile:
    """A file of keys and values, and the mistakes that are found in it."""

    def __init__(self, data: bytes, source: str) -> None:
        self.source = source
        self._mistakes: list[Mistake] = []
        text = decoded(data, source, LARGEST, _SMALLER, "file", "YAML")
        self._last = max(1, len(text.splitlines()))
        try:
            self._check_plain(text)
            top = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            at = text.count("\n", 0, getattr(error, "position", 0))  # of a character
            line = min(self._last, (mark.line if mark else at) + 1)
            told = getattr(error, "problem", None) or "it cannot be read"
            raise self._refusal(line, f"this is not YAML ({told})", "Write `key: value`") from None
        except (ValueError, OverflowError):  # PyYAML lets some out: a character beyond Unicode
            what = "this is not YAML (a number or a character is too large)"
            raise self._refusal(1, what, "Write plain text and numbers") from None
        if not isinstance(top, MappingNode):
            raise self._refusal(1, "it holds no keys", "Write `key: value`, a line for each")
        self.top = top

    def note(self, line: int, what: str, remedy: str) -> None:
        """Remember a mistake: all that are found are told at once."""
        if len(self._mistakes) < MOST:
            self._mistakes.append(Mistake(line, "", what, remedy))

    def refuse(self) -> None:
        """Refuse the file for all that was noted; go on where nothing was."""
        if self._mistakes:
            ordered = sorted(self._mistakes, key=lambda mistake: mistake.line)
            raise MistakesInFile(self.source, ordered)

    def pairs(self, node: MappingNode) -> dict[str, tuple[int, Node]]:
        """The line and the value of each key; one that is there twice is noted."""
        found: dict[str, tuple[int, Node]] = {}
        for key, value in node.value:
            line = line_of(key)
            if not isinstance(key, ScalarNode) or not key.value.isprintable():
                self.note(line, "a key is not a word", "Write `key: value`")
            elif key.value in found:
                first = found[key.value][0]
                what = f"`{key.value[:40]}` is there twice, first in line {first}"
                self.note(line, what, "Keep one of them")
            else:
                found[key.value] = line, value
        return found

    def _refusal(self, line: int, what: str, remedy: str) -> UnusableInput:
        return UnusableInput(what, where=f"{self.source}, line {line}", remedy=remedy)

    def _check_plain(self, text: str) -> None:
        """Refuse what could make much of little, before anything is made of it."""
        depth = documents = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            mark, tag = event.start_mark, getattr(event, "tag", None)
            line = min(self._last, mark.line + 1 if mark else 1)
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise self._refusal(line, "there is an anchor or an alias", "Write the value out")
            if tag:
                tag = ascii(tag.replace("tag:yaml.org,2002:", "!!")[:40])
                raise self._refusal(line, f"there is a tag ({tag})", "Leave it out")
            documents += isinstance(event, yaml.DocumentStartEvent)
            if documents > 1:
                raise self._refusal(line, "a second document begins", _SMALLER)
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > DEEPEST:
                    what = f"lists and keys are nested more than {DEEPEST} deep"
                    raise self._refusal(line, what, "Write it as docs/design-files.md shows")
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
