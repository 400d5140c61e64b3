"""The stack as `fabric-twin up` runs it, once for all tests, and a browser that has logged in."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pynautobot
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.running import status as status_of

PROGRAM = Path(sys.executable).with_name("fabric-twin")
PICTURES = Path(__file__).parents[2] / "docs" / "screens"
#: Seconds for what must come. The first start on a machine may make Nautobot's tables, slowly.
#: pytest gives a test some minutes more, so that whoever waits in vain can say for what.
PATIENCE = 20 * 60
#: A property of a test of faults: fault, step, how it went, and seconds until it had ended.
CELL = "cell"
#: As wide as a phone.
PHONE = {"width": 390, "height": 844}
#: Milliseconds until a page shows what it should, on a machine that does much else.
SHOWN_WITHIN = 120_000


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--pictures` takes the documentation's screenshots anew."""
    parser.addoption("--pictures", action="store_true", help="write screenshots into docs/")


def pytest_exception_interact(node: pytest.Item, report: pytest.TestReport) -> None:
    """Print at once what failed: a run that is stopped at its limit never comes to its summary."""
    if reporter := node.config.pluginmanager.get_plugin("terminalreporter"):
        reporter.write_line(f"\n{node.nodeid}\n{report.longreprtext}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table of docs/reliability.md, as far as it was tried."""
    cells = [
        cell
        for report in terminalreporter.getreports("passed")
        for name, cell in report.user_properties
        if name == CELL
    ]
    if cells:
        terminalreporter.section("fault x step")
    for fault, step, how, seconds in cells:
        terminalreporter.line(f"{fault:24} {step:7} {how} ({seconds:.0f} s)")


@dataclass(frozen=True)
class Running:
    """A stack that runs."""

    folder: Path
    address: str
    #: What `up` said so far.
    said: Path

    @property
    def password(self) -> str:
        return (self.folder / "admin-password").read_text().strip()

    @property
    def token(self) -> str:
        return (self.folder / "api-token").read_text().strip()

    def status(self) -> dict[str, Any]:
        return status(self.folder)

    def api(self) -> Any:
        """A client of the administrator's."""
        return pynautobot.api(self.address, token=self.token)

    def is_quiet(self) -> bool:
        """Whether every audit of what was touched that was called for is done."""
        log = (self.folder / "logs" / "worker.log").read_text()
        called, done = (
            set(re.findall(rf"audit_touched\[(.+?)\] {word}", log))
            for word in ("received", "succeeded")
        )
        return called == done


def status(folder: Path) -> dict[str, Any]:
    command = [PROGRAM, "status", "--json", "--state", folder]
    shown = subprocess.run(command, capture_output=True, check=False)
    return dict(json.loads(shown.stdout))


@contextmanager
def running(folder: Path, *options: str, **environment: str) -> Iterator[Running]:
    """A stack in a folder, which must stop as it should when it is asked."""
    said = folder.with_name("said")
    command = [PROGRAM, "up", "--state", folder, *options]
    with said.open("w") as out:
        up = subprocess.Popen(command, stderr=out, env={**os.environ, **environment})
    try:
        yield Running(folder, _ready(up, folder, said), said)
    finally:
        up.send_signal(signal.SIGINT)
        code = up.wait(120)
    assert code == 0
    assert status(folder)["state"] == "down"


def _ready(up: "subprocess.Popen[bytes]", folder: Path, said: Path) -> str:
    def told() -> str:
        """What it said; where a server hung up, its log says why."""
        return said.read_text() + (folder / "logs" / "web.log").read_text()[-4000:]

    def is_ready() -> bool:
        assert up.poll() is None, said.read_text()
        # Asked here: a process for each look would keep a core busy while the stack begins.
        facts = status_of(StateFolder(folder))
        assert facts.get("demo") != "failed", told()
        parts = {part["name"]: part["state"] for part in facts["parts"]}
        # The last part begins once pages are there: until then the others are all that is told.
        is_whole = "watch" in parts and set(parts.values()) == {"ready"}
        return facts["state"] == "ready" and facts["demo"] != "loading" and is_whole

    wait_until(is_ready)
    return str(status(folder)["address"])


def wait_until(
    happened: Callable[[], object],
    told: Callable[[], object] = lambda: "It did not come.",
    patience: float = PATIENCE,
) -> None:
    """Wait for what must come; where it does not, `told` says how things stand."""
    last = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < last, told()
        time.sleep(0.2)


@contextmanager
def of_its_own() -> Iterator[Running]:
    """A stack in a fresh folder, with its demo."""
    with TemporaryDirectory(prefix="fabric-twin-e2e-") as name:
        Path(name).chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        with running(Path(name, "state")) as stack:
            yield stack
            # Nobody hung up on the process that listens to switches for hours.
            assert "GOAWAY" not in (stack.folder / "logs" / "watch.log").read_text()


@pytest.fixture(scope="session")
def stack() -> Iterator[Running]:
    """The stack that most tests share: what a test changes there it puts back."""
    with of_its_own() as stack:
        yield stack


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, which talks to nobody but us."""
    program = shutil.which("chromium")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("CI must run this: apt-get install chromium")
        pytest.skip("there is no Chromium here: apt-get install chromium")
    quiet = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
    quiet += ["--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=quiet)
        yield chromium
        chromium.close()


def go(page: Page, address: str) -> None:
    """Go to a page; the page that is left may reload itself meanwhile, and abort that."""
    for is_last in (False, False, True):
        try:
            page.goto(address)
            return
        except Error as error:
            if is_last or "ERR_ABORTED" not in error.message:
                raise
            page.wait_for_load_state()  # of what came in between


def logged_in(browser: Browser, stack: Running, name: str = "admin", password: str = "") -> Any:
    """The cookies of somebody, by default the administrator, who logs in as a person does."""
    context = browser.new_context(base_url=stack.address)
    page = context.new_page()
    page.set_default_timeout(SHOWN_WITHIN)
    go(page, "/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password or stack.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(stack.address)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture(scope="session")
def session(browser: Browser, stack: Running) -> Any:
    """Who has logged in, for all tests of the common stack."""
    return logged_in(browser, stack)


@pytest.fixture
def page(browser: Browser, stack: Running, session: Any) -> Iterator[Page]:
    """A page of the administrator's; nothing in it may fail, neither script nor request."""
    size = {"width": 1280, "height": 900}
    context = browser.new_context(
        base_url=stack.address, storage_state=session, viewport=size, reduced_motion="reduce"
    )
    refused: list[str] = []
    with page_without_errors(context) as page:
        page.on(
            "response", lambda r: refused.append(f"{r.status} {r.url}") if r.status >= 400 else 0
        )
        yield page
    assert refused == []


@pytest.fixture
def phone(browser: Browser, stack: Running, session: Any) -> Iterator[Page]:
    """A phone of the administrator's; its script may not fail."""
    context = browser.new_context(
        base_url=stack.address, storage_state=session, viewport=PHONE, reduced_motion="reduce"
    )
    with page_without_errors(context) as page:
        yield page


@contextmanager
def page_without_errors(context: BrowserContext) -> Iterator[Page]:
    """A page whose script may not fail; its context is closed with it."""
    page = context.new_page()
    page.set_default_timeout(SHOWN_WITHIN)
    expect.set_options(timeout=SHOWN_WITHIN)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


@pytest.fixture
def picture(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Page, str], Path]:
    """Take a picture of what a page shows: for docs/ when asked, else to be looked at."""

    def take(page: Page, name: str) -> Path:
        folder = PICTURES if request.config.getoption("--pictures") else tmp_path
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        page.screenshot(path=path, animations="disabled")
        return path

    return take
