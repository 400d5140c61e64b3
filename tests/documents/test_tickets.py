"""A ticket in every form, whole, as it was last looked at; and its window in a calendar.

Golden files are in `golden-tickets/`; a PDF is kept as the text on its pages.
"""

import csv
import html
import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pypdf import PdfReader

from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.errors import DocumentRefused
from fabric_twin.documents.tickets.calendar import Event, calendar, escaped
from fabric_twin.documents.tickets.change_drawing import MOST_CARDS, change_drawing
from fabric_twin.documents.tickets.facts import Drained, Said, StageFacts, TicketFacts
from fabric_twin.documents.tickets.ticket import about, concerns
from fabric_twin.documents.tickets.ticket_files import FORMS, file_name, ticket_file
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden-tickets"
AT = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)
HOSTILE = "=<b>&\"'{{ 7*7 }}|"


def row(switch, a, b, owner):
    return {"switch": f"s-ocs-{switch}", "a": a, "b": b, "owner": owner}


TICKET = TicketFacts(
    name="s-t3.2",
    pod="s",
    design="small",
    kind="Create slice",
    title="Slice train-1, 2x2x4",
    state="Running",
    author="ann",
    reason="For the run of Friday; see the wiki",
    risk="Medium",
    risk_reason="eval loses 1 link for a while",
    on_failure="Stop and undo",
    most_bad=0,
    window=(AT, AT + timedelta(hours=2)),
    submitted_at=AT - timedelta(hours=5),
    approved_by="bob",
    approved_at=AT - timedelta(hours=4),
    started=AT,
    revises="s-t3",
    contacts=("ann <ann@example.com>",),
    blast={
        "slices": ["eval"],
        "owners": ["eval", ""],
        "links": 1,
        "capacity_before": {"free_cubes": 2, "healthy_cubes": 4, "shapes": ["2x2x4"]},
        "capacity_left": {"free_cubes": 0, "healthy_cubes": 4, "shapes": []},
    },
    warnings=("slot 3 is Draining and was left out",),
    plan={
        "version": 1,
        "keep": 2,
        "remove": [row("x-1-1", "3A", "3B", "eval")],
        "add": [row("x-1-1", "1A", "2B", "train-1"), row("x-1-2", "1A", "2B", "train-1")],
        "stages": [
            {
                "remove": [],
                "add": [row("x-1-1", "1A", "2B", "train-1"), row("x-1-2", "1A", "2B", "train-1")],
            },
            {
                "remove": [row("x-1-1", "3A", "3B", "eval")],
                "add": [row("x-1-1", "3A", "1B", HOSTILE)],
            },
        ],
        "untouched_owners": ["debug"],
        "notes": [
            {
                "interrupts": {},
                "check": "2 circuits are tuned at both ends; over each, both cubes hear the "
                "neighbour that the plan joins, and the switch loses at most 3 dB",
                "undo": "remove 2 circuits",
            },
            {
                "interrupts": {"eval": 1},
                "check": "the switches no longer report 1 circuit",
                "undo": "it is back",
            },
        ],
        "effects": [
            {
                "do": "make-slice",
                "slice": {
                    "name": "train-1",
                    "shape": "2x2x4",
                    "twisted": False,
                    "cubes": [{"at": [0, 0, 0], "slot": 1}, {"at": [0, 0, 1], "slot": 2}],
                },
            },
            {"do": "set-slot-status", "slot": 4, "from": "Active", "to": "Out"},
        ],
        "stranded": [],
        "lower_bound": 4,
    },
    stages=(
        StageFacts("Done", AT, AT + timedelta(seconds=70), 1),
        StageFacts("Switching", AT + timedelta(seconds=70), None, 2, ("3A to 1B is bad: dark",)),
    ),
    drains=(Drained("eval", "bob", AT - timedelta(hours=1), "jobs ended"), Drained("late")),
    history=(
        Said(1, AT - timedelta(hours=5), "ann", "submit", "please"),
        Said(2, AT - timedelta(hours=4), "bob", "approve", HOSTILE),
    ),
    ports_held=6,
    cubes_held=2,
    changed=AT,
    page="https://nautobot.example/plugins/fabric-twin/tickets/1/",
)


def on_paper(content):
    pages = PdfReader(io.BytesIO(content)).pages
    return "\f\n".join(page.extract_text() + "\n" for page in pages)


@pytest.mark.parametrize("form", FORMS)
def test_a_ticket_is_as_it_was_looked_at(form):
    content = ticket_file(TICKET, form)
    text = on_paper(content) if form == "pdf" else content.decode()
    if form == "ics":
        assert text.count("\n") == text.count("\r\n")
        text = text.replace("\r\n", "\n")  # as git keeps it
    assert_golden(text, GOLDEN / (file_name(TICKET, form) + ".txt" * (form == "pdf")))


@pytest.mark.parametrize("form", ["html", "pdf", "md", "json"])
def test_every_form_says_the_same(form):
    content = ticket_file(TICKET, form)
    text = on_paper(content) if form == "pdf" else content.decode()
    text = html.unescape(text).replace("\\", "")
    for said in (*about(TICKET).values(), *concerns(TICKET).values()):
        assert said in text


def test_a_hostile_name_is_only_a_name():
    page = ticket_file(TICKET, "html").decode()
    assert "<b>" not in page
    assert HOSTILE in html.unescape(page)
    table = list(csv.reader(io.StringIO(ticket_file(TICKET, "csv").decode())))
    assert table[-1][5] == f"'{HOSTILE}"
    assert "\\<b\\>&\"'\\{\\{ 7\\*7 \\}\\}\\|" in ticket_file(TICKET, "md").decode()
    assert json.loads(ticket_file(TICKET, "json"))["history"][1]["comment"] == HOSTILE


def test_a_ticket_says_what_a_slice_keeps_that_bears_it():
    left = {"free_cubes": 0, "healthy_cubes": 4, "shapes": [], "bear": 1, "bearing_cubes": 2}
    bears = {
        "name": "eval",
        "shape": "2x2x4",
        "links": 2,
        "capacity_before": {"x": 1, "y": 0.75, "z": 1},
        "capacity_after": {"x": 0.75, "y": 0.75, "z": 1},
        "slowest_link": 0.5,
        "detours": 3,
    }
    facts = replace(
        TICKET,
        plan={**TICKET.plan, "bears": [bears]},
        blast={**TICKET.blast, "capacity_left": left},
    )
    told = concerns(facts)
    assert told["Bears it: eval"] == (
        "Capacity left: X 0.75 (before: 1), Y 0.75, Z 1. Slowest link: 1/2. 3 detours"
    )
    assert told["Capacity left"] == "0 free of 4 healthy cubes (2 if a slice bears 1 switch)"
    assert "Bears it: eval" in ticket_file(facts, "md").decode()


def test_what_is_not_a_form_or_has_no_window_is_refused():
    with pytest.raises(DocumentRefused, match="there is no ticket as docx") as refusal:
        ticket_file(TICKET, "docx")
    assert refusal.value.remedy == "Ask for html, pdf, md, json, csv, ics"
    with pytest.raises(DocumentRefused, match="no window") as refusal:
        ticket_file(replace(TICKET, window=(None, None)), "ics")
    assert refusal.value.remedy == "Schedule it first"


def test_lines_of_a_calendar_are_folded_between_characters_at_75_octets():
    event = Event(
        uid="t1@fabric-twin",
        sequence=2,
        changed=AT,
        begins=AT,
        ends=AT + timedelta(hours=1),
        summary="ü€😀" * 40,
    )
    lines = calendar([event]).split(b"\r\n")
    assert lines[-1] == b""
    assert max(map(len, lines)) <= 75
    assert all(line.decode() for line in lines[:-1])
    unfolded = calendar([event]).decode().replace("\r\n ", "")
    assert f"SUMMARY:{'ü€😀' * 40}\r\n" in unfolded


def test_texts_of_a_calendar_cannot_begin_a_line_of_their_own():
    text = "a\\b;c,d\r\nEND:VEVENT\rx\u2028y\x00z"
    assert escaped(text) == "a\\\\b\\;c\\,d\\nEND:VEVENT\\nx\\nyz"


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("Draft", "TENTATIVE"),
        ("Submitted", "TENTATIVE"),
        ("Approved", "CONFIRMED"),
        ("Scheduled", "CONFIRMED"),
        ("Done", "CONFIRMED"),
        ("Withdrawn", "CANCELLED"),
        ("Undone", "CANCELLED"),
    ],
)
def test_an_event_has_one_name_and_is_as_sure_as_its_ticket(state, status):
    said = ticket_file(replace(TICKET, state=state), "ics").decode()
    assert "UID:s-t3.2@fabric-twin\r\n" in said
    assert f"STATUS:{status}\r\n" in said


def test_switches_that_do_the_same_are_drawn_once_and_the_drawing_keeps_its_bounds():
    same = [Circuit(f"s-ocs-x-{n}", "1A", "2B", "train") for n in range(48)]
    (card,) = change_drawing("t", "t", [Stage(add=tuple(same))]).drawing.cards
    assert card.title == "s-ocs-x-0 and 47 more alike"
    assert card.said == "stage 1: remove 0, add 1 on each"
    other = [
        Circuit(f"s-ocs-x-{n}", f"{m}A", f"{(m + n) % 144 + 1}B", "train")
        for n in range(48)
        for m in range(1, 145)
    ]
    drawing = change_drawing("t", "t", [Stage(add=tuple(other))]).drawing
    assert len(drawing.cards) == MOST_CARDS
    assert drawing.left_out == 48 - MOST_CARDS
    assert drawing.cards[0].more == 144 - len(drawing.cards[0].comes) == 120
