"""Replay a trace of wishes over the allocator, in simulated time."""

from fabric_twin.core.replay.clock import replay
from fabric_twin.core.replay.failures import Change, Failures
from fabric_twin.core.replay.job import Job
from fabric_twin.core.replay.outcome import Outcome, Refusal
from fabric_twin.core.replay.policies import Backfill, fifo, first_fit, policy
from fabric_twin.core.replay.sample import Sample

__all__ = [
    "Backfill",
    "Change",
    "Failures",
    "Job",
    "Outcome",
    "Refusal",
    "Sample",
    "fifo",
    "first_fit",
    "policy",
    "replay",
]
