"""An order while it is thought of: what is where by then, and what waits for what.

A plug goes into a port when that is empty: so whatever leaves a port comes before what comes
into it, and where two exchange places both are out for a moment.

    unplug c1 from s1 ---> plug c1 into s2      what is done at one rack is done in one visit,
    unplug c2 from s2 ---> plug c2 into s1      wherever waiting allows
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.planning.connections import PLUG_IN, PULL_OUT, done
from fabric_twin.core.orders.planning.plugs import Plug, Plugs
from fabric_twin.core.orders.planning.visits import Task, Visit, parted, soonest, written
from fabric_twin.core.orders.steps import BY_LIGHT, Do, End, Step


@dataclass(eq=False)
class Bench:
    """Tasks as they are thought of: what is where by then, and what waits for what."""

    floor: Floor
    #: The names of the switches whose ports are guarded.
    switches: Collection[str]
    plugs: Plugs
    #: What tells whether a bundle is as it should be.
    by: str = BY_LIGHT
    tasks: list[Task] = field(default_factory=list)
    _emptied: dict[End, list[int]] = field(default_factory=lambda: defaultdict(list))
    _out: dict[Plug, int] = field(default_factory=dict)

    def add(self, device: str, steps: list[Step], after: Iterable[int] = (), rank: int = 0) -> int:
        """A task at the rack of a device."""
        self.tasks.append(Task(self.floor.rack(device), steps, list(after), rank))
        return len(self.tasks) - 1

    def guarded(self, device: str) -> bool:
        """Whether ports of a device are kept dark while people work on them."""
        return device in self.switches

    def unplug(self, plug: Plug, rank: int = 0, **what: Any) -> int:
        """Take a plug out of where it is by then."""
        port = self.plugs.unplug(plug)
        steps = done([(plug[0], port)], plug[1], PULL_OUT, guarded=self.guarded(port[0]), **what)
        task = self.add(port[0], steps, rank=rank)
        self._emptied[port].append(task)
        self._out[plug] = task
        return task

    def plug(self, plug: Plug, port: End, rank: int = 0, **what: Any) -> int:
        """Plug in what is loose by then, where nothing is by then."""
        self.plugs.plug(plug, port)
        steps = done([(plug[0], port)], plug[1], PLUG_IN, guarded=self.guarded(port[0]), **what)
        after = {*self._emptied[port], *([self._out[plug]] if plug in self._out else [])}
        return self.add(port[0], steps, sorted(after), rank)

    def check(self, bundle: str, after: Iterable[int], rank: int = 0) -> None:
        """Look when all of these are done, wherever that is."""
        step = Step(do=Do.CHECK, rack="", bundle=bundle, by=self.by)
        self.tasks.append(Task("", [step], sorted(after), rank))

    def visits(
        self, crews: int = 1, rounds: Sequence[Sequence[int]] = (), *, by_rank: bool = True
    ) -> list[Visit]:
        """The walk of every crew, one round of tasks after the other; all in one where none is."""
        whole = list(range(len(self.tasks)))
        shares = parted(self.tasks, crews) if crews > 1 else [whole]
        found: list[Visit] = []
        for crew, mine in enumerate(shares, 1):
            walk: list[Visit] = []
            for turn in rounds or [whole]:
                here = sorted(set(turn).intersection(mine))
                start = self.floor.spot(walk[-1].rack) if walk else None
                for visit in soonest(self.tasks, self.floor, crew, here, start, by_rank=by_rank):
                    if walk and walk[-1].rack == visit.rack:
                        walk[-1].tasks += visit.tasks
                    else:
                        walk.append(visit)
            found += walk
        return found

    def steps(
        self, crews: int = 1, rounds: Sequence[Sequence[int]] = (), *, by_rank: bool = True
    ) -> tuple[Step, ...]:
        """All steps, in order."""
        return written(self.tasks, self.visits(crews, rounds, by_rank=by_rank), self.floor)

    def one_by_one(self, groups: Iterable[Sequence[int]]) -> tuple[Step, ...]:
        """Steps as one does them who goes to each group by itself."""
        visits = [visit for mine in groups for visit in soonest(self.tasks, self.floor, 1, mine)]
        return written(self.tasks, visits, self.floor)

    def forget(self, first: int) -> None:
        """Tasks from this one on are not to be: nothing waits for them."""
        for held in self._emptied.values():
            held[:] = [task for task in held if task < first]
        self._out = {plug: task for plug, task in self._out.items() if task < first}

    def rack_of_check(self, steps: Iterable[Step]) -> dict[str, str]:
        """Where each bundle is checked."""
        return {step.bundle: step.rack for step in steps if step.do == Do.CHECK}
