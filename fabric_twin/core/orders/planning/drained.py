"""What must be dark before work begins: the circuits of a port, and whose they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fabric_twin.core.audit.places import natural
from fabric_twin.core.orders.order import Need
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import TOUCHES, Do, End, Step


def drained(
    ports: Iterable[End],
    in_circuits: Mapping[End, str],
    finding: str = "",
    *,
    dead: bool = False,
) -> tuple[Need, ...]:
    """The need that no circuit is on these ports, if one is; circuits are given with owners.

    Those of a `dead` switch are dark anyway, until it answers again.
    """
    busy = sorted(
        {port for port in ports if any(one in in_circuits for one in simplex(port))}, key=natural
    )
    if not busy:
        return ()
    owners = sorted(
        {in_circuits[one] for port in busy for one in simplex(port) if one in in_circuits}
    )
    name = f"drain {finding}".rstrip()
    return (
        Need(
            name,
            "drain",
            tuple(busy),
            tuple(filter(None, owners)),
            findings=(finding,) * bool(finding),
            dead=dead,
        ),
    )


def with_needs(steps: Iterable[Step], needs: Sequence[Need]) -> tuple[Step, ...]:
    """Steps that touch light, each with the drain that must come first.

    A check waits for what a ticket makes meanwhile: a spare that stands in, circuits.
    """
    drains = [need for need in needs if need.what == "drain"]
    of_all = next((need.name for need in drains if not need.findings), "")
    of = {finding: need.name for need in drains for finding in need.findings}

    made = {
        finding: need.name
        for what in ("circuits", "substitute")
        for need in needs
        if need.what == what
        for finding in need.findings
    }

    def needed(step: Step) -> str:
        if step.do == Do.CHECK:
            return made.get(step.bundle, "")
        return of.get(step.finding, of_all) if step.do in TOUCHES else ""

    return tuple(replace(step, need=need) if (need := needed(step)) else step for step in steps)
