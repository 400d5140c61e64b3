"""A static pod answers for itself: what each port hears is the cut sheet, and hands are found."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.discovery.heard import heard_cables
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN

PROGRAM = Path(sys.executable).with_name("fabric-twin")
X = "p1-c001-t01", "4.1/X+"


def seen(claims, strangers=None):
    """How many rows of a v5e pod are as they should be, and those that are not."""
    plant = intended_plant(find_design("tpu-v5e"), "p1")
    rows = list(heard_cables(plant, claims(plant), strangers or {}))
    right = set(zip(plant.a.tolist(), plant.b.tolist(), strict=True))
    wrong = [row for row in rows if row.of not in right]
    return len(rows) - len(wrong), wrong


def test_what_each_port_hears_is_the_whole_sheet():
    plant = intended_plant(find_design("tpu-v5e"), "p1")
    rows = list(heard_cables(plant, plant.mate, {}))
    assert len(rows) == 128
    assert {row.seen for row in rows} == {"neighbours"}
    assert [(row.a, row.b) for row in rows if row.a == X] == [(X, ("p1-c002-t01", "1.1/X-"))]


def test_one_of_two_ports_is_enough_where_the_other_does_not_answer():
    def claims(plant):
        heard = plant.mate.copy()
        heard[plant.b] = NOT_KNOWN
        return heard

    assert seen(claims) == (128, [])


def test_a_cable_that_neither_end_hears_has_no_far_end():
    def claims(plant):
        heard = plant.mate.copy()
        heard[[plant.a[0], plant.b[0]]] = NO_PORT
        heard[[plant.a[1], plant.b[1]]] = NOT_KNOWN
        return heard

    many, rows = seen(claims)
    assert many == 126
    assert [(row.a, row.b, row.seen) for row in rows] == [
        (X, ("", ""), "unheard"),
        (("p1-c001-t01", "4.2/X+"), ("", ""), "silent"),
    ]


@pytest.mark.integration
def test_mistakes_of_hands_are_found_by_neighbours_alone(simulate, run):
    pod = simulate("tpu-v5e", "--slots", "1-16")
    sheet = pod.folder / "seen.csv"
    where = ("--target", pod.target, "--insecure", "-o", str(sheet))

    def discovered():
        command = [str(PROGRAM), "discover", *pod.pod, *where]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        audit = run("audit", str(sheet), *pod.pod, "--json")
        return done.returncode, done.stderr, json.loads(audit.stdout)["summary"]

    assert discovered() == (
        0,
        "Pod p1 (tpu-v5e): 128 cables looked at.\n     128  between ports that hear each other\n",
        {},
    )
    pod.break_it(kind="swapped", cable="p1-c001:4.1/X+", other="p1-c002:4.1/X+")
    pod.break_it(kind="missing", cable="p1-c004:4.2/X+")
    assert discovered() == (
        1,
        "Pod p1 (tpu-v5e): 128 cables looked at.\n"
        "     127  between ports that hear each other\n"
        "       1  at a port that hears nobody\n",
        {"dark": 1, "swapped": 1},
    )
    pod.mend_all()
    assert discovered()[2] == {}
