"""The demo speaks REST, as everybody else does."""

import time
from collections.abc import Mapping
from typing import Any

from fabric_twin.core.errors import StackRefused


def post(nautobot: Any, path: str, **given: Any) -> Any:
    """The answer of the App, or a refusal; `path` is under its root."""
    url = f"{nautobot.base_url}/plugins/fabric-twin/{path}"
    return _answer(nautobot, url, json=given)


def run_job(
    nautobot: Any, name: str, wish: Mapping[str, Any], files: Mapping[str, str] | None = None
) -> None:
    """Run a job of the App to its end; `files` are texts by the field of its form."""
    job = nautobot.extras.jobs.get(name=name)
    if job is None:
        raise StackRefused(
            f"there is no job {name}",
            where=nautobot.base_url,
            remedy="Run `nautobot-server migrate`, which registers jobs, or start with --no-demo",
        )
    url = f"{nautobot.base_url}/extras/jobs/{job.id}/run/"
    if files:
        given = {field: (field, text) for field, text in files.items()}
        asked = _answer(nautobot, url, data={**wish, "dryrun": "false"}, files=given)
    else:
        asked = _answer(nautobot, url, json={"data": wish})
    result = nautobot.extras.job_results.get(asked["job_result"]["id"])
    while not result.date_done:
        time.sleep(0.5)
        result.full_details()
    if result.status.value != "SUCCESS":
        raise StackRefused(
            f"the job {name} ended as {result.status.value}",
            where=str(result.url),
            remedy="See its log in Nautobot, or start with --no-demo",
        )


def hall_of(nautobot: Any) -> Any:
    """A place that takes racks, devices and spare modules."""
    kinds, halls = nautobot.dcim.location_types, nautobot.dcim.locations
    takes = ["dcim.rack", "dcim.device", "dcim.module"]
    kind = kinds.get(name="Data hall") or kinds.create(name="Data hall", content_types=takes)
    found = halls.get(name="Demo hall")
    return found or halls.create(name="Demo hall", location_type=kind.id, status="Active")


def _answer(nautobot: Any, url: str, **content: Any) -> Any:
    headers = {"Authorization": f"Token {nautobot.token}"}
    answer = nautobot.http_session.post(url, headers=headers, **content)
    if not answer.ok:
        raise StackRefused(
            f"the demo was refused: {answer.text[:300]}",
            where=url,
            remedy="See the log of web, or start with --no-demo",
        )
    return answer.json()
