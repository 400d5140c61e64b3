"""Watching: what a switch says to have changed is touched; light that moves a little is not."""

import queue
from unittest import mock

from fabric_twin.models import Cube, Switch
from fabric_twin.operations.audits.watch_switches import Watch
from tests.nautobot.bases.fabric import FabricTestCase

X32, X11 = "iw-ocs-x-3-2", "iw-ocs-x-1-1"


class WatchTest(FabricTestCase):
    """The threads that listen see no more of this test's transaction than they are told."""

    def setUp(self) -> None:
        super().setUp()
        Switch.objects.exclude(device__name__in=[X32, X11]).update(address="")
        Cube.objects.update(address="")
        self.told: queue.Queue[str] = queue.Queue()
        names = dict(Switch.objects.values_list("pk", "device__name"))

        def touch(_pods: object, *, switch: list[object]) -> None:
            self.told.put(names[switch[0]])

        self.enterContext(mock.patch("fabric_twin.operations.audits.watch_switches.touch", touch))
        self.listening: queue.Queue[str] = queue.Queue()
        self.watch = Watch(heard=self.listening.put)
        self.addCleanup(self.watch.end)

    def follow(self, *switches: str) -> None:
        """Follow, and wait until each has said how it is: what it was before, nobody knows."""
        self.assertEqual(self.watch.follow(), len(switches))
        for said in (self.listening, self.told):
            self.assertEqual({said.get(timeout=30) for _ in switches}, set(switches))

    def test_a_circuit_that_changes_is_told_of_its_switch_alone(self) -> None:
        self.follow(X32, X11)
        self.set_circuits({("1A", "2B")})
        self.assertEqual(self.told.get(timeout=30), X32)
        self.set_circuits({("1A", "2B")}, X11)
        while (name := self.told.get(timeout=30)) == X32:
            pass  # it was on its way, and then it was there
        self.assertEqual(name, X11)

    def test_a_fan_that_is_lost_is_told(self) -> None:
        self.follow(X32, X11)
        self.break_it("fan-lost", device=X11, unit=1)
        self.assertEqual(self.told.get(timeout=30), X11)

    def test_who_has_no_address_any_more_is_followed_no_more(self) -> None:
        self.follow(X32, X11)
        Switch.objects.filter(device__name=X32).update(address="")
        self.assertEqual(self.watch.follow(), 1)
        self.set_circuits({("1A", "2B")})
        self.set_circuits({("1A", "2B")}, X11)
        self.assertEqual(self.told.get(timeout=30), X11)
