"""One picture of the world, in a browser: screens, sheets and phones tell the same of a place."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from fabric_twin.stack.demo.orders import PLUGGED
from tests.e2e.conftest import PROGRAM, Running, go, wait_until

Picture = Callable[[Page, str], Path]
APP = "/plugins/fabric-twin"
#: No light passes here from the beginning: see `stack/simulated_fabric.py`.
CABLE, SWITCH, PORT, SLOT = "iw1-c003:2.4.1/Y+", "iw1-ocs-y-2-1", "3A", 3
#: A switch of which a fan is lost; and a cube that is being installed.
FAN, INSTALLING = "iw1-ocs-z-2-4", 65
#: What a legend says of slices: by name the letter, the colour and the hatching.
LEGEND = """(drawing) => Object.fromEntries([...drawing.querySelectorAll('[href="#swatch"].box')]
    .filter((box) => box.parentNode.querySelector("text"))
    .map((box) => {
        const texts = [...drawing.querySelectorAll("text")];
        const letter = box.parentNode.querySelector("text");
        const name = texts[texts.indexOf(letter) + 1].textContent.split(":")[0];
        const hatch = box.parentNode.querySelector('[href="#swatch"][fill]');
        const looks = [getComputedStyle(box).fill, hatch ? hatch.getAttribute("fill") : ""];
        return [name, [letter.textContent, ...looks]];
    }))"""
#: A plug that comes out, or goes in.
PLUG = re.compile(r"(unplug|plug) (\S+) (?:from|into) (\S+ port \w+(?: or [^:]+: read its label)?)")


class Twin:
    """What there is in the demo, over REST, and where its pages are."""

    def __init__(self, stack: Running) -> None:
        self.api = stack.api()
        self.records = self.api.plugins.fabric_twin
        self.pod = self.records.pods.get(name="iw1")

    def page_of(self, kind: str, **which: Any) -> str:
        return f"{APP}/{kind}/{getattr(self.records, kind).get(**which).id}/"

    def switch(self, name: str) -> str:
        return self.page_of("switches", device=name)

    def cube(self, slot: int) -> str:
        return self.page_of("cubes", pod="iw1", slot=slot)

    def finding(self, code: str, where: str) -> Any:
        there = self.records.findings.filter(pod="iw1", code=code, is_there=True)
        [found] = [one for one in there if where in one.cause]
        return found

    def port_map(self, switch: str) -> str:
        """A port map as the job renders it."""
        return self.on_paper("port-map", switch, switch=self.records.switches.get(device=switch).id)

    def on_paper(self, kind: str, of: str, form: str = "svg", **which: Any) -> str:
        """A document as the job renders it."""
        job = self.api.extras.jobs.get(name="Render documents")
        wish = {"pod": self.pod.id, "kind": kind, "form": form, **which}
        result = self.api.extras.jobs.run(job_id=job.id, data=wish).job_result
        wait_until(lambda: result.full_details() and result.date_done)
        files = self.api.extras.file_proxies.filter(name=f"{of}-{kind}.{form}")
        file = max(files, key=lambda file: str(file.uploaded_at))
        return self.text(f"{self.api.base_url}/extras/file-proxies/{file.id}/download/")

    def text(self, url: str) -> str:
        headers = {"Authorization": f"Token {self.api.token}"}
        answer = self.api.http_session.get(url, headers=headers)
        assert answer.ok, answer.text
        return str(answer.text)


@pytest.fixture(scope="module")
def twin(stack: Running) -> Twin:
    return Twin(stack)


def rendered_here(twin: Twin, kind: str, *which: str, form: str = "svg") -> str:
    """What the command line makes of what the server tells it."""
    command = [PROGRAM, "remote", "render", kind, "--pod", "iw1", *which]
    server = {
        "NAUTOBOT_URL": twin.api.base_url.removesuffix("/api"),
        "NAUTOBOT_TOKEN": twin.api.token,
    }
    done = subprocess.run(
        [*command, "--format", form, "-o", "-"],
        env={**os.environ, **server},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def drawing(page: Page) -> Locator:
    """The one that a page is about; a pod's page also draws its health."""
    return page.locator("svg.drawing:not(.health)")


def take(picture: Picture, page: Page, name: str, high: int) -> None:
    """A picture as high as what is to be seen."""
    page.set_viewport_size({"width": 1280, "height": high})
    picture(page, name)


def at(page: Page, words: str | re.Pattern[str]) -> Locator:
    """The place of a drawing whose tooltip says this."""
    return drawing(page).locator("g", has=page.locator("title", has_text=words))


def test_a_slice_has_its_letter_and_its_colour_on_screen_and_on_paper(
    page: Page, twin: Twin, picture: Picture
) -> None:
    go(page, f"{APP}/pods/{twin.pod.id}/")
    on_screen = drawing(page).evaluate(LEGEND)
    letters = {one.name: one.letter for one in twin.records.slices.filter(pod="iw1")}
    assert {name: looks[0] for name, looks in on_screen.items()} == letters
    take(picture, page, "pod", 1520)
    page.evaluate("document.documentElement.dataset.bsTheme = 'dark'")
    picture(page, "pod-dark")
    paper = page.context.new_page()
    paper.set_content(twin.port_map(SWITCH))
    on_sheet = paper.locator("svg.drawing").evaluate(LEGEND)
    assert on_sheet == {name: on_screen[name] for name in on_sheet}
    assert {"train-12", "eval-3"} <= on_sheet.keys()
    go(page, twin.switch(SWITCH))
    assert drawing(page).evaluate(LEGEND) == on_sheet


def test_what_is_rendered_elsewhere_is_what_nautobot_renders(twin: Twin) -> None:
    here = rendered_here(twin, "port-map", "--switch", SWITCH)
    assert here == twin.port_map(SWITCH)
    assert f"wrong: dark: {twin.finding('dark', CABLE).cause}" in here
    for kind, form, told in (
        ("face-map", "svg", "wrong 0"),
        ("face-map", "svg", f"one end in {PLUGGED}"),
        ("cut-list", "txt", f"96 cables from 1 rack: 72 installing, {PLUGGED} one end in"),
        ("labels", "csv", "iw1-c065:1.1.1/X-,b,"),
    ):
        here = rendered_here(twin, kind, "--cube", str(INSTALLING), form=form)
        assert told in here
        assert here == twin.on_paper(kind, "iw1-c065", form, cube=INSTALLING)


def test_a_finding_is_on_every_drawing_of_its_place(
    page: Page, twin: Twin, picture: Picture
) -> None:
    cause = twin.finding("dark", CABLE).cause
    go(page, f"{APP}/pods/{twin.pod.id}/")
    expect(at(page, re.compile(rf"^slot {SLOT}\b"))).to_contain_text("!1")
    for kind, address, high in (
        ("cube", twin.cube(SLOT), 1340),
        ("switch", twin.switch(SWITCH), 1420),
    ):
        go(page, address)
        place = at(page, f"{SWITCH} {PORT}, in use")
        expect(place.locator("title")).to_contain_text(f"wrong: dark: {cause}")
        expect(place.locator(".bad")).to_be_visible()
        take(picture, page, kind, high)
    end = twin.api.dcim.cables.get(label=CABLE).termination_a_id
    go(page, f"{APP}/interfaces/{end}/light-path/")
    told = drawing(page).locator(".alarm", has_text=f"! dark: {cause[:30]}")
    expect(told.first).to_be_visible()
    take(picture, page, "light-path", 840)
    go(page, twin.page_of("slices", pod="iw1", name="train-12"))
    take(picture, page, "slice", 980)
    page.locator(".nav-tabs").get_by_text("Findings").click()
    expect(page.get_by_role("row").filter(has_text=cause[:40])).to_be_visible()


def test_a_finding_of_a_whole_switch_stands_at_the_top_of_its_drawing(
    page: Page, twin: Twin
) -> None:
    finding = twin.finding("fan-lost", FAN)
    go(page, twin.switch(FAN))
    expect(drawing(page).locator(".alarm").first).to_have_text(f"! fan-lost: {finding.cause}")


def test_a_cube_that_is_being_installed_is_no_alarm(
    page: Page, twin: Twin, picture: Picture
) -> None:
    go(page, f"{APP}/pods/{twin.pod.id}/")
    cell = at(page, re.compile(rf"^slot {INSTALLING}\b"))
    expect(cell).to_contain_text("installing")
    expect(cell).not_to_contain_text("!")
    go(page, twin.cube(INSTALLING))
    expect(drawing(page)).to_contain_text("cube in slot 65, installing")
    expect(drawing(page)).to_contain_text("wrong 0")
    expect(drawing(page).locator(".alarm")).to_have_count(0)
    expect(drawing(page)).to_contain_text(f"one end in {PLUGGED}")
    expect(drawing(page).locator("g.begun", has_text="one end in")).to_have_count(PLUGGED)
    take(picture, page, "installing", 1340)


def test_what_to_do_is_said_alike_on_five_media(page: Page, phone: Page, twin: Twin) -> None:
    finding = twin.finding("dark", CABLE)
    orders = twin.records.work_orders.filter(pod="iw1", kind="repair")
    [order] = [one for one in orders if one.reason == "What the first audit found"]
    run = max(twin.records.audit_runs.filter(pod="iw1", scope="pod"), key=lambda run: run.number)
    told = {"REST": plugs(" ".join(step["text"] for step in finding.remedy))}
    go(page, f"{APP}/findings/{finding.id}/")
    told["finding"] = plugs(page.locator("ol.mb-0").inner_text())
    go(page, f"{APP}/audit-runs/{run.id}/report/?form=html")
    told["audit"] = plugs(page.locator("article", has_text=finding.key).inner_text())
    go(page, f"{APP}/work-orders/{order.id}/")
    told["order"] = plugs(page.inner_text("body"))
    go(phone, f"{APP}/work-orders/{order.id}/do/")
    steps = json.loads(phone.locator("#order").inner_text())["steps"]
    told["phone"] = plugs(" ".join(step["words"] for step in steps))
    assert told == dict.fromkeys(told, told["REST"])
    assert len(told["REST"]) == 4


def plugs(text: str) -> set[tuple[str, ...]]:
    """Which plug comes out of where, and goes in where."""
    return {*PLUG.findall(" ".join(text.split()))}
