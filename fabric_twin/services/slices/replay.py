"""Replay a trace of wishes on an empty pod."""

from collections.abc import Iterable

from fabric_twin.core.design import Design
from fabric_twin.core.replay import Failures, Outcome, policy, replay
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.inventory.trace import read_trace


def replay_trace(
    design: Design,
    trace: bytes,
    source: str,
    *,
    policy_name: str,
    patience: float,
    slots: Iterable[int] | None = None,
    held_back: int = 0,
    failures: Failures | None = None,
    bear: int = 0,
) -> Outcome:
    """Read a trace and run it in simulated time; `bear` counts where switches fail."""
    jobs = read_trace(trace, source, design)
    pod = Occupancy(design, slots, held_back=held_back)
    return replay(jobs, pod, policy(policy_name, patience), policy_name, failures, bear)
