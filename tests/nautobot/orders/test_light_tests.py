"""What the light test of a repair says where circuits were drained."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.diagnosis.pictures import CubesShown
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import (
    AuditRun,
    Cube,
    Finding,
    OpticalCircuit,
    Reservation,
    Slice,
    WorkOrder,
)
from fabric_twin.operations import dispatch
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.fabric.settle_after_audit import before_looking, settle_orders
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.orders.request_tickets import ask_for_tickets
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import Places, place, release_all, reserve
from fabric_twin.services.audits.observe import observed_cubes
from tests.nautobot.bases.orders.order_needs import PORT, SWITCH, NeedsCase


class LightTest(NeedsCase):
    """Where circuits were drained no light passes: a check makes some of its own."""

    def at_the_check(self) -> tuple[WorkOrder, str, str]:
        """A slice has moved away from a dirty connector, and hands have said that it is clean."""
        self.done(self.wish(shape="4x4x4", name="train"))
        slot = Slice.objects.get().parts.get().cube.slot
        order, finding, tray = self.dirty_order(slot)
        [drain] = ask_for_tickets(order, self.admin)
        self.carried_out(drain)
        self.go_on(order)
        return order, finding.key, tray

    def seem_lit(self, order: WorkOrder, key: str) -> None:
        """A look met a circuit of another test at its port, and did not see what is wrong."""
        # As where its circuit went before anybody came to mend it.
        Finding.objects.filter(key=key).update(seen=False)
        (_, port), *_ = core_of(order).needs[0].ports
        switch = self.pod.switches.get(device__name=SWITCH)
        taken = set(switch.circuits.values_list("b", flat=True))
        idle = next(slot for slot in range(1, 9) if slot not in taken)
        OpticalCircuit.objects.create(
            switch=switch, a=int(port[:-1]), b=idle, wanted=False, seen=True
        )

    def test_what_was_not_cleaned_is_seen_before_a_slice_comes_back_and_the_next_rung_is_due(
        self,
    ) -> None:
        order, key, tray = self.at_the_check()
        before = self.shown()
        held = Reservation.objects.count()
        self.audit()
        order.refresh_from_db()
        self.assertEqual(order.state, "under way", "an audit sees nothing where nothing shines")
        [checked] = check_bundles(order, self.admin)
        self.assertFalse(checked.agrees)
        self.assertRegex(checked.why, r"loses \d\.\d dB|hears nobody")
        self.assertEqual((self.shown(), Reservation.objects.count()), (before, held))
        due = order.steps.filter(state__in=("locked", "waiting")).values_list("do", flat=True)
        self.assertIn(Do.RESEAT, due)
        self.assertNotIn(Do.REPLACE, due)
        said = order.events.get(what="light test failed").said
        self.assertEqual(said, f"{key}: {checked.why}")

        self.work([{"do": "clean", "device": tray, "port": PORT}])
        self.go_on(order)
        [checked] = check_bundles(order, self.admin)
        self.assertEqual((checked.why, checked.agrees), ("", True))
        self.assertEqual(self.shown(), before)
        order.refresh_from_db()
        self.assertEqual(order.state, "done")

    def test_a_level_that_is_told_a_moment_later_is_waited_for(self) -> None:
        order, key, tray = self.at_the_check()
        self.work([{"do": "clean", "device": tray, "port": PORT}])
        told: list[CubesShown] = []

        def late(*asked: Any) -> CubesShown:
            shown = observed_cubes(*asked)
            told.append(shown)
            nothing = np.full_like(shown.reflection, np.nan)
            return replace(shown, reflection=nothing) if len(told) == 1 else shown

        with patch("fabric_twin.services.orders.check_bundle.observed_cubes", late):
            [checked] = check_bundles(order, self.admin)
        self.assertEqual((checked.agrees, len(told)), (True, 2))
        self.assertEqual(Finding.objects.get(key=key).proof, [])

    def test_a_port_that_only_had_circuits_of_another_test_is_tested_by_its_own(self) -> None:
        order, key, tray = self.at_the_check()
        self.audit()
        self.work([{"do": "clean", "device": tray, "port": PORT}])
        self.seem_lit(order, key)
        [checked] = check_bundles(order, self.admin)
        self.assertEqual((checked.why, checked.agrees), ("", True))
        self.assertEqual(Finding.objects.get(key=key).proof, [])

    def idle_cubes(self) -> Places:
        """All cubes that could shine at the other end of a test circuit."""
        cubes = Cube.objects.filter(pod=self.pod, slot__in=PodRecord(self.pod).idle)
        return Places(cubes=frozenset(cubes.values_list("pk", flat=True)))

    def test_nothing_is_verified_while_an_audit_holds_what_could_shine(self) -> None:
        order, key, tray = self.at_the_check()
        self.work([{"do": "clean", "device": tray, "port": PORT}])
        run = AuditRun.objects.filter(pod=self.pod).order_by("number").last()
        switch = self.pod.switches.get(device__name=SWITCH)
        own = {place(switch.pk, port) for _, port in core_of(order).needs[0].ports}
        slots = PodRecord(self.pod).idle
        ports = {place(switch.pk, f"{slot}{side}") for slot in slots for side in "AB"}
        for what, why in (
            (Places(frozenset(ports - own)), "is reserved by the light test of iw audit 1"),
            (self.idle_cubes(), "nothing that shines is across the switch"),
        ):
            reserve(run, what)
            dispatch.advance_soon(order.pk)
            self.assertIn(why, advance(order))
            order.refresh_from_db()
            self.assertEqual((order.state, bool(order.advance_asked)), ("under way", True))
            release_all(run)
        self.assertIn("light test passed", advance(order))
        order.refresh_from_db()
        self.assertEqual(order.state, "done")
        self.assertEqual(Finding.objects.get(key=key).proof, [])

    def test_an_order_that_holds_them_for_days_is_not_waited_for_and_the_finding_stays(
        self,
    ) -> None:
        order, key, tray = self.at_the_check()
        self.work([{"do": "clean", "device": tray, "port": PORT}])
        other = make_order(self.pod, OrderWish(kind=Kind.INSTALL, slots=(9,)), self.admin)
        reserve(other, self.idle_cubes())
        self.assertIn("light test passed", advance(order))
        order.refresh_from_db()
        self.assertEqual(order.state, "done")
        found = Finding.objects.get(key=key)
        self.assertNotEqual(found.proof, [])
        self.assertNotEqual(found.state, "mended")

    def test_an_audit_that_met_the_circuits_of_a_check_and_saw_nothing_verifies_nothing(
        self,
    ) -> None:
        order, key, _ = self.at_the_check()
        self.audit()
        self.seem_lit(order, key)
        run = AuditRun.objects.filter(pod=self.pod).order_by("number").last()
        settle_orders(run, Covered(fabric=True), before_looking(self.pod))
        states = order.steps.filter(do=Do.CHECK, bundle=key).values_list("state", flat=True)
        self.assertNotIn("verified", states)
        order.refresh_from_db()
        self.assertEqual(order.state, "under way")
