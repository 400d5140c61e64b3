"""A cluster tells its cables: what is discovered is the plant that this test keeps by itself.

The plant is written cable by cable (`by_hand.py`), and changed here as hands change it.
"""

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core.groups import by_hand
from tests.core.groups.examples import EXAMPLES, example

# One worker: the simulator is shared by the tests of the module.
pytestmark = pytest.mark.integration

PROGRAM = Path(sys.executable).with_name("fabric-twin")
OF = ("--design", str(EXAMPLES / "cross-links.yaml"), "--pod", "pg1")
ALL = by_hand.cables("pg1", side=4, lanes=3, rows=4, columns=4, joined="b", cross=True)
ONE, OTHER, OUT = "pg1-r01c01:1.4/E1", "pg1-r01c02:1.4/E1", "pg1-row-02-1-2:49"
DEAD = "pg1-col-03-2-1"
A, B = ("pg1-r01c01", "1.4/E1"), ("pg1-r01c02", "1.4/E1")
AT_2, AT_4 = ("pg1-row-01-1-1", "2"), ("pg1-row-01-1-1", "4")

Ends = frozenset[tuple[str, str]]


@pytest.fixture(scope="module")
def cluster(begin_simulator: Callable[..., Any]) -> Any:
    return begin_simulator(example("cross-links"), *OF)


@pytest.fixture(autouse=True)
def mended(cluster: Any) -> Any:
    yield
    for fault in cluster.control("/faults")["faults"]:
        cluster.control("/mend", number=fault["number"])


@pytest.fixture
def discover(cluster: Any, tmp_path: Path) -> Callable[..., tuple[int, str, Path]]:
    """Discover the cluster; how it ended, what it said, and the sheet."""

    def go(*where: str) -> tuple[int, str, Path]:
        sheet = tmp_path / "seen.csv"
        where = where or ("--target", cluster.said["gnmi"])
        command = [PROGRAM, "discover", *OF, *where, "--insecure", "-o", sheet]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, sheet

    return go


def whole(sheet: Path) -> set[Ends]:
    """The cables of a sheet of which both ends are known."""
    with sheet.open() as lines:
        rows = list(csv.DictReader(lines))
    return {
        frozenset({(row["a_device"], row["a_port"]), (row["b_device"], row["b_port"])})
        for row in rows
        if row["b_device"]
    }


def test_what_is_discovered_is_what_is_plugged_in_and_the_audit_names_each_cause(
    cluster: Any, discover: Callable[..., tuple[int, str, Path]], run: Callable[..., Any]
) -> None:
    assert discover()[:2] == (
        0,
        "Cluster pg1 (cross-links): 2,208 cables looked at.\n"
        "   2,208  between ports that hear each other\n",
    )
    cluster.control("/faults", kind="swapped", cable=ONE, other=OTHER)
    cluster.control("/faults", kind="missing", cable=OUT)
    cluster.control("/faults", kind="cube-down", device=DEAD)
    code, said, sheet = discover()
    assert (code, said) == (
        3,
        "Cluster pg1 (cross-links): 2,208 cables looked at.\n"
        "   2,183  between ports that hear each other\n"
        "      11  at a port that hears nobody\n"
        "      14  of empty cages, or of devices that did not answer\n"
        f"{DEAD} did not answer: it did not answer ({DEAD} does not answer)\n",
    )
    out = frozenset({("pg1-row-02-1-2", "49"), ("pg1-row-t1-1-2-1", "3")})
    tells = {ends for ends in ALL if all(device != DEAD for device, _ in ends)}
    exchanged = {frozenset({A, AT_2}), frozenset({B, AT_4})}
    assert exchanged | {out} < tells
    tells -= exchanged | {out}
    assert whole(sheet) == tells | {frozenset({A, AT_4}), frozenset({B, AT_2})}
    told = json.loads(run("audit", str(sheet), *OF, "--json").stdout)
    assert [(finding["code"], finding["cause"]) for finding in told["findings"]] == [
        (
            "dark",
            f"The 24 cables of switch {DEAD} are recorded without far ends, as if it had no power",
        ),
        ("swapped", f"{ONE} and {OTHER} are exchanged, at pg1-row-01-1-1 ports 2 and 4"),
        (
            "dark",
            f"{OUT} is recorded without a far end, and belongs on pg1-row-t1-1-2-1 port 3",
        ),
    ]


def test_one_end_is_enough_where_groups_do_not_answer(
    cluster: Any, discover: Callable[..., tuple[int, str, Path]], tmp_path: Path
) -> None:
    rows = [f"{name},{cluster.said['gnmi']},{name},\n" for name in cluster.names.switches]
    (tmp_path / "switches.csv").write_text("device,address,target,driver\n" + "".join(rows))
    code, said, sheet = discover("--targets", str(tmp_path / "switches.csv"))
    assert (code, said.count("\n"), whole(sheet)) == (0, 2, ALL)


def test_a_dead_group_is_named_and_its_cables_are_known_from_nobody(
    cluster: Any, discover: Callable[..., tuple[int, str, Path]], run: Callable[..., Any]
) -> None:
    cluster.control("/faults", kind="cube-down", device="pg1-r02c03")
    code, said, sheet = discover()
    assert (code, said.splitlines()[-1].split(":")[0]) == (3, "pg1-r02c03 did not answer")
    assert whole(sheet) == {e for e in ALL if all(device != "pg1-r02c03" for device, _ in e)}
    [finding] = json.loads(run("audit", str(sheet), *OF, "--json").stdout)["findings"]
    assert finding["cause"] == (
        "The 48 cables of group r02c03 are recorded without far ends, as if it had no power"
    )


def test_ends_that_contradict_each_other_are_told_and_not_believed(
    cluster: Any, discover: Callable[..., tuple[int, str, Path]]
) -> None:
    cluster.control("/faults", kind="stale", device="pg1-r01c01")
    assert discover()[0] == 0
    cluster.control("/faults", kind="swapped", cable=ONE, other=OTHER)
    code, said, sheet = discover()
    assert (code, said) == (
        1,
        "Cluster pg1 (cross-links): 2,208 cables looked at.\n"
        "   2,206  between ports that hear each other\n"
        "       2  seen where they cannot be\n"
        "port 1.4/E1 of pg1-r01c01 hears port 2 of pg1-row-01-1-1, "
        "which hears port 1.4/E1 of pg1-r01c02.\n"
        "port 4 of pg1-row-01-1-1 hears port 1.4/E1 of pg1-r01c01, "
        "which hears port 2 of pg1-row-01-1-1.\n",
    )
    assert whole(sheet) == ALL - {frozenset({A, AT_2}), frozenset({B, AT_4})}


def test_a_cluster_of_which_nothing_answers_is_refused(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    sheet = tmp_path / "seen.csv"
    refused = run("discover", *OF, "--target", "127.0.0.1:1", "--insecure", "-o", str(sheet))
    assert (refused.exit_code, sheet.exists()) == (3, False)
    assert "279 more did not answer" in refused.stderr
