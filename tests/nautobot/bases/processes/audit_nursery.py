"""A process that forks audits that make test circuits, each to be killed at a step.

As `ticket_nursery.py`, with other deeds.
"""

import os
import signal
import sys
from typing import Any

from tests.nautobot.bases.processes.ticket_nursery import DO, main, open_switches


def write_unseen() -> str:
    """A finding of a dark cable that nobody has seen since: only a circuit would show it gone."""
    from fabric_twin.models import Finding, Pod
    from tests.nautobot.bases.audits.written_finding import write_finding

    at = ("iw-c001-t02", "4.1.1/X+")
    finding = write_finding(Pod.objects.get(), "dark", [], device=at[0], port=at[1])
    proof = [["light", *at]]
    Finding.objects.filter(pk=finding.pk).update(seen=False, observed=True, proof=proof)
    return finding.key


def look_by_light(step: str = "") -> str:
    """Audit with test circuits; die at a step."""
    from datetime import timedelta

    from fabric_twin.models import Pod
    from fabric_twin.operations.audits import light_tests
    from fabric_twin.operations.audits.observe import observe_scope
    from fabric_twin.operations.audits.run import How, run_audit

    for name in ("reserve", "_part", "release_places"):
        hear(light_tests, name, step)

    def look(record: Any, scope: Any) -> Any:
        die_at("look", step)
        return observe_scope(record, scope)

    how = How(look=look, light_test=True, lease=timedelta(seconds=40))
    return str(run_audit(Pod.objects.get(), how=how).message)


def audit() -> str:
    """Audit without test circuits, once the dead worker's lease is over."""
    from django.db.models.functions import Now

    from fabric_twin.models import AuditRun, Pod
    from fabric_twin.operations.audits.observe import observe_scope
    from fabric_twin.operations.audits.run import How, run_audit

    AuditRun.objects.filter(state="running").update(lease_until=Now())
    return str(run_audit(Pod.objects.get(), how=How(look=observe_scope)).state)


def left() -> dict[str, Any]:
    """Circuits on the switches, ports that are held, circuits that are recorded as seen."""
    from fabric_twin.models import OpticalCircuit, Reservation

    with open_switches() as fabric:
        states = fabric.read_switches().all()
    return {
        "circuits": sum(len(state.configured) for state in states.values()),
        "held": Reservation.objects.count(),
        "recorded": OpticalCircuit.objects.count(),
    }


def states() -> list[str]:
    """Of findings."""
    from fabric_twin.models import Finding

    return list(Finding.objects.values_list("state", flat=True))


def hear(module: Any, name: str, step: str) -> None:
    """Die before or after a function of the module."""
    inner = getattr(module, name)

    def outer(*arguments: Any, **named: Any) -> Any:
        die_at(f"before {name}", step)
        result = inner(*arguments, **named)
        die_at(f"after {name}", step)
        return result

    setattr(module, name, outer)


def die_at(here: str, step: str) -> None:
    if here == step:
        os.kill(os.getpid(), signal.SIGKILL)


DO.update({one.__name__: one for one in (write_unseen, look_by_light, audit, left, states)})

if __name__ == "__main__":
    main(*sys.argv[1:])
