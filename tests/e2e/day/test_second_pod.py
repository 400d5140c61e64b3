"""A second pod by pages alone: loaded, audited, a slice deployed; then thousands of findings of it.

Its fabric is a simulator of its own, which gets in as the demo's does.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from fabric_twin.stack.simulated_fabric import USER
from tests.e2e.conftest import PROGRAM, Running, go, wait_until
from tests.e2e.day.hand import Hand, run

#: What the review counted: to load it, and to have a slice of it.
LOAD, SLICE = 3, 10
#: *Audit*, *Run Job*.
AUDIT = 2
#: All of what is first, its next page; two boxes, the button, its confirmation.
TO_ALL, NEXT, TOGETHER = 1, 1, 4
TRANSCEIVER = "OSFP 2x CWDM4 bidi"
POD, SLOTS, SHAPE, NAME = "second", "1-28", "4x4x8", "first-run"
#: Every port of 28 cubes has a transceiver.
OF_A_CUBE, MANY, A_PAGE = 96, 28 * 96, 50


@pytest.fixture(scope="module")
def fabric(stack: Running) -> Iterator[str]:
    """Where the second pod's devices answer."""
    folder = stack.folder / "fabric"
    password = (stack.folder / "fabric-password").read_text().strip()
    known = {"FABRIC_TWIN_GNMI_USER": USER, "FABRIC_TWIN_GNMI_PASSWORD": password}
    command = [PROGRAM, "simulate", "--design", "tpu-v4", "--pod", POD, "--slots", SLOTS]
    command += ["--tls", folder, "--json"]
    with subprocess.Popen(
        command, env=os.environ | known, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as simulator:
        assert simulator.stdout
        yield str(json.loads(simulator.stdout.readline())["gnmi"])
        simulator.kill()


@pytest.fixture(scope="module")
def removed(stack: Running, fabric: str) -> Iterator[None]:
    """The pod is removed while its devices answer, with all of its hardware."""
    yield
    api = stack.api()
    wait_until(stack.is_quiet)
    twin = api.plugins.fabric_twin
    [pod] = twin.pods.filter(name=POD)
    for made in twin.slices.filter(pod=POD):
        made.delete()
    wait_until(stack.is_quiet)
    wish = {"pod": pod.id, "hardware": True, "dryrun": False}
    removing = api.extras.jobs.get(name="Remove pod")
    result = api.extras.jobs.run(job_id=removing.id, data=wish).job_result
    wait_until(lambda: result.full_details() and result.date_done)
    assert result.status.value == "SUCCESS"


def told(page: Page, words: str) -> None:
    """A job's result says so, in the time that a worker takes."""
    expect(page.get_by_text(words).first).to_be_visible(timeout=120_000)


def audited(hand: Hand, words: str) -> None:
    """From the page of the pod to the result of its audit."""
    page = hand.page
    hand.link("Audit")
    hand.click(page.get_by_role("button", name="Run Job"))
    told(page, words)


def load(hand: Hand, fabric: str) -> None:
    """From the list of pods to a pod with all of its hardware, which is tried first."""
    page = hand.page
    go(page, "/plugins/fabric-twin/pods/")
    hand.link("Load Pod")
    page.get_by_label("Pod", exact=True).fill(POD)
    page.locator("#id_design").select_option("tpu-v4")
    page.locator("#id_location + .select2").click()
    page.locator(".select2-search__field").last.fill("Demo hall")
    page.get_by_role("option", name="Demo hall").first.click()
    page.get_by_label("Slots").fill(SLOTS)
    page.get_by_label("Address").fill(fabric)
    hand.click(page.get_by_role("button", name="Run Job"))
    told(page, f"Pod {POD}: would load ")
    tried = page.url
    hand.button("Run for Real")
    page.wait_for_url(lambda url: "/job-results/" in url and url != tried)
    told(page, f"Pod {POD}: loaded ")


def deploy(hand: Hand, boss: Hand) -> None:
    """From the page of the pod to a slice whose circuits carry light."""
    page = hand.page
    hand.link("Ticket")
    page.get_by_label("Shape").fill(SHAPE)
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_label("Reason").fill("The first run of the second pod")
    hand.button("See what it would do")
    hand.button("Make the draft")
    run(hand, boss)


def look_through(hand: Hand) -> None:
    """What first shows the worst and leads to all, in pages."""
    page, shown = hand.page, shown_of(hand.page)
    go(hand.page, "/plugins/fabric-twin/shift/")
    hand.click(page.locator("#first").get_by_role("link", name="more"))
    expect(shown).to_contain_text(f"Showing 1-{A_PAGE} of ")
    hand.click(page.locator("#paginator").get_by_role("link", name="2", exact=True))
    expect(shown).to_contain_text(f"Showing {A_PAGE + 1}-{2 * A_PAGE} of ")


def shown_of(page: Page) -> Locator:
    """Which rows a list shows, of how many."""
    return page.locator("#paginator").get_by_role("status")


def acknowledge_all(hand: Hand, filters: str, many: int) -> None:
    """All that a list's filters find, by one box and one button."""
    page = hand.page
    go(page, f"/plugins/fabric-twin/findings/?pod={POD}&{filters}")
    expect(shown_of(page)).to_contain_text(f"of {many}")
    hand.click(page.locator("#object_table thead input[type=checkbox]"))
    hand.click(page.locator("#select_all"))
    hand.button("Acknowledge Selected")


@pytest.mark.usefixtures("removed")
def test_from_nothing_to_a_slice_and_then_thousands_of_findings(
    hand: Hand, boss: Hand, twin: Any, stack: Running, fabric: str
) -> None:
    page = hand.page
    go(page, "/plugins/fabric-twin/pods/")
    load(hand, fabric)
    assert hand.counted() <= LOAD
    pod = f"/plugins/fabric-twin/pods/{twin.pods.get(name=POD).id}/"
    go(hand.page, pod)
    audited(hand, f"{POD}: 0 findings, 0 new, 0 gone, 0 still there: pass.")
    assert hand.counted() <= AUDIT
    go(hand.page, pod)
    deploy(hand, boss)
    assert hand.counted() + boss.counted() <= SLICE
    assert twin.optical_circuits.count(pod=POD, wanted=True, seen=True) == 2 * 96

    # The audit of what the ticket changed would find the first of them.
    wait_until(stack.is_quiet)
    # Somebody enters a wrong part number for its kind of transceiver: each of them is a finding.
    [kind] = [one for one in stack.api().dcim.module_types.all() if one.model == TRANSCEIVER]
    kind.update({"part_number": "ANOTHER-1"})
    try:
        go(hand.page, pod)
        audited(hand, f"{POD}: {MANY:,} findings, {MANY:,} new")
    finally:
        stack.api().dcim.module_types.get(kind.id).update({"part_number": ""})
    hand.counted()
    look_through(hand)
    assert hand.counted() <= TO_ALL + NEXT

    acknowledge_all(hand, "q=c007", OF_A_CUBE)
    page.get_by_label("Why").fill("The part was recorded wrongly")
    hand.button("Acknowledge")
    expect(page.get_by_text(f"Acknowledged {OF_A_CUBE} findings.")).to_be_visible()
    assert page.url.endswith("q=c007")
    assert hand.counted() <= TOGETHER
    # More than can be done at once is refused whole, and says how many that are.
    acknowledge_all(hand, "state=open", MANY - OF_A_CUBE)
    refused = f"{MANY - OF_A_CUBE:,} are chosen, and this is done with 500 at once. Choose fewer."
    expect(page.get_by_text(refused)).to_be_visible()
    assert page.url.endswith("state=open")
    assert twin.findings.count(pod=POD, state="acknowledged") == OF_A_CUBE
