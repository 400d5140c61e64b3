"""The nightly audit of an Ironwood pod with ten pods loaded, from a worker's call to its run.

The fabric is `fabric-twin simulate` in a process of its own, over TLS; it carries the circuits that
the inventory wants. Time is told by part; the peer is the reading of the same 192 devices alone, in
the same run: no audit can cost less. Then it grows: one worker, more pods; two workers.
Run by `make bench`.

    python tests/benchmarks/app/auditing.py                     all of it, in a database made for it
    python tests/benchmarks/app/auditing.py --keep FOLDER       in one that is kept and used again
    python tests/benchmarks/app/auditing.py --most 1 --profile  where the time goes
    python tests/benchmarks/app/auditing.py --small             only show that it works
"""

import argparse
import cProfile
import os
import pstats
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from audit_parts import HEAD, Timed
from empty_nautobot import nautobot_on_an_empty_database, seconds
from simulated import Simulated, connect
from sizes import SMALL, WHOLE, Size
from ten_pods import load_pods
from workers import audit, grow

BUDGET, UNCHANGED = 2.0, 1.5
#: The pod that is timed: all of its cubes are in one slice.
AUDITED = "iw6"


def forget(*pods: str) -> None:
    """Leave pods as before their first audit."""
    from nautobot.dcim.models import Device, Module

    from fabric_twin import models

    light = models.LightReading, models.LightDay
    for model in (models.Finding, models.AuditRun, models.Reading, *light):
        model.objects.filter(pod__name__in=pods).delete()
    circuits = models.OpticalCircuit.objects.filter(switch__pod__name__in=pods)
    circuits.filter(wanted=False).delete()
    circuits.filter(seen=True).update(seen=False)
    bays = models.Port.objects.filter(pod__name__in=pods, cube__isnull=False).values("module_bay")
    Module.objects.filter(parent_module_bay__in=bays).update(serial=None)
    Device.objects.filter(fabric_switch__pod__name__in=pods).update(serial="")


def read_alone(pod: str) -> None:
    """The peer: ask every device, and read what it says."""
    from fabric_twin.models import Pod
    from fabric_twin.repositories.addresses import targets_of
    from fabric_twin.repositories.pod_record import IN_SERVICE
    from fabric_twin.switches.driver import Access
    from fabric_twin.switches.fabric import open_fabric

    targets = targets_of(Pod.objects.get(name=pod), IN_SERVICE)
    with open_fabric(targets.switches, targets.cubes, Access.from_environment()) as fabric:
        for answers in fabric.read_all():
            answers.all()


def measure(size: Size, fabric: Simulated, rounds: int, only: str, *, profile: bool) -> list[Timed]:
    """Time every kind of audit of one pod."""
    from fabric_twin.operations.audits.audit import Scope

    broken = len(size.broken)
    read_alone(AUDITED)
    kinds: tuple[tuple[str, Callable[[], None] | None, Any, int], ...] = (
        (
            f"the first: {size.cables:,} serials and {size.circuits:,} circuits",
            lambda: forget(AUDITED),
            None,
            0,
        ),
        ("nothing changed", None, None, 0),
        ("light alone, nothing changed", None, Scope(light=True), 0),
        ("one switch", None, Scope(switches=frozenset({6})), 0),
        ("twenty touched ports", None, Scope(ports=frozenset(range(0, 2000, 100))), 0),
        ("fibres broken", partial(fabric.break_fibres, AUDITED, size.broken), None, broken),
        ("the same still broken", None, None, broken),
        ("and mended", partial(fabric.mend, AUDITED), None, 0),
    )
    done: dict[str, Timed] = {}
    for _ in range(rounds):
        for name, before, scope, found in kinds:
            if only in name or before:
                if before:
                    before()
                one = done.setdefault(name, Timed(name))
                if scope is None:
                    one.peers.append(seconds(lambda: read_alone(AUDITED)))
                run = one.watch(fabric, lambda scope=scope: audit(AUDITED, scope))
                assert (run.found, run.not_reached) == (found, {}), (
                    name,
                    run.by_code,
                    run.not_reached,
                )
    if profile:
        profiler = cProfile.Profile()
        profiler.runcall(audit, AUDITED)
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(80)
    print(f"{HEAD}  seconds, medians of {rounds}; load {os.getloadavg()[0]:.1f}")
    for one in done.values():
        print(one.row(), flush=True)
    return list(done.values())


def run(size: Size, wish: argparse.Namespace) -> None:
    """Load what is not there, then audit."""
    from fabric_twin.models import Pod

    if not Pod.objects.filter(name=AUDITED).exists():
        load_pods(size)
    pods = (AUDITED,) if wish.only else size.pods
    with tempfile.TemporaryDirectory(prefix="fabric-twin-bench-") as folder:
        fabric = Simulated(Path(folder), *pods, slots=size.slots)
        try:
            connect(fabric, *pods)
            timed = measure(size, fabric, wish.rounds, wish.only, profile=wish.profile)
            if not wish.only:
                for pod in set(pods) - {AUDITED}:
                    forget(pod)
                    audit(pod)
                grow(size.pods[: wish.most])
        finally:
            fabric.stop()
    slow = [
        one.name
        for one in timed
        if statistics.median(one.walls) > (UNCHANGED if "nothing" in one.name else BUDGET)
    ]
    print(f"\nover the budget of {BUDGET} s, {UNCHANGED} s when nothing changed: {slow or 'none'}")


def wishes(arguments: list[str] | None = None) -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="a folder for the database, used again")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="what has this in its name")
    parser.add_argument("--most", type=int, help="pods to grow to; all of them by default")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--small", action="store_true", help="only show that it works")
    return parser.parse_args(arguments)


def main() -> None:
    """Time audits, on a database made for it or on one that was kept."""
    wish = wishes()
    with nautobot_on_an_empty_database(wish.keep):
        run(SMALL if wish.small else WHOLE, wish)


if __name__ == "__main__":
    main()
