"""A sheet that cannot be used is refused with all of its mistakes, and sent back with remarks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.cutsheet import read_cut_sheet
from fabric_twin.inventory.sheet_mistakes import MOST, Mistake, MistakesInSheet, with_remarks

HEADER = "cable,a_device,a_port,b_device,b_port,length_m"
SHEET = f"""{HEADER}
c1,d1,1,s1,1A,3

c2,d1,2,s1,2A,abc
"c3
and more",d1,3,s1,3A,3
c4,d1,,s1,4A,3
c1,d1,5,s1,5A,3,what is this
c1,d1,6,s1,6A,abc
""".encode()
RULES = {
    "length_m": lambda cell: (f"{cell!r} is no length", "Write metres") if cell == "abc" else None
}


def refused(sheet: bytes) -> MistakesInSheet:
    with pytest.raises(MistakesInSheet) as refusal:
        read_cut_sheet(sheet, "sheet", lambda _: None, written=True, rules=RULES)
    return refusal.value


def test_all_mistakes_are_told_at_once_each_with_line_and_column():
    refusal = refused(SHEET)
    assert str(refusal) == "sheet: it has 6 mistakes. Correct them all."
    assert refusal.details == (
        "line 4, column length_m: 'abc' is no length. Write metres.",
        "line 5, column cable: the cell holds a line break or a tab. Write one name in the cell.",
        "line 7, column a_port: the cell is empty, but a_device is 'd1'. "
        "Fill it, or leave both cells empty if the end is not known.",
        "line 8: the row has 7 cells, the header 6. Give every row a cell for every column.",
        "line 9, column cable: the cable 'c1' is there already (sheet, line 2). "
        "Give every cable a name of its own.",
        "line 9, column length_m: 'abc' is no length. Write metres.",
    )
    assert json.loads(json.dumps(refusal.as_json()["mistakes"]))[0] == {
        "line": 4,
        "column": "length_m",
        "what": "'abc' is no length",
        "remedy": "Write metres",
    }


def test_one_mistake_reads_like_any_other_refusal():
    refusal = refused(f"{HEADER}\nc1,d1,1,s1,1A,abc\n".encode())
    assert str(refusal) == "sheet, line 2, column length_m: 'abc' is no length. Write metres."
    assert refusal.details == ()


def test_the_sheet_comes_back_with_a_remark_in_each_row_that_has_one():
    assert with_remarks(SHEET, refused(SHEET).mistakes) == (
        f"{HEADER},remarks\n"
        "c1,d1,1,s1,1A,3,\n"
        "c2,d1,2,s1,2A,abc,length_m: 'abc' is no length. Write metres.\n"
        '"c3\nand more",d1,3,s1,3A,3,'
        "cable: the cell holds a line break or a tab. Write one name in the cell.\n"
        "c4,d1,,s1,4A,3,\"a_port: the cell is empty, but a_device is 'd1'. "
        'Fill it, or leave both cells empty if the end is not known."\n'
        'c1,d1,5,s1,5A,3,what is this,"the row has 7 cells, the header 6. '
        'Give every row a cell for every column."\n'
        "c1,d1,6,s1,6A,abc,\"cable: the cable 'c1' is there already (sheet, line 2). "
        "Give every cable a name of its own. length_m: 'abc' is no length. Write metres.\"\n"
    )


def test_remarks_of_before_are_written_over_and_read_by_nobody():
    corrected = f"{HEADER},remarks\nc1,d1,1,s1,1A,3,Mind the tray\nc2,d1,,s1,2A,3,a_port: empty\n"
    again = with_remarks(corrected.encode(), [Mistake(3, "a_port", "empty", "Fill it")])
    assert again == f"{HEADER},remarks\nc1,d1,1,s1,1A,3,\nc2,d1,,s1,2A,3,a_port: empty. Fill it.\n"
    mended = again.replace("c2,d1,,", "c2,d1,2,").encode()
    assert list(read_cut_sheet(mended, "sheet", lambda _: None).cable) == ["c1", "c2"]


def test_a_sheet_of_nothing_but_mistakes_is_bounded():
    rows = "".join(f"c,d,{n},s,{n},3\n" for n in range(5000))
    refusal = refused(f"{HEADER}\n{rows}".encode())
    assert refusal.what == f"it has at least {MOST:,} mistakes"
    assert len(refusal.mistakes) == MOST
    assert refusal.details[-1] == f"and {MOST - 20:,} more"


CELL = st.text(st.sampled_from("ab1,\"\n '="), max_size=4)


@given(st.lists(st.lists(CELL, min_size=5, max_size=7).map(",".join), max_size=6))
def test_what_comes_back_has_each_remark_in_its_row_and_refuses_the_same(rows):
    sheet = "\n".join([HEADER, *rows]).encode()
    try:
        read_cut_sheet(sheet, "sheet", lambda _: None, written=True, rules=RULES)
    except MistakesInSheet as refusal:
        back = with_remarks(sheet, refusal.mistakes).encode()
        if all(one.column for one in refusal.mistakes):  # every row has its cells
            again = refused(back)
            said = [(one.column, one.what) for one in refusal.mistakes if "already" not in one.what]
            assert [(m.column, m.what) for m in again.mistakes if "already" not in m.what] == said
    except UnusableInput:
        pass
