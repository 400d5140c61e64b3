"""Users who act at one pod at the same time, each on a connection of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from nautobot.dcim.models import Device, Manufacturer, Rack

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import OpticalCircuit, Pod
from fabric_twin.operations.slices.release import release_slice
from tests.nautobot.bases.pods.small_pod import make_pod


@pytest.fixture(name="pod")
def pod_for_all(django_db_setup: None, django_db_blocker: Any) -> Iterator[Pod]:
    """A pod of eight cubes that every connection sees; it is gone after the test."""
    with django_db_blocker.unblock():
        user = get_user_model().objects.create_superuser("at once")
        pod = make_pod("atonce")
        try:
            yield pod
        finally:
            for made in pod.slices.all():
                release_slice(made, user)
            OpticalCircuit.objects.filter(switch__pod=pod).delete()
            location = pod.location
            pod.delete()
            Device.objects.filter(location=location).delete()
            Rack.objects.filter(location=location).delete()
            location.delete()
            Manufacturer.objects.get(name="Maker").device_types.all().delete()
            Manufacturer.objects.get(name="Maker").delete()
            user.delete()
            connection.close()


def at_once(acts: list[Callable[[Any], Any]]) -> list[Any]:
    """What each user gets, a refusal included, when all begin together."""
    ready = Barrier(len(acts))

    def run(act: Callable[[Any], Any]) -> Any:
        user = get_user_model().objects.get(username="at once")
        ready.wait(timeout=60)
        try:
            return act(user)
        except NotPossible as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as users:
        return list(users.map(run, acts))
