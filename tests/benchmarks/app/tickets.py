"""A ticket of 6,912 circuits in Nautobot, from the wish to the slice and back: the first
of its process, and another.

The fabric is `fabric-twin simulate` in a process of its own, over TLS. Beside the time on the clock
stands the time of this process, which is what Nautobot's part of it costs. Run by `make bench`.

    python tests/benchmarks/app/tickets.py                 both
    python tests/benchmarks/app/tickets.py --profile make  where the time of a step goes
    python tests/benchmarks/app/tickets.py --small         only show that it works
"""

import argparse
import cProfile
import os
import pstats
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from empty_nautobot import ensure_hall, nautobot_on_an_empty_database
from simulated import Simulated, connect
from sizes import SMALL, WHOLE, Size

POD = "iw1"


def timed(what: str, do: Callable[[], Any], *, profile: bool = False) -> Any:
    """Do it, and say how long it took."""
    profiler = cProfile.Profile() if profile else None
    wall, cpu = time.perf_counter(), time.process_time()
    result = profiler.runcall(do) if profiler else do()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    load = os.getloadavg()[0]
    print(f"  {what:58} {wall:6.1f} s  {cpu:6.1f} s of this process  load {load:.1f}", flush=True)
    if profiler:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(40)
    return result


def load(size: Size) -> Any:
    """A pod whole, and two people."""
    from django.contrib.auth import get_user_model

    from fabric_twin.models import Pod
    from fabric_twin.operations.pods.load import load_pod

    for name in ("ada", "otto"):
        get_user_model().objects.create_superuser(name)
    load_pod(POD, "ironwood", ensure_hall("Hall 1"), slots=size.numbers)
    return Pod.objects.get(name=POD)


def carry_out(pod: Any, size: Size, profile: str) -> None:
    """Wish for all of the pod, carry it out, and undo it."""
    from django.contrib.auth import get_user_model

    from fabric_twin.models import OpticalCircuit, Reservation, Slice
    from fabric_twin.operations.tickets import lifecycle as life
    from fabric_twin.operations.tickets.create import wish_ticket
    from fabric_twin.operations.tickets.drafts.make import confirm_drained
    from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket

    ada, otto = (get_user_model().objects.get(username=name) for name in ("ada", "otto"))
    wish = {"shape": size.largest, "name": "train"}
    places = 2 * size.circuits + size.slots
    reserved = f"{2 * size.circuits:,} ports and {size.slots} cubes reserved"
    circuits = OpticalCircuit.objects.filter(switch__pod=pod)
    reservations = Reservation.objects.filter(ticket__pod=pod)
    how = How()

    def step(name: str, what: str, do: Callable[[], Any]) -> Any:
        return timed(what, do, profile=profile == name)

    ticket = step(
        "make",
        f"a draft: planned, {reserved}",
        lambda: wish_ticket(pod, "slice", wish, ada),
    )
    assert reservations.count() == places
    ticket = step(
        "approve",
        "submitted, approved by another one, scheduled",
        lambda: life.start(life.approve(life.submit(ticket, ada), otto), otto),
    )
    ticket = step(
        "run",
        "carried out: checked, switched, read back, qualified",
        lambda: carry_out_ticket(ticket, how),
    )
    assert ticket.state == "done", ticket.message
    assert circuits.filter(wanted=True, seen=True).count() == size.circuits
    ticket = life.approve(life.ask_undo(ticket, ada, "it was measured"), otto)
    confirm_drained(ticket, Slice.objects.get(pod=pod), otto)
    ticket = step(
        "reopen",
        f"to be undone: {reserved} again",
        lambda: life.undo(ticket, otto),
    )
    ticket = step("undo", "undone", lambda: carry_out_ticket(ticket, how))
    assert ticket.state == "undone", ticket.message
    assert (circuits.count(), reservations.count()) == (0, 0)


def run(size: Size, profile: str = "") -> None:
    """Load, then carry out, against a fabric of its own."""
    with tempfile.TemporaryDirectory(prefix="fabric-twin-bench-") as folder:
        pod = load(size)
        fabric = Simulated(Path(folder), POD, slots=size.slots)
        try:
            connect(fabric, POD)
            for which in ("the first", "another"):
                print(f"{which}:")
                before = fabric.cpu
                carry_out(pod, size, profile)
                print(f"  the simulated fabric took {fabric.cpu - before:.1f} s of its own process")
        finally:
            fabric.stop()


def main() -> None:
    """Carry a ticket out, on an empty database."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--profile", default="", help="make, approve, run, reopen or undo")
    parser.add_argument("--small", action="store_true", help="only show that it works")
    wish = parser.parse_args()
    with nautobot_on_an_empty_database():
        run(SMALL if wish.small else WHOLE, wish.profile)


if __name__ == "__main__":
    main()
