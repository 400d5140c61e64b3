"""Nautobot Jobs, one verb a file; each is registered here."""

from nautobot.apps.jobs import register_jobs

from fabric_twin.tasks.make_slice import MakeSlice
from fabric_twin.tasks.release_slice import ReleaseSlice

name = "Fabric Twin"

jobs = [
    MakeSlice,
    ReleaseSlice,
]
register_jobs(*jobs)
