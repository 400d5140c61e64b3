"""A year of a small pod, switched every hour: no finding is falsely closed, opened or renamed.

    .venv/bin/python -m tests.proofs.year --seeds 1

    every hour      all circuits are made anew, as chance has it, or some cubes are drained; a look
    now and then    a fault comes; a technician does what a finding says; a device is not asked

After every look the witness of `tests/diagnosis`, who knows the faults and nothing of audits,
diagnosis and findings, is asked: is each fault that was seen told by an open finding, with the ID
that it had; is each finding of a fault; is nothing mended that is there; and is there nothing that
light could have shown and that no finding tells of?
"""

import argparse
import sys
import time
from collections import Counter
from random import Random

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.simulator.technician import Technician
from tests.diagnosis.bench import ELSEWHERE
from tests.diagnosis.histories import PAUSE, SEEN, History, turned, without_cubes
from tests.diagnosis.witness import may_show

#: So often an hour a fault comes, a technician, and a look that leaves devices out [A].
COMES, MENDS, PARTLY = 1 / 12, 1 / 8, 1 / 20
#: Visits of a technician that come to nothing [A].
ERRORS = 0.1
HOURS = 24 * 365


class Year:
    """Hours of one pod, and what went wrong in the telling."""

    def __init__(self, seed: int, hours: int = HOURS) -> None:
        self.random, self.hours = Random(seed), hours
        self.history = History()
        self.counts = Counter[str]()
        self.failures: list[str] = []

    def run(self) -> "Year":
        """Live through it; what fails is kept, and the pod begins anew."""
        for hour in range(self.hours):
            try:
                self._hour()
            except AssertionError as failure:
                self.failures.append(f"hour {hour}: {failure}")
                self.history = History()
        return self

    def _hour(self) -> None:
        random, history = self.random, self.history
        history.bench.clock.step(3600 - PAUSE)
        if random.random() < MENDS:
            self._technician()
        if random.random() < COMES:
            before = len(history.witness.faults)
            history.make(random.choice(SEEN), random.randrange(32), random.randrange(32))
            self.counts["faults"] += len(history.witness.faults) - before
        if random.random() < 1 / 6:
            drained = {random.randint(1, 4), random.randint(1, 4)}
            history.want(without_cubes(history.bench, drained))
        else:
            history.want(turned(history.bench, random.randint(1, 999)))
        partly = random.random() < PARTLY
        left = [random.randrange(52) for _ in range(3)] if partly else []
        memory = history.memory
        before_look = set(memory.left)
        history.look(without=left)
        self.counts["switchings"] += 1
        self.counts["findings"] += len(set(memory.left) - before_look)
        self.counts["mended"] += len(memory.mended)
        self.counts["not seen at a look"] += len(memory.unseen)
        self.counts["joined at a look"] += len(memory.left) - len(memory.open)
        if not partly:
            self._nothing_is_missed()

    def _nothing_is_missed(self) -> None:
        told = set[int]()
        for finding in self.history.memory.open.values():
            told |= self.history.witness.told(finding.codes, finding.places)
        shown = may_show(self.history.witness, self.history.bench.wanted.circuits)
        self.counts["faults that a look could show"] += len(shown)
        missed = [self.history.witness.faults[number].wish for number in shown - told]
        assert not missed, f"nothing tells of {missed[0]}, which light shows"

    def _technician(self) -> None:
        """Do what one of the findings says, and mend by name what no hand can."""
        told = self.history.memory.told
        # What a hand leaves half done would be a fault of which the list knows nothing.
        if not told or self.random.random() < ERRORS:
            return
        finding = told[self.random.choice(sorted(told))]
        history = self.history
        faults = history.witness.told([finding.code], finding.ports)
        for step in finding.remedy:
            if step.do in ELSEWHERE:
                continue
            try:
                Technician(history.bench.book).carry_out([step.as_json()])
            except FabricTwinError:
                continue
            self.counts["steps of technicians"] += 1
        for number in faults & history.witness.faults.keys():
            history.bench.book.mend(number)
        history.bench.clock.step(60.0)
        history.bench.pod.advance()


def main() -> int:
    """Live through a year for each seed, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--hours", type=int, default=HOURS)
    given, failures = parser.parse_args(), 0
    for seed in given.seeds:
        began = time.process_time()
        year = Year(seed, given.hours).run()
        print(f"seed {seed}: {time.process_time() - began:.0f} s of CPU")
        for what, many in year.counts.items():
            print(f"  {many:6} {what}")
        for failure in year.failures:
            print(f"  {failure}")
        failures += len(year.failures)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
