"""The Makefile is the one list of commands, and it lists itself."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RULES = re.findall(r"^([a-z][a-z-]*):(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
TARGETS = [target for target, _ in RULES]


@pytest.mark.parametrize(("target", "rest"), RULES, ids=TARGETS)
def test_every_target_says_what_it_does(target: str, rest: str) -> None:
    assert re.search(r"## \S", rest), f"make {target} has no help"


def test_help_lists_every_target_in_order() -> None:
    make = shutil.which("make")
    assert make
    shown = subprocess.run([make, "help"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert re.findall(r"^  make ([a-z-]+) +\S", shown.stdout, re.MULTILINE) == TARGETS


def test_no_file_or_folder_can_hide_a_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony
    assert sorted(phony[1].split()) == sorted(TARGETS)
