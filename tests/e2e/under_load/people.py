"""People who browse and phones that report, all at once, on a stack that runs.

    python -m tests.e2e.under_load.people                 thirty and five, ten minutes
    python -m tests.e2e.under_load.people --state FOLDER  on a stack that runs there

A person opens a page, all that it loads by itself, reads for five seconds, and opens the next:
by turns one of ours and one of Nautobot's own (racks, devices, cables). A phone says every ten
seconds what its technician did. Printed: errors, seconds of both kinds of pages and of reports, and
the memory of each process after the second minute and at the end.
"""

import argparse
import html
import json
import random
import re
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode, urljoin

import requests

from fabric_twin.stack.processes import members_of
from tests.e2e.aisle import Server
from tests.e2e.conftest import Running, running, status

PEOPLE, PHONES, SECONDS = 30, 5, 600
READS, REPORTS_EVERY = 5.0, 10.0
#: From when on memory is counted: by then each process has done everything once.
WARM = 120
POD = "iw1"
#: What a browser asks for as soon as it has a page.
_ON_LOAD = re.compile(r'<\w+\b[^>]*?hx-get="(?P<url>[^"]*)"[^>]*>', re.DOTALL)
_VALUES = re.compile(r"hx-vals='(.*?)'", re.DOTALL)
_OBJECT = re.compile(r'<object\b[^>]*?data="([^"]*)"', re.DOTALL)
#: Lists whose records are opened too, a few of each.
OURS = (
    "plugins/fabric-twin/pods/",
    "plugins/fabric-twin/cubes/",
    "plugins/fabric-twin/switches/",
    "plugins/fabric-twin/ports/",
    "plugins/fabric-twin/slices/",
    "plugins/fabric-twin/circuits/",
    "plugins/fabric-twin/findings/",
    "plugins/fabric-twin/audit-runs/",
    "plugins/fabric-twin/tickets/",
    "plugins/fabric-twin/work-orders/",
)
NAUTOBOTS = ("dcim/racks/", "dcim/devices/", "dcim/cables/")
_FEW = 3


@dataclass
class Counted:
    """What was asked, and how it went."""

    ours: list[float] = field(default_factory=list)
    nautobots: list[float] = field(default_factory=list)
    reports: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    #: Seconds of each page, by its path.
    by_path: dict[str, list[float]] = field(default_factory=dict)


class Browser:
    """Somebody who has logged in, as a browser asks."""

    def __init__(self, stack: Running) -> None:
        self._root, self._session = stack.address, requests.Session()
        login = self._get("login/")
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', login)
        assert found
        form = {"csrfmiddlewaretoken": found[1], "username": "admin", "password": stack.password}
        answer = self._session.post(urljoin(self._root, "login/"), form, timeout=60)
        answer.raise_for_status()

    def open(self, path: str) -> None:
        """A page, and all that it loads by itself."""
        text = self._get(path)
        for part, headers in _parts(path, text):
            self._get(part, **headers)

    def records(self, path: str) -> list[str]:
        """The pages of some records of a list."""
        rows = self._get(path, **{"HX-Request": "true"})
        found = dict.fromkeys(re.findall(rf'href="/({path}[0-9a-f-]{{36}}/)"', rows))
        return list(found)[:_FEW]

    def _get(self, path: str, **headers: str) -> str:
        answer = self._session.get(urljoin(self._root, path), headers=headers, timeout=60)
        answer.raise_for_status()
        return answer.text


def _parts(path: str, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    for tag in _ON_LOAD.finditer(text):
        if 'hx-trigger="load' not in tag[0]:
            continue
        url = html.unescape(tag["url"]) or f"/{path}"
        if values := _VALUES.search(tag[0]):
            url += ("&" if "?" in url else "?") + urlencode(json.loads(values[1]))
        yield url, {"HX-Request": "true"}
    for found in _OBJECT.finditer(text):
        yield html.unescape(found[1]), {}


def browse(browser: Browser, paths: Sequence[Sequence[str]], seed: int, crowd: "Crowd") -> None:
    """Open pages of ours and of Nautobot's by turns until all go home."""
    draw, counted = random.Random(seed), (crowd.counted.ours, crowd.counted.nautobots)
    crowd.over.wait(draw.uniform(0, READS))  # nobody comes at the same moment
    turn = seed
    while not crowd.over.is_set():
        path = draw.choice(paths[turn % 2])
        took = crowd.timed(path, lambda path=path: browser.open(path))
        counted[turn % 2].append(took)
        turn += 1
        crowd.over.wait(READS)


def report(phone: Server, steps: Iterator[dict[str, Any]], crowd: "Crowd") -> None:
    """Say of one step after the other that it is done, as it is read on the screen."""
    for step in steps:
        if crowd.over.is_set():
            return
        path = f"reports of {phone.path}"
        crowd.counted.reports.append(crowd.timed(path, lambda step=step: phone.do([step])))
        crowd.over.wait(REPORTS_EVERY)


class Crowd:
    """All of them at once, until it is over."""

    def __init__(self) -> None:
        self.counted, self.over = Counted(), threading.Event()

    def timed(self, path: str, ask: Callable[[], None]) -> float:
        """How long it took; an error is kept with its words."""
        begun = time.perf_counter()
        try:
            ask()
        except (requests.RequestException, AssertionError) as error:
            self.counted.errors.append(f"{path}: {error}")
        took = time.perf_counter() - begun
        self.counted.by_path.setdefault(path, []).append(took)
        return took


def memory(stack: Running) -> dict[str, int]:
    """MB of each process of the stack that is not shared with others, by part and number."""
    found = {}
    for part in status(stack.folder)["parts"]:
        for process in members_of(part["pid"]):
            told = Path("/proc", str(process.pid), "smaps_rollup")
            pss = re.search(r"^Pss: +(\d+)", told.read_text(), re.MULTILINE)
            assert pss
            found[f"{part['name']} {process.pid}"] = int(pss[1]) // 1024
    return found


def orders(stack: Running, phones: int) -> list[tuple[Server, Iterator[dict[str, Any]]]]:
    """An installation for each phone: its steps until the fabric has something to say."""
    made = []
    for number in range(phones):
        server = Server(stack)
        server.begin(kind="install", slots=str(100 + number))
        made.append((server, _said_by_hands(server.steps())))
    return made


def _said_by_hands(steps: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Steps of hands, in their order; what is said twice is the same report, and taken once."""
    hands = []
    for step in steps:
        if step["do"] in {"block", "release", "check"}:
            break
        hands.append(step)
    while True:
        yield from hands


def crowd_of(people: int, phones: int, seconds: float, stack: Running) -> tuple[Crowd, Any, Any]:
    """Let them all work for some time: what was counted, and memory when warm and at the end."""
    browsers = [Browser(stack) for _ in range(people)]
    paths = [
        [path for kind in kinds for path in (kind, *browsers[0].records(kind))]
        for kinds in (OURS, NAUTOBOTS)
    ]
    crowd = Crowd()
    work = [
        *((browse, (browser, paths, seed, crowd)) for seed, browser in enumerate(browsers)),
        *((report, (phone, steps, crowd)) for phone, steps in orders(stack, phones)),
    ]
    threads = [threading.Thread(target=do, args=args, daemon=True) for do, args in work]
    for thread in threads:
        thread.start()
    warm = min(WARM, seconds / 2)
    time.sleep(warm)
    before = memory(stack)
    time.sleep(seconds - warm)
    after = memory(stack)
    crowd.over.set()
    for thread in threads:
        thread.join(120)
    return crowd, before, after


def _line(name: str, took: Sequence[float]) -> str:
    if len(took) < 2:
        return f"{name:10} {len(took):6}"
    cuts = statistics.quantiles(took, n=100)
    return f"{name:10} {len(took):6} {cuts[49]:8.3f} {cuts[98]:8.3f} {max(took):8.3f}"


def failures(stack: Running, most: int = 5) -> list[str]:
    """The last errors that the web server wrote down, each with where it happened."""
    log = (stack.folder / "logs" / "web.log").read_text(errors="replace")
    return re.findall(r"^Traceback .*\n(?:[ \t].*\n|\n)*.*", log, re.MULTILINE)[-most:]


def told(crowd: Crowd, before: dict[str, int], after: dict[str, int]) -> str:
    """The figures as a table."""
    counted = crowd.counted
    lines = ["seconds      asked   median      99%     most"]
    lines += [_line("ours", counted.ours), _line("Nautobot's", counted.nautobots)]
    lines += [_line("reports", counted.reports), f"errors     {len(counted.errors):6}"]
    lines += counted.errors[:20]
    lines.append("MB, not shared: when warm, at the end")
    lines += [
        f"{before[name]:6} {after.get(name, 0):6}  {name}"
        for name in sorted(before, key=lambda name: -before[name])
        if before[name] > 20
    ]
    lines.append("the slowest in the mean")
    mean = {path: statistics.mean(took) for path, took in counted.by_path.items()}
    slowest = sorted(mean, key=lambda path: -mean[path])[:12]
    lines += [f"{mean[path]:8.3f}  {path}" for path in slowest]
    return "\n".join(lines)


def main() -> None:
    """Go to a stack that runs, or to one of their own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--phones", type=int, default=PHONES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    given = parser.parse_args()
    with _stack(given.state) as stack:
        crowd, before, after = crowd_of(given.people, given.phones, given.seconds, stack)
        print(told(crowd, before, after))  # noqa: T201
        if crowd.counted.errors:
            print(*failures(stack), sep="\n")  # noqa: T201


@contextmanager
def _stack(folder: Path | None) -> Iterator[Running]:
    if folder:
        yield Running(folder, status(folder)["address"], folder / "said")
        return
    with TemporaryDirectory(prefix="fabric-twin-people-") as name:
        Path(name).chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        with running(Path(name, "state")) as stack:
            yield stack


if __name__ == "__main__":
    main()
