"""What is bought for a static pod: copper between neighbours, optics where a ring closes."""

import csv
import json
from collections import Counter

BILL = """\
Bill of materials of e5
TPU v5e, a static 2D torus: 16 of 16 slots hold cubes

Parts
part            count  what
cube (rack)     16     4 x 4 chips
tray            32     4 x 2 chips
chip            256
port            256    16 a cube
transceiver     64     one at each end of an optical cable
cable, copper   96     from a cube to the next one
cable, optical  32     from the last cube of a row to the first one

Cables by length
length m   cables
not known  128
"""


def test_a_bill_tells_copper_from_optical_cables(run):
    options = ("--design", "tpu-v5e", "--pod", "e5", "--format", "txt", "-o", "-")
    assert run("render", "bill-of-materials", *options).stdout == BILL


def test_cables_to_slots_that_are_empty_are_not_bought(run):
    options = ("--design", "tpu-v5e", "--pod", "e5", "--slots", "1-3", "--format", "txt", "-o", "-")
    said = run("render", "bill-of-materials", *options).stdout
    assert "cable, copper   8 " in said
    assert "cable, optical  0 " in said


def test_a_cut_list_says_what_each_cable_is_made_of(run):
    options = ("--design", "tpu-v5e", "--pod", "e5", "--cube", "4", "--format", "csv", "-o", "-")
    rows = list(csv.DictReader(run("render", "cut-list", *options).stdout.splitlines()))
    kinds = {(row["tray"][3:7], row["port"][-2:]): row["kind"] for row in rows}
    assert kinds == {
        ("c003", "X+"): "copper",
        ("c004", "X+"): "optical",  # the last of its row, to the first
        ("c004", "Y+"): "copper",
        ("c016", "Y+"): "optical",  # the last of its column
    }


def test_an_order_takes_cables_of_both_kinds(run):
    options = ("--design", "tpu-v5e", "--pod", "e5", "--cubes", "4", "--format", "json")
    order = json.loads(run("order", "install", *options).stdout)
    many = Counter()
    for part in order["materials"]:
        many[part["part"].rpartition(",")[0]] += part["needed"]
    assert (many["cable, copper"], many["cable, optical"]) == (8, 8)


def test_an_order_fits_parts_that_have_a_name(run):
    options = ("--design", "tpu-v5e", "--pod", "e5", "--cubes", "1", "--format", "json")
    order = json.loads(run("order", "install", *options).stdout)
    fitted = {step["part"] for step in order["steps"] if step["do"] == "fit"}
    assert fitted == {"tray", "direct cables"}
