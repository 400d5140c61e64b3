"""A ticket of 6,912 circuits, from the wish to the slice and back, in Nautobot's database.

The fabric is `fabric-twin simulate` in a process of its own, over TLS. Beside the time on the clock
stands the time of this process, which is what Nautobot's part of it costs. Run by `make bench`.

    python tests/benchmarks/tickets.py                 once
    python tests/benchmarks/tickets.py --profile make  where the time of a step goes
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

from loading import nautobot_on_an_empty_database
from simulated import Simulated, connect

SHAPE, CIRCUITS = "16x16x36", 6912


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


def load() -> Any:
    """Pod `iw1` whole, and two people."""
    from django.contrib.auth import get_user_model
    from django.contrib.contenttypes.models import ContentType
    from nautobot.dcim.models import Device, Location, LocationType, Module, Rack
    from nautobot.extras.models import Status

    from fabric_twin.models import Pod
    from fabric_twin.repositories.loading import load_pod

    for name in ("ada", "otto"):
        get_user_model().objects.create_superuser(name)
    hall = LocationType.objects.create(name="Hall")
    hall.content_types.set(ContentType.objects.get_for_models(Rack, Device, Module).values())
    active = Status.objects.get_for_model(Location).get(name="Active")
    load_pod(
        "iw1", "ironwood", Location.objects.create(name="H", location_type=hall, status=active)
    )
    return Pod.objects.get()


def run(pod: Any, profile: str) -> None:
    """Wish for all of the pod, carry it out, and undo it."""
    from django.contrib.auth import get_user_model

    from fabric_twin.models import OpticalCircuit, Reservation, Slice
    from fabric_twin.repositories import ticket_life as life
    from fabric_twin.repositories.ticket_running import How, carry_out_ticket
    from fabric_twin.repositories.ticket_wishes import wish_ticket
    from fabric_twin.repositories.tickets import confirm_drained

    ada, otto = (get_user_model().objects.get(username=name) for name in ("ada", "otto"))
    wish = {"shape": SHAPE, "name": "train"}
    how = How(call=lambda _pod: None)

    def step(name: str, what: str, do: Callable[[], Any]) -> Any:
        return timed(what, do, profile=profile == name)

    ticket = step(
        "make",
        "a draft: planned, 13,824 ports and 144 cubes reserved",
        lambda: wish_ticket(pod, "slice", wish, ada),
    )
    assert Reservation.objects.count() == 2 * CIRCUITS + 144
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
    assert OpticalCircuit.objects.filter(wanted=True, seen=True).count() == CIRCUITS
    ticket = life.approve(life.ask_undo(ticket, ada), otto)
    confirm_drained(ticket, Slice.objects.get(), otto)
    ticket = step(
        "reopen",
        "to be undone: 13,824 ports and 144 cubes reserved again",
        lambda: life.undo(ticket, otto),
    )
    ticket = step("undo", "undone", lambda: carry_out_ticket(ticket, how))
    assert ticket.state == "undone", ticket.message
    assert (OpticalCircuit.objects.count(), Reservation.objects.count()) == (0, 0)


def main() -> None:
    """Load, then run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--profile", default="", help="make, approve, run, reopen or undo")
    wish = parser.parse_args()
    with (
        nautobot_on_an_empty_database(),
        tempfile.TemporaryDirectory(prefix="fabric-twin-bench-") as folder,
    ):
        pod = load()
        fabric = Simulated(Path(folder), "iw1")
        try:
            connect(fabric, "iw1")
            before = fabric.cpu
            run(pod, wish.profile)
            print(f"  the simulated fabric took {fabric.cpu - before:.1f} s of its own process")
        finally:
            fabric.stop()


if __name__ == "__main__":
    main()
