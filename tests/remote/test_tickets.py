"""`fabric-twin remote ticket`: what is asked of a server, what is said of it, and how it exits."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fabric_twin.cli import main
from tests.remote.conftest import Answer, Nautobot

APP = "/api/plugins/fabric-twin/"
TICKET = {
    "id": "t",
    "url": "http://nautobot.example/api/plugins/fabric-twin/tickets/t/",
    "name": "iw1-t12",
    "revision": 1,
    "kind": {"value": "slice", "label": "Create slice"},
    "state": {"value": "submitted", "label": "Submitted"},
    "risk": {"value": "low", "label": "Low"},
    "title": "Slice train-1 (8x8x16)",
    "reason": "",
    "message": "",
    "window_start": None,
    "window_end": None,
    "started": None,
    "ended": None,
    "blast": {"slices": ["train-1"]},
}


def in_state(state: str, **facts: Any) -> dict[str, Any]:
    return TICKET | {"state": {"value": state, "label": state.capitalize()}} | facts


def ticket(*words: str) -> Result:
    result = CliRunner().invoke(main, ["remote", "ticket", *words], prog_name="fabric-twin")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def tickets(app: Nautobot) -> Nautobot:
    """A server with one ticket."""
    app.say(f"{APP}tickets/", {"results": [TICKET]})
    return app


def test_a_slice_is_asked_for_and_a_ticket_comes_of_it(tickets: Nautobot) -> None:
    tickets.say(f"{APP}tickets/", Answer(TICKET, 201))
    done = ticket("ask", "--pod", "iw1", "--shape", "8x8x16", "--submit")
    assert (done.exit_code, done.stdout) == (
        0,
        "iw1-t12  submitted  low risk  Slice train-1 (8x8x16)\n",
    )
    assert f"POST {APP}tickets/" in tickets.asked


def test_a_slice_that_may_bear_switches_is_asked_for(tickets: Nautobot) -> None:
    tickets.say(f"{APP}tickets/", Answer(TICKET, 201))
    assert ticket("ask", "--pod", "iw1", "--shape", "8x8x16", "--bear", "1").exit_code == 0
    assert [sent["wish"] for sent in tickets.sent] == [{"shape": "8x8x16", "bear": 1}]
    done = ticket("ask", "--pod", "iw1", "--kind", "maintenance", "--bear", "1")
    assert (done.exit_code, "--bear is of --shape" in done.stderr) == (2, True)


def test_a_switch_is_asked_out_of_service_as_the_file_says(
    tickets: Nautobot, tmp_path: Path
) -> None:
    tickets.say(f"{APP}tickets/", Answer(TICKET, 201))
    wish = {"switches": ["dc1-ocs-02"]}
    file = tmp_path / "wish.json"
    file.write_text(json.dumps(wish))
    done = ticket("ask", "--pod", "iw1", "--kind", "maintenance", "--wish", str(file))
    assert (done.exit_code, done.stderr) == (0, "")
    assert [(sent["kind"], sent["wish"]) for sent in tickets.sent] == [("maintenance", wish)]


def test_programs_are_told_of_a_ticket_without_labels(tickets: Nautobot) -> None:
    shown = json.loads(ticket("show", "iw1-t12", "--json").stdout)
    assert shown == {
        "version": 1,
        "id": "t",
        "name": "iw1-t12",
        "kind": "slice",
        "state": "submitted",
        "risk": "low",
        "title": "Slice train-1 (8x8x16)",
        "reason": "",
        "message": "",
        "window_start": None,
        "window_end": None,
        "started": None,
        "ended": None,
        "slices": ["train-1"],
        "url": TICKET["url"],
    }


def test_a_name_without_a_revision_is_the_last_one(tickets: Nautobot) -> None:
    later = TICKET | {"revision": 2, "name": "iw1-t12.2"}
    tickets.say(f"{APP}tickets/", {"results": [TICKET, later]})
    assert ticket("show", "iw1-t12").stdout.startswith("iw1-t12.2  ")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["show", "twelve"], 2, "'twelve' is not a ticket's name"),
        (["ask", "--pod", "iw1"], 2, "Give one of --shape, --release and --kind"),
        (["approve", "iw1-t12"], 2, "Missing option '--url'"),
    ],
)
def test_what_cannot_be_read_exits_2(
    words: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, tickets: Nautobot
) -> None:
    if "Missing" in said:
        monkeypatch.delenv("NAUTOBOT_URL")
    done = ticket(*words)
    assert done.exit_code == code
    assert said in done.stderr


def test_a_ticket_that_is_not_there_exits_2(tickets: Nautobot) -> None:
    tickets.say(f"{APP}tickets/", {"results": []})
    done = ticket("show", "iw1-t99")
    assert (done.exit_code, "there is no ticket iw1-t99" in done.stderr) == (2, True)


def test_a_refusal_of_the_server_is_said_in_its_words(tickets: Nautobot) -> None:
    refusal = {
        "what": "it is of ann, and nobody decides about their own ticket",
        "where": "ticket iw1-t12",
        "remedy": "Ask somebody else who may approve",
    }
    tickets.say(f"{APP}tickets/t/approve/", Answer(refusal, 403))
    done = ticket("approve", "iw1-t12")
    assert done.exit_code == 2
    assert "nobody decides about their own ticket" in done.stderr
    tickets.say(f"{APP}tickets/t/submit/", Answer(refusal | {"what": "it is running"}, 409))
    assert ticket("submit", "iw1-t12").exit_code == 1


def test_what_was_begun_is_shown_as_it_is_then(tickets: Nautobot) -> None:
    answer = {"ticket": in_state("scheduled"), "job_result": None}
    tickets.say(f"{APP}tickets/t/start/", Answer(answer, 202))
    assert ticket("start", "iw1-t12").stdout.split()[1] == "scheduled"


@pytest.mark.parametrize(
    ("end", "until", "code"),
    [("done", [], 0), ("failed", [], 1), ("undone", [], 1), ("undone", ["--until", "undone"], 0)],
)
def test_to_follow_is_to_be_told_each_line_once(
    tickets: Nautobot, monkeypatch: pytest.MonkeyPatch, end: str, until: list[str], code: int
) -> None:
    monkeypatch.setattr("fabric_twin.remote.tickets.FIRST_LOOK", 0.001)
    first = {"number": 1, "at": "2026-11-21T10:00:00Z", "who": {"username": "ann"}}
    first |= {"what": "submit", "said": "please"}
    second = {"number": 2, "at": "2026-11-21T10:01:00Z", "who": None, "what": end, "said": ""}
    tickets.say(f"{APP}tickets/t/", TICKET, in_state("running"), in_state(end))
    tickets.say(f"{APP}ticket-events/", {"results": [first]}, {"results": [second, first]})
    done = ticket("follow", "iw1-t12", *until)
    assert done.exit_code == code
    assert done.stderr.splitlines() == [
        "2026-11-21 10:00:00  ann submit: please",
        f"2026-11-21 10:01:00  {end}",
    ]
    assert done.stdout.split()[1] == end


def test_who_waits_too_long_exits_3(tickets: Nautobot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabric_twin.remote.tickets.FIRST_LOOK", 0.001)
    monkeypatch.setattr("fabric_twin.remote.tickets.RAREST_LOOK", 0.001)
    tickets.say(f"{APP}tickets/t/", in_state("running"))
    tickets.say(f"{APP}ticket-events/", {"results": []})
    done = ticket("follow", "iw1-t12", "--wait", "1")
    assert done.exit_code == 3
    assert "iw1-t12 was waited for 1 s, and is running" in done.stderr


def test_a_file_is_the_servers_to_the_byte(tickets: Nautobot, tmp_path: Any) -> None:
    tickets.say(f"{APP}tickets/t/document/", "BEGIN:VCALENDAR\r\n")
    ticket("show", "iw1-t12", "--form", "ics", "-o", str(tmp_path / "window.ics"))
    assert (tmp_path / "window.ics").read_bytes() == b"BEGIN:VCALENDAR\r\n"


def test_what_nautobot_does_not_take_is_said_with_its_own_words(app: Nautobot) -> None:
    said = {"pod": ["Select a valid choice. nope is not one of the available choices."]}
    app.say(f"{APP}tickets/", Answer(said, 400))
    listed = ticket("list", "--pod", "nope")
    assert (listed.exit_code, listed.stderr) == (
        2,
        f"fabric-twin: {app.address}: it answered 400 (pod: Select a valid choice. nope is not one "
        "of the available choices). Check what you asked for.\n",
    )
