"""Another system of work owns an order: a webhook tells it, and it reports back through REST."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from fabric_twin.cli import main
from tests.nautobot.bases.processes.receiver import SECRET, Receiver, receiver
from tests.nautobot.bases.processes.serving import serving

pytestmark = pytest.mark.integration

DOCS = Path(__file__).parents[3] / "docs"
SCHEMAS = {
    name: json.loads((DOCS / "schemas" / name).read_text())
    for name in ("work-order-1.json", "ticket-1.json")
}
REGISTRY = Registry().with_resources(
    (name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()
)
#: Two cables that are exchanged at a tray of cube 1, and what brings them back.
FIRST, SECOND = "s-c001:1.1.1/X-", "s-c001:1.1.1/Y-"
MOVES = [
    {"cable": FIRST, "end": "a", "to": ["s-c001-t01", "1.1.1/X-"]},
    {"cable": SECOND, "end": "a", "to": ["s-c001-t01", "1.1.1/Y-"]},
]


def check(what: str, said: Any) -> Any:
    """What is said, if it fits the schema: `work-order-1.json#/$defs/step`."""
    Draft202012Validator({"$ref": what}, registry=REGISTRY).validate(said)
    return said


class Asker:
    """Somebody with a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token, self.session = address, token, requests.Session()
        self.session.headers["Authorization"] = f"Token {token}"

    def ask(self, path: str, code: int = 200, **body: Any) -> Any:
        """POST to a path, which is one of the App unless it begins with a slash."""
        url = path if path.startswith("/") else f"/api/plugins/fabric-twin/{path}"
        answer = self.session.post(self.address + url, json=body)
        assert answer.status_code == code, answer.text
        return answer.json()

    def get(self, path: str, **wanted: str) -> Any:
        """What is at a path of the App."""
        url = f"{self.address}/api/plugins/fabric-twin/{path}"
        answer = self.session.get(url, params=wanted)
        assert answer.status_code == 200, answer.text
        return answer.json()


class Live(NamedTuple):
    """Who takes part."""

    planner: Asker
    other: Asker
    heard: Receiver


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    """A server and its worker; the other system is told of all orders and tickets."""
    with receiver() as heard, serving("order_records", worker=True) as said:
        address, planner, other, _ = said
        live = Live(Asker(address, planner), Asker(address, other), heard)
        live.planner.ask(
            "/api/extras/webhooks/",
            201,
            name="another system of work",
            content_types=["fabric_twin.workorder", "fabric_twin.ticket"],
            type_create=True,
            type_update=True,
            payload_url=heard.address,
            secret=SECRET,
        )
        yield live


def states(events: list[dict[str, Any]]) -> list[str]:
    """How a record went on, by what was heard."""
    return list(dict.fromkeys(event["data"]["state"]["value"] for event in events))


def shown_in_docs() -> list[Any]:
    """The JSON of the page, block by block."""
    page = (DOCS / "other-systems.md").read_text()
    return [
        json.loads(text)
        for text in re.findall(r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    ]


def agrees(shown: Any, said: Any) -> bool:
    """Whether something is as the page shows it; `...` is what differs, or is left out."""
    if isinstance(shown, dict) and isinstance(said, dict):
        named = {key: value for key, value in shown.items() if key != "..."}
        whole = "..." in shown or shown.keys() == said.keys()
        return whole and all(key in said and agrees(named[key], said[key]) for key in named)
    return shown == "..." or bool(shown == said)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"] == name


def test_an_order_is_owned_and_done_elsewhere(live: Live) -> None:
    planner, other, heard = live
    wish = {"pod": "s", "kind": "move", "moves": MOVES, "elsewhere": "OPS-17"}
    planner.ask("work-orders/", 201, **wish)
    [made] = heard.until("workorder", "drafted")
    order = check("work-order-1.json", made)["data"]
    assert (made["event"], made["username"]) == ("created", "planner")
    assert (order["name"], order["elsewhere"]) == ("s-w1", "OPS-17")
    shown_event, shown_step, shown_refusal, shown_again = shown_in_docs()
    assert agrees(shown_event, made), json.dumps(made, indent=1)

    path = f"work-orders/{order['id']}/"
    assert order["url"].endswith(path)
    check("work-order-1.json#/$defs/order", other.get(path))
    steps = other.get("order-steps/", order=order["id"], limit="1000")["results"]
    for step in steps:
        check("work-order-1.json#/$defs/step", step)
    scan = next(step for step in steps if step["do"] == "scan")
    assert agrees(shown_step, scan), json.dumps(scan, indent=1)

    other.ask(f"{path}assign/", assignee="other-system")
    other.ask(f"{path}start/")
    events = heard.until("workorder", "under way")
    assert states(events) == ["assigned", "under way"]

    for step in steps:
        if step["do"] == "check":
            continue
        done = f"{path}steps/{step['number']}/done/"
        report = {"id": f"OPS-17/{step['number']}", "scanned": step["cable"]}
        check("work-order-1.json#/$defs/report", report)
        if step == scan:
            wrong = {"id": "OPS-17/wrong", "scanned": SECOND}
            refused = other.ask(done, 409, **wrong)
            assert agrees(shown_refusal, refused), refused
            [row] = other.get("order-steps/", order=order["id"], number=str(step["number"]))[
                "results"
            ]
            assert row["state"] == "waiting"
        answer = check("work-order-1.json#/$defs/answer", other.ask(done, **report))
        assert (answer["taken"], answer["again"], answer["why"]) == (True, False, "")
        again = other.ask(done, **report)
        assert again == {**answer, "again": True}
        if step == scan:
            assert agrees(shown_again, again), again

    [first, *_] = heard.until("workorder", "under way")
    check("work-order-1.json", first)
    assert first["username"] == "other-system"
    reports = planner.get("step-reports/", order=order["id"], limit="1000")["results"]
    said = [report["said_id"] for report in reports]
    assert (
        sorted(said)
        == sorted({*said})
        == sorted(
            [
                *(f"OPS-17/{step['number']}" for step in steps if step["do"] != "check"),
                "OPS-17/wrong",
            ]
        )
    )
    sheet = planner.session.get(
        f"{planner.address}/api/plugins/fabric-twin/pods/{order['pod']['id']}/cut-sheet/"
    ).text
    assert f"\n{FIRST},s-c001-t01,1.1.1/X-," in sheet

    other.ask(f"{path}finish/")
    planner.ask(f"pods/{order['pod']['id']}/audit/", 202)
    events = [check("work-order-1.json", event) for event in heard.until("workorder", "done")]
    assert states(events) == ["under way", "awaiting light", "done"]


def test_a_ticket_is_followed_by_webhook(live: Live) -> None:
    planner, _, heard = live
    wish = {"shape": "2x2x4", "name": "train-1"}
    made = planner.ask("tickets/", 201, pod="other", kind="slice", wish=wish)
    for deed in ("submit", "withdraw"):
        planner.ask(f"tickets/{made['id']}/{deed}/", said="No more wanted")
    events = [check("ticket-1.json", event) for event in heard.until("ticket", "withdrawn")]
    assert states(events) == ["draft", "submitted", "withdrawn"]
    last = events[-1]["data"]
    assert (last["name"], last["id"]) == ("other-t1", made["id"])
    assert "plan" not in last
    check("ticket-1.json#/$defs/ticket", planner.get(f"tickets/{made['id']}/"))


def test_an_order_is_made_and_reported_on_from_the_command_line(
    live: Live, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NAUTOBOT_URL", live.planner.address)
    monkeypatch.setenv("NAUTOBOT_TOKEN", live.planner.token)

    def order(*words: str) -> Result:
        done = CliRunner().invoke(main, ["remote", "order", *words], prog_name="fabric-twin")
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    made = order("make", "--pod", "other", "--install", "3", "--elsewhere", "OPS-18")
    assert (made.exit_code, made.stdout) == (0, "other-w1  drafted  Install cube 3 of other\n")
    again = order("make", "--pod", "other", "--install", "3")
    assert again.exit_code == 1
    assert "is reserved by work order other-w1 (Install cube 3 of other)" in again.stderr
    assert order("list", "--pod", "other").stdout == made.stdout
    assert order("assign", "other-w1", "--to", "planner").stdout.startswith("other-w1  assigned  ")
    assert order("start", "other-w1").stdout.startswith("other-w1  under way  ")

    following = order("next", "other-w1")
    assert following.stdout == "1  go to other-c003\n"
    assert order("report", "other-w1", "1", "--id", "first").stdout == "1  done\n"
    same = order("report", "other-w1", "1", "--id", "first")
    assert same.stdout == "1  done, as it was said before\n"
    steps = live.planner.get("order-steps/", pod="other", do="scan", limit="1")["results"]
    number, cable = steps[0]["number"], steps[0]["cable"]
    refused = order("report", "other-w1", str(number), "--scanned", "other-c001:9.9.9/X+")
    assert (refused.exit_code, refused.stdout) == (1, f"{number}  waiting\n")
    assert f"{cable} is meant for" in refused.stderr

    paper = tmp_path / "order.md"
    assert order("show", "other-w1", "--form", "md", "-o", str(paper)).exit_code == 0
    assert paper.read_text().startswith("# Install cube 3 of other\n")
    assert order("withdraw", "other-w1", "--said", "Not now").exit_code == 0
    shown = json.loads(order("show", "other-w1", "--json").stdout)
    assert (shown["state"], shown["message"]) == ("withdrawn", "Not now")
