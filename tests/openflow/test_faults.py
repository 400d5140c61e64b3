"""What may happen to a change on its way: it is told as read back, and sent again it ends right."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core.errors import NoAnswer, NotAsAsked, NotPossible
from fabric_twin.core.identity import Known
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.openflow.switch import OpenFlowSwitch
from fabric_twin.switches.openflow.table import Difference, Flow
from tests.openflow.cluster_on_ovs import LAYER, OF, ROW_1, Cluster, groups
from tests.openflow.conftest import SWITCHES
from tests.openflow.open_vswitch import OpenVSwitch
from tests.openflow.relay import Relay
from tests.upstream.certificates import own_certificate

pytestmark = pytest.mark.integration

QUICK = Patience(request=2, tries=2, pause=0.01)
ADD = Difference(add=(Flow(2, 3), Flow(4, 1)))


@contextmanager
def driver(
    address: str, access: Access | None = None, patience: Patience = QUICK
) -> Iterator[OpenFlowSwitch]:
    """A conversation with the first switch."""
    target = Target(ROW_1, address, known=Known(ROW_1, SWITCHES[ROW_1].rjust(16, "0")))
    with closing(OpenFlowSwitch(target, access or Access(insecure=True), patience)) as switch:
        yield switch


@pytest.fixture
def switch(open_vswitch: OpenVSwitch) -> str:
    return open_vswitch.add(ROW_1, SWITCHES[ROW_1].rjust(16, "0"), ports=8)


@pytest.mark.parametrize(
    ("fate", "why"),
    [
        ("refuse", "it refuses: OFPFMFC_TABLE_FULL"),
        ("late", "the switch did not answer (timed out)"),
    ],
)
def test_what_does_not_get_through_is_told_and_sent_again(
    switch: str, open_vswitch: OpenVSwitch, fate: str, why: str
) -> None:
    with Relay(switch, lambda number: fate if number == 2 else "pass") as relay:
        with driver(relay.address) as speaking:
            done = speaking.apply(ADD)
            assert done.table.entries.keys() == {Flow(2, 3)}
            assert done.why == {Flow(4, 1): why}
        relay.let_go.set()
        with driver(relay.address) as speaking:
            again = speaking.apply(ADD)
            assert (set(again.table.entries), again.why) == ({*ADD.add}, {})
    assert sorted(open_vswitch.goes([ROW_1], 8)) == [(ROW_1, 2, 3), (ROW_1, 4, 1)]


def test_an_address_that_is_no_name_of_a_host_is_refused_in_words() -> None:
    _, certificate = own_certificate()
    with (
        driver("a..b:6653", Access(trusted=certificate)) as speaking,
        pytest.raises(NotPossible, match="is no name of a host"),
    ):
        speaking.read()


def test_what_is_lost_without_a_word_is_seen_when_it_is_read_back(switch: str) -> None:
    with (
        Relay(switch, lambda number: "lose" if number == 1 else "pass") as relay,
        driver(relay.address) as speaking,
    ):
        done = speaking.apply(ADD)
        assert done.table.entries.keys() == {Flow(4, 1)}
        assert done.why == {Flow(2, 3): "the switch acknowledged it, and does not show it"}
        rows = done.table.rows
        relay.fate = lambda _: "lose"
        kept = speaking.apply(Difference(remove=rows))
        assert kept.why == {rows[0]: "the switch acknowledged it, and does not show it"}
        relay.fate = lambda _: "pass"
        assert speaking.apply(Difference(remove=rows)).table.rows == ()


def test_nothing_is_added_anywhere_where_something_is_not_removed(
    run: Any, cluster: OpenVSwitch, targets: Callable[..., str], tmp_path: Path
) -> None:
    with Relay(cluster.addresses[ROW_1]) as relay:
        at = targets(cluster.addresses | {ROW_1: relay.address})
        pg1 = Cluster(run, cluster, at, tmp_path / "now.json")
        pg1.change("ask", "--job", "a", "--sequence", "8", *LAYER)
        assert pg1.send().exit_code == 0
        pg1.change("release", "--job", "a")
        pg1.change("ask", "--job", "b", "--sequence", "8", *LAYER, "--groups", "r02c01,r02c02")
        relay.fate = lambda _: "refuse"
        sent = pg1.send()
        assert sent.exit_code == 1
        assert sent.stdout.endswith(
            "Not done: 4 changes. Correct the cause and send again.\n"
            "  remove 2->3 from pg1-row-01-1-1: it refuses: OFPFMFC_TABLE_FULL\n"
            "  remove 4->1 from pg1-row-01-1-1: it was not sent, because of what was refused "
            "before\n"
            "  add 2->3 on pg1-row-02-1-1: it was not sent, because not all was removed that "
            "should be\n"
            "  add 4->1 on pg1-row-02-1-1: it was not sent, because not all was removed that "
            "should be\n"
        )
        assert pg1.rings() == [groups(1, 1, 2)]
        relay.fate = lambda _: "pass"
        assert pg1.send().exit_code == 0
        assert pg1.rings() == [groups(2, 1, 2)]


def test_of_a_switch_that_no_longer_answers_nobody_knows_what_came_of_it(
    run: Any, cluster: OpenVSwitch, targets: Callable[..., str], tmp_path: Path
) -> None:
    with Relay(cluster.addresses[ROW_1]) as relay:
        at = targets(cluster.addresses | {ROW_1: relay.address})
        pg1 = Cluster(run, cluster, at, tmp_path / "now.json")
        pg1.change("ask", "--job", "a", "--sequence", "8", *LAYER)

        def is_lost(_: int) -> str:
            relay.take_no_more()
            return "late"

        relay.fate = is_lost
        sent = pg1.send()
        assert sent.exit_code == 3
        why = "nobody knows: it did not answer (connection refused)"
        assert sent.stdout.endswith(
            "Not done: 2 changes. Correct the cause and send again.\n"
            f"  add 2->3 on pg1-row-01-1-1: {why}\n"
            f"  add 4->1 on pg1-row-01-1-1: {why}\n"
        )


@pytest.mark.parametrize("moment", range(1, 5))
def test_who_is_killed_in_the_middle_and_runs_again_ends_the_same(
    run: Any, cluster: OpenVSwitch, targets: Callable[..., str], tmp_path: Path, moment: int
) -> None:
    with Relay(cluster.addresses[ROW_1]) as relay:
        at = targets(cluster.addresses | {ROW_1: relay.address})
        state = tmp_path / "now.json"
        pg1 = Cluster(run, cluster, at, state)
        pg1.change("ask", "--job", "a", "--sequence", "8", *LAYER)
        assert pg1.send().exit_code == 0
        pg1.change("fail", "--group", "r01c02")

        program = Path(sys.executable).with_name("fabric-twin")
        options = ("--state", str(state), "--targets", at, "--insecure")
        killed = subprocess.Popen([program, "rings", "send", *OF, *options])
        before = 2

        def kill(number: int) -> str:
            if number == before + moment:
                killed.kill()
                killed.wait(30)
            return "pass"

        relay.fate = kill
        assert killed.wait(60) == -signal.SIGKILL
        assert pg1.send().exit_code == 0
        assert pg1.rings() == [groups(1, 1, 3)]
        assert len(cluster.flows(ROW_1)) == 2


def test_over_tls_both_sides_show_a_certificate(open_vswitch: OpenVSwitch) -> None:
    key, certificate = own_certificate()
    open_vswitch.trust(key, certificate)
    datapath = SWITCHES[ROW_1].rjust(16, "0")
    address = open_vswitch.add(ROW_1, datapath, ports=8, listen="pssl")
    shown = Access(trusted=certificate, certificate=certificate, key=key)
    patience = Patience(tries=2, pause=0.01)
    with driver(address, shown, patience) as speaking:
        assert set(speaking.apply(ADD).table.entries) == {*ADD.add}
    other_key, other = own_certificate()
    # What it says of our certificate may be lost where it hangs up at once.
    for access in (
        Access(trusted=certificate),
        Access(trusted=certificate, certificate=other, key=other_key),
    ):
        with driver(address, access, patience) as speaking, pytest.raises(NoAnswer):
            speaking.read()
    stranger = Access(trusted=other)
    with driver(address, stranger, patience) as speaking, pytest.raises(NotAsAsked) as refusal:
        speaking.read()
    assert refusal.value.what == "the TLS handshake failed (certificate verify failed)"
    with driver(address) as speaking, pytest.raises(NoAnswer):
        speaking.read()
