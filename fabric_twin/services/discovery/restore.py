"""Put circuits back as they were before a discovery, from what is noted in its journal."""

from typing import Protocol

from fabric_twin.core.errors import NoAnswer, UnusableInput
from fabric_twin.core.tickets.course import by_switch
from fabric_twin.inventory.journal import Journal, Noted
from fabric_twin.switches.changes import Applied, Change
from fabric_twin.switches.fabric import Answers, Fabric

#: How often a switch is asked to put back what was there.
TRIES = 3


class Notes(Protocol):
    """Where it is noted what will be done to circuits, before it is done."""

    def read(self) -> Noted | None:
        """What is to be taken back, if anything is."""

    def write(self, noted: Noted) -> None:
        """Note it; when this returns, a crash does not lose it."""

    def close(self) -> None:
        """Everything is as it was."""


def restore(pod: str, fabric: Fabric, journal: Journal) -> int:
    """Put circuits back that a discovery left behind; how many it were."""
    with journal.held():
        return restore_noted(pod, fabric, journal)


def restore_noted(pod: str, fabric: Fabric, journal: Notes) -> int:
    """Take back what is noted in a journal, and close it."""
    noted = journal.read()
    if noted is None:
        return 0
    if noted.pod != pod:
        raise UnusableInput(
            f"it is of pod {noted.pod}, not {pod}", where=str(journal), remedy="Name that pod"
        )
    gone, back = (
        by_switch(circuit.key for circuit in some)
        for some in (noted.set - noted.removed, noted.removed)
    )
    changes = {
        switch: Change(delete=gone.get(switch, frozenset()), add=back.get(switch, frozenset()))
        for switch in {*gone, *back}
    }
    unknown = sorted(set(changes) - set(fabric.switches))
    if unknown:
        raise UnusableInput(
            f"the pod has no switch {unknown[0]}", where=str(journal), remedy="Name its design"
        )
    left = dict.fromkeys(changes, "")
    for _ in range(TRIES):
        left = _not_as_they_were(fabric.apply({name: changes[name] for name in left}))
        if not left:
            journal.close()
            return len(noted.set | noted.removed)
    first, *others = sorted(left)
    more = f" ({len(others):,} more are not either)" if others else ""
    raise NoAnswer(
        f"it is not as it was: {left[first]}{more}",
        where=first,
        remedy=f"Mend them, and use `fabric-twin discover --restore`; {journal} holds what to do",
    )


def _not_as_they_were(answers: Answers[Applied]) -> dict[str, str]:
    """Switches that are not yet as they were, and why."""
    why = {name: error.what for name, error in answers.missing.items()}
    for name, applied in answers.given.items():
        for report in applied.bad[:1]:
            why[name] = report.why or f"circuit {'-'.join(report.pair)} is {report.outcome}"
    return why
