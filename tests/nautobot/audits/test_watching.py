"""Watching: what a switch says to have changed is touched; light that moves a little is not."""

import queue
import time
from unittest import mock

from django.db import OperationalError, connection

from fabric_twin.models import Cube, Switch
from fabric_twin.operations.audits import watch_switches
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

        #: What goes wrong first when a change is noted.
        self.away: list[Exception] = []

        def note(_pod: object, *, switch: list[object]) -> None:
            connection.ensure_connection()
            if self.away:
                raise self.away.pop()
            self.told.put(names[switch[0]])

        self.enterContext(mock.patch.object(watch_switches, "note_touched", note))
        self.enterContext(mock.patch.object(watch_switches, "AGAIN", 0))
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

    def test_what_could_not_be_noted_is_noted_as_soon_as_the_database_is_back(self) -> None:
        self.follow(X32, X11)
        self.away += [OperationalError("away"), ConnectionError("away")]
        with self.assertLogs("fabric_twin.watch", "WARNING") as logged:
            self.break_it("fan-lost", device=X32, unit=1)
            self.assertEqual(self.told.get(timeout=30), X32)
        said = f"WARNING:fabric_twin.watch:{X32} changed, not noted yet: away"
        # It may be told of twice: that it is lost, and what else is then.
        self.assertEqual(logged.output[:2], [said] * 2)

    def test_who_listens_keeps_no_connection_to_the_database(self) -> None:
        def connections() -> int:
            here = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            with connection.cursor() as cursor:
                # Within a transaction PostgreSQL goes on saying what it said first.
                cursor.execute("SELECT pg_stat_clear_snapshot()")
                cursor.execute(here)
                return int(cursor.fetchone()[0])

        before = connections()
        self.follow(X32, X11)
        last = time.monotonic() + 30
        while connections() > before:  # they are closed, and PostgreSQL says so a moment later
            self.assertLess(time.monotonic(), last)

    def test_who_has_no_address_any_more_is_followed_no_more(self) -> None:
        self.follow(X32, X11)
        Switch.objects.filter(device__name=X32).update(address="")
        self.assertEqual(self.watch.follow(), 1)
        self.set_circuits({("1A", "2B")})
        self.set_circuits({("1A", "2B")}, X11)
        self.assertEqual(self.told.get(timeout=30), X11)
