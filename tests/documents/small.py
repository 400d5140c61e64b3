"""A pod small enough to read: four cubes of 2x2x2 chips, twelve switches of six ports a side."""

import json

from fabric_twin.core.cube import Cube
from fabric_twin.core.design import Design
from fabric_twin.core.designs.ironwood import rule
from fabric_twin.documents.formats import check_format
from fabric_twin.services.orders.issue import Given, issue_repair
from fabric_twin.services.orders.render_order import render_order
from fabric_twin.services.pods.render import Files, render_documents
from fabric_twin.services.pods.which import Which

DESIGN = Design(
    name="small",
    title="A pod to read in a test",
    slots=4,
    cube=Cube(chips=(2, 2, 2), tray=(2, 2, 1)),
    radix=6,
    spares=(5, 6),
    transceiver="bidi",
    rule=rule,
)
HOSTILE = "=<b>&\"'{{ 7*7 }}"


def circuits(*rows):
    """Rows of switch, a, b, owner as a file."""
    named = [dict(zip(("switch", "a", "b", "owner"), row, strict=True)) for row in rows]
    return json.dumps({"version": 1, "circuits": named}).encode(), "circuits.json"


#: A ring of two cubes, a cube joined to itself, and a circuit that ends on a spare.
CIRCUITS = circuits(
    ("s-ocs-x-1-1", "1A", "2B", "train"),
    ("s-ocs-x-1-1", "2A", "1B", "train"),
    ("s-ocs-x-1-1", "3A", "3B", HOSTILE),
    ("s-ocs-x-1-1", "4A", "5B", ""),
)
IN_USE = (
    b'{"unhealthy": {"slots": [], "ports": [["s-ocs-x-1-1", "2A"], ["s-ocs-x-1-1", "4B"]]}}',
    "in-use.json",
)
CABLES = (
    b"cable,a_device,a_port,b_device,b_port,status,length_m,label\n"
    b"s-c001:2.1.1/X+,s-c001-t01,2.1.1/X+,s-ocs-x-1-1,1A,connected,12.5,Hall 3\n"
    b"two,s-ocs-x-1-1,3A,s-c002-t01,2.1.1/X+,connected,,\n"
    b"=<b>&{{ 7*7 }},s-c003-t01,2.1.1/X+,s-ocs-x-1-1,2A,connected,9,\n"
    b"far,s-c009-t01,2.1.1/X+,s-ocs-x-1-1,4A,connected,9,\n",
    "cables.csv",
)
SLICE = (
    json.dumps(
        {
            "version": 1,
            "name": HOSTILE,
            "shape": "2x2x4",
            "twisted": False,
            "cubes": [{"at": [0, 0, 0], "slot": 1}, {"at": [0, 0, 1], "slot": 2}],
            "circuits": [{"switch": "s-ocs-z-1-1", "a": "1A", "b": "2B"}],
        }
    ).encode(),
    "slice.json",
)
PLAN = (
    json.dumps(
        {
            "version": 1,
            "keep": 3,
            "lower_bound": 2,
            "stages": [
                {
                    "remove": [{"switch": "s-ocs-x-1-1", "a": "1A", "b": "2B", "owner": "train"}],
                    "add": [{"switch": "s-ocs-x-1-1", "a": "1A", "b": "1B", "owner": HOSTILE}],
                }
            ],
            "untouched_owners": ["eval"],
        }
    ).encode(),
    "plan.json",
)


FINDINGS = (
    json.dumps(
        {
            "version": 1,
            "pod": "s",
            "findings": [
                {
                    "id": HOSTILE,
                    "code": "swapped",
                    "remedy": [
                        {
                            "do": "move",
                            "cable": "s-c001:2.1.1/X+",
                            "end": "b",
                            "to": ["s-ocs-x-1-1", "2A"],
                        },
                        {
                            "do": "move",
                            "cable": "s-c002:2.1.1/X+",
                            "end": "b",
                            "to": ["s-ocs-x-1-1", "1A"],
                        },
                    ],
                },
                {
                    "id": "fan",
                    "code": "fan-lost",
                    "remedy": [
                        {"do": "replace", "device": "s-ocs-y-1-1", "port": "", "part": "fan 1"}
                    ],
                },
                {
                    "id": "board",
                    "code": "board-out",
                    "remedy": [
                        {"do": "replace", "device": "s-ocs-y-1-1", "port": "", "part": HOSTILE}
                    ],
                },
            ],
        }
    ).encode(),
    "findings.json",
)
STOCK = b'{"parts": [{"part": "fan 1", "on_hand": 1, "ordered": 2}]}', "stock.json"


def order(form, templates=None):
    """A repair: two plugs to exchange, in use; a part that is there, and one that is not."""
    given = Given(circuits=CIRCUITS, stock=STOCK)
    issued = issue_repair(DESIGN, "s", FINDINGS, given)
    return dict(render_order(issued, form, templates=templates))


def documents(kind, form, which=None, design=DESIGN, pod="s", templates=None, **files):
    """The files that come of it, by name."""
    check_format(kind, form)
    if kind == "work-order":
        return order(form, templates)
    rendering = render_documents(
        kind, form, design, pod, which or Which(), Files(**files), templates=templates
    )
    return dict(rendering.files)
