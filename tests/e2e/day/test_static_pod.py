"""A pod without switches: broken in ten ways, told by neighbours, mended on a phone, closed.

Its cubes answer as those of a v5e; what hands say is done is done on its simulated plant.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fabric_twin.stack.simulated_fabric import USER
from tests.e2e.aisle import Aisle, Picture, Server
from tests.e2e.conftest import PROGRAM, Running, go, wait_until
from tests.e2e.demo_fabric import Fabric

POD, DESIGN = "e5", "tpu-v5e"
SHINY = {"device": f"{POD}-c006-t02", "port": "4.4/X+"}
#: What is broken, and what it is found as.
TEN: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("swapped", {"cable": f"{POD}-c001:4.1/X+", "other": f"{POD}-c001:4.2/X+"}, "swapped"),
    ("swapped", {"cable": f"{POD}-c008:1.4/Y+", "other": f"{POD}-c011:2.4/Y+"}, "swapped"),
    ("missing", {"cable": f"{POD}-c002:4.1/X+"}, "dark"),
    ("broken", {"cable": f"{POD}-c003:4.1/X+"}, "dark"),
    ("dirty", {"device": f"{POD}-c005-t01", "port": "4.1/X+", "loss_db": 4.5}, "high-loss"),
    ("dirty", {**SHINY, "loss_db": 0.2, "reflection_db": -27}, "high-reflection"),
    ("dying-transceiver", {"device": f"{POD}-c007-t01", "port": "4.1/X+"}, "high-loss"),
    ("tray-down", {"device": f"{POD}-c010-t01"}, "tray-down"),
    ("cube-down", {"device": f"{POD}-c016"}, "cube-down"),
    ("copper-down", {"device": f"{POD}-c014", "link": "1.1/Y+"}, "copper-down"),
)
#: Hands that change nothing on the plant.
LOOKING = {"go", "scan", "inspect", "cap"}


class StaticPod:
    """The pod, its fabric, and the jobs that somebody asks for."""

    def __init__(self, stack: Running, said: dict[str, Any]) -> None:
        self.api, self.fabric = stack.api(), Fabric(stack, said)
        self.twin = self.api.plugins.fabric_twin
        hall = self.api.dcim.locations.get(name="Demo hall").id
        wish = {"pod": POD, "design": DESIGN, "location": hall, "address": said["gnmi"]}
        self.job("Load pod", **wish, dryrun=False)
        self.pod = self.twin.pods.get(name=POD)

    def job(self, called: str, **wish: Any) -> None:
        """As somebody asks for it, and waits for it."""
        job = self.api.extras.jobs.get(name=called)
        result = self.api.extras.jobs.run(job_id=job.id, data=wish).job_result
        wait_until(lambda: result.full_details() and result.date_done)
        assert result.status.value == "SUCCESS"

    def audit(self) -> None:
        self.job("Audit pod", pod=self.pod.id)

    def found(self) -> list[Any]:
        """What is there."""
        return list(self.twin.findings.filter(pod=POD, is_there=True))

    def work(self, step: dict[str, Any]) -> None:
        """Hands do it on the plant."""
        deed = {"do": step["do"], "device": step["device"], "port": step.get("port", "")}
        plug = {"cable": step.get("cable"), "end": step.get("end")}
        if step["do"] == "plug":
            deed |= {"do": "move", **plug, "to": [step["device"], step["port"]]}
        deed |= plug if step["do"] == "unplug" else {}
        deed |= {"part": step["part"]} if step["do"] == "replace" else {}
        told = self.fabric.control("/work", steps=[deed])["told"]
        assert [one["done"] for one in told] == [True], (step, told)


@pytest.fixture(scope="module")
def pod(stack: Running) -> Iterator[StaticPod]:
    """It is there for these tests, and is removed with its hardware."""
    folder = stack.folder / "fabric"
    quiet = folder.with_name("quiet.json")
    quiet.write_text('{"version": 1, "rates": {}}')
    password = (stack.folder / "fabric-password").read_text().strip()
    known = {"FABRIC_TWIN_GNMI_USER": USER, "FABRIC_TWIN_GNMI_PASSWORD": password}
    command = [PROGRAM, "simulate", "--design", DESIGN, "--pod", POD, "--faults", quiet]
    command += ["--tls", folder, "--json"]
    with subprocess.Popen(
        command, env=os.environ | known, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as simulator:
        try:
            assert simulator.stdout
            pod = StaticPod(stack, json.loads(simulator.stdout.readline()))
            yield pod
            for made in pod.twin.slices.filter(pod=POD):
                made.delete()
            wait_until(stack.is_quiet)
            pod.job("Remove pod", pod=pod.pod.id, hardware=True, dryrun=False)
        finally:
            simulator.kill()


def make_slice(page: Page, pod: StaticPod) -> None:
    """By the form; its page says what its cables make of it."""
    go(page, f"/plugins/fabric-twin/slices/add/?pod={pod.pod.id}")
    page.get_by_label("Shape").fill("8x16")
    page.get_by_label("Name", exact=True).fill("half")
    page.get_by_role("button", name="Create", exact=True).click()
    box = "Cables close Y; 240 links, the farthest chips 15 hops apart; the pod has 2 such places."
    expect(page.get_by_text(box)).to_be_visible()
    expect(page.get_by_text("y: a ring of 4")).to_be_visible()


def test_ten_faults_are_told_by_neighbours_and_mended_on_a_phone(
    page: Page, phone: Page, stack: Running, pod: StaticPod, picture: Picture
) -> None:
    pod.audit()
    assert pod.found() == []
    make_slice(page, pod)
    for kind, where, _ in TEN:
        pod.fabric.control("/faults", kind=kind, **where)
    pod.audit()
    found = pod.found()
    assert sorted(one.code for one in found) == sorted(code for *_, code in TEN)
    go(page, f"/plugins/fabric-twin/pods/{pod.pod.id}/")
    page.set_viewport_size({"width": 1280, "height": 2200})
    expect(page.get_by_text("128 of 128")).to_be_visible()
    picture(page, "static-pod")

    server = Server(stack)
    made = server.begin(pod=POD, kind="repair", findings=[one.id for one in found])
    aisle = Aisle(phone, server, server.steps(), "", picture)
    go(phone, f"/plugins/fabric-twin/work-orders/{made['id']}/do/")
    mend_all(aisle, pod)
    pod.audit()
    assert pod.found() == []
    assert pod.twin.work_orders.get(made["id"]).state.value == "done"


def mend_all(aisle: Aisle, pod: StaticPod) -> None:
    """Do what the phone says, on the plant and on the phone, until nothing is left."""
    steps, phone = {step["number"]: step for step in aisle.steps}, aisle.phone
    goes_on = (
        "() => /^(All manual steps|Done)/.test(document.getElementById('ending').textContent)"
        " || ['done', 'scan'].some((id) => document.getElementById(id).checkVisibility())"
    )
    while True:
        wait_until(lambda: phone.evaluate(goes_on), lambda: phone.inner_text("body"), patience=120)
        if phone.locator("#over").is_visible():
            return
        number = int(phone.locator("#step").get_attribute("data-number") or 0)
        step = steps[number]
        if step["do"] == "scan":
            aisle.scan(step["cable"])
        else:
            if step["do"] == "plug":
                aisle.picture(phone, "static-doing")
            if step["do"] not in LOOKING:
                pod.work(step)
            aisle.done.click()
        expect(phone.locator(f"#step[data-number='{number}']:not([hidden])")).to_have_count(0)
