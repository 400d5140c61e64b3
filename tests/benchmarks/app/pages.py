"""Pages, lists over REST and GraphQL with ten Ironwood pods loaded, at the server.

A page is asked for as a browser does: first the page, then what the page loads by itself (the rows
of a list, tabs that come later, elevations). Pages of Nautobot's own records that are of no pod are
timed in the same run, and each of ours is held against one of its kind. Run by `make bench`.

    python tests/benchmarks/app/pages.py                        all of it, in a database made for it
    python tests/benchmarks/app/pages.py --keep FOLDER          in one that is kept and used again
    python tests/benchmarks/app/pages.py --only port --profile  where the time goes
    python tests/benchmarks/app/pages.py --small                only show that it works
"""

import argparse
import cProfile
import html
import json
import logging
import os
import pstats
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from days_work import add_a_days_work
from empty_nautobot import nautobot_on_an_empty_database, seconds
from sizes import SMALL, WHOLE, Size
from ten_pods import POD, load_pods
from what_is_asked import wanted

BUDGET = 0.4
#: Times what a page of Nautobot's own of that kind takes.
RATIO = 1.5
#: What a browser asks for as soon as it has the page.
ON_LOAD = re.compile(r'<\w+\b[^>]*?hx-get="(?P<url>[^"]*)"[^>]*>', re.DOTALL)
VALUES = re.compile(r"hx-vals='(.*?)'", re.DOTALL)
OBJECT = re.compile(r'<object\b[^>]*?data="([^"]*)"', re.DOTALL)


@dataclass
class Timed:
    """What one kind of request took, in seconds; a page has the requests it makes by itself."""

    kind: str
    name: str
    path: str
    #: The one of Nautobot's own that it is held against; "" where there is none of its kind.
    peer: str = ""
    #: Of each round: from asking to the last answer, and the same of the slowest answer alone.
    walls: list[float] = field(default_factory=list)
    slowest: list[float] = field(default_factory=list)
    #: Time of the processor, which others who want it change less: Nautobot's, PostgreSQL's.
    cpus: list[float] = field(default_factory=list)
    of_postgres: list[float] = field(default_factory=list)
    requests: int = 1
    queries: int = 0
    size: int = 0

    @property
    def wall(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.walls)

    @property
    def processor(self) -> float:
        """Processor time, Nautobot's and PostgreSQL's."""
        return statistics.median(self.cpus) + statistics.mean(self.of_postgres)

    def row(self) -> str:
        """The figures in a line."""
        return (
            f"{self.wall:7.3f} {statistics.median(self.slowest):7.3f} "
            f"{statistics.median(self.cpus):7.3f} {statistics.mean(self.of_postgres):7.3f} "
            f"{self.queries:5} {self.requests:3} {self.size / 1024:7.0f}  {self.kind:8} {self.name}"
        )


class Asker:
    """Somebody who is logged in, and asks as a browser or a program does."""

    def __init__(self, user: Any) -> None:
        from django.test import Client

        self.user = user
        self.client = Client()
        self.client.force_login(user)

    def page(self, path: str) -> list[tuple[float, int]]:
        """A page and all that it loads by itself: seconds and bytes of each answer."""
        first, text = self.get(path)
        answers = [first]
        for part, headers in _parts(path, text):
            answer, _ = self.get(part, **headers)
            answers.append(answer)
        return answers

    def get(self, path: str, **headers: str) -> tuple[tuple[float, int], str]:
        """One answer, which has to be one."""
        begun = time.perf_counter()
        response = self.client.get(path, headers=headers)
        body = response.getvalue()
        took = time.perf_counter() - begun
        if response.status_code == 403:
            raise PermissionError(path)
        if response.status_code != 200:
            sys.exit(f"{path}: {response.status_code} {body[:300]!r}")
        return (took, len(body)), body.decode()

    def one(self, path: str) -> list[tuple[float, int]]:
        """One answer over REST."""
        return [self.get(path)[0]]

    def graphql(self, query: str) -> list[tuple[float, int]]:
        """One answer over GraphQL."""
        begun = time.perf_counter()
        response = self.client.post(
            "/api/graphql/", json.dumps({"query": query}), content_type="application/json"
        )
        took = time.perf_counter() - begun
        if response.status_code != 200 or "errors" in response.json():
            sys.exit(f"{query}: {response.status_code} {response.content[:300]!r}")
        return [(took, len(response.content))]


def _parts(path: str, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """What a page asks for when it is there."""
    for tag in ON_LOAD.finditer(text):
        if 'hx-trigger="load' not in tag[0]:
            continue
        url = html.unescape(tag["url"]) or path
        if values := VALUES.search(tag[0]):
            url += ("&" if "?" in url else "?") + urlencode(json.loads(values[1]))
        yield url, {"HX-Request": "true"}
    for found in OBJECT.finditer(text):
        yield html.unescape(found[1]), {}


def measure(size: Size, who: str, rounds: int, only: str, *, profile: bool) -> list[Timed]:
    """Time everything as a user sees it, and print it, the slowest first."""
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    asker = Asker(get_user_model().objects.get(username=who))
    timed = []
    every = list(wanted())
    chosen = [one for one in every[:: size.every] if only in f"{one[0]} {one[1]}"]
    peers = {one[3] for one in chosen}
    for kind, name, path, peer in (
        one for one in every if one in chosen or (one[0] == "floor" and one[1] in peers)
    ):
        one = Timed(kind, name, path, peer)
        ask: Callable[[str], list[tuple[float, int]]] = asker.page
        if path.startswith("{"):
            ask = asker.graphql
        elif path.startswith("/api/"):
            ask = asker.one
        try:
            if size.warm:
                ask(path)  # what Nautobot remembers is remembered
            with CaptureQueriesContext(connection) as queries:
                answers = ask(path)
        except PermissionError:
            print(f"{who} may not: {name}")
            continue
        one.queries, one.requests = len(queries), len(answers)
        one.size = sum(size for _, size in answers)
        if profile:
            print(f"\n{name}: {path}")
            for query in sorted(queries.captured_queries, key=lambda q: -float(q["time"]))[:3]:
                print(f"  {query['time']} s: {query['sql'][:1500]}")
            profiler = cProfile.Profile()
            profiler.runcall(ask, path)
            pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
        for _ in range(rounds):
            begun, of_postgres = time.process_time(), postgres_seconds()
            answers = ask(path)
            one.cpus.append(time.process_time() - begun)
            one.of_postgres.append(postgres_seconds() - of_postgres)
            one.walls.append(sum(took for took, _ in answers))
            one.slowest.append(max(took for took, _ in answers))
        timed.append(one)
        print(one.row(), file=sys.stderr, flush=True)
    print(f"\n{who}, median of {rounds}; load {os.getloadavg()[0]:.1f}. Seconds: all of it, its")
    print("slowest answer, processor time of Nautobot and of PostgreSQL (mean)")
    print("    all slowest     CPU PG CPU   sql ask     KiB  what")
    for one in sorted(timed, key=lambda one: -one.wall):
        print(one.row())
    print_ratios(timed)
    return timed


def print_ratios(timed: list[Timed]) -> None:
    """Each against Nautobot's own of its kind: by processor time, and from asking to the answer."""
    own = {one.name: one for one in timed if one.kind == "floor"}
    held = [(one, own[one.peer]) for one in timed if one.peer in own]
    rows = [(one.processor / peer.processor, one.wall / peer.wall, one, peer) for one, peer in held]
    print("\n    CPU     all  times Nautobot's own of that kind")
    for of_cpu, of_wall, one, peer in sorted(rows, key=lambda row: -row[0]):
        print(f"{of_cpu:7.2f} {of_wall:7.2f}  {one.kind:8} {one.name} / {peer.name}")
    kept = sum(of_cpu <= RATIO for of_cpu, *_ in rows)
    print(f"{kept} of {len(rows)} within {RATIO} times by processor time")


def postgres_seconds() -> float:
    """Processor time so far of whoever answers our queries, helpers that have ended included."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid(), current_setting('data_directory')")
        pid, folder = cursor.fetchone()
    server = Path(folder, "postmaster.pid").read_text().split()[0]
    ticks = 0
    for process, first in ((pid, 11), (server, 13)):  # its own; that of its children
        facts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(facts[first]) + int(facts[first + 1])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure_slices(size: Size, rounds: int) -> None:
    """The largest slice, made and released by the repository and over REST."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from fabric_twin.models import Pod, Slice
    from fabric_twin.operations.orders.lifecycle import withdraw_order
    from fabric_twin.operations.slices.make import Wish, make_slice
    from fabric_twin.operations.slices.release import release_slice

    user = get_user_model().objects.get(username="sees all")
    pod = Pod.objects.get(name=POD)
    client = Client()
    client.force_login(user)
    withdraw_order(pod.work_orders.get(), user, "the slice is measured")
    release_slice(pod.slices.get(), user)
    taken: dict[str, list[float]] = {}

    def time_it(what: str, work: Callable[[], Any]) -> Any:
        found: list[Any] = []
        taken.setdefault(what, []).append(seconds(lambda: found.append(work())))
        return found[0]

    rest = "/api/plugins/fabric-twin/slices/"
    wish = Wish(shape=size.largest, name="train-3-0")
    for _ in range(rounds):
        dry = time_it("tried and taken back", lambda: make_slice(pod, wish, user, keep=False))
        made = time_it("made", lambda: make_slice(pod, wish, user))[0]
        assert len(dry[1].circuits) == size.circuits
        time_it("released", lambda made=made: release_slice(made, user))
        facts = {"pod": str(pod.pk), "shape": size.largest, "name": "train-3-0"}
        answer = time_it(
            "made over REST",
            lambda facts=facts: client.post(rest, facts, content_type="application/json"),
        )
        assert answer.status_code == 201, answer.content
        path = f"{rest}{answer.json()['id']}/release/"
        time_it(
            "released over REST",
            lambda path=path: client.post(path, content_type="application/json"),
        )
    assert not Slice.objects.filter(pod=pod).exists()
    make_slice(pod, wish, user)
    print(
        f"\nSlice of {size.largest}, {size.slots} cubes and {size.circuits:,} circuits, "
        f"median of {rounds}, seconds"
    )
    for what, times in taken.items():
        print(f"{statistics.median(times):7.3f}  {what}")


def run(size: Size, wish: argparse.Namespace) -> None:
    """Load what is not there, then time what users ask for."""
    from django.conf import settings

    from fabric_twin.models import Pod

    logging.disable(logging.WARNING)
    settings.ALLOWED_HOSTS.append("testserver")
    if not Pod.objects.filter(name=POD).exists():
        load_pods(size)
    if not Pod.objects.get(name=POD).tickets.exists():
        add_a_days_work(POD, size)
    timed = [
        one
        for who in ([wish.who] if wish.who else ["sees all", "sees one"])
        for one in measure(size, who, wish.rounds, wish.only, profile=wish.profile)
    ]
    if not wish.only:
        measure_slices(size, wish.rounds)
    slow = [one for one in timed if one.wall > BUDGET]
    print(f"\n{len(timed) - len(slow)} of {len(timed)} within the budget of {BUDGET} s")


def wishes(arguments: list[str] | None = None) -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="a folder for the database, used again")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="what has this in its name")
    parser.add_argument("--who", choices=("sees all", "sees one"))
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--small", action="store_true", help="only show that it works")
    return parser.parse_args(arguments)


def main() -> None:
    """Time pages, on a database made for it or on one that was kept."""
    wish = wishes()
    with nautobot_on_an_empty_database(wish.keep):
        run(SMALL if wish.small else WHOLE, wish)


if __name__ == "__main__":
    main()
