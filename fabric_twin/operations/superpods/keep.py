"""A multislice stays as long as others are to keep its rings."""

from typing import Any

from django.db.models import Model, ProtectedError

from fabric_twin.models import Multislice, Pod
from fabric_twin.operations.networks.rings import JobIs, jobs_of


def keep_what_stands(instance: Multislice, origin: Any = None, **_: Any) -> None:
    """Refuse to delete one that has not ended, but with its network."""
    if getattr(origin, "model", type(origin)) is Pod:
        return
    [job] = jobs_of([instance])
    if job.state is not JobIs.ENDED:
        held: set[Model] = {member.slice for member in job.members if member.slice}
        raise ProtectedError("Release this multislice first: ", held or {job.multislice})
