"""The scripts of `make bench`, each run once and small: they print their tables whole."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def printed(script: str, *arguments: str) -> str:
    """What a script prints, with a `#` for every figure and no columns."""
    done = subprocess.run(
        [sys.executable, FOLDER / script, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures = re.sub(r"(?<![\w.+x-])-?\d[\d,.]*%?(?![\dx])", "#", done.stdout)
    return re.sub("(?m)^ | $", "", re.sub(" +", " ", figures))


def test_growth() -> None:
    assert printed("growth.py", "1", "2") == (
        "pods cables findings seconds ms a pod MB\n# # # # # #\n# # # # # #\n"
    )


def test_rounds() -> None:
    assert printed("rounds.py", "0") == (
        "| dark ports of # | rounds | lit ports not told |\n|---|---|---|\n| # | # | # |\n"
    )


def test_mix_is_a_trace() -> None:
    assert printed("mix.py", "2") == (
        "job,arrival_s,shape,twisted,duration_s\nj0,#,2x2x2,no,#\nj1,#,4x4x8,yes,#\n"
    )


def test_rfold_of_ours_alone() -> None:
    said = printed("outside/rfold.py", "--jobs", "260")
    assert said.splitlines()[1:] == [
        "scheduler utilisation mean wait s processor s",
        "fabric-twin replay --policy fifo # # #",
        "fabric-twin replay --policy backfill # # #",
        "load # at the end",
    ]


def test_utilisation() -> None:
    twelve = " #" * 12
    assert printed("utilisation.py", "220") == (
        f"""\
# jobs, backlog # load #, durations of # h
policy util gaps held drain 12x16x16 mean h long h big mean big long queue refused s
static, strict first-come{twelve}
static, first-fit{twelve}
strict first-come{twelve}
first-fit without backfill{twelve}
"""
        + f"backfill, patience # h{twelve}\n" * 5
        + f"backfill, # cube held back{twelve}\n"
        + (f"backfill, # h, seed #{twelve}\n" * 2 + f"backfill, # held back, seed #{twelve}\n") * 2
        + f"backfill, # h, backlog #{twelve}\nbackfill, # h, none of # cubes{twelve}\n"
    )


@pytest.fixture(scope="module")
def in_nautobot() -> dict[str, str]:
    """What each script says that needs Nautobot."""
    parts = printed("app/all_small.py").split("# Benchmark ")[1:]
    return dict(part.split("\n", 1) for part in parts)


@pytest.mark.integration
def test_loading(in_nautobot: dict[str, str]) -> None:
    assert in_nautobot["loading"] == (
        """\
# rows of an Ironwood pod: # s (budget # s)
loaded again, nothing to write: # s
read as columns: # s
racks # ms a row, # rows
cubes # ms a row, # rows
devices # ms a row, # rows
module bays # ms a row, # rows
modules # ms a row, # rows
interfaces # ms a row, # rows
ports # ms a row, # rows
cables # ms a row, # rows
validated_save(), scaled: # s, # times
"""
    )


@pytest.mark.integration
def test_tickets(in_nautobot: dict[str, str]) -> None:
    took = "# s # s of this process load #"
    ticket = f"""\
a draft: planned, # ports and # cubes reserved {took}
submitted, approved by another one, scheduled {took}
carried out: checked, switched, read back, qualified {took}
to be undone: # ports and # cubes reserved again {took}
undone {took}
the simulated fabric took # s of its own process
"""
    assert in_nautobot["tickets"] == f"the first:\n{ticket}another:\n{ticket}"


@pytest.mark.integration
def test_pages(in_nautobot: dict[str, str]) -> None:
    parts = in_nautobot["pages"].split("\n\n")
    loaded, all_pages, beside_all, of_one, beside_one, slices, budget = parts
    assert loaded == "iw3 loaded in # s\niw6 loaded in # s"
    for who, table in (("sees all", all_pages), ("sees one", of_one)):
        head, *rows = table.splitlines()[0], *table.splitlines()[3:]
        assert head == f"{who}, median of #; load # Seconds: all of it, its"
        kinds = [re.fullmatch(r"(?:# ){7}(floor|page|REST|GraphQL) .+", row) for row in rows]
        assert {kind[1] for kind in kinds if kind} == {"floor", "page", "REST"}
        assert all(kinds)
    for table in (beside_all, beside_one):
        head, *rows, kept = table.splitlines()
        assert head == "CPU all times Nautobot's own of that kind"
        assert rows
        assert all(re.fullmatch(r"# # (page|REST|GraphQL) .+ / .+", row) for row in rows)
        assert kept == "# of # within # times by processor time"
    assert slices == (
        """\
Slice of 8x8x8, # cubes and # circuits, median of # seconds
# tried and taken back
# made
# released
# made over REST
# released over REST"""
    )
    assert budget == "# of # within the budget of # s\n"


@pytest.mark.integration
def test_auditing(in_nautobot: dict[str, str]) -> None:
    head = "all least read CPU PG fabric | ask observe records fingerp diagnos keep store else"
    with_peer, without, parts = "# # # # # # |", "# # # # # |", "# # # # # # # #"
    table, _, slow = in_nautobot["auditing"].rpartition("\n\n")
    assert slow.startswith("over the budget of # s, # s when nothing changed: ")
    assert table == (
        f"""\
{head} seconds, medians of #; load #
{with_peer} {parts} the first: # serials and # circuits
{with_peer} {parts} nothing changed
{without} {parts} light alone, nothing changed
{without} {parts} one switch
{without} {parts} twenty touched ports
{with_peer} {parts} fibres broken
{with_peer} {parts} the same still broken
{with_peer} {parts} and mended

pods workers seconds s a pod (workers started, then called)
# # # #"""
    )
