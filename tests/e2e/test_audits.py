"""Findings on the running stack: a change is audited at once, an operator sees and acknowledges."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Running, go, wait_until

Picture = Callable[[Page, str], Path]

#: A cable of a cube that is in no slice: no light passes it.
CABLE = "iw1-c050:2.1.4/Z+"


class Auditor:
    """Reads over the API what was found."""

    def __init__(self, stack: Running) -> None:
        self.stack, self.api = stack, stack.api()
        self.twin = self.api.plugins.fabric_twin

    def there(self) -> dict[str, Any]:
        """What is wrong now, by its key."""
        return {one.key: one for one in self.twin.findings.filter(pod="iw1", is_there=True)}

    def settled(self) -> dict[str, Any]:
        """The same once what others changed before is audited: by a run that began after that."""
        wait_until(self.stack.is_quiet)
        job, pod = self.api.extras.jobs.get(name="Audit pod"), self.twin.pods.get(name="iw1")
        result = self.api.extras.jobs.run(job_id=job.id, data={"pod": pod.id}).job_result
        wait_until(lambda: result.full_details() and result.date_done)
        wait_until(self.stack.is_quiet)
        return self.there()


@pytest.fixture(scope="module")
def auditor(stack: Running) -> Auditor:
    return Auditor(stack)


def test_a_change_in_the_inventory_is_audited_at_once(auditor: Auditor) -> None:
    cables, before = auditor.api.dcim.cables, auditor.settled()
    cable = cables.get(label=CABLE)
    ends = [f"termination_{end}_{fact}" for end in "ab" for fact in ("type", "id")]
    again = {name: getattr(cable, name) for name in (*ends, "label")}
    again |= {"status": cable.status.id, "cable_type": cable.cable_type.id}

    def new() -> list[tuple[str, bool]]:
        there = auditor.there()
        return [(there[k].code, CABLE in there[k].cause) for k in there.keys() - before.keys()]

    cable.delete()
    wait_until(new)
    assert new() == [("missing", True)]
    cables.create(**again)
    wait_until(lambda: not new())
    assert auditor.there().keys() == before.keys()


def test_an_operator_finds_last_nights_finding_sees_where_it_is_and_acknowledges_it(
    page: Page, picture: Picture, auditor: Auditor
) -> None:
    go(page, "/")
    new = re.compile(r"What is wrong, by its cause; [1-9]\d* since yesterday")
    expect(page.get_by_text(new)).to_be_visible()
    page.get_by_role("link", name="Findings", exact=True).locator("visible=true").last.click()
    row = page.get_by_role("row").filter(has_text="iw1-c007:4.3.2/X+ and iw1-c009:4.3.2/X+")
    expect(row).to_contain_text("Open")
    picture(page, "findings")

    row.get_by_role("link", name="swapped").click()
    expect(page.locator("svg.finding")).to_contain_text("c007-t08 port 4.3.2/X+")
    page.set_viewport_size({"width": 1280, "height": 1200})
    picture(page, "finding")

    page.get_by_role("link", name="Acknowledge").click()
    page.get_by_label("Why").fill("Moved back tonight")
    page.get_by_role("button", name="Acknowledge").click()
    expect(page.get_by_text("admin: Moved back tonight")).to_be_visible()
    (swapped,) = auditor.twin.findings.filter(pod="iw1", code="swapped", is_there=True)
    assert (swapped.state.value, swapped.acknowledged_why) == (
        "acknowledged",
        "Moved back tonight",
    )


def test_a_run_says_what_it_found_and_the_pod_how_it_fares(page: Page, picture: Picture) -> None:
    go(page, "/plugins/fabric-twin/pods/?name=iw1")
    page.get_by_role("link", name="iw1", exact=True).click()
    health = page.locator("svg.health")
    expect(health).to_be_in_viewport()
    picture(page, "health")
    health.get_by_role("link").last.click()
    expect(page.get_by_text("Still there").first).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 1300})
    picture(page, "run")
