"""A second pod by pages alone: loaded, audited, a slice deployed; then thousands of findings of it.

Its fabric is a simulator of its own, which gets in as the demo's does.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fabric_twin.stack.simulated_fabric import USER
from tests.e2e.conftest import PATIENCE, PROGRAM, Running, wait_until
from tests.e2e.day.hand import Hand, run

#: What the review counted: to load it, and to have a slice of it.
LOAD, SLICE = 3, 10
#: *Audit*, *Run Job*.
AUDIT = 2
#: All of what is first, its next page; two boxes, the button, its confirmation.
TO_ALL, NEXT, TOGETHER = 1, 1, 4
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
    [pod] = api.plugins.fabric_twin.pods.filter(name=POD)
    wish = {"pod": pod.id, "hardware": True, "dryrun": False}
    removing = api.extras.jobs.get(name="Remove pod")
    result = api.extras.jobs.run(job_id=removing.id, data=wish).job_result
    wait_until(lambda: result.full_details() and result.date_done)
    assert result.status.value == "SUCCESS"


def told(page: Page, words: str) -> None:
    """A job's result says so, in the time that a worker takes."""
    expect(page.get_by_text(words).first).to_be_visible(timeout=PATIENCE * 1000)


def audited(hand: Hand, words: str) -> None:
    """From the page of the pod to the result of its audit."""
    page = hand.page
    hand.link("Audit")
    hand.click(page.get_by_role("button", name="Run Job"))
    told(page, words)


@pytest.mark.usefixtures("removed")
def test_from_nothing_to_a_slice_that_light_agrees_with(
    hand: Hand, boss: Hand, twin: Any, fabric: str
) -> None:
    page = hand.page
    page.goto("/plugins/fabric-twin/pods/")
    hand.link("Load Pod")
    page.get_by_label("Pod", exact=True).fill(POD)
    page.locator("#id_design").select_option("tpu-v4")
    page.locator("#id_location + .select2").click()
    page.locator(".select2-search__field").last.fill("Demo hall")
    page.get_by_role("option", name="Demo hall").first.click()
    page.get_by_label("Slots").fill(SLOTS)
    page.get_by_label("Address").fill(fabric)
    hand.click(page.get_by_role("button", name="Run Job"))
    told(page, f"Pod {POD}: would load 1 pod, ")
    tried = page.url
    hand.button("Run for Real")
    page.wait_for_url(lambda url: "/job-results/" in url and url != tried)
    told(page, f"Pod {POD}: loaded 1 pod, ")
    assert hand.counted() <= LOAD

    page.goto(f"/plugins/fabric-twin/pods/{twin.pods.get(name=POD).id}/")
    audited(hand, "clean")
    assert hand.counted() <= AUDIT

    page.goto(f"/plugins/fabric-twin/pods/{twin.pods.get(name=POD).id}/")
    hand.link("Ticket")
    page.get_by_label("Shape").fill(SHAPE)
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_label("Reason").fill("The first run of the second pod")
    hand.button("See what it would do")
    hand.button("Make the draft")
    run(hand, boss)
    assert hand.counted() + boss.counted() <= SLICE
    assert twin.circuits.count(pod=POD, wanted=True, seen=True) == 2 * 96


@pytest.mark.usefixtures("removed")
def test_thousands_of_findings_are_looked_through_and_dealt_with_together(
    hand: Hand, twin: Any, stack: Running
) -> None:
    """Somebody records another part for every transceiver of the pod: each is a finding."""
    page, kinds = hand.page, stack.api().dcim.module_types
    pod = twin.pods.get(name=POD)
    [kind] = [one for one in kinds.all() if "tpu-v4" in one.model]
    part = kind.part_number
    kind.update({"part_number": "ANOTHER-1"})
    page.goto(f"/plugins/fabric-twin/pods/{pod.id}/")
    audited(hand, f"{MANY:,}")
    assert twin.findings.count(pod=POD, is_there=True) == MANY
    hand.counted()

    # What first has a page of the worst and leads to all, which are paged.
    page.goto("/plugins/fabric-twin/shift/")
    hand.click(page.locator("#first").get_by_role("link", name="more"))
    shown = page.locator("#paginator").get_by_role("status")
    expect(shown).to_contain_text(f"Showing 1-{A_PAGE} of ")
    hand.click(page.locator("#paginator").get_by_role("link", name="Next"))
    expect(shown).to_contain_text(f"Showing {A_PAGE + 1}-{2 * A_PAGE} of ")
    assert hand.counted() <= TO_ALL + NEXT

    # The page of the pod shows ten, and says how many there are.
    page.goto(f"/plugins/fabric-twin/pods/{pod.id}/")
    expect(page.get_by_text(f"{MANY:,}").first).to_be_visible()

    # All of one cube at once: filtered, ticked with one box, acknowledged with one reason.
    page.goto(f"/plugins/fabric-twin/findings/?pod={POD}&q=c007")
    expect(shown).to_contain_text(f"of {OF_A_CUBE}")
    hand.click(page.locator("#object_table thead input[type=checkbox]"))
    hand.click(page.locator("#select_all"))
    hand.button("Acknowledge Selected")
    page.get_by_label("Reason").fill("The part was recorded wrongly")
    hand.button("Acknowledge")
    expect(page.get_by_text(f"Acknowledged {OF_A_CUBE} findings.")).to_be_visible()
    assert hand.counted() <= TOGETHER
    assert twin.findings.count(pod=POD, state="acknowledged") == OF_A_CUBE

    # More than can be done at once is refused whole, and says how many that are.
    page.goto(f"/plugins/fabric-twin/findings/?pod={POD}&state=open")
    expect(shown).to_contain_text(f"of {MANY - OF_A_CUBE}")
    hand.click(page.locator("#object_table thead input[type=checkbox]"))
    hand.click(page.locator("#select_all"))
    hand.button("Acknowledge Selected")
    expect(page.get_by_text("500").first).to_be_visible()
    assert twin.findings.count(pod=POD, state="acknowledged") == OF_A_CUBE
    kind.update({"part_number": part})
