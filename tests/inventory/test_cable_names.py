"""Names of cables that an export wrote without one."""

import io
import random

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import design_names, find_design
from fabric_twin.inventory.cutsheet import read_cut_sheet, write_rows

#: What NetBox 4.6 exports of its list of cables.
NETBOX = (
    "ID,Label,Termination A,Termination B,Device A,Device B,Rack A,Rack B,Location A,Location B,"
    "Site A,Site B,Status,Profile,Type,Tenant,Tenant Group,Color,Color Name,Length,Description,"
    "Comments,Tags,Created,Last updated\n"
)


def names(*rows: str) -> list[str]:
    """The names of cables, of which a row has `name,a_device,a_port,b_device,b_port`."""
    sheet = "\n".join(["cable,a_device,a_port,b_device,b_port", *rows])
    return list(read_cut_sheet(sheet.encode(), "sheet", lambda _: None).cable)


def test_an_export_of_netbox_without_labels_is_named_by_its_ends():
    rows = (
        "17,,4.1.1/X+,1A,p-c001-t02,p-ocs-x-1-1,,,,,Hall,Hall,Connected,,,,,,,3 m,,,,,\n"
        "18,,2A,4.1.2/X+,p-ocs-x-1-2,p-c001-t06,,,,,Hall,Hall,Connected,,,,,,,,,,,,\n"
        "19,old,eth3,7A,host-12,palomar-4,,,,,Hall,Hall,Planned,,,,,,,,,,,,\n"
        "20,,eth4,8A,host-12,palomar-4,,,,,Hall,Hall,Connected,,,,,,,,,,,,\n"
    )
    sheet = read_cut_sheet((NETBOX + rows).encode(), "sheet", lambda _: None)
    assert list(zip(*sheet.columns, strict=True)) == [
        ("p-c001:4.1.1/X+", "p-c001-t02", "4.1.1/X+", "p-ocs-x-1-1", "1A"),
        ("p-c001:4.1.2/X+", "p-ocs-x-1-2", "2A", "p-c001-t06", "4.1.2/X+"),
        ("host-12 eth4 - palomar-4 8A", "host-12", "eth4", "palomar-4", "8A"),
    ]
    assert sheet.left_out == {"planned": 1}


def test_netbox_may_leave_the_labels_out():
    sheet = (
        b"side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name\n"
        b"p-c001-t02,dcim.interface,4.1.1/X+,p-ocs-x-1-1,dcim.interface,1A\n"
    )
    assert list(read_cut_sheet(sheet, "sheet", lambda _: None).cable) == ["p-c001:4.1.1/X+"]


@pytest.mark.parametrize("design", design_names())
def test_without_names_a_sheet_has_those_of_the_rule(design):
    plant = intended_plant(find_design(design), "p")
    cables = plant.names.cables(plant.a)
    ends = [end for ports in (plant.a, plant.b) for end in plant.names.ends(ports)]
    drawn = random.Random(design)  # which end is written first
    unnamed = []
    for a_device, a_port, b_device, b_port in zip(*ends, strict=True):
        rows = [a_device, a_port], [b_device, b_port]
        near, far = rows if drawn.random() < 0.5 else rows[::-1]
        unnamed.append(["", *near, *far, "connected", "", ""])
    sheet = io.StringIO()
    write_rows(unnamed, sheet)
    read = read_cut_sheet(sheet.getvalue().encode(), "sheet", lambda _: None)
    assert list(read.cable) == cables


def test_two_on_one_port_are_named_by_both_ends():
    assert names(
        ",p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A",
        ",p-ocs-x-1-2,1A,p-c001-t02,4.1.1/X+",
    ) == [
        "p-c001-t02 4.1.1/X+ - p-ocs-x-1-1 1A",
        "p-c001-t02 4.1.1/X+ - p-ocs-x-1-2 1A",
    ]


def test_a_name_that_another_cable_was_given_is_left_to_it():
    assert names(
        "p-c001:4.1.1/X+,p-c001-t06,4.1.2/X+,p-ocs-x-1-2,1A",
        ",p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A",
        "host-1 a - host-2 b,x,1,y,1",
        ",host-2,b,host-1,a",
        ",host-1,a,host-2,b",
    ) == [
        "p-c001:4.1.1/X+",
        "p-c001-t02 4.1.1/X+ - p-ocs-x-1-1 1A",
        "host-1 a - host-2 b",
        "host-1 a - host-2 b (2)",
        "host-1 a - host-2 b (3)",
    ]


def test_an_end_may_be_unknown():
    assert names(",p-c001-t02,4.1.1/X+,,", ",,,p-ocs-x-1-1,9A") == [
        "p-c001:4.1.1/X+",
        "p-ocs-x-1-1 9A - not known",
    ]


def test_strands_are_named_as_the_strands_of_one_cable():
    assert names(
        ",v4-c004-t08,4.3.2/X+:1,v4-ocs-x-3-2,4A", ",v4-c004-t08,4.3.2/X+:2,v4-ocs-x-3-2,4B"
    ) == ["v4-c004:4.3.2/X+:1", "v4-c004:4.3.2/X+:2"]


def test_the_same_cables_in_another_order_have_the_same_names():
    rows = [
        ",p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A",
        ",p-c001-t02,4.1.1/X+,p-ocs-x-1-2,1A",
        ",host-1,a,host-2,b",
    ]
    assert names(*reversed(rows)) == list(reversed(names(*rows)))


def test_a_connected_cable_has_the_name_that_it_has_without_planned_ones():
    connected = [",p-c001-t02,4.1.1/X+,p-ocs-x-1-1,1A,connected", ",h,a,g,b,"]
    planned = [",p-c001-t02,4.1.1/X+,p-ocs-x-9-9,1A,planned", ",g,b,h,a,planned"]
    head = "cable,a_device,a_port,b_device,b_port,status\n"

    def read(*rows: str) -> dict[str, str]:
        sheet = (head + "\n".join(rows)).encode()
        every = read_cut_sheet(sheet, "sheet", lambda _: None, every=True)
        return dict(zip(every.cable, every.status, strict=True))

    alone = {"p-c001:4.1.1/X+": "connected", "g b - h a": "connected"}
    with_planned = alone | {
        "p-c001-t02 4.1.1/X+ - p-ocs-x-9-9 1A": "planned",
        "g b - h a (2)": "planned",
    }
    assert read(*connected) == alone
    assert read(*planned, *connected) == read(*connected, *planned) == with_planned


def test_thousands_between_the_same_ends_are_counted_once():
    many = 20_000  # counted again for each, they are two hundred million names
    named = names(*[",host-1,a,host-2,b"] * many)
    assert named[0] == "host-1 a - host-2 b"
    assert named[1:] == [f"host-1 a - host-2 b ({number})" for number in range(2, many + 1)]


def test_ends_that_make_too_long_a_name_need_one(run, tmp_path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f"cable,a_device,a_port,b_device,b_port\n,{'d' * 200},1,{'e' * 200},1\n")
    said = run("audit", str(sheet), "--design", "ironwood", "--pod", "p")
    assert (said.exit_code, said.stderr) == (
        2,
        f"fabric-twin: {sheet}, line 2, column cable: the cable has no name, and its ends are "
        "longer than 255 characters. Give it a name of its own.\n",
    )
