"""Cells that a spreadsheet would run as a formula are made text, and read back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.csv_cells import escape, unescape


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_what_begins_a_formula_is_made_text(first: str) -> None:
    assert escape(f"{first}SUM(1)") == f"'{first}SUM(1)"


@given(st.text())
def test_a_cell_is_read_back_as_it_was(cell: str) -> None:
    assert unescape(escape(cell)) == cell
