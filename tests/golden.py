"""Whole outputs, compared with files that somebody looked at.

To accept new output after looking at it: ACCEPT=1 make test.
"""

import os
import re
from pathlib import Path

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def assert_golden(text: str, golden: Path) -> None:
    """The text is the file's; a style sheet stands in its template and not in each file."""
    text = _STYLE.sub("<style>...</style>", text)
    if os.environ.get("ACCEPT") == "1":
        golden.write_text(text)
    assert text == golden.read_text()
