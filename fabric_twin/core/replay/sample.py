"""The pod from one moment of a replay to the next."""

from dataclasses import dataclass

from fabric_twin.core.slices.shapes import Shape


@dataclass(frozen=True)
class Sample:
    """What holds until the next one."""

    time: float
    #: In slices that run; not in those that switches stop.
    busy_chips: int
    #: Idle in cubes that slices under a cube share: no slice of whole cubes can have them.
    gap_chips: int
    idle_chips: int
    #: Of the idle, in free cubes that are kept for repairs.
    held_chips: int
    #: The shape that cubes are drained for, if any are and switches stop nothing.
    drained_for: Shape | None
    #: Jobs in the queue.
    waiting: int
    switches_out: int = 0
    #: Slices of whole cubes that run, and those that stand still while switches are out.
    whole_slices: int = 0
    stopped_slices: int = 0
    stopped_chips: int = 0
    #: Jobs that wait only for a switch: idle cubes are enough for all of them.
    kept_waiting: int = 0
    #: The share of its links that the worst axis of every slice of whole cubes has left.
    capacity: float = 1.0
