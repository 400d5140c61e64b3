"""A phone in the aisle, and what another system of work sees of the same order.

`PlayedAisle` needs no stack: the test plays the server.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.conftest import SHOWN_WITHIN, Running, wait_until

Picture = Callable[[Page, str], Path]
#: What people do at a port.
MANUAL = {"scan", "inspect", "clean", "plug"}
HERE = "http://localhost"
APP = Path(__file__).parents[2] / "fabric_twin"
#: The key of the order that a test plays.
ORDER = "00000000-0000-0000-0000-000000000007"
#: What a page had not got before an update.
ADDED = re.compile(
    r'<button type="button" id="paper".*?</button>|<p id="asked".*?</p>'
    r'|<details id="route".*?</details>',
    re.DOTALL,
)
#: How many steps there are by an answer that was kept back: so it shows that it came.
LATE = 60
#: What a server answers: a status and a body; nothing is as if it took all.
Answer = tuple[int, dict[str, Any]] | None


def wait_until_kept(phone: Page) -> None:
    """Wait until the worker has the page, and gives it out without a network."""
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    kept = "async (page) => Boolean(await caches.match(page, { ignoreVary: true }))"
    # Crew 1 is kept under the address that names no crew.
    page = phone.url.removesuffix("?crew=1")
    wait_until(lambda: phone.evaluate(kept, page), patience=SHOWN_WITHIN / 1000)


@contextmanager
def no_network(phone: Page) -> Iterator[None]:
    """Without a network. Chromium forgets its own switch for a moment while a page reloads, and
    what is sent then would come through.
    """
    api, context = "**/api/**", phone.context
    context.route(api, lambda route: route.abort("internetdisconnected"))
    context.set_offline(True)
    yield
    context.unroute(api)
    context.set_offline(False)


class Server:
    """What another system of work sees of an order, over REST."""

    def __init__(self, stack: Running) -> None:
        self.root = f"{stack.address.rstrip('/')}/api/plugins/fabric-twin/work-orders/"
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Token {stack.token}"
        self.path = ""

    def post(self, path: str, **body: Any) -> Any:
        answer = self.session.post(self.root + path, json=body)
        assert answer.ok, answer.text
        return answer.json()

    def get(self, path: str, **query: Any) -> Any:
        answer = self.session.get(self.root + path, params=query)
        assert answer.ok, answer.text
        return answer.json()

    def begin(self, pod: str = "iw1", **wish: Any) -> dict[str, Any]:
        """An order in the administrator's hands."""
        made = self.post("", pod=pod, **wish)
        self.path = f"{made['id']}/"
        self.post(f"{self.path}assign/", assignee="admin")
        self.post(f"{self.path}start/")
        return dict(made)

    def steps(self) -> list[dict[str, Any]]:
        return list(self.get(f"{self.path}facts/")["steps"])

    def state(self, number: int) -> str:
        steps = self.root.replace("work-orders", "order-steps")
        found = self.session.get(steps, params={"order": self.path[:-1], "number": number}).json()
        return str(found["results"][0]["state"])

    def said(self, number: int) -> int:
        """How many reports there are of a step."""
        reports = self.root.replace("work-orders", "step-reports")
        found = self.session.get(reports, params={"order": self.path[:-1], "step": number}).json()
        return int(found["count"])

    def do(self, steps: list[dict[str, Any]]) -> None:
        """Say that hands did these; every label is the right one."""
        said = [
            {
                "id": f"rest-{step['number']}",
                "step": step["number"],
                "told": "done",
                "scanned": step.get("cable", "") if step["do"] == "scan" else "",
            }
            for step in steps
        ]
        for answer in self.post(f"{self.path}reports/", reports=said)["answers"]:
            assert answer["taken"], answer


@dataclass(frozen=True)
class Aisle:
    """A phone with the page of an order, and what the server knows of it."""

    phone: Page
    server: Server
    steps: list[dict[str, Any]]
    page: str
    picture: Picture

    @property
    def heading(self) -> Locator:
        return self.phone.get_by_role("heading", level=1)

    @property
    def done(self) -> Locator:
        return self.phone.get_by_role("button", name="Done", exact=True)

    def scan(self, words: str) -> None:
        label = self.phone.get_by_label("Scan or type the label")
        label.fill(words)
        label.press("Enter")

    def expect_scan(self, step: dict[str, Any]) -> None:
        expect(self.heading).to_have_text(
            f"Scan {step['cable']} at {step['device']} port {step['port']}"
        )


def step(number: int) -> dict[str, Any]:
    """A part to be changed, which asks nothing of the fabric."""
    empty = dict.fromkeys(("why", "port", "place", "cable", "bundle", "need"), "")
    return empty | {
        "number": number,
        "do": "replace",
        "words": f"replace fan {number}",
        "state": "waiting",
        "rack": {"name": "r01", "row": 1, "place": 2, "units": 42},
        "device": "ocs",
        "part": "fan",
        "panel": None,
        "other": [],
        "after": [],
        **dict.fromkeys(("unit", "height", "length"), 0),
        **dict.fromkeys(("fabric", "guarded", "failed"), False),
    }


@dataclass
class PlayedAisle:
    """A phone whose server answers as it is told, and what came to it."""

    phone: Page
    answer: Callable[[list[dict[str, Any]]], Answer] = lambda _: None
    #: The reports of each request.
    sent: list[list[dict[str, Any]]] = field(default_factory=list)
    #: Bytes of each request.
    sizes: list[int] = field(default_factory=list)
    taken: dict[int, dict[str, Any]] = field(default_factory=dict)
    #: The steps that were taken when what comes next was told last.
    told_after: set[int] = field(default_factory=set)
    #: What is other than `step` has it, by step.
    facts_of: dict[int, dict[str, Any]] = field(default_factory=dict)
    state: str = "under way"
    crew: int = 1
    crews: int = 1
    #: The page is as it was before an update, as a phone may have kept it.
    old: bool = False
    #: Nothing comes through.
    lost: bool = False
    #: Answers to what is next are kept back, and each comes when it is called.
    holding: bool = False
    held: list[Callable[[], None]] = field(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """The order as `ahead` tells it."""
        left = [number for number in range(1, 7) if number not in self.taken]
        steps = [step(number) | self.facts_of.get(number, {}) for number in left]
        undone = [
            {"number": number, "words": f"replace fan {number}", "why": said["reason"]}
            for number, said in self.taken.items()
            if said["told"] == "cannot"
        ]
        return {
            "id": ORDER,
            "name": "w7",
            "title": "Fans",
            "state": self.state,
            "at": 1.0,
            "crew": self.crew,
            "crews": self.crews,
            "done": 6 - len(steps),
            "all": 6,
            "cannot": undone,
            "steps": steps,
        }

    def serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(HERE).partition("?")[0]
        if self.lost:
            route.abort()
        elif path == "/do/":
            facts = {"user": "ada", "csrf": "x", "api": "/api/7/", "worker": "/worker.js"}
            page = (APP / "templates/fabric_twin/doing.html").read_text(encoding="utf-8")
            page = re.sub(r"{% static '(.+?)' %}", r"/static/\1", page)
            more = {"login": "/login/", "walk": {"racks": [], "stops": []}}
            if self.old:
                del more["walk"]
                page = ADDED.sub("", page)
            told = json.dumps({**self.facts(), **facts, **more})
            script = f'<script id="order" type="application/json">{told}</script>'
            page = page.replace('{{ facts|json_script:"order" }}', script)
            route.fulfill(body=re.sub(r"{%.*?%}", "", page), content_type="text/html")
        elif path.startswith("/static/"):
            route.fulfill(path=APP / path.removeprefix("/"))
        elif path == "/api/7/next/":
            told = self.facts()
            number = told["steps"][0]["number"] if told["steps"] else 0
            why = told["steps"][0]["why"] if told["steps"] else ""
            more = {"next": number, "why": why, "live": [], "by_fabric": {}}
            if self.holding:
                self.held.append(lambda: route.fulfill(json={**told, **more, "all": LATE}))
            else:
                route.fulfill(json={**told, **more})
                self.told_after = set(self.taken)
        elif path == "/api/7/reports/":
            self._take(route)
        else:
            route.fulfill(status=404)

    def _take(self, route: Route) -> None:
        body = route.request.post_data or ""
        reports = json.loads(body)["reports"]
        self.sent.append(reports)
        self.sizes.append(len(body.encode()))
        refused = self.answer(reports)
        if refused is not None:
            route.fulfill(status=refused[0], json=refused[1])
            return
        self.taken |= {said["step"]: said for said in reports}
        answers = [
            {"id": s["id"], "step": s["step"], "taken": True, "state": s["told"], "why": ""}
            for s in reports
        ]
        route.fulfill(json={"answers": answers})

    def done(self) -> None:
        self.phone.get_by_role("button", name="Done", exact=True).click()

    def cannot(self, why: str, name: str, photo: bytes) -> None:
        self.phone.get_by_text("Cannot be done", exact=True).click()
        self.phone.get_by_label("Why").fill(why)
        file = {"name": name, "mimeType": "image/jpeg", "buffer": photo}
        self.phone.get_by_label("Photo").set_input_files(file)
        self.phone.get_by_role("button", name="Report and go on").click()

    def expect_step(self, number: int) -> None:
        expect(self.phone.get_by_role("heading", level=1)).to_have_text(f"Replace fan {number}")

    def expect_said(self, words: str) -> None:
        expect(self.phone.get_by_role("alert")).to_contain_text(words)

    def no_network(self) -> None:
        self.lost = True
        self.phone.context.set_offline(True)

    def network(self) -> None:
        self.lost = False
        self.phone.context.set_offline(False)
