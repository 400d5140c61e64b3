"""Many switches and cubes at once, a bounded number at a time.

What one target does not answer never hides what the others say.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Generic, NoReturn, Protocol, TypeVar

from fabric_twin.core.errors import FabricTwinError, NoAnswer
from fabric_twin.core.garbage import seldom_collected
from fabric_twin.switches.changes import Applied, Change, Hold
from fabric_twin.switches.driver import (
    Access,
    CubeReader,
    FactoryKnown,
    Patience,
    SwitchDriver,
    Target,
)
from fabric_twin.switches.states import CubeState, FactoryLoss, Pair, SwitchState

#: How many targets are spoken to at the same time.
AT_ONCE = 64


class Conversation(Protocol):
    """What all conversations have in common."""

    def close(self) -> None:
        """Hang up."""


C = TypeVar("C", bound=Conversation)
T = TypeVar("T")


@dataclass(frozen=True)
class Answers(Generic[T]):
    """What targets answered, by name, and who did not; both in the order they were asked."""

    given: Mapping[str, T]
    missing: Mapping[str, FabricTwinError]

    def all(self) -> Mapping[str, T]:
        """Every answer, or a refusal that names the first target without one, and how many more."""
        if not self.missing:
            return self.given
        name, error = next(iter(self.missing.items()))
        others = (
            f" ({len(self.missing) - 1:,} more did not answer)" if len(self.missing) > 1 else ""
        )
        raise NoAnswer(f"{error.what}{others}", where=error.where or name, remedy=error.remedy)


class NoWayIn:
    """A conversation with a target that nobody can get into: it says why, whatever it is asked."""

    def __init__(self, target: Target, refusal: FabricTwinError) -> None:
        self.target, self._refusal = target, refusal

    def close(self) -> None:
        """Nothing was opened."""

    def _refuse(self, *_given: object, **_more: object) -> NoReturn:
        raise self._refusal

    capabilities = read = apply = hold = watch = neighbours = factory_losses = _refuse


class Fabric(AbstractContextManager["Fabric", None]):
    """The switches and cubes of a pod, by name. Close it, or use it as a context."""

    def __init__(
        self,
        switches: Mapping[str, SwitchDriver],
        cubes: Mapping[str, CubeReader],
        at_once: int = AT_ONCE,
    ) -> None:
        self.switches, self.cubes = switches, cubes
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="fabric")
        #: What is done again and again while answers are waited for, and after how many seconds.
        self._meanwhile: Callable[[], object] | None = None
        self._every: float | None = None
        #: Whether some target is not waited for any more.
        self._left_behind = False

    @contextmanager
    def meanwhile(self, do: Callable[[], object], every: float) -> Iterator[None]:
        """Do something every so many seconds while targets are waited for.

        A worker renews its lease so, however many targets are silent. It is done
        by the thread that waits: what it raises ends the wait.
        """
        self._meanwhile, self._every = do, every
        try:
            yield
        finally:
            self._meanwhile = self._every = None

    def read_switches(
        self, names: Iterable[str] | None = None, within: float | None = None
    ) -> Answers[SwitchState]:
        """Read some switches, or all; what has not answered within so many seconds is missing."""
        return self._ask(self.switches, names, lambda switch, _: switch.read(), within)

    def read_cubes(self, names: Iterable[str] | None = None) -> Answers[CubeState]:
        """Read some cubes, or all."""
        return self._ask(self.cubes, names, lambda cube, _: cube.read())

    def read_all(
        self,
        meanwhile: Callable[[], object] = lambda: None,
        each: Callable[[], object] = lambda: None,
    ) -> tuple[Answers[SwitchState], Answers[CubeState]]:
        """Read every switch and every cube; do something else until they have answered.

        `each` is called for each target that has answered or failed, by the thread that asked it.
        """
        with seldom_collected():
            switches = self._begin(self.switches, self.switches, lambda switch, _: switch.read())
            cubes = self._begin(self.cubes, self.cubes, lambda cube, _: cube.read())
            for switch in switches.values():
                switch.add_done_callback(lambda _: each())
            for cube in cubes.values():
                cube.add_done_callback(lambda _: each())
            meanwhile()
            return self._answers(switches), self._answers(cubes)

    def read_neighbours(self, names: Iterable[str] | None = None) -> Answers[CubeState]:
        """Read whom the ports of some cubes hear, or of all, and no more."""
        return self._ask(self.cubes, names, lambda cube, _: cube.neighbours())

    def read_switches_and_neighbours(
        self, switches: Iterable[str], cubes: Iterable[str], within: float
    ) -> tuple[Answers[SwitchState], Answers[CubeState]]:
        """Read some switches, and at the same time whom some cubes hear; what has not answered
        within so many seconds is missing."""
        ends = time.monotonic() + within
        read = self._begin(self.switches, switches, lambda switch, _: switch.read())
        heard = self._begin(self.cubes, cubes, lambda cube, _: cube.neighbours())
        return (
            self._answers(read, within),
            self._answers(heard, max(0.0, ends - time.monotonic())),
        )

    def read_circuits(self, names: Iterable[str]) -> Answers[SwitchState]:
        """Read the circuits of some switches and no more: a change of nothing."""
        answers = self.apply(dict.fromkeys(names, Change()))
        given = {name: done.state for name, done in answers.given.items() if done.state}
        return Answers(given, answers.missing)

    def read_cubes_and_factory(
        self,
        cubes: Iterable[str],
        pairs: Mapping[str, Sequence[Pair]],
        meanwhile: Callable[[], object] = lambda: None,
    ) -> tuple[Answers[CubeState], Answers[Mapping[Pair, FactoryLoss]]]:
        """Read some cubes, and at the same time what some pairs of some switches, and no others,
        lost when they were made; do something else until they have answered."""

        def ask(switch: SwitchDriver, name: str) -> Mapping[Pair, FactoryLoss]:
            return switch.factory_losses(pairs[name]) if isinstance(switch, FactoryKnown) else {}

        with seldom_collected():
            factory = self._begin(self.switches, pairs, ask)
            read = self._begin(self.cubes, cubes, lambda cube, _: cube.read())
            meanwhile()
            return self._answers(read), self._answers(factory)

    def apply(self, changes: Mapping[str, Change], *, until: float = math.inf) -> Answers[Applied]:
        """Change some switches, each in one transaction, and read back what came of it.

        No switch is told anything after `until`, a moment of `time.monotonic()`: those that it is
        too late for are missing, with `TooLate`.
        """
        return self._ask(
            self.switches, changes, lambda switch, name: switch.apply(changes[name], until=until)
        )

    def hold(self, holds: Mapping[str, Hold], *, until: float = math.inf) -> Answers[SwitchState]:
        """Block ports of some switches and release others; what each shows then."""
        return self._ask(
            self.switches, holds, lambda switch, name: switch.hold(holds[name], until=until)
        )

    def close(self) -> None:
        """Hang up everywhere."""
        conversations: list[Conversation] = [*self.switches.values(), *self.cubes.values()]
        for conversation in conversations:
            conversation.close()
        # Who had no time to wait for a target has none to wait for its thread, which ends alone.
        self._pool.shutdown(wait=not self._left_behind, cancel_futures=True)

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _ask(
        self,
        conversations: Mapping[str, C],
        names: Iterable[str] | None,
        question: Callable[[C, str], T],
        within: float | None = None,
    ) -> Answers[T]:
        """Ask many at once; a target that is not there is a programming error (KeyError)."""
        with seldom_collected():
            asked = conversations if names is None else names
            return self._answers(self._begin(conversations, asked, question), within)

    def _begin(
        self, conversations: Mapping[str, C], asked: Iterable[str], question: Callable[[C, str], T]
    ) -> dict[str, Future[T]]:
        return {name: self._pool.submit(question, conversations[name], name) for name in asked}

    def _answers(self, futures: Mapping[str, Future[T]], within: float | None = None) -> Answers[T]:
        """Wait for all of them, or for those that come within so many seconds."""
        late: set[Future[T]] = set()
        if within is not None:
            late = wait(futures.values(), within).not_done
            self._left_behind = self._left_behind or bool(late)
        elif self._meanwhile:
            while wait(futures.values(), self._every).not_done:
                self._meanwhile()
        given: dict[str, T] = {}
        missing: dict[str, FabricTwinError] = {}
        for name, future in futures.items():
            if future in late:
                missing[name] = NoAnswer(
                    f"it did not answer within {within:g} s",
                    where=name,
                    remedy="See whether it runs, and ask again",
                )
                continue
            try:
                given[name] = future.result()
            except FabricTwinError as error:
                missing[name] = error
        return Answers(given, missing)


def open_fabric(
    switches: Iterable[Target],
    cubes: Iterable[Target],
    access: Access | Mapping[str, Access | FabricTwinError],
    patience: Patience | None = None,
) -> Fabric:
    """Open a conversation with each target; nothing is sent yet.

    `access` is how to get into all of them, or into each by its name; where that is a refusal, its
    target alone does not answer.
    """
    from fabric_twin.switches.finding import open_cube, open_switch

    patience = patience or Patience()

    def opened(target: Target, way: Callable[[Target, Access, Patience], C]) -> C | NoWayIn:
        into = access if isinstance(access, Access) else access[target.name]
        return NoWayIn(target, into) if isinstance(into, Exception) else way(target, into, patience)

    return Fabric(
        {target.name: opened(target, open_switch) for target in switches},
        {target.name: opened(target, open_cube) for target in cubes},
    )


def shared_targets(address: str, names: Iterable[str]) -> list[Target]:
    """Targets behind one address, such as a simulator's or a gateway's."""
    return [Target(name, address, called=name) for name in names]
