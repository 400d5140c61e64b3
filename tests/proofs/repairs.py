"""The same month twice: repaired finding by finding, and by work orders.

    .venv/bin/python -m tests.proofs.repairs --seeds 1

Finding by finding someone goes as soon as somebody comes, does what the remedy says, and leaves;
what went wrong the next audit finds. An order goes out at set hours, takes along all that is open
by then rack by rack, switches first, and asks light before the crew leaves.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from math import inf
from statistics import mean, median

from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.floor import default_floor
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.planning.repairing import repair
from fabric_twin.core.orders.steps import MANUAL, Do, Step

from .ledger import Entry
from .month import HOUR, Month

#: A pod in which much goes wrong: cubes in a row, with free slots between them, and how often
#: what is published for a day happens.
SLOTS = tuple(slot for slot in range(1, 25) if slot % 3)
TIMES = 40.0
#: Hours from one order to the next; how often a crew tries what light still refuses.
EVERY, TRIES = 48, 3
AGAIN = "findings done again before the crew left"
PARTS = "parts put in"


@dataclass(eq=False)
class Repairs(Month):
    """A month whose hands are counted, finding by finding."""

    cost: Counter[str] = field(default_factory=Counter)
    deferred: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Know where racks stand."""
        super().__post_init__()
        self.floor = default_floor(self.bench.intended.names)

    def order(self, entries: list[Entry], *, by_finding: bool) -> WorkOrder:
        """The order for some findings, counted."""
        intended, recorded = self.bench.intended, self.bench.recorded
        order = repair(
            intended,
            [Found.of(entry.finding) for entry in entries],
            self.floor,
            Plugs.recorded(recorded, intended.names),
            by_finding=by_finding,
            # Who goes to one finding after the other does what its remedy says, and leaves.
            by_rungs=not by_finding,
        )
        self.deferred += [f"deferred: {left.why}" for left in order.deferred]
        taken = measure(order)
        self.cost["orders"] += 1
        self.cost["rack visits"] += taken.visits
        self.cost["hands-on steps"] += taken.hands
        self.cost["metres"] += round(taken.metres)
        self.cost[PARTS] += sum(s.do == Do.REPLACE and not s.rung for s in order.steps)
        return order

    def _visit(self, entry: Entry) -> None:
        self.order([entry], by_finding=True)
        super()._visit(entry)

    @property
    def left_open(self) -> list[str]:
        """What hands left undone; how findings are worded is for the month itself to judge."""
        undone = ("never closed", "a technician's mistake")
        return [told for told in self.failures if told.startswith(undone)] + self.deferred

    @property
    def hours(self) -> list[float]:
        """From each fault to when it was gone."""
        gone = [life for life in self.lives.values() if life.gone is not None and life.found]
        return [(life.gone - life.fault.since) / HOUR for life in gone if life.gone]


@dataclass(eq=False)
class ByOrders(Repairs):
    """The same month, repaired by orders."""

    every: int = EVERY

    def _tick(self, tick: int, *, whole: bool = False) -> None:
        """A crew goes out at its hour; nobody goes to a finding alone."""
        for entry in self.ledger.open:
            entry.due = inf
        super()._tick(tick, whole=whole)
        for entry in self.ledger.open:
            entry.due = inf
        if tick and tick % (6 * self.every) == 0:
            self._go_out()

    def _go_out(self) -> None:
        """Do all that is open, rack by rack; what light refuses is done again there and then.

        What is found meanwhile waits for the next order.
        """
        left = self.ledger.open
        for _ in range(TRIES):
            left = [entry for entry in left if entry.closed is None]
            if not left:
                return
            order = self.order(left, by_finding=False)
            entries = {entry.finding.id: entry for entry in left}
            for entry in left:
                if entry.finding.id not in order.by_bundle:
                    self._settle(entry)  # nothing for hands
            for visit in order.visits():
                self._carry_out([step for step in visit if not step.rung])
                mended = [entries[s.bundle] for s in visit if s.do == Do.CHECK]
                for entry in mended:
                    self._settle(entry)
                climbed: Counter[str] = Counter()
                for _ in range(TRIES):
                    if not (ids := self._still(mended)):
                        break
                    climbed.update(ids)
                    again = [s for s in visit if s.rung == _rung(visit, s.finding, climbed)]
                    self.cost["hands-on steps"] += sum(step.do in MANUAL for step in again)
                    self.cost[AGAIN] += len(ids)
                    self.cost[PARTS] += sum(step.do == Do.REPLACE for step in again)
                    self._carry_out(again)
            self._follow()
            self.audit(whole=True)

    def _settle(self, entry: Entry) -> None:
        """Others than hands do their part."""
        remedy = entry.finding.remedy
        for step in remedy:
            if step.do == "correct-record":
                self._correct(step.as_json())
        if any(step.do in ("connect", "disconnect") for step in remedy):
            self.bench.apply(self.bench.wanted.circuits)
        entry.visits += 1
        self.counts["visits"] += 1

    def _still(self, entries: list[Entry]) -> set[str]:
        """Which of some findings light still shows; those of cables in hand are not looked at."""
        if not entries:
            return set()
        self.bench.clock.step(1.0)
        self.bench.pod.advance()
        shown = {finding.id for finding in self.bench.diagnose().findings}
        return shown & {entry.finding.id for entry in entries}

    def _carry_out(self, steps: list[Step]) -> None:
        slips = self.technician.slips
        told = [done for step in steps if (done := _deed(step))]
        for number, said in zip(told, self.technician.carry_out(told), strict=True):
            if not said["done"]:
                self.refused.append(f"{number}: {said['why']}")
        self.counts["steps gone wrong"] += self.technician.slips - slips


def _rung(visit: list[Step], finding: str, climbed: Counter[str]) -> int:
    """What is due at a finding: the next rung, then the first again; -1 where light agrees."""
    if finding not in climbed:
        return -1
    highest = max(step.rung for step in visit if step.finding == finding)
    return climbed[finding] if climbed[finding] <= highest else 0


def _deed(step: Step) -> dict[str, object]:
    """A step as the simulator's technician understands it."""
    match step.do:
        case Do.PLUG:
            return {"do": "move", "cable": step.cable, "end": step.end, "to": list(step.at)}
        case Do.UNPLUG | Do.FLIP:
            return {"do": str(step.do), "cable": step.cable, "end": step.end}
        case Do.CLEAN | Do.RESEAT | Do.REPLACE:
            return {
                "do": str(step.do),
                "device": step.device,
                "port": step.port,
                "part": step.part,
            }
    return {}


def main() -> int:
    """Live through both months for each seed, and print them side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--times", type=float, default=TIMES)
    parser.add_argument("--every", type=int, default=EVERY, help="hours from order to order")
    given, failures = parser.parse_args(), 0
    for seed in given.seeds:
        began = time.process_time()
        naive = Repairs(seed, given.days, given.times, slots=SLOTS).run()
        ours = ByOrders(seed, given.days, given.times, slots=SLOTS, every=given.every).run()
        print(f"seed {seed}: {time.process_time() - began:.0f} s of CPU")
        print(f"  {'one by one':>18} {'by orders':>10}")
        for what in ("orders", "rack visits", "hands-on steps", "metres", PARTS, AGAIN):
            print(f"  {naive.cost[what]:18,} {ours.cost[what]:10,} {what}")
        for what in ("findings", "open in the end"):
            many = [
                len(m.ledger.entries if what == "findings" else m.ledger.open)
                for m in (naive, ours)
            ]
            print(f"  {many[0]:18,} {many[1]:10,} {what}")
        for what, count in (("mean", mean), ("median", median), ("most", max)):
            both = [count(month.hours) for month in (naive, ours)]
            print(f"  {both[0]:18.1f} {both[1]:10.1f} hours from fault to mended, {what}")
        for failure in ours.left_open:
            print(f"  {failure}")
        failures += len(ours.left_open)
        failures += naive.cost["rack visits"] < 2 * ours.cost["rack visits"]
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
