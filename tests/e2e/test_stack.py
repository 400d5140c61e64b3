"""What `fabric-twin up` gives: pages, a worker that works, parts that come back."""

import os
import re
import signal
import stat
import subprocess

from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import PROGRAM, Running, wait_until

PARTS = ["postgres", "redis", "fabric", "web", "worker", "beat", "watch"]


def test_every_part_is_ready_and_the_address_is_of_this_machine_only(stack: Running) -> None:
    facts = stack.status()
    assert [part["name"] for part in facts["parts"]] == PARTS
    assert {part["state"] for part in facts["parts"]} == {"ready"}
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", facts["address"])


def test_it_says_where_it_is_and_who_may_enter(stack: Running) -> None:
    said = stack.said.read_text()
    assert "Ready after" in said
    assert stack.address in said
    assert f"User admin, password {stack.password} " in said
    assert re.search(r"Tables +\d+\.\d s", said)


def test_secrets_are_its_owners_alone_and_in_no_log(stack: Running) -> None:
    names = ("admin-password", "api-token", "fabric-password", "secret-key")
    secrets = [stack.folder / name for name in names]
    assert {stat.S_IMODE(file.stat().st_mode) for file in secrets} == {0o600}
    logs = "".join(log.read_text() for log in (stack.folder / "logs").iterdir())
    assert not [file.name for file in secrets if file.read_text().strip() in logs]


def test_a_second_up_says_where_the_first_is_and_leaves_it_alone(stack: Running) -> None:
    before = stack.status()
    command = [PROGRAM, "up", "--state", stack.folder]
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 0
    assert f"runs already at {stack.address}" in second.stderr
    assert stack.status() == before


def test_an_administrator_logs_in_and_sees_the_app(page: Page, stack: Running) -> None:
    page.goto("/plugins/installed-plugins/")
    expect(page.get_by_role("link", name="Fabric Twin").first).to_be_visible()


def test_who_has_not_logged_in_is_asked_to(browser: Browser, stack: Running) -> None:
    stranger = browser.new_page(base_url=stack.address)
    stranger.goto("/extras/jobs/")
    expect(stranger).to_have_url(re.compile(r"/login/\?next=/extras/jobs/$"))
    stranger.close()


def test_a_part_that_is_killed_comes_back(stack: Running) -> None:
    def web() -> dict[str, object]:
        return next(part for part in stack.status()["parts"] if part["name"] == "web")

    os.kill(int(str(web()["pid"])), signal.SIGKILL)
    wait_until(lambda: (web()["restarts"], web()["state"]) == (1, "ready"))
    said = stack.said.read_text()
    assert "stack    | web: ended with code -9, again in 1 s" in said
    assert "stack    | web: answers" in said
