"""What is read from a cut sheet, whatever wrote it."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant, recorded_plant
from fabric_twin.core.csv_cells import escape, unescape
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.cutsheet import HEADER, LARGEST, read_cut_sheet, write_cut_sheet

ROW = ("c1", "p-c001-t02", "4.1.1/X+", "p-ocs-x-1-1", "1A")


def read(text: str | bytes):
    data = text if isinstance(text, bytes) else text.encode()
    return list(zip(*read_cut_sheet(data, "sheet", lambda _: None).columns, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "cable,a_device,a_port,b_device,b_port\nc1,p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A\n",
        "\ufeffcable,a_device,a_port,b_device,b_port\r\nc1,p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A\r\n",
        "note,b_port,b_device,a_port,a_device,cable\n,1A,p-ocs-x-1-1,4.1.1/X+,p-c001-t02,c1\n",
        "Cable,A_Device,a_port, b_device ,b_port\n\nc1, p-c001-t02 ,4.1.1/X+,p-ocs-x-1-1,1A\n\n",
        'cable,a_device,a_port,b_device,b_port\n"c1","p-c001-t02","4.1.1/X+","p-ocs-x-1-1","1A"\n',
        "label,side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,status\n"
        "c1,p-c001-t02,dcim.interface,4.1.1/X+,p-ocs-x-1-1,dcim.interface,1A,Connected\n",
        "ID,Label,Termination A,Termination B,Device A,Device B,Status,Type,Length\n"
        "17,c1,4.1.1/X+,1A,p-c001-t02,p-ocs-x-1-1,Connected,Singlemode Fiber (OS2),3 m\n",
        "cable,a_device,a_port,b_device,b_port,status\nc1,p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A,\n",
        "cable,a_device,a_port,b_device,b_port\nc1,p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A",
    ],
    ids=[
        "plain",
        "excel",
        "any order",
        "blanks",
        "quoted",
        "netbox's import",
        "netbox's export",
        "no status",
        "no newline",
    ],
)
def test_a_sheet_is_read_as_people_and_programs_write_it(text):
    assert read(text) == [ROW]


def test_only_connected_cables_are_in_the_plant_and_the_others_are_counted():
    sheet = read_cut_sheet(
        b"cable,a_device,a_port,b_device,b_port,status\n"
        b"c1,d,1,e,1,connected\nc2,d,2,e,2,planned\nc3,d,3,e,3,\nc4,d,4,e,4,Planned\n",
        "sheet",
        lambda _: None,
    )
    assert list(sheet.cable) == ["c1", "c3"]
    assert sheet.left_out == {"planned": 2}


def test_an_end_may_be_unknown():
    assert read("cable,a_device,a_port,b_device,b_port\nc1,d,1,,\n") == [("c1", "d", "1", "", "")]


def test_a_header_alone_is_a_plant_without_cables():
    assert read("cable,a_device,a_port,b_device,b_port\n") == []


def test_a_file_of_two_gigabytes_is_refused_without_reading_it(tmp_path, run):
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(2 * 2**30)
    result = run("audit", str(large), "--design", "ironwood", "--pod", "p")
    assert result.stderr == (
        f"fabric-twin: {large}: the file is larger than {LARGEST // 2**20} MiB. "
        "Give one pod's sheet at a time.\n"
    )
    assert result.exit_code == 2


@pytest.mark.parametrize("design", ["ironwood", "tpu-v4", "tpu-v4-duplex", "tpu-v2-static"])
def test_a_sheet_that_is_written_is_read_back_the_same(design):
    plant = intended_plant(find_design(design), "p", (1, 2, 7))
    out = io.StringIO()
    write_cut_sheet(plant, out)
    assert out.getvalue().splitlines()[0] == ",".join(HEADER)
    sheet = read_cut_sheet(out.getvalue().encode(), "sheet", lambda _: None)
    back = recorded_plant(plant.names, *sheet.columns)
    assert (back.a == plant.a).all()
    assert (back.b == plant.b).all()
    assert list(back.cables) == plant.names.cables(plant.a)


@given(st.text(max_size=20))
def test_an_escaped_cell_runs_nowhere_and_reads_back(cell):
    assert not escape(cell).startswith(("=", "+", "-", "@", "\t", "\r"))
    if unescape(cell) == cell:  # a cell that looks escaped already is read as what it stands for
        assert unescape(escape(cell)) == cell


@given(st.binary(max_size=400))
def test_no_bytes_end_in_anything_but_a_sheet_or_a_refusal(data):
    try:
        read_cut_sheet(data, "sheet", lambda _: None)
    except UnusableInput as refusal:
        assert str(refusal).startswith("sheet")


CELL = st.text(st.sampled_from("ab1,\"\n\r\t '=;\u00e9\x00"), max_size=6)


@given(st.lists(st.lists(CELL, min_size=4, max_size=6).map(",".join), max_size=6))
def test_no_rows_end_in_anything_but_a_sheet_or_a_refusal(rows):
    text = "\n".join(["cable,a_device,a_port,b_device,b_port", *rows])
    names = intended_plant(find_design("tpu-v4"), "p").names
    try:
        recorded_plant(names, *read_cut_sheet(text.encode(), "sheet", lambda _: None).columns)
    except UnusableInput as refusal:
        assert str(refusal).startswith(("sheet, line ", "sheet: it has "))
