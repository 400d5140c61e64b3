"""Topologies carried out on simulated switches: drained, switched, read back, lit, and undone."""

import json
from collections import Counter
from datetime import date, timedelta
from typing import Any
from unittest import mock

import networkx as nx
import pytest
from django.db.models.functions import Now
from django.urls import reverse

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.tickets.course import Direction, Position
from fabric_twin.models import Block, Demand, OpticalCircuit, Port, Ticket
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import try_audit
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.pods.sync import sync_pod
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.link_drains import DRAINS, confirm_links_drained
from fabric_twin.operations.tickets.changes.to_core import course_of
from fabric_twin.operations.tickets.running.due import due_tickets
from fabric_twin.switches.fabric import Fabric
from tests.nautobot.bases.networks.network_runs import NetworkRunCase
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import allow, somebody

pytestmark = pytest.mark.integration


class TopologyRunTest(NetworkRunCase):
    def test_each_stage_waits_is_switched_and_all_of_it_is_undone(self) -> None:
        before = self.recorded(wanted=True)
        self.assertAgree(24)
        ticket = self.run_it(self.ready(self.wish()))
        course = course_of(ticket)
        gone = [stage for stage in course.stages if stage.remove]
        self.assertEqual(len(gone), 2)
        self.assertEqual(ticket.state, "running")
        self.assertRegex(
            ticket.message,
            rf"^{DRAINS} stage 1 waits until somebody confirms that 4 links "
            r"\(ab0\d and ab0\d: .*\) carry nothing$",
        )
        self.assertEqual((due_tickets(), ticket.lease_token), ([], None))
        self.assertEqual(self.shown(), before)  # nothing was sent yet

        done, waited = self.through(ticket)
        self.assertEqual((done.state, done.message, waited), ("done", "", 2))
        self.assertAgree(24)
        self.assertNotEqual(self.recorded(wanted=True), before)
        stages = done.stages.order_by("number")
        self.assertEqual([one.state for one in stages], ["done"] * len(course.stages))
        # Who confirmed is kept, and counts for that step alone.
        self.assertEqual({(one.carries, one.drained_by) for one in stages}, {(True, self.root)})
        self.assertFalse([one for one in stages if one.drained_at is None])
        said = done.events.filter(what="drained").values_list("said", flat=True)
        self.assertEqual(
            list(said),
            [f"the links of stage {n} carry nothing. moved to the others" for n in (2, 1)][::-1],
        )

        back = life.approve(life.ask_undo(done, self.ada, "too early"), self.root)
        undone, waited = self.through(life.undo(back, self.root))
        self.assertEqual((undone.state, waited), ("undone", 2))
        self.assertAgree(24)
        self.assertEqual(self.recorded(wanted=True), before)

    def test_a_stage_that_goes_wrong_is_back_at_once_and_the_one_before_waits(self) -> None:
        ticket = self.ready(self.wish())
        course = course_of(ticket)
        last = next(stage for stage in reversed(course.stages) if stage.add)
        bad = last.add[0]
        self.break_it("stuck-mirror", device=bad.switch, port=bad.a)
        ticket = self.run_it(self.confirm(self.run_it(ticket)))
        self.assertIn("stage 2 waits", ticket.message)
        held = self.run_it(self.confirm(ticket))
        self.assertEqual((held.state, held.direction), ("running", "back"))
        self.assertIn("stage 1, going back waits until somebody confirms", held.message)
        states = list(held.stages.order_by("number").values_list("state", flat=True))
        self.assertEqual(states, ["done", "undone"])
        undone = self.run_it(self.confirm(held))
        self.assertEqual(undone.state, "undone")
        self.assertIn(bad.a, undone.message)
        self.assertAgree(24)

    def test_links_are_qualified_by_what_their_blocks_say(self) -> None:
        """The switch measures its mirrors alone: what is wrong beside it, strands say."""
        for kind, how, why in (
            ("slow", {"gbps": 100}, "runs at 100 Gbit/s, and both ends can do 400"),
            ("dirty", {"loss_db": 4.0}, "hears nobody, and not"),
            ("silent", {}, "does not answer"),
        ):
            with self.subTest(kind):
                ticket = self.ready(self.wish())
                added = course_of(ticket).stages[0].add[0]
                switch = Port.objects.filter(switch__device__name=added.switch)
                end = switch.get(interface__name=added.a).interface.connected_endpoint
                port = {"port": end.name} if how else {}
                number = self.break_it(kind, device=end.device.name, **port, **how)
                ended = self.run_it(self.confirm(self.run_it(ticket)))
                self.control("/mend", number=number)
                self.assertEqual(ended.state, "undone")
                self.assertIn(f"{end.device} {port['port']} {why}" if how else why, ended.message)
                self.assertAgree(24)

    def test_only_who_may_drain_confirms_and_only_what_waits(self) -> None:
        ticket = self.wish()
        with self.assertRaisesMessage(FabricTwinError, "no stage of it waits until its links"):
            confirm_links_drained(ticket, Position(1), self.root)
        ticket = self.run_it(self.ready(ticket))
        with self.assertRaisesMessage(FabricTwinError, "fabric_twin.drain_ticket"):
            confirm_links_drained(ticket, Position(1), somebody("reader"))
        router = somebody("router")
        allow(router, ["view", "drain"], Ticket)
        confirm_links_drained(ticket, Position(1), router, "rerouted")
        ticket.refresh_from_db()
        self.assertEqual((ticket.message, due_tickets()), ("", [ticket.pk]))
        with self.assertRaisesMessage(FabricTwinError, "no stage of it waits until its links"):
            confirm_links_drained(ticket, Position(1), router)

    def test_who_confirms_another_step_than_the_one_that_waits_is_refused(self) -> None:
        """Two who have the page of stage 1 open do not confirm stage 2 between them."""
        ticket = self.run_it(self.confirm(self.run_it(self.ready(self.wish()))))
        self.assertIn("stage 2 waits", ticket.message)
        for step in (Position(1), Position(2, Direction.BACK)):
            with self.assertRaisesMessage(FabricTwinError, "stage 2 waits, and not stage"):
                confirm_links_drained(ticket, step, self.root)
        self.assertEqual(self.run_it(self.confirm(ticket)).state, "done")

    def test_what_was_confirmed_does_not_outlive_a_stop(self) -> None:
        ticket = self.confirm(self.run_it(self.ready(self.wish())))
        held = life.stop(ticket, self.root, "wait")
        resumed = self.run_it(life.resume(held, self.root))
        self.assertIn("stage 1 waits", resumed.message)
        done, _ = self.through(resumed)
        self.assertEqual(done.state, "done")
        back = life.undo(life.approve(life.ask_undo(done, self.ada, "early"), self.root), self.root)
        waits = self.run_it(back)
        self.assertRegex(waits.message, r"stage 2, going back waits .* 4 links \(.*\) carry")
        # A stranger on one of its ports holds it: what waits then waits again.
        Ticket.objects.filter(pk=waits.pk).update(message="")
        last = course_of(waits).stages[-1].add[0]
        self.set_circuits({(last.a, "130B")}, switch=last.switch)
        held = self.run_it(Ticket.objects.get(pk=waits.pk))
        self.assertEqual(held.state, "failed")
        pairs = {(c.a, c.b) for c in course_of(held).states[-1].values() if c.switch == last.switch}
        kept = {(f"{a}A", f"{b}B") for s, a, b in self.recorded(wanted=True) if s == last.switch}
        self.set_circuits(pairs | kept, switch=last.switch)
        again = self.run_it(life.resume(held, self.root))
        self.assertIn("stage 2, going back waits", again.message)

    def test_demand_that_came_since_is_held_against_the_stage(self) -> None:
        ticket = self.run_it(self.ready(self.wish()))
        asked = b"from,to,gbps\nab01,ab02,1600\nab01,ab03,1600\nab01,ab04,1600\n"
        keep_demand(self.pod, asked, day=date(2026, 11, 2))
        with self.assertRaisesMessage(FabricTwinError, "without the circuits that go, "):
            self.confirm(ticket)
        undone, waited = self.through(life.undo(ticket, self.root))
        self.assertEqual((undone.state, waited), ("undone", 0))

    def test_blocks_and_demand_that_changed_before_it_began_send_it_back(self) -> None:
        ticket = self.ready(self.wish())
        Block.objects.filter(name="ab03").update(status=status_of(Block, "Draining"))
        self.run_it(ticket)
        ticket.refresh_from_db()
        self.assertEqual(ticket.state, "withdrawn")
        self.assertIn("block ab03 is Draining now", ticket.message)

    def test_a_block_that_leaves_is_drained_to_the_end_and_back(self) -> None:
        Block.objects.filter(name="ab04").update(status=status_of(Block, "Draining"))
        done, waited = self.through(self.ready(self.wish(topology="uniform")))
        self.assertEqual((done.state, waited), ("done", 2))
        self.assertEqual(len(self.shown()), 18)
        back = life.approve(life.ask_undo(done, self.ada, "it stays"), self.root)
        self.assertEqual(self.through(life.undo(back, self.root))[0].state, "undone")
        self.assertAgree(24)

    def test_records_that_are_behind_take_nothing_away_that_others_brought(self) -> None:
        """As after a restore: switches have all of it, and the ticket believes to be at stage 1."""
        ticket = self.run_it(self.ready(self.wish()))
        end = course_of(ticket).states[-1]
        own = course_of(ticket).own
        for switch in self.switches:
            kept = {
                (f"{a}A", f"{b}B")
                for s, a, b in self.recorded(wanted=True)
                if s == switch and (s, f"{a}A", f"{b}B") not in own
            }
            self.set_circuits({(a, b) for s, a, b in end if s == switch} | kept, switch=switch)
        before = self.shown()
        held = self.run_it(self.confirm(ticket))
        self.assertEqual(held.state, "failed")
        self.assertIn("another stage brought it, and it may be in use", held.message)
        self.assertEqual(self.shown(), before)

    def test_who_waits_past_the_window_is_gone_on_with(self) -> None:
        ticket = self.run_it(self.ready(self.wish()))
        self.assertEqual(due_tickets(), [])
        Ticket.objects.filter(pk=ticket.pk).update(
            window_start=Now() - timedelta(hours=1), window_end=Now() - timedelta(seconds=1)
        )
        self.assertEqual(due_tickets(), [ticket.pk])
        ended = self.run_it(Ticket.objects.get(pk=ticket.pk))
        self.assertEqual(ended.state, "undone")
        self.assertIn("the window is over", ended.message)

    def test_one_that_waits_is_turned_round_by_who_runs_it(self) -> None:
        ticket = self.run_it(self.confirm(self.run_it(self.ready(self.wish()))))
        self.assertIn("stage 2 waits", ticket.message)
        turned = self.run_it(life.undo(ticket, self.root, "not tonight"))
        self.assertIn("stage 1, going back waits", turned.message)
        self.assertEqual(self.run_it(self.confirm(turned)).state, "undone")
        self.assertAgree(24)


class DoorTest(NetworkRunCase):
    """Who routes over it confirms on the page, over REST or on the command line."""

    def setUp(self) -> None:
        super().setUp()
        self.router = somebody("router")
        allow(self.router, ["view", "drain"], Ticket)
        self.client.force_login(self.router)
        self.ticket = self.run_it(self.ready(self.wish()))

    def test_the_page_names_the_links_and_confirms_the_stage_that_it_showed(self) -> None:
        page = self.client.get(self.ticket.get_absolute_url()).content.decode()
        self.assertIn("Confirm links drained", page)
        url = reverse("plugins:fabric_twin:ticket_act", args=[self.ticket.pk])
        asked = self.client.get(f"{url}?do=confirm-links-drained").content.decode()
        self.assertRegex(asked, r"Stage 1 waits until somebody confirms that 4 links \(ab0")
        self.assertRegex(asked, r'name="stage" value="1"')
        self.client.post(f"{url}?do=confirm-links-drained", {"stage": "2", "said": "early"})
        self.assertIsNone(self.ticket.stages.get(number=1).drained_at)
        self.client.post(f"{url}?do=confirm-links-drained", {"stage": "1", "said": "moved"})
        self.assertEqual(self.ticket.stages.get(number=1).drained_by, self.router)
        page = self.client.get(self.ticket.get_absolute_url()).content.decode()
        self.assertNotIn("Confirm links drained", page)

    def test_rest_takes_the_stage_and_refuses_another_one(self) -> None:
        url = reverse("plugins-api:fabric_twin-api:ticket-detail", args=[self.ticket.pk])

        def confirm(**given: Any) -> Any:
            body = json.dumps(given)
            return self.client.post(
                f"{url}confirm-links-drained/", body, content_type="application/json"
            )

        self.assertEqual(confirm().status_code, 400)
        for given in ({"stage": 2}, {"stage": 1, "back": True}):
            refused = confirm(**given)
            self.assertEqual(refused.status_code, 400, refused.content)
            self.assertIn("stage 1 waits, and not stage", refused.content.decode())
        self.assertEqual(confirm(stage=1, said="moved").status_code, 200)
        self.assertEqual(confirm(stage=1).status_code, 409)


class Killed(BaseException):
    """A worker is gone, with what it had in its hands."""


class KilledTest(NetworkRunCase):
    """A worker that is gone at each Set, before it or after: going on and undoing both end right.

    Meanwhile every pair gets what it asks for, by another's maximum flow.
    """

    def test_a_worker_is_killed_at_every_set(self) -> None:
        for at in range(4):  # each of two stages: as it is sent, and as it came
            for goes_on in (True, False):
                with self.subTest(at=at, goes_on=goes_on):
                    self._killed(at, goes_on=goes_on)

    def _killed(self, at: int, *, goes_on: bool) -> None:
        before = self.recorded(wanted=True)
        ticket = self.ready(self.wish())
        sets = 0

        def apply(fabric: Fabric, changes: Any, **how: Any) -> Any:
            nonlocal sets
            if not any(change.add or change.delete for change in changes.values()):
                return send(fabric, changes, **how)  # a look
            sets += 1
            if 2 * (sets - 1) == at:
                raise Killed
            done = send(fabric, changes, **how)
            if 2 * (sets - 1) + 1 == at:
                raise Killed
            return done

        send = Fabric.apply
        with mock.patch.object(Fabric, "apply", apply), self.assertRaises(Killed):
            self.through(ticket)
        self.assertKept()
        Ticket.objects.filter(pk=ticket.pk).update(lease_until=Now())
        ticket = Ticket.objects.get(pk=ticket.pk)
        if not goes_on:
            ticket = life.undo(ticket, self.root)
        ended, _ = self.through(ticket)
        self.assertEqual(ended.state, "done" if goes_on else "undone")
        self.assertAgree(24)
        self.assertKept()
        if goes_on:
            back = life.approve(life.ask_undo(ended, self.ada, "again"), self.root)
            self.assertEqual(self.through(life.undo(back, self.root))[0].state, "undone")
        self.assertEqual(self.recorded(wanted=True), before)

    def test_a_switch_loses_power_at_every_set(self) -> None:
        """It is back a moment later and the ticket goes on; or it stays away, and all is undone."""
        for at in range(2):
            for comes_back in (True, False):
                with self.subTest(at=at, comes_back=comes_back):
                    self._without_power(at, comes_back=comes_back)

    def _without_power(self, at: int, *, comes_back: bool) -> None:
        before, send, faults = self.recorded(wanted=True), Fabric.apply, list[int]()
        sets = 0

        def apply(fabric: Fabric, changes: Any, **how: Any) -> Any:
            nonlocal sets
            if any(change.add or change.delete for change in changes.values()):
                sets += 1
                if sets == at + 1:
                    [switch] = (name for name, one in changes.items() if one.add or one.delete)
                    faults.append(self.break_it("switch-down", device=switch))
            answers = send(fabric, changes, **how)
            if comes_back and faults and sets == at + 1:
                self.control("/mend", number=faults.pop())
            return answers

        with mock.patch.object(Fabric, "apply", apply):
            ended, _ = self.through(self.ready(self.wish()))
        if not comes_back:
            self.assertEqual(ended.state, "failed")  # held: nobody knows what the switch carries
            self.control("/mend", number=faults.pop())
            ended, _ = self.through(life.undo(ended, self.root))
        self.assertEqual(ended.state, "done" if comes_back else "undone")
        self.assertAgree(24)
        self.assertKept()
        if comes_back:
            back = life.approve(life.ask_undo(ended, self.ada, "again"), self.root)
            self.assertEqual(self.through(life.undo(back, self.root))[0].state, "undone")
        self.assertEqual(self.recorded(wanted=True), before)

    def assertKept(self) -> None:
        """What the switches carry gets the demand of every pair through, over any way."""
        block = [f"ab{number:02}" for number in (1, 2, 3, 4) for _ in range(3)]
        links = Counter(frozenset({block[a - 1], block[b - 1]}) for _, a, b in self.shown())
        graph = nx.Graph()
        for (one, other), many in links.items():
            graph.add_edge(one, other, capacity=400.0 * many)
        for one, other, gbps in Demand.objects.get().rows:
            self.assertGreaterEqual(nx.maximum_flow_value(graph, one, other), gbps)


class ReadTest(NetworkRunCase):
    """What its switches show is known of a network, and beside the records."""

    def codes(self) -> list[tuple[str, str]]:
        audit, _ = try_audit(self.pod, look=observe_scope)
        return sorted((one.finding.code, one.finding.cause) for one in audit.found)

    def test_its_switches_are_read_and_what_they_lack_is_found(self) -> None:
        synced = sync_pod(self.pod, self.root)
        self.assertTrue(str(synced).startswith("6 of 6 devices answered"), synced)
        self.assertEqual(self.codes(), [])
        self.set_circuits({("1A", "4B")}, switch="dc1-ocs-01")
        sync_pod(self.pod, self.root)
        self.assertEqual(OpticalCircuit.objects.filter(seen=False).count(), 11)
        missing = "dc1-ocs-01 has not circuits 2A-7B, 3A-10B and 9 more circuits"
        self.assertEqual(self.codes(), [("circuit-missing", missing)])
        # Another topology brings them too, or wants them no more.
        done, _ = self.through(self.ready(self.wish()))
        self.assertEqual((done.state, self.codes()), ("done", []))
        self.assertAgree(24)
