"""Tickets carried out on the simulated fabric, over TLS: from the wish to the slice, and back."""

from datetime import timedelta
from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.extras.models import Job, JobResult
from redis.exceptions import RedisError

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import OpticalCircuit, Reservation, Slice, Switch, Ticket
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import try_audit
from fabric_twin.operations.calls.heartbeat import say_alive
from fabric_twin.operations.pods.poll import must_look
from fabric_twin.operations.pods.sync import sync
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.to_core import changes_of
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.running.due import MISSED, call_due, due_tickets
from fabric_twin.operations.tickets.running.jobs import GONE
from fabric_twin.operations.tickets.running.try_again import try_again
from fabric_twin.operations.tickets.running.waiting import NO_WATCH, STALLED, WAIT
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import Places, reserve
from fabric_twin.repositories.states import update_state
from fabric_twin.switches.fabric import Fabric
from tests.nautobot.bases.run_jobs import log_in_this_transaction, run, said
from tests.nautobot.bases.tickets.ticket_runs import RunCase

DUE = "fabric_twin.operations.tickets.running.due"


class RunTest(RunCase):
    def test_a_slice_is_made_released_and_every_step_is_undone(self) -> None:
        made = self.done(self.wish())
        self.assertAgree(96)
        self.assertEqual(Slice.objects.get().status.name, "Active")
        self.assertEqual(Reservation.objects.count(), 0)
        self.assertEqual(
            [what for (what,) in made.events.values_list("what")],
            ["make", "submit", "approve", "schedule", "start", "announce", "staged", "finish"],
        )
        [stage] = made.stages.all()
        self.assertEqual(
            (stage.state, stage.tries, stage.report), ("done", 1, {"bad": [], "many": 0})
        )
        key = Slice.objects.get().pk

        released = self.done(self.wish("release", slice="train"))
        self.assertAgree(0)
        self.assertEqual(Slice.objects.count(), 0)
        back = self.run_back(released)
        self.assertEqual(back.state, "undone")
        self.assertAgree(96)
        there = Slice.objects.get()
        self.assertEqual((there.pk, there.status.name, there.parts.count()), (key, "Active", 2))
        self.assertEqual(there.circuits.count(), 96)

        back = self.run_back(made)
        self.assertEqual(back.state, "undone")
        self.assertAgree(0)
        self.assertEqual((Slice.objects.count(), Reservation.objects.count()), (0, 0))

    def test_what_switches_show_is_on_record_while_cubes_are_waited_for(self) -> None:
        read, seen = Fabric.read_cubes_and_factory, list[int]()

        def read_later(fabric: Fabric, cubes: Any, pairs: Any, meanwhile: Any) -> Any:
            meanwhile()
            seen.append(OpticalCircuit.objects.filter(wanted=True, seen=True).count())
            return read(fabric, cubes, pairs)

        with mock.patch.object(Fabric, "read_cubes_and_factory", read_later):
            self.done(self.wish())
        self.assertEqual(seen, [96])
        self.assertAgree(96)

    def test_one_that_was_stopped_says_that_it_waits_and_goes_on_by_itself(self) -> None:
        made = self.done(self.wish())
        soon = Now() + timedelta(seconds=1)
        held = Ticket.objects.filter(pk=made.pk)
        reserve(made, Places(changes_of(made).circuits.places))
        update_state(held, "failed", lease_token=None, lease_until=soon, message="stopped by root")
        back = life.undo(Ticket.objects.get(pk=made.pk), self.root)
        self.assertEqual(
            (back.state, back.message),
            ("running", "it goes on once what was sent before it was stopped has come to its end"),
        )
        ended = self.run_it(back)
        self.assertEqual((ended.state, ended.message), ("undone", ""))
        self.assertAgree(0)

    def test_a_port_that_does_not_tune_sends_it_back(self) -> None:
        self.break_it("stuck-mirror", device="iw-ocs-x-3-2", port="1A")
        ended = self.run_it(self.ready(self.wish()))
        self.assertEqual(ended.state, "undone")
        self.assertIn("1A", ended.message)
        self.assertAgree(0)
        self.assertEqual((Slice.objects.count(), Reservation.objects.count()), (0, 0))

    def test_it_is_held_where_the_ticket_says_so_and_resumed(self) -> None:
        fault = self.break_it("stuck-mirror", device="iw-ocs-x-3-2", port="1A")
        ended = self.run_it(self.ready(self.wish(terms=Terms(on_failure="hold"))))
        self.assertEqual(ended.state, "failed")
        [stage] = ended.stages.all()
        self.assertEqual((stage.state, stage.report["many"]), ("bad", 1))
        self.assertGreater(Reservation.objects.count(), 0)
        self.control("/mend", number=fault)
        ended = self.run_it(life.resume(ended, self.root))
        self.assertEqual(ended.state, "done")
        self.assertAgree(96)

    def test_it_begins_only_when_what_it_interrupts_is_drained(self) -> None:
        self.done(self.wish())
        ticket = self.wish("release", slice="train")
        ticket = life.start(life.approve(life.submit(ticket, self.ada), self.root), self.root)
        with self.assertRaises(FabricTwinError) as refused:
            self.run_it(ticket)
        self.assertEqual(
            str(refused.exception),
            "ticket iw-t2: nobody confirmed that slice train is drained. "
            "Confirm it on the ticket's page when its job has ended.",
        )
        self.assertAgree(96)

    def test_when_the_world_moved_it_goes_back_to_its_author_planned_again(self) -> None:
        ticket = self.ready(self.wish())
        first = ticket.plan["add"][0]
        strange = {("99A", first["b"])}
        self.set_circuits(strange, first["switch"])
        ended = self.run_it(ticket)
        self.assertEqual(ended.state, "withdrawn")
        self.assertIn("is not of this ticket", ended.message)
        again = Ticket.objects.get(revision=2)
        self.assertEqual((again.name, again.state, again.author), ("iw-t1.2", "draft", self.ada))
        # Nobody wants the other circuit: it gives way.
        self.assertEqual([(c["a"], c["b"]) for c in again.plan["remove"]], sorted(strange))

    def test_a_circuit_of_somebody_else_stops_it_and_is_not_touched(self) -> None:
        ticket = self.ready(self.wish())
        first = ticket.plan["add"][0]
        strange = {("99A", first["b"])}
        with mock.patch("fabric_twin.operations.tickets.running.carry_out.look") as look:
            look.return_value = mock.Mock(moved=(), silent=(), dark=frozenset())
            self.set_circuits(strange, first["switch"])
            ended = self.run_it(ticket)
        self.assertEqual(ended.state, "failed")
        self.assertIn("is not of it", ended.message)
        self.assertEqual(
            {row for row in self.shown() if row[0] == first["switch"]},
            {(first["switch"], 99, int(first["b"][:-1]))},
        )

    def test_an_audit_that_looked_before_does_not_write_over_what_the_ticket_saw(self) -> None:
        look = must_look(PodRecord(self.pod))
        self.done(self.wish())
        with transaction.atomic():
            sync(PodRecord(self.pod), look)
        self.assertAgree(96)

    def test_an_audit_in_the_middle_of_a_stage_misses_nothing_that_is_on_its_way(self) -> None:
        found: list[tuple[int, list[str]]] = []

        def middle(what: str, _many: int) -> None:
            if what.endswith("circuits sent"):
                audit, _ = try_audit(self.pod, look=observe_scope)
                wanted = len(self.recorded(wanted=True))
                found.append((wanted, sorted(one.finding.code for one in audit.found)))

        self.done(self.wish(), progress=middle)
        self.assertEqual(found, [(96, [])])


class JobTest(RunCase):
    """What a worker does, and who calls it."""

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)
        Job.objects.filter(job_class_name="CarryOutTicket").update(enabled=True)

    def test_the_job_says_whether_it_could_begin_and_then_carries_it_out(self) -> None:
        ticket = self.ready(self.wish())
        would = run("CarryOutTicket", "root", ticket=ticket.pk, dryrun=True)
        self.assertEqual(would.result, "iw-t1: would begin")
        done = run("CarryOutTicket", "root", ticket=ticket.pk)
        self.assertEqual((done.status, done.result), ("SUCCESS", "iw-t1: done."), said(done))
        ticket.refresh_from_db()
        self.assertEqual((ticket.state, ticket.job_result), ("done", done))
        self.assertIn("stage 1 is verified", said(done))

    def test_whoever_starts_a_ticket_calls_a_worker_that_runs_as_them(self) -> None:
        enqueue = mock.patch("fabric_twin.operations.dispatch.JobResult.enqueue_job")
        job = JobResult.objects.create(name="Carry out ticket", user=self.root)
        with enqueue as enqueued, self.captureOnCommitCallbacks(execute=True):
            enqueued.return_value = job
            ticket = self.ready(self.wish())
        [call] = enqueued.call_args_list
        self.assertEqual(call.args[1], self.root)
        self.assertEqual(call.kwargs, {"job_kwargs": {"ticket": ticket.pk}})
        ticket.refresh_from_db()
        self.assertEqual(ticket.job_result, job)

    def test_the_job_of_a_worker_that_is_gone_ends_when_another_one_goes_on(self) -> None:
        job = Job.objects.get(job_class_name="CarryOutTicket")
        ticket, about = self.ready(self.wish()), {"job_model": job, "status": "STARTED"}
        gone, other = (
            JobResult.objects.create(name=job.name, task_kwargs={"ticket": key}, **about)
            for key in (str(ticket.pk), "another")
        )
        done = run("CarryOutTicket", "root", ticket=ticket.pk)
        gone.refresh_from_db()
        other.refresh_from_db()
        self.assertEqual(
            (done.status, gone.status, other.status), ("SUCCESS", "FAILURE", "STARTED")
        )
        self.assertEqual(said(gone), f"{GONE}")

    def test_one_that_runs_and_with_which_nobody_may_go_on_says_so(self) -> None:
        get_user_model().objects.create_user("eve")
        ticket = self.ready(self.wish())
        update_state(Ticket.objects.filter(pk=ticket.pk), "running")
        refused = run("CarryOutTicket", "eve", ticket=ticket.pk)
        ticket.refresh_from_db()
        self.assertEqual((refused.status, ticket.state), ("FAILURE", "running"))
        self.assertTrue(ticket.message.startswith(STALLED), ticket.message)
        self.assertIn("Somebody who may run it stops and resumes it.", ticket.message)

    def test_the_next_worker_is_called_as_soon_as_one_has_gone(self) -> None:
        called: list[Any] = []
        self.enterContext(mock.patch(f"{DUE}.call_worker", called.append))
        ticket = self.ready(self.wish())
        self.assertEqual((call_due(), call_due()), (1, 0))
        run("CarryOutTicket", "root", ticket=ticket.pk)
        update_state(Ticket.objects.all(), "running", lease_until=None)
        self.assertEqual(call_due(), 1)
        self.assertEqual(called, [ticket.pk] * 2)

    def test_a_broker_that_is_away_loses_no_ticket(self) -> None:
        away = mock.patch("fabric_twin.operations.tickets.running.due.cache")
        with away as cache, self.assertLogs("django.test", "ERROR"):
            cache.add.side_effect = RedisError("away")
            with self.captureOnCommitCallbacks(execute=True):
                ticket = self.ready(self.wish())
        self.assertEqual(due_tickets(), [ticket.pk])

    def test_a_job_that_is_not_enabled_is_said_by_the_ticket(self) -> None:
        Job.objects.filter(job_class_name="CarryOutTicket").update(enabled=False)
        with self.captureOnCommitCallbacks(execute=True):
            ticket = self.ready(self.wish())
        ticket.refresh_from_db()
        self.assertIn("the job Carry out ticket is not enabled", ticket.message)


class WaitingTest(RunCase):
    """A ticket that cannot begin: one job, one line of history, and a look now and then."""

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)
        self.tried: list[Any] = []
        self.enterContext(mock.patch(f"{DUE}.dispatch.try_soon", self.tried.append))
        self.jobs: list[str] = []
        self.enterContext(mock.patch(f"{DUE}.dispatch.run_job", self.called))
        self.addCleanup(cache.clear)

    def called(self, job: str, *_: Any, **__: Any) -> Any:
        self.jobs.append(job)

    def waiting(self) -> Ticket:
        """One whose switch has not answered when its job ran."""
        ticket = self.ready(self.wish())
        Switch.objects.filter(pod=self.pod, number=0).update(address="127.0.0.1:9")
        ran = run("CarryOutTicket", "root", ticket=ticket.pk)
        self.assertEqual(ran.status, "FAILURE")
        return Ticket.objects.get(pk=ticket.pk)

    def test_it_is_looked_at_each_time_after_longer_and_no_job_fails_again(self) -> None:
        ticket = self.waiting()
        self.assertIn("iw-ocs-x-1-1", ticket.message)
        self.assertEqual(call_due(), 0, "its pause has just begun")
        for minutes, pause in ((0, 5), (1, 60), (30, 300)):
            at = timezone.now() - timedelta(minutes=minutes)
            ticket.events.filter(what=WAIT).update(at=at)
            with mock.patch(f"{DUE}.cache") as kept:
                self.assertIn("does not answer", try_again(ticket))
            [(_, _, seconds)] = [call.args for call in kept.set.call_args_list]
            self.assertAlmostEqual(seconds, pause, delta=2)
        cache.clear()
        self.assertEqual(call_due(), 1)
        self.assertEqual(self.tried, [ticket.pk])
        self.assertEqual(self.jobs, [])
        self.assertEqual(ticket.events.filter(what=WAIT).count(), 1)

    def test_its_job_is_called_for_as_soon_as_it_could_begin(self) -> None:
        ticket = self.waiting()
        address = Switch.objects.get(pod=self.pod, number=1).address
        Switch.objects.filter(pod=self.pod, number=0).update(address=address)
        self.assertEqual(try_again(ticket), f"{ticket.name}: its job is queued")
        self.assertEqual(len(self.jobs), 1)
        ended = self.run_it(ticket)
        self.assertEqual((ended.state, ended.message), ("done", ""))

    def test_one_that_its_runner_may_not_run_any_more_waits_and_says_who_may(self) -> None:
        ticket = self.waiting()
        self.root.is_superuser = False
        self.root.save()
        self.assertIn("root, who set it going, may not run it", try_again(ticket))
        self.assertEqual(self.jobs, [])

    def test_a_second_job_is_not_called_for_while_one_waits_for_a_worker(self) -> None:
        ticket = self.ready(self.wish())
        job = JobResult.objects.create(name="Carry out ticket")
        Ticket.objects.filter(pk=ticket.pk).update(job_result=job)
        cache.clear()
        self.assertEqual(call_due(), 1)
        self.assertEqual(self.jobs, [])

    def test_one_that_waits_for_a_watch_that_is_not_there_says_so(self) -> None:
        ticket = life.approve(life.submit(self.wish(), self.ada), self.root)
        self.assertEqual(life.schedule(ticket, self.root).message, NO_WATCH)
        call_due()
        self.assertEqual(Ticket.objects.get(pk=ticket.pk).message, "")
        say_alive()
        self.assertEqual(life.start(ticket, self.root).message, "")


class DueTest(RunCase):
    def test_a_ticket_is_due_in_its_window_and_a_run_when_its_lease_is_over(self) -> None:
        ticket = life.approve(life.submit(self.wish(), self.ada), self.root)
        self.assertEqual(due_tickets(), [])
        ticket = life.start(ticket, self.root)
        self.assertEqual(due_tickets(), [ticket.pk])
        called: list[Any] = []
        self.enterContext(mock.patch(f"{DUE}.call_worker", called.append))
        self.assertEqual((call_due(), call_due()), (1, 0))
        self.assertEqual(called, [ticket.pk])
        update_state(Ticket.objects.all(), "running", lease_until="2100-01-01T00:00Z")
        self.assertEqual(due_tickets(), [])
        Ticket.objects.update(lease_until="2020-01-01T00:00Z")
        self.assertEqual(due_tickets(), [ticket.pk])
        update_state(
            Ticket.objects.all(), "scheduled", window_start=None, window_end="2020-01-01T00:00Z"
        )
        self.assertEqual((due_tickets(), call_due()), ([], 0))
        ticket.refresh_from_db()
        self.assertEqual(ticket.message, MISSED)
