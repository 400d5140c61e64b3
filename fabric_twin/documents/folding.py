"""Text folded into lines of a width; a word that is longer is broken."""

import textwrap

ELLIPSIS = "…"


def fold(text: str, width: int, most: int = 0) -> list[str]:
    """Lines of at most so many characters; of more than `most` lines the last one ends in …

    >>> fold("iw1-ocs-x-3-2 port 7A", 16)
    ['iw1-ocs-x-3-2', 'port 7A']
    >>> fold("a-name-without-an-end", 8, most=2)
    ['a-name-w', 'ithout-…']
    """
    if len(text) <= width and "\n" not in text:
        return [text]
    lines = textwrap.wrap(text, max(width, 1), break_on_hyphens=False) or [""]
    if most and len(lines) > most:
        last = lines[most - 1]
        lines = [*lines[: most - 1], f"{last[: width - 1]}{ELLIPSIS}"]
    return lines
