"""Bad input and the exact words it is refused with.

`NAME.csv` is a cut sheet and `NAME.txt` what the audit of it says; `commands.txt` has commands
with what they say below, `not_possible.txt` wishes that are understood
and cannot be.
"""

import re
import shlex
from pathlib import Path

import pytest

from tests.golden import assert_golden

HERE = Path(__file__).parent
SHEETS = sorted(HERE.glob("*.csv"))
COMMANDS = [
    (command, f"{words.strip()}\n", exit_code)
    for table, exit_code in (("commands.txt", 2), ("not_possible.txt", 1))
    for command, words in re.findall(
        r"^\$ fabric-twin ([^\n]*)\n(.*?)(?=^\$ |\Z)",
        (HERE / table).read_text(),
        re.MULTILINE | re.DOTALL,
    )
]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_a_sheet_that_cannot_be_used_is_refused_whole(sheet, run, monkeypatch):
    monkeypatch.chdir(HERE)
    result = run("audit", sheet.name, "--design", "ironwood", "--pod", "p")
    assert_golden(result.stderr, sheet.with_suffix(".txt"))
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    ("command", "words", "exit_code"), COMMANDS, ids=[command for command, *_ in COMMANDS]
)
def test_a_command_that_cannot_be_done_says_why(command, words, exit_code, run, monkeypatch):
    monkeypatch.chdir(HERE)
    result = run(*shlex.split(command))
    assert result.stderr == words
    assert (result.exit_code, result.stdout) == (exit_code, "")


def test_every_way_to_be_wrong_is_in_the_table():
    assert len(SHEETS) >= 20
    assert len(COMMANDS) >= 20
