"""A whole repair order on a phone: from what an audit found to the audit that closes it.

What hands say is done is done on the simulated plant, but for a module that is said to be replaced
before it is, and one that cannot be.
"""

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from fabric_twin.switches.changes import Change
from tests.e2e.aisle import Aisle, Picture, Server, no_network
from tests.e2e.conftest import Running, go, wait_until
from tests.e2e.demo_fabric import Fabric

#: A circuit that no slice has, through the port that is dirty.
SWITCH, CIRCUITS = "iw1-ocs-x-1-2", frozenset({("46A", "47B")})
ONE, OTHER = "iw1-c046:4.3.2/X+", "iw1-c047:4.3.2/X+"
DIRTY = ("iw1-c046-t06", "4.1.2/X+")
#: Modules of another grid: one is said to be replaced before it is, the other cannot be.
WRONG, BENT = ("iw1-c047-t02", "4.1.1/X+"), ("iw1-c047-t04", "4.3.1/X+")
FAULTS: tuple[dict[str, str], ...] = (
    {"kind": "swapped", "cable": ONE, "other": OTHER},
    {"kind": "dirty", "device": DIRTY[0], "port": DIRTY[1]},
    {"kind": "wrong-transceiver", "device": WRONG[0], "port": WRONG[1]},
    {"kind": "wrong-transceiver", "device": BENT[0], "port": BENT[1]},
)


class Pod:
    """The light, the faults, and what audits find of them."""

    def __init__(self, stack: Running) -> None:
        self.api, self.fabric = stack.api(), Fabric(stack)
        self.twin = self.api.plugins.fabric_twin
        self.pod = self.twin.pods.get(name="iw1")
        self.faults: list[int] = []

    def light(self) -> None:
        """Light through the dirty port, as an engineer makes it who tries it; no slice has it."""
        self.fabric.apply({SWITCH: Change(add=CIRCUITS)})

    def darken(self) -> None:
        """No light where hands will be."""
        self.fabric.apply({SWITCH: Change(delete=CIRCUITS)})

    def exchange(self) -> None:
        """Two cables are recorded as they are plugged: each where the other belongs."""
        cables = self.api.dcim.cables
        one, other = (cables.get(label=label) for label in (ONE, OTHER))
        facts = [_as_it_is(one), _as_it_is(other)]
        for name in ("termination_b_type", "termination_b_id"):
            facts[0][name], facts[1][name] = facts[1][name], facts[0][name]
        one.delete()
        other.delete()
        for cable in facts:
            cables.create(**cable)

    def break_all(self) -> None:
        self.faults = [self.fabric.control("/faults", **fault)["number"] for fault in FAULTS]

    def audit(self) -> None:
        """As somebody asks for it."""
        job = self.api.extras.jobs.get(name="Audit pod")
        result = self.api.extras.jobs.run(job_id=job.id, data={"pod": self.pod.id}).job_result
        wait_until(lambda: result.full_details() and result.date_done)

    def history(self, order: str) -> str:
        """What happened to an order, and what is left to be seen, for who wonders why."""
        lines = self.twin.order_events.filter(order=order)
        left = [f"{name}: seen {one.seen}" for name, one in self.found().items()]
        return "\n".join([*(f"{one.what}: {one.said}" for one in lines), *left])

    def found(self) -> dict[str, Any]:
        """What is wrong at the places of the faults, by code and device."""
        names = (ONE, OTHER, DIRTY[0], WRONG[0], BENT[0])
        there = self.twin.findings.filter(pod="iw1", is_there=True)
        return {
            f"{one.code} {name}": one
            for one in there
            for name in [next((name for name in names if name in one.cause), "")]
            if name
        }


def _as_it_is(cable: Any) -> dict[str, Any]:
    ends = {
        name: getattr(cable, name)
        for name in (f"termination_{end}_{fact}" for end in "ab" for fact in ("type", "id"))
    }
    kept = {"label": cable.label, "status": cable.status.id, "cable_type": cable.cable_type.id}
    return ends | kept


@pytest.fixture
def pod(stack: Running) -> Iterator[Pod]:
    """Light that shows four things that are wrong; none of it is left behind."""
    pod = Pod(stack)
    pod.light()
    pod.break_all()
    pod.exchange()
    try:
        yield pod
    finally:
        for number in pod.faults:
            with suppress(OSError):  # hands have mended it
                pod.fabric.control("/mend", number=number)
        pod.darken()
        pod.audit()


class Hands:
    """Somebody who does what the phone says, on the plant and on the phone."""

    def __init__(self, aisle: Aisle, pod: Pod) -> None:
        self.aisle, self.pod, self.phone = aisle, pod, aisle.phone
        self.by_number = {step["number"]: step for step in aisle.steps}
        self.done: list[int] = []
        #: What is said to be done and is not.
        self.slip = next(s["number"] for s in aisle.steps if _is(s, "replace", WRONG))

    def go_on(self) -> None:
        """Until every step of the order is settled, and light has said its word."""
        while (number := self._ready()) is not None:
            self._do(self.by_number[number])

    def _ready(self) -> int | None:
        """The step that hands may do now; none where hands are done."""
        goes_on = (
            "() => /^(All manual steps|Done)/.test(document.getElementById('ending').textContent)"
            " || ['done', 'scan'].some((id) => document.getElementById(id).checkVisibility())"
        )
        wait_until(lambda: self.phone.evaluate(goes_on), self._shown, patience=120)
        if self.phone.locator("#over").is_visible():
            return None
        return int(self.phone.locator("#step").get_attribute("data-number") or 0)

    def _shown(self) -> str:
        """What the phone shows, and what the order has come through."""
        return f"{self.phone.inner_text('body')}\n{self.pod.history(self.aisle.server.path[:-1])}"

    def _do(self, step: dict[str, Any]) -> None:
        number, phone = step["number"], self.phone
        first = not self.done
        if _is(step, "replace", BENT):
            self._cannot()
        elif step["do"] == "scan":
            if not any(self.by_number[one]["do"] == "scan" for one in self.done):
                self._scan_wrongly(step)
            self.aisle.scan(step["cable"])
        else:
            self._mend(step)
            if first:
                self._without_a_network()
            else:
                self.aisle.done.click()
        self.done.append(number)
        expect(phone.locator(f"#step[data-number='{number}']:not([hidden])")).to_have_count(0)

    def _scan_wrongly(self, step: dict[str, Any]) -> None:
        other = OTHER if step["cable"] == ONE else ONE
        self.aisle.scan(other)
        expect(self.phone.get_by_role("alert")).to_contain_text(f"This is {other}. {step['cable']}")

    def _without_a_network(self) -> None:
        with no_network(self.phone):
            self.aisle.done.click()
            expect(self.phone.get_by_text("No network. 1 not sent yet")).to_be_visible()
        expect(self.phone.get_by_text("not sent yet")).to_be_hidden()

    def _cannot(self) -> None:
        photo = io.BytesIO()
        Image.radial_gradient("L").resize((1600, 1200)).save(photo, "JPEG")
        self.phone.get_by_text("Cannot be done", exact=True).click()
        self.phone.get_by_label("Why").fill("The cage is bent")
        self.phone.get_by_label("Photo").set_input_files(
            {"name": "cage.jpg", "mimeType": "image/jpeg", "buffer": photo.getvalue()}
        )
        self.phone.get_by_role("button", name="Report and go on").click()

    def _mend(self, step: dict[str, Any]) -> None:
        """Do it on the plant."""
        deed: dict[str, Any] | None = {"device": step.get("device"), "port": step.get("port")}
        plug = {"cable": step.get("cable"), "end": step.get("end")}
        if step["do"] == "plug":
            deed = {"do": "move", **plug, "to": [step["device"], step["port"]]}
        elif step["do"] == "unplug":
            deed = {"do": "unplug", **plug}
        elif step["do"] in ("clean", "replace") and self._is_done(step):
            deed |= {"do": step["do"], "part": step.get("part", "")}
        else:
            return
        told = self.pod.fabric.control("/work", steps=[deed])["told"]
        assert [one["done"] for one in told] == [True], told

    def _is_done(self, step: dict[str, Any]) -> bool:
        return step["number"] != self.slip or self.slip in self.done


def _is(step: dict[str, Any], do: str, at: tuple[str, str]) -> bool:
    return (step["do"], step.get("device"), step.get("port")) == (do, *at)


def test_a_repair_is_done_on_a_phone_and_closed_by_the_audit_but_for_what_cannot_be_done(
    page: Page, phone: Page, stack: Running, pod: Pod, picture: Picture
) -> None:
    pod.audit()
    found = pod.found()
    assert {key.split()[0] for key in found} == {"swapped", "high-reflection", "wrong-part"}
    assert len(found) == len(FAULTS)
    address = planned(page, pod, list(found.values()), picture)

    server = Server(stack)
    server.path = f"{address.rstrip('/').rpartition('/')[2]}/"
    pod.darken()
    pod.audit()
    aisle = Aisle(phone, server, server.steps(), address, picture)
    go(phone, f"{address}do/")
    phone.get_by_role("button", name="Start").click()
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    hands = Hands(aisle, pod)
    hands.go_on()

    # What was said to be replaced came back as a step of the same order.
    assert hands.done.count(hands.slip) >= 2
    expect(phone.get_by_role("button", name=re.compile("^Try again: replace"))).to_be_visible()
    picture(phone, "doing-left")
    pod.audit()
    order = pod.twin.work_orders.get(server.path[:-1])
    assert order.state.value == "done"
    assert "but for step" in order.message
    assert "The cage is bent" in order.message
    assert list(pod.found()) == [f"wrong-part {BENT[0]}"], pod.history(order.id)
    assert pod.found()[f"wrong-part {BENT[0]}"].state.value == "open"

    go(page, address)
    expect(page.get_by_alt_text(re.compile("Photo of step"))).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 1300})
    picture(page, "order-done")
    # In the same light nothing else is left.
    pod.light()
    pod.audit()
    assert list(pod.found()) == [f"wrong-part {BENT[0]}"]


def planned(page: Page, pod: Pod, findings: list[Any], picture: Picture) -> str:
    """Look at what the repair would take, make the order, and give it to somebody."""
    named = "&".join(f"findings={finding.id}" for finding in findings)
    go(page, f"/plugins/fabric-twin/work-orders/add/?kind=repair&pod={pod.pod.id}&{named}")
    page.get_by_role("button", name="See what it would take").click()
    would = page.locator("#what-it-would-be")
    expect(would).to_contain_text("Repair 4 findings of iw1")
    page.set_viewport_size({"width": 1280, "height": 1500})
    picture(page, "order-wish")
    page.get_by_role("button", name="Make the order").click()
    expect(page.get_by_text("Made iw1-w")).to_be_visible()
    go(page, "/plugins/fabric-twin/work-orders/?pod=iw1")
    page.set_viewport_size({"width": 1280, "height": 700})
    row = page.get_by_role("row").filter(has_text="Repair 4 findings of iw1")
    expect(row.first).to_be_visible()
    picture(page, "orders")
    page.go_back()
    address = "/" + page.url.split("/", 3)[3]
    page.get_by_role("link", name="Assign", exact=True).click()
    page.locator(".select2-selection").first.click()
    page.locator(".select2-search__field").last.fill("admin")
    page.get_by_role("option", name="admin", exact=True).click()
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(page.get_by_text("assigned.", exact=False).first).to_be_visible()
    return address
