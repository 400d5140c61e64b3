"""`fabric-twin remote order`: what is asked of a server, what is said of it, and how it exits."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fabric_twin.cli import main
from tests.remote.conftest import Answer, Nautobot

APP = "/api/plugins/fabric-twin/"
ORDER = {
    "id": "o",
    "url": "http://nautobot.example/api/plugins/fabric-twin/work-orders/o/",
    "name": "iw1-w3",
    "kind": {"value": "install", "label": "Install"},
    "state": {"value": "drafted", "label": "Drafted"},
    "title": "Install cube 5 of iw1",
    "reason": "",
    "crews": 1,
    "elsewhere": "OPS-17",
    "message": "",
    "due": None,
    "started": None,
    "ended": None,
    "worked": 0.0,
    "measure": {"takes": {"hands_on_steps": 8}},
}
LINE = "iw1-w3  drafted  Install cube 5 of iw1\n"
TAKEN = {"id": "k", "step": 4, "taken": True, "state": "done", "why": "", "again": False}


def order(*words: str) -> Result:
    result = CliRunner().invoke(main, ["remote", "order", *words], prog_name="fabric-twin")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def orders(app: Nautobot) -> Nautobot:
    """A server with one order."""
    app.say(f"{APP}work-orders/", {"results": [ORDER]})
    return app


@pytest.mark.parametrize(
    "wish",
    [
        ("--install", "5"),
        ("--block", "ab05"),
        ("--repair",),
        ("--repair", "--finding", "f"),
        ("--move", "M"),
    ],
)
def test_an_order_is_made(orders: Nautobot, wish: tuple[str, ...], tmp_path: Path) -> None:
    moves = tmp_path / "moves.json"
    moves.write_text('{"moves": [{"cable": "c", "end": "b", "to": ["s", "9A"]}]}')
    orders.say(f"{APP}work-orders/", Answer(ORDER, 201))
    words = [str(moves) if word == "M" else word for word in wish]
    done = order("make", "--pod", "iw1", *words, "--elsewhere", "OPS-17")
    assert (done.exit_code, done.stdout) == (0, LINE)
    assert f"POST {APP}work-orders/" in orders.asked


def test_a_block_is_asked_for_by_what_is_said_of_it(orders: Nautobot) -> None:
    orders.say(f"{APP}work-orders/", Answer(ORDER, 201))
    of_block = ("--block", "ab05", "--strands", "12", "--rate", "400", "--owner", "search")
    assert order("make", "--pod", "iw1", *of_block, "--crews", "2").exit_code == 0
    block = {"name": "ab05", "strands": 12, "rate_gbps": 400.0, "owner": "search"}
    assert orders.sent == [{"pod": "p", "kind": "install", "crews": 2, "block": block}]


@pytest.mark.parametrize(
    "wish",
    [
        (),
        ("--install", "5", "--repair"),
        ("--finding", "f"),
        ("--install", "5", "--block", "ab05"),
        ("--install", "5", "--strands", "12"),
        ("--owner", "search"),
    ],
)
def test_one_thing_is_wished_for(orders: Nautobot, wish: tuple[str, ...]) -> None:
    done = order("make", "--pod", "iw1", *wish)
    assert done.exit_code == 2
    assert "Give one of --install, --block, --repair, --move, --decommission and" in done.stderr


def test_programs_are_told_of_an_order_without_labels(orders: Nautobot) -> None:
    shown = json.loads(order("show", "iw1-w3", "--json").stdout)
    assert shown == ORDER | {"version": 1, "kind": "install", "state": "drafted"}
    listed = json.loads(order("list", "--pod", "iw1", "--json").stdout)
    assert listed == {"version": 1, "pod": "iw1", "orders": [shown]}


def test_an_order_is_written_whole(orders: Nautobot, tmp_path: Path) -> None:
    orders.say(f"{APP}work-orders/o/document/", "the paper")
    paper = tmp_path / "order.pdf"
    assert order("show", "iw1-w3", "--form", "pdf", "-o", str(paper)).exit_code == 0
    assert paper.read_text() == "the paper"


@pytest.mark.parametrize("deed", ["start", "pause", "finish", "close", "reopen", "withdraw"])
def test_what_is_done_with_an_order_is_asked_for_once(orders: Nautobot, deed: str) -> None:
    orders.say(f"{APP}work-orders/o/{deed}/", ORDER)
    assert order(deed, "iw1-w3").stdout == LINE
    assert orders.asked.count(f"POST {APP}work-orders/o/{deed}/") == 1


def test_a_step_is_reported(orders: Nautobot) -> None:
    orders.say(f"{APP}work-orders/o/reports/", {"answers": [TAKEN]})
    done = order("report", "iw1-w3", "4", "--scanned", "c", "--id", "k")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "4  done\n", "")
    orders.say(f"{APP}work-orders/o/reports/", {"answers": [TAKEN | {"again": True}]})
    assert order("report", "iw1-w3", "4").stdout == "4  done, as it was said before\n"


def test_a_wrong_label_exits_1_with_what_is_meant(orders: Nautobot) -> None:
    why = "step 4: this is x; c is meant for t port p. Put it back and find c."
    refused = TAKEN | {"taken": False, "state": "waiting", "why": why}
    orders.say(f"{APP}work-orders/o/reports/", {"answers": [refused]})
    done = order("report", "iw1-w3", "4", "--scanned", "x")
    assert (done.exit_code, done.stdout, done.stderr) == (
        1,
        "4  waiting\n",
        f"fabric-twin: {why}\n",
    )


def test_the_next_step_and_why_hands_wait(orders: Nautobot) -> None:
    step = {"number": 4, "words": "plug c into s port 9A"}
    told: dict[str, Any] = {"steps": [step], "next": 4, "live": ["8A"], "called": False}
    told["why"] = "it carries light."
    called = told | {"why": "its switch blocks it now: ask again in a moment", "called": True}
    orders.say(f"{APP}work-orders/o/next/", called, told)
    done = order("next", "iw1-w3")
    assert done.stdout == "4  plug c into s port 9A\n"
    assert done.stderr == "fabric-twin: it carries light.\nfabric-twin: carries light: 8A.\n"
    orders.say(f"{APP}work-orders/o/next/", told | {"next": None, "why": "", "live": []})
    assert order("next", "iw1-w3").stdout == "no step is left\n"


def test_an_order_that_is_not_there_exits_2(orders: Nautobot) -> None:
    orders.say(f"{APP}work-orders/", {"results": []})
    done = order("show", "iw1-w99")
    assert (done.exit_code, "there is no work order iw1-w99" in done.stderr) == (2, True)
    assert "'three' is not an order's name" in order("show", "three").stderr


def test_what_nautobot_refuses_is_named_by_its_field(orders: Nautobot) -> None:
    refusal = {"findings": ["x is no open finding of iw1 that you may see."]}
    orders.say(f"{APP}work-orders/", Answer(refusal, 400))
    done = order("make", "--pod", "iw1", "--repair", "--finding", "x")
    assert done.exit_code == 2
    assert "findings: x is no open finding of iw1 that you may see" in done.stderr
