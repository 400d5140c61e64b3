"""Whoever looks for what waits for a worker goes on, whatever is away."""

import gc
import threading
from unittest import mock

from celery.signals import worker_init
from django.db import InterfaceError, OperationalError
from django.test import SimpleTestCase
from kombu.exceptions import OperationalError as BrokerError
from nautobot.apps.testing import TestCase
from redis.exceptions import RedisError

from fabric_twin.management.commands.watch_fabric import CALLS
from fabric_twin.operations import keep_calling as calling
from fabric_twin.operations.audits.run_lease import end_lost_runs
from fabric_twin.operations.audits.touches import call_forgotten
from fabric_twin.operations.calls.clock_set_back import ClockWatch
from fabric_twin.operations.calls.lost_jobs import look_after_jobs
from fabric_twin.operations.keep_calling import keep_calling
from fabric_twin.operations.orders.call_worker import call_forgotten_orders
from fabric_twin.operations.tickets.running.due import call_due


class WorkerLoadedTest(SimpleTestCase):
    def test_its_garbage_collector_leaves_what_is_loaded_alone(self) -> None:
        loaded: list[object] = [[]]
        worker_init.send(sender=None)
        self.assertFalse(any(one is loaded for one in gc.get_objects()))


class KeepCallingTest(TestCase):
    def test_one_that_cannot_call_stops_neither_the_next_nor_the_next_look(self) -> None:
        stop, looks, others = threading.Event(), [], []

        def look() -> int:
            looks.append(len(looks))
            if len(looks) == 4:
                stop.set()
            raise (RedisError, OperationalError, InterfaceError, BrokerError)[looks[-1]]("away")

        def other() -> int:
            others.append(len(others))
            return 0

        with (
            mock.patch.object(calling, "close_old_connections"),
            mock.patch.object(calling, "connection"),
            self.assertLogs("fabric_twin.watch", "WARNING") as logged,
        ):
            keep_calling(stop, (look, other), look=0)
        self.assertEqual(logged.output, ["WARNING:fabric_twin.watch:no worker is called: away"] * 4)
        self.assertEqual(len(others), 4)

    def test_the_watch_calls_for_all_that_can_be_lost(self) -> None:
        first, *others = CALLS
        self.assertIsInstance(first, ClockWatch)
        self.assertEqual(
            others,
            [
                call_due,
                call_forgotten,
                call_forgotten_orders,
                look_after_jobs,
                end_lost_runs,
            ],
        )
