"""A pod is loaded from a page: what it would be is read first, and one click then does it."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Running, go, wait_until

Picture = Callable[[Page, str], Path]


def test_a_load_is_tried_and_then_done(stack: Running, page: Page, picture: Picture) -> None:
    api = stack.api()
    place = api.plugins.fabric_twin.pods.get(name="iw1").location.id
    filled = {"pod": "lab", "design": "ironwood", "location": place, "slots": "1"}
    go(page, f"/extras/jobs/fabric_twin.tasks.load_pod.LoadPod/run/?{urlencode(filled)}")
    expect(page.get_by_label("Dryrun")).to_be_checked()
    page.get_by_role("button", name="Run Job").click()
    page.wait_for_url(re.compile("/job-results/"))
    expect(page.get_by_text(re.compile("Pod lab: would load 1 pod, ")).first).to_be_visible(
        timeout=60_000
    )
    picture(page, "dry-run")
    tried = page.url
    page.get_by_role("button", name="Run for Real").click()
    page.wait_for_url(lambda url: "/job-results/" in url and url != tried)
    expect(page.get_by_text(re.compile("Pod lab: loaded 1 pod, ")).first).to_be_visible(
        timeout=60_000
    )
    try:
        assert api.plugins.fabric_twin.cubes.count(pod="lab") == 1
    finally:
        wait_until(stack.is_quiet)
        wish = {"pod": api.plugins.fabric_twin.pods.get(name="lab").id, "hardware": True}
        removing = api.extras.jobs.get(name="Remove pod")
        result = api.extras.jobs.run(job_id=removing.id, data=wish | {"dryrun": False}).job_result
        wait_until(lambda: result.full_details() and result.date_done)
        assert result.status.value == "SUCCESS"
