"""Netlists as files: written in few rows, read in any rows, and refused whole with the lines."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.chips.audit import audit_netlist
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.inventory.chips.netlist import HEADER, LARGEST, read_netlist, write_netlist
from fabric_twin.inventory.chips.runs import Runs

ATAC = find_design("atac")
HEAD = ",".join(HEADER) + "\n"


def read(text):
    return read_netlist(text.encode(), "x.csv", ATAC.chip.rings)


def as_designed():
    out = io.StringIO()
    write_netlist(ATAC.chip, ATAC.chip.rings, out)
    return out.getvalue()


def test_the_whole_chip_is_131_rows():
    text = as_designed()
    assert text.splitlines()[:5] == [
        "ring,part,endpoint,sender,bit,waveguide,wavelength",
        "a0-01..a0-64 a1,loop,1..8 16..9 17..24 32..25 33..40 48..41 49..56 64..57 1,,,"
        "d01..ck m01..m04,",
        "a0-01..a0-64 a1,loop,57..64 56..49 41..48 40..33 25..32 24..17 9..16 8..1 57,,,fc,",
        "a0-01..a0-64 a1,modulator,1..64,,1..32,d01..d32,1..64",
        "a0-01..a0-64 a1,filter,1,2..64,1..32,d01..d32,2..64",
    ]
    assert len(text.splitlines()) == 1 + 2 + 1 + 64 + 64
    report = audit_netlist(ATAC, read(text))
    assert (report.cables, report.expected, report.findings) == (8_784_295, 8_784_295, ())


@pytest.mark.parametrize("dropped", [1, 2, 3, 4, 67, 68, 131])
def test_a_row_that_is_left_out_is_one_finding_for_all_rings(dropped):
    lines = as_designed().splitlines()
    del lines[dropped]
    [finding] = audit_netlist(ATAC, read("\n".join(lines))).findings
    assert finding.cause.startswith("all 65 rings: ")
    assert len(finding.evidence["rings"]) == 65


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", f"x.csv, line 1: the first row is not the header of a netlist. Begin with {HEAD}."),
        (
            "cable,a\n",
            f"x.csv, line 1: the first row is not the header of a netlist. Begin with {HEAD}.",
        ),
        (
            f"{HEAD}a0-07,fifo,1,2\n",
            "x.csv, line 2: the row has 4 cells, the header 7. Give every row a cell for every "
            "column.",
        ),
        (
            f"{HEAD}a0-65,fifo,1,2,,,\n",
            "x.csv, line 2, column ring: there is no ring 'a0-65'. Use a0-01..a1 (65 rings), each "
            "once.",
        ),
        (
            f"{HEAD}a1,laser,1,2,,,\n",
            "x.csv, line 2, column part: there is no part 'laser'. Use loop, modulator, filter, "
            "fifo.",
        ),
        (
            f"{HEAD}\na1,fifo,1,2,,d01,\n",
            "x.csv, line 3, column waveguide: a fifo has no waveguide. Leave the cell empty.",
        ),
        (
            f"{HEAD}a1,fifo,0,2,,,\n",
            "x.csv, line 2, column endpoint: there is no endpoint '0'. Use 1..64 (64 endpoints), "
            "each once.",
        ),
        (
            f"{HEAD}a1,fifo,1,,,,\n",
            "x.csv, line 2, column sender: no sender is given. Use 1..64 (64 senders), each once.",
        ),
        (
            f"{HEAD}a1,fifo,1,2..4 3,,,\n",
            "x.csv, line 2, column sender: sender 3 is there twice. Use 1..64 (64 senders), each "
            "once.",
        ),
        (
            f"{HEAD}a1,fifo,1,{'2 ' * 66},,,\n",
            "x.csv, line 2, column sender: these are more senders than there are. Use 1..64 (64 "
            "senders), each once.",
        ),
        (
            f"{HEAD}a1,fifo,1,2..,,,\n",
            "x.csv, line 2, column sender: there is no sender ''. Use 1..64 (64 senders), each "
            "once.",
        ),
        (
            f"{HEAD}a1,modulator,1,,1..3,d01 d02,1\n",
            "x.csv, line 2, column waveguide: 2 waveguides for 3 bits. Give one for each bit, or "
            "one for all.",
        ),
        (
            f"{HEAD}a1,filter,1,2..4,1,d01,2 3\n",
            "x.csv, line 2, column wavelength: 2 wavelengths for 3 senders. Give one for each "
            "sender, or one for all.",
        ),
        (
            f"{HEAD}a1,fifo,1,2..4,,,\na0-03..a0-05 a1,fifo,1..2,4,,,\n",
            "x.csv, line 3: 1 fifo of a1 is there twice. Write each in one row.",
        ),
        (
            f"{HEAD}a1,loop,1..64 1,,,d01..d32,\na1,loop,1..9 1,,,d05,\n",
            "x.csv, line 3, column waveguide: waveguide d05 of a1 is there twice. Write each in "
            "one row.",
        ),
        (
            f"{HEAD}a1,modulator,1,,nan,d01,1\n",
            "x.csv, line 2, column bit: there is no bit 'nan'. Use 1..32 (32 bits), each once.",
        ),
        (
            f'{HEAD}a1,"fifo',
            "x.csv: it cannot be read as CSV (unexpected end of data). Save it as CSV.",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(text, said):
    with pytest.raises(UnusableInput) as refused:
        read(text)
    assert str(refused.value) == said.replace("\n", "")


def test_all_mistakes_of_a_file_are_told_at_once():
    with pytest.raises(UnusableInput) as refused:
        read(f"{HEAD}a2,fifo,1,2,,,\na1,fifo,1,2,,,\na1,fifo,1,2,,,\n")
    assert str(refused.value) == "x.csv: it has 2 mistakes. Correct them all."
    assert [one[:6] for one in refused.value.details] == ["line 2", "line 4"]


def test_a_file_that_is_too_large_is_refused_before_it_is_read():
    with pytest.raises(UnusableInput, match="the file is larger than 32 MiB"):
        read_netlist(b"a" * (LARGEST + 1), "x.csv", ATAC.chip.rings)


cells = st.text(st.sampled_from("0123456789 .-adfpwckmnloter'\"\n,"), max_size=12)


@given(st.lists(st.lists(cells, min_size=6, max_size=8).map(",".join), max_size=4))
def test_no_text_does_more_than_be_refused(rows):
    try:
        read(HEAD + "\n".join(rows))
    except FabricTwinError as refused:
        assert str(refused).startswith("x.csv")


@given(st.lists(st.integers(0, 63), unique=True, min_size=1))
def test_runs_are_read_as_they_were_written(numbers):
    runs = Runs("endpoint", [str(number + 1) for number in range(64)])
    assert runs.read(runs.written(numbers)) == tuple(numbers)
