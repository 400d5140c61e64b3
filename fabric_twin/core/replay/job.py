"""A wish of a trace."""

from dataclasses import dataclass

from fabric_twin.core.slices.shapes import Shape


@dataclass(frozen=True)
class Job:
    """Someone wants a slice for a stated time."""

    name: str
    #: Seconds since the trace began.
    arrival: float
    shape: Shape
    #: Seconds that it says it will run; it does.
    duration: float
