"""A phone in the aisle, and what another system of work sees of the same order."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import SHOWN_WITHIN, Running, wait_until

Picture = Callable[[Page, str], Path]
#: What people do at a port.
MANUAL = {"scan", "inspect", "clean", "plug"}


def wait_until_kept(phone: Page) -> None:
    """Wait until the worker has the page, and gives it out without a network."""
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    kept = "async (page) => Boolean(await caches.match(page, { ignoreVary: true }))"
    wait_until(lambda: phone.evaluate(kept, phone.url), patience=SHOWN_WITHIN / 1000)


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

    def begin(self, **wish: Any) -> dict[str, Any]:
        """An order in the administrator's hands."""
        made = self.post("", pod="iw1", **wish)
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
