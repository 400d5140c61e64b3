"""How far an order is: reports from the aisle, none lost and none doubled.

A report bears an id that its sender chose. So it may be sent again after a bad network, as
often as one likes and late: the second time it changes nothing and is answered like the first.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.core.orders.labels import is_same_label
from fabric_twin.core.orders.life import (
    SETTLED,
    Act,
    Deed,
    OrderIs,
    StepIs,
    order_after,
    step_after,
)
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.port_lock import PortSeen, locked
from fabric_twin.core.orders.reports import Answer, Report, Told
from fabric_twin.core.orders.steps import BY_FABRIC, TOUCHES, Do, End, Step


@dataclass(frozen=True, eq=False)
class Progress:
    """An order, where it and each of its steps stand, and every report that came."""

    order: WorkOrder
    state: OrderIs = OrderIs.DRAFTED
    assignee: str = ""
    steps: tuple[StepIs, ...] = ()
    reports: Mapping[str, tuple[Report, Answer]] = field(default_factory=dict)
    #: Needs of the order that are met.
    met: frozenset[str] = frozenset()

    @classmethod
    def of(cls, order: WorkOrder) -> "Progress":
        """An order of which nothing is done: work at a switch's port or a dead switch is locked."""
        dead = {need.name for need in order.needs if need.dead}
        return cls(order, steps=tuple(_first(step, dead) for step in order.steps))

    def after(self, act: Act, person: str = "") -> "Progress":
        """The order after an act, or a refusal."""
        if act == Act.ASSIGN and not person:
            raise UnusableInput("nobody is named", where="assignee", remedy="Name who does it")
        if act == Act.FINISH and (left := self.left):
            raise NotPossible(
                f"{len(left):,} steps are not done, first {left[0].number}: {left[0]}",
                where=self.order.name,
                remedy="Do them, or say why they cannot be done",
            )
        if act == Act.CLOSE and (open_ := self.not_verified):
            raise NotPossible(
                f"the light test has not passed for {open_[0]} and {len(open_) - 1:,} more",
                where=self.order.name,
                remedy="Check again, or reopen the order",
            )
        return replace(self, state=order_after(self.state, act), assignee=person or self.assignee)

    def step(self, number: int) -> Step:
        """A step by its number, or a refusal."""
        if not 1 <= number <= len(self.order.steps):
            raise UnusableInput(
                f"the order has no step {number}",
                where=self.order.name,
                remedy=f"Name a step from 1 to {len(self.order.steps)}",
            )
        return self.order.steps[number - 1]

    @property
    def _pairs(self) -> Iterator[tuple[Step, StepIs]]:
        return zip(self.order.steps, self.steps, strict=True)

    @property
    def left(self) -> list[Step]:
        """Steps that a technician, or the fabric, still has to do."""
        return [s for s, state in self._pairs if state not in SETTLED and s.do != Do.CHECK]

    @property
    def not_verified(self) -> list[str]:
        """Bundles that light has yet to agree to, and that are not set aside."""
        passed = (StepIs.VERIFIED, StepIs.CANNOT, StepIs.NOT_DUE)
        return self._checks(lambda state: state not in passed)

    @property
    def set_aside(self) -> list[str]:
        """Bundles that light cannot agree to: something of them cannot be done."""
        return self._checks(lambda state: state == StepIs.CANNOT)

    @property
    def not_due(self) -> list[str]:
        """Bundles whose fault was gone before light could agree to them."""
        return self._checks(lambda state: state == StepIs.NOT_DUE)

    @property
    def undone(self) -> list[Step]:
        """Steps that cannot be done."""
        return [s for s, state in self._pairs if state == StepIs.CANNOT and s.do != Do.CHECK]

    def _checks(self, which: Callable[[StepIs], bool]) -> list[str]:
        return [s.bundle for s, state in self._pairs if s.do == Do.CHECK and which(state)]

    def next(self, crew: int = 1) -> Step | None:
        """The step that a crew does next."""
        return next((s for s, is_ in self._pairs if s.crew == crew and is_ not in SETTLED), None)

    @property
    def awaits_worker(self) -> bool:
        """Whether something is due that a worker does: by the fabric, or the order's own act."""
        ahead = (self.next(crew) for crew in range(1, self.order.crews + 1))
        return self.goes_on or any(step and step.do in BY_FABRIC for step in ahead)

    @property
    def goes_on(self) -> bool:
        """Whether the order is to finish, or to be opened again, by what was reported."""
        if self.state == OrderIs.AWAITING_LIGHT:
            return bool(self.left)
        return self.state == OrderIs.UNDER_WAY and self.all_done

    @property
    def all_done(self) -> bool:
        """Whether no manual step is left, and light has verified every bundle."""
        return not self.left and not self.not_verified

    def qualified(self) -> tuple[int, ...]:
        """The slots of cubes whose every bundle is verified: they may join the pod."""
        dark = {*self.not_verified, *self.set_aside}
        slots = {bundle.slot for bundle in self.order.bundles if bundle.slot}
        late = {bundle.slot for bundle in self.order.bundles if bundle.name in dark}
        return tuple(sorted(slots - late))

    # Locks

    def read(self, number: int, seen: Mapping[End, PortSeen]) -> tuple["Progress", str]:
        """Look at a step's port again: it is locked or unlocked by what its switch shows now."""
        step = self.step(number)
        why = locked(step, seen)
        state = self.steps[number - 1]
        if state in (StepIs.LOCKED, StepIs.WAITING):
            deed = Deed.LOCK if why else Deed.UNLOCK
            return self.but(number, step_after(state, deed)), why
        return self, why

    # Reports

    def take(self, report: Report) -> tuple["Progress", Answer]:
        """Take a report once, however often it comes."""
        if report.id in self.reports:
            first, answer = self.reports[report.id]
            if first != report:
                raise NotPossible(
                    f"the id {report.id} is that of another report",
                    where="report",
                    remedy="Give every report an id of its own",
                )
            return self, replace(answer, state=self.steps[report.step - 1], again=True)
        step = self.step(report.step)
        state = self.steps[report.step - 1]
        try:
            self._check(step, report)
            after = step_after(state, _DEEDS[report.told])
        except FabricTwinError as refusal:
            # Not kept: what is refused now may be right when it is sent again.
            return self, Answer(False, state, str(refusal))
        changed = self
        if state == StepIs.CANNOT != after:
            changed = self.again([step])
        if after != StepIs.WAITING or changed is self:
            changed = changed.but(report.step, after)
        if after == StepIs.CANNOT:
            changed = changed.without_hands(step)
        answer = Answer(True, changed.steps[report.step - 1])
        told = {**self.reports, report.id: (report, answer)}
        return replace(changed, reports=told), answer

    def did(self, step: Step) -> "Progress":
        """The fabric blocked a port, or released it; no technician reports that."""
        state = self._is(step)
        return self if state in SETTLED else self.but(step.number, step_after(state, Deed.DO))

    def without_hands(self, step: Step) -> "Progress":
        """A port that is not blocked yet, and where nothing is left to do, need not be."""
        for block, frame, release in self._frames():
            settled = step in frame and all(self._is(one) in SETTLED for one in frame)
            if settled and self._is(block) not in SETTLED:
                after = self.but(block.number, StepIs.NOT_DUE)
                return after.but(release.number, StepIs.NOT_DUE)
        return self

    def _frames(self) -> Iterator[tuple[Step, list[Step], Step]]:
        """Each block with the manual steps at its port until the release, and the release."""
        open_: dict[End, tuple[Step, list[Step]]] = {}
        for step in self.order.steps:
            if step.do == Do.BLOCK:
                open_[step.at] = step, []
            elif step.at in open_ and step.do == Do.RELEASE:
                yield (*open_.pop(step.at), step)
            elif step.at in open_:
                open_[step.at][1].append(step)

    def _check(self, step: Step, report: Report) -> None:
        if step.do in BY_FABRIC:
            raise NotPossible(
                f"an automatic step, which the fabric does and reports: {step}",
                where=f"step {step.number}",
                remedy="Report manual steps; ask what comes next, and the fabric does its part",
            )
        if self.state not in TAKES:
            raise NotPossible(
                f"the order is {self.state}",
                where=self.order.name,
                remedy=_TAKES_NOT.get(self.state, "Start it first"),
            )
        if report.told != Told.DONE:
            return
        if self.steps[step.number - 1] == StepIs.CANNOT and step.guarded and step.do in TOUCHES:
            raise NotPossible(
                "it could not be done, and its port may be in use again",
                where=f"step {step.number}",
                remedy="Give the step again: its port is read first",
            )
        if step.need and step.need not in self.met:
            raise NotPossible(
                f"it needs that first: {step.need}",
                where=f"step {step.number}",
                remedy="Carry out its ticket",
            )
        early = [n for n in step.after if self.steps[n - 1] not in SETTLED]
        if early:
            raise NotPossible(
                f"it waits for step {early[0]}: {self.step(early[0])}",
                where=f"step {step.number}",
                remedy="Do that first, or wait for the other crew",
            )
        if step.do == Do.SCAN and not is_same_label(report.scanned, step.cable):
            raise NotPossible(
                f"this is {report.scanned[:60] or 'nothing'}; {step.cable} is meant for "
                f"{step.device} port {step.port}",
                where=f"step {step.number}",
                remedy=f"Put it back and find {step.cable}",
            )
        before = self._before(step)
        if before is None or self.steps[before.number - 1] in SETTLED:
            return
        unread = before.do == Do.SCAN
        raise NotPossible(
            f"the label of {before.cable} was not read" if unread else f"it was not done: {before}",
            where=f"step {step.number}",
            remedy=f"{'Scan it at' if unread else 'Do that first at'} {' port '.join(step.at)}",
        )

    def _before(self, step: Step) -> Step | None:
        """The step before at the same port, in the same visit."""
        before = self.order.steps[step.number - 2] if step.number > 1 else None
        return before if before and step.port and before.at == step.at else None

    # Light

    def light(self, bundle: str, *, agrees: bool, wrong: Collection[End] = ()) -> "Progress":
        """Mark a bundle by what light shows.

        Where it does not agree, the next rung of the remedy is due, if there is one. Else the
        connections at the wrong ports (all of the bundle, if none are named) are to be made again:
        dark first, then scanned, inspected, cleaned and plugged. Where nothing is left to make
        again but what cannot be done, the bundle is set aside.
        """
        if bundle not in self.order.by_bundle:
            raise UnusableInput(
                f"the order has no bundle {bundle[:60]!r}",
                where=self.order.name,
                remedy="Name one of the order",
            )
        aside = () if agrees else self.aside(bundle)
        rest = {step.number for step in self._rest(bundle, wrong, aside)}
        states = list(self.steps)
        due = 0 if agrees or aside else self._next_rung(bundle)
        for step in self._of(bundle):
            at = step.number - 1
            if step.do == Do.CHECK:
                refused = StepIs.FAILED if rest or not aside else StepIs.CANNOT
                states[at] = StepIs.VERIFIED if agrees else refused
            elif agrees:
                if step.do in _SHOWS and states[at] in _SHOWN:
                    states[at] = step_after(states[at], Deed.VERIFY)
            elif due:
                if step.rung == due:
                    states[at] = _at_hand(step)
            elif step.number in rest and states[at] in _SHOWN:
                states[at] = StepIs.FAILED if step.do in _SHOWS else _at_hand(step)
        self._dark_again(states)
        return replace(self, steps=tuple(states))

    def _of(self, bundle: str) -> list[Step]:
        return [s for s in self.order.steps if bundle in (s.bundle, s.finding)]

    def _rest(self, bundle: str, wrong: Collection[End], aside: Collection[End]) -> list[Step]:
        """What can be done again where light refuses."""
        if aside and not wrong:
            return []
        steps = [s for s in self._of(bundle) if s.do != Do.CHECK and s.at not in aside]
        steps = [s for s in steps if not s.rung]
        return [s for s in steps if not wrong or s.at in wrong]

    def _next_rung(self, bundle: str) -> int:
        """The lowest rung of a bundle that is not due yet; 0 where none is left."""
        left = (s.rung for s in self._of(bundle) if s.rung and self._is(s) == StepIs.NOT_DUE)
        return min(left, default=0)

    def _dark_again(self, states: list[StepIs]) -> None:
        """What is to be done again on a port is framed by its block and release, whosever it is.

        In one visit a port is blocked once: by a finding's first step there, for all of them.
        """
        blocked: dict[End, int] = {}
        again: set[End] = set()
        for step in self.order.steps:
            at = step.number - 1
            if step.guarded and states[at] != self.steps[at] and states[at] not in SETTLED:
                again.add(step.at)
            if step.do == Do.BLOCK:
                blocked[step.at] = at
            elif step.do == Do.RELEASE and step.at in blocked:
                if step.at in again:
                    states[blocked[step.at]] = states[at] = StepIs.WAITING
                del blocked[step.at]
                again.discard(step.at)

    # What cannot be done

    def aside(self, bundle: str) -> frozenset[End]:
        """Ports where light is not expected to agree, because something there cannot be done.

        A finding is mended whole or not at all; of other bundles it is the cable, at both ends.
        """
        steps = self._of(bundle)
        undone = [s for s in steps if s.do != Do.CHECK and self._is(s) == StepIs.CANNOT]
        whole = bool(undone) and bool(self.order.by_bundle[bundle].finding)
        places = {s.at for s in undone}
        cables = {s.cable for s in steps if s.at in places} - {""}
        return frozenset(
            s.at for s in steps if s.port and (whole or s.cable in cables or s.at in places)
        )

    def again(self, steps: Iterable[Step]) -> "Progress":
        """Give again what could not be done: dark, scanned, clean and seen by light as at first."""
        steps, states = list(steps), list(self.steps)
        for step in steps:
            bundle = step.bundle or step.finding
            mine = self._of(bundle) if bundle else []
            here = [s for s in mine if s.at == step.at and s.do in _BEFORE_HANDS]
            looks = [s for s in mine if s.do == Do.CHECK and self._is(s) == StepIs.CANNOT]
            released = any(s.do == Do.RELEASE and self._is(s) in SETTLED for s in here)
            for other in (*looks, *(here if looks or released else ())):
                states[other.number - 1] = _at_hand(other)
            states[step.number - 1] = _at_hand(step)
        again = {step.number for step in steps}
        for block, frame, release in self._frames():
            if self._is(release) in SETTLED and not again.isdisjoint(s.number for s in frame):
                states[block.number - 1] = states[release.number - 1] = StepIs.WAITING
        return replace(self, steps=tuple(states))

    def _is(self, step: Step) -> StepIs:
        return self.steps[step.number - 1]

    def but(self, number: int, state: StepIs) -> "Progress":
        """The same, with one step elsewhere."""
        if self.steps[number - 1] == state:
            return self
        steps = list(self.steps)
        steps[number - 1] = state
        return replace(self, steps=tuple(steps))


_DEEDS = {Told.DONE: Deed.DO, Told.CANNOT: Deed.CANNOT, Told.UNDONE: Deed.UNDO}
#: When reports are taken. A phone without a network does not know that somebody paused.
TAKES = (OrderIs.UNDER_WAY, OrderIs.PAUSED, OrderIs.AWAITING_LIGHT, OrderIs.REOPENED)
#: What helps where starting does not.
_TAKES_NOT = {
    OrderIs.DONE: "Reopen it, if there is more to do",
    OrderIs.WITHDRAWN: "Tell the person who withdrew it what was done: an audit sees it, reports "
    "are not taken",
}
#: What light shows well or badly done, and in which state.
_SHOWS = frozenset({Do.CLEAN, Do.PLUG, Do.FLIP, Do.RESEAT, Do.REPLACE})
_SHOWN = (StepIs.DONE, StepIs.VERIFIED, StepIs.FAILED)
#: What is done anew at a port once it is released.
_BEFORE_HANDS = frozenset({Do.BLOCK, Do.RELEASE, Do.SCAN, Do.INSPECT, Do.CLEAN})


def _first(step: Step, dead: Collection[str]) -> StepIs:
    if step.need in dead and step.do in TOUCHES and not step.rung:
        return StepIs.LOCKED
    return StepIs.NOT_DUE if step.rung else _at_hand(step)


def _at_hand(step: Step) -> StepIs:
    return StepIs.LOCKED if step.guarded and step.do in TOUCHES else StepIs.WAITING
