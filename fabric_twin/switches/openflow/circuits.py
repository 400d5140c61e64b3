"""A driver of packet switches, as tickets and audits use one: a flow entry is a circuit.

An entry `2->5` is the circuit 2A to 5B: what comes in at port 2 goes out at port 5. Rows of ours
that are no entries are no circuits, and stay as they are.
"""

import math
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabric_twin.core.errors import NotPossible
from fabric_twin.switches.changes import Applied, Change, CircuitReport, Hold, Outcome
from fabric_twin.switches.driver import Access, Capabilities, Patience, Target
from fabric_twin.switches.openflow.switch import OpenFlowSwitch
from fabric_twin.switches.openflow.table import Flow, Row, Sent, Table, check_ports
from fabric_twin.switches.states import CircuitState, Pair, PortState, PortStatus, SwitchState
from fabric_twin.switches.verdicts import Trial

_FORWARDS = CircuitState(PortStatus.TUNED, PortStatus.TUNED)
_PAIR = re.compile(r"([1-9][0-9]{0,9})A ([1-9][0-9]{0,9})B", re.ASCII)


class OpenFlowCircuits:
    """A conversation with one packet switch, whose datapath id is the serial that is known."""

    def __init__(self, target: Target, access: Access, patience: Patience) -> None:
        self.target = target
        self._switch = OpenFlowSwitch(target, access, patience)

    def capabilities(self) -> Capabilities:
        """That it speaks OpenFlow, once it has answered."""
        self._switch.read()
        return Capabilities("OpenFlow 1.3", {}, ())

    def read(self) -> SwitchState:
        """Read its ports and our entries."""
        return self._state(self._switch.read())

    def apply(self, change: Change, *, until: float = math.inf) -> Applied:
        """Remove entries and then add entries, one after the other; read back what came of it."""
        table = self._switch.read()
        before = self._state(table)
        trial = Trial.of(self.target.name, change, before)
        if not trial.open:
            return trial.verdict(before)
        if why := trial.conflict(before):
            return trial.refused(why, before)
        entries = {_pair(flow): row for flow, row in table.entries.items()}
        try:
            add = {_flow(self.target.name, pair): pair for pair in trial.add}
            check_ports(self.target.name, table, add)
        except NotPossible as refusal:
            return trial.refused(refusal.what, before)
        # An entry that is there and meets another one on its way out is not added again.
        remove = [entries[pair] for pair in trial.delete]
        new = sorted(add.keys() - table.entries.keys())
        sent = self._switch.send(remove, new, until=until)
        done = trial.watch(self._look())
        return replace(done, circuits=tuple(_said(sent, done.circuits)))

    def hold(self, _hold: Hold, *, until: float = math.inf) -> SwitchState:  # noqa: ARG002  # as all
        """Refused: it has no mirrors that could keep a port dark."""
        raise self._has_not("ports that can be blocked", "Take the switch out of service")

    def watch(self) -> Iterator[SwitchState]:
        """Refused: it is read when it is asked."""
        raise self._has_not("news of its flow entries", "Audit its cluster")

    def close(self) -> None:
        """Hang up."""
        self._switch.close()

    def _look(self) -> Iterator[SwitchState]:
        yield self.read()

    def _has_not(self, what: str, remedy: str) -> NotPossible:
        return NotPossible(f"a packet switch has no {what}", where=self.target.name, remedy=remedy)

    def _state(self, table: Table) -> SwitchState:
        pairs = [_pair(flow) for flow in table.entries]
        ends = {end: other for a, b in pairs for end, other in ((a, b), (b, a))}
        idle, used = PortStatus.BLOCKED, PortStatus.TUNED
        ports = {
            name: PortState(used if name in ends else idle, ends.get(name, ""), label=label)
            for number, label in table.ports.items()
            for name in (f"{number}A", f"{number}B")
        }
        carried = dict.fromkeys(pairs, _FORWARDS)
        return SwitchState(self.target.name, ports, frozenset(pairs), carried, told_at=time.time())


def _pair(flow: Flow) -> Pair:
    return f"{flow.into}A", f"{flow.out}B"


def _flow(switch: str, pair: Pair) -> Flow:
    found = _PAIR.fullmatch(" ".join(pair))
    if not found:
        raise NotPossible(
            f"{' to '.join(pair)} is no flow entry",
            where=switch,
            remedy="Name the port where it comes in like 2A, and the one where it goes out like 5B",
        )
    return Flow(int(found[1]), int(found[2]))


def _said(sent: Sent, reports: Iterable[CircuitReport]) -> Iterator[CircuitReport]:
    """What came of circuits; of what is not done, what the switch said."""
    said = {}
    for what, why in sent.why.items():
        outcome = Outcome.NOT_DONE
        if what == sent.refused:
            outcome = Outcome.REFUSED
        elif what == sent.unknown:
            outcome = Outcome.NOT_KNOWN
        if flow := what.flow if isinstance(what, Row) else what:
            said[_pair(flow), isinstance(what, Flow)] = outcome, why
    for report in reports:
        if report.outcome is Outcome.NOT_DONE and (told := said.get((report.pair, report.wanted))):
            yield report._replace(outcome=told[0], why=told[1])
        else:
            yield report
