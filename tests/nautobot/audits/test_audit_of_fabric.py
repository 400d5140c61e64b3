"""Audits that look: every fault of the fabric is one finding, and mending it closes it.

That a second audit finds nothing new of any of them, tests/e2e/test_every_fault.py tries.
"""

from typing import Any

from nautobot.extras.models import ObjectChange
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted
from fabric_twin.models import (
    AuditRun,
    Cube,
    Finding,
    LightReading,
    OpticalCircuit,
    Reading,
    Reservation,
    Slice,
    Switch,
    Touch,
)
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.panels.finding import draw_finding
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import Places, place, reserve
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.nautobot.bases.fabric import FabricTestCase

TRAY, PORT = "iw-c001-t02", "4.1.1/X+"
X11, X32 = "iw-ocs-x-1-1", "iw-ocs-x-3-2"
#: What is broken, and what an audit calls it.
FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("dark", {"kind": "broken", "cable": "iw-c001:4.3.2/X+"}),
    ("dark", {"kind": "missing", "cable": "iw-c002:1.1.1/X-"}),
    ("high-loss", {"kind": "dirty", "device": TRAY, "port": PORT, "loss_db": 4.0}),
    ("high-loss", {"kind": "dying-transceiver", "device": TRAY, "port": PORT}),
    ("high-loss", {"kind": "lossy-mirror", "device": X11, "port": "1A"}),
    ("wrong-part", {"kind": "wrong-transceiver", "device": TRAY, "port": PORT}),
    ("wrong-serial", {"kind": "wrong-serial", "device": TRAY, "port": PORT}),
    ("tray-down", {"kind": "tray-down", "device": TRAY}),
    ("cube-down", {"kind": "cube-down", "device": "iw-c002"}),
    ("copper-down", {"kind": "copper-down", "device": "iw-c002", "link": "1.1.1/X+"}),
    ("power-lost", {"kind": "feed-lost", "device": X32, "unit": 2}),
    ("fan-lost", {"kind": "fan-lost", "device": X32, "unit": 1}),
    ("board-out", {"kind": "board-out", "device": X32, "unit": 1}),
    ("switch-down", {"kind": "switch-down", "device": X32}),
    ("identity-exchanged", {"kind": "addresses-exchanged", "device": X11, "other": X32}),
    ("stale", {"kind": "silent", "device": "iw-c002"}),
    ("stale", {"kind": "absent", "device": "iw-c002"}),
    ("swapped", {"kind": "swapped", "cable": "iw-c001:4.3.2/X+", "other": "iw-c002:4.3.2/X+"}),
)
#: How a switch lies about a change, and what an audit makes of it.
LIES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("circuit-missing", {"kind": "ignores-changes", "device": X32}, "has not circuits"),
    ("circuit-missing", {"kind": "halves-changes", "device": X32}, "has not circuit 2A-2B"),
    ("circuit-missing", {"kind": "idle-mirrors", "device": X32}, "and lets no light through"),
    (
        "port-failed",
        {"kind": "stuck-mirror", "device": X32, "port": "1A"},
        "did not reach its position",
    ),
)


class FabricAuditTest(FabricTestCase):
    """Cubes 1 and 2 are a slice that the switches carry; cube 3 stands idle."""

    def setUp(self) -> None:
        super().setUp()
        self.night = User.objects.create(username="night", is_superuser=True)
        self.make()

    def make(self) -> None:
        """Make the slice, and have the switches carry it."""
        make_slice(self.pod, Wish(shape="4x4x8", name="train", slots=(1, 2)), self.night)
        self.carried(add=True)

    def audit(self, scope: Scope = WHOLE_POD) -> AuditRun:
        return run_audit(self.pod, scope, How(look=observe_scope))

    def open(self) -> list[str]:
        found = Finding.objects.exclude(state="mended").order_by("code")
        return list(found.values_list("code", flat=True))

    def test_a_fabric_as_it_should_be_passes_and_is_kept(self) -> None:
        run = self.audit()
        self.assertEqual((run.gate, run.found, run.not_reached), ("pass", 0, {}))
        self.assertEqual(run.message, "circuits newly seen: 96, serials learned: 336")
        self.assertEqual(self.audit().message, "")
        self.assertEqual(Reading.objects.count(), 51)
        self.assertEqual(LightReading.objects.count(), 2)
        self.assertFalse(OpticalCircuit.objects.filter(seen=False).exists())

    def test_each_fault_is_one_finding_that_mending_closes(self) -> None:
        self.audit()
        for code, wish in FAULTS:
            with self.subTest(**wish):
                Finding.objects.all().delete()
                number = self.break_it(**wish)
                try:
                    run = self.audit()
                    self.assertEqual((run.new, self.open()), (1, [code]))
                finally:
                    self.control("/mend", number=number)
                after = self.audit()
                self.assertEqual((after.gone, self.open()), (1, []))

    def test_a_fault_names_the_slice_that_lacks_links(self) -> None:
        self.break_it("broken", cable="iw-c001:4.3.2/X+")
        self.audit()
        finding = Finding.objects.get()
        self.assertEqual([s.name for s in finding.slices.all()], ["train"])
        self.assertTrue(finding.observed)
        drawn = draw_finding(finding, User.objects.get(username="night"))
        path = drawn.document.drawing
        self.assertEqual(
            [(s.name, s.more) for s in path.stations if s.marked and s.what == "cable"],
            [("iw-c001:1.3.2/X-", "dark"), ("iw-c001:4.3.2/X+", "dark")],
        )
        ports = {s.more for s in path.stations if s.what in {"port", "switch port"}}
        self.assertEqual(ports, {"dark"})

    def test_nothing_is_mended_because_its_switch_fell_silent(self) -> None:
        self.break_it("fan-lost", device=X32, unit=1)
        self.audit()
        self.break_it("silent", device=X32)
        run = self.audit()
        self.assertEqual(self.open(), ["fan-lost", "stale"])
        self.assertEqual(set(run.not_reached), {X32})

    def test_a_drain_closes_nothing_and_what_comes_back_is_the_same_finding(self) -> None:
        self.audit()
        dirty = self.break_it("dirty", device=TRAY, port=PORT, loss_db=4.0)
        swapped = self.break_it("swapped", cable="iw-c001:4.3.2/X+", other="iw-c002:4.3.2/X+")
        self.audit()
        known = dict(Finding.objects.values_list("code", "pk"))
        self.assertEqual(sorted(known), ["high-loss", "swapped"])
        self.carried(add=False)
        release_slice(Slice.objects.get(), self.night)
        run = self.audit()
        # The dirty connector throws light back without any circuit, and is called so.
        self.assertEqual((run.new, run.gone, run.gate), (0, 0, "warn"))
        now = dict(Finding.objects.exclude(state="mended").values_list("pk", "code"))
        self.assertEqual(now, {known["high-loss"]: "high-reflection", known["swapped"]: "swapped"})
        self.assertEqual(Finding.objects.get(seen=False).pk, known["swapped"])
        [line] = ObjectChange.objects.filter(changed_object_id=known["high-loss"])
        self.assertEqual(line.change_context_detail, "seen as high-reflection, before as high-loss")
        self.control("/mend", number=dirty)
        self.control("/mend", number=swapped)
        self.audit()
        left = Finding.objects.exclude(state="mended").values_list("pk", "seen")
        self.assertEqual(set(left), {(pk, False) for pk in known.values()})
        self.make()
        self.assertEqual((self.audit().gone, self.open()), (2, []))

    def test_a_light_test_shows_over_idle_ports_what_is_gone_and_what_is_not(self) -> None:
        self.audit()
        broken = self.break_it("broken", cable="iw-c001:4.3.2/X+")
        kept = self.break_it("broken", cable="iw-c002:4.1.2/X+")
        self.audit()
        known = {row.pk: row.key for row in Finding.objects.all()}
        self.assertEqual(self.open(), ["dark", "dark"])
        self.carried(add=False)
        release_slice(Slice.objects.get(), self.night)
        self.control("/mend", number=broken)
        self.audit()
        self.assertEqual(Finding.objects.filter(seen=False, state="open").count(), 2)
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope, light_test=True))
        self.assertEqual((run.new, run.gone), (0, 1))
        self.assertIn("test circuits: 4", run.message)
        left = Finding.objects.get(state="open")
        self.assertIn(left.pk, known)
        self.assertTrue(left.seen)
        self.assertIn("iw-c002:4.1.2/X+", left.cause)
        self.assertEqual(self.circuits(), set())
        self.assertFalse(Reservation.objects.exists())
        self.assertFalse(OpticalCircuit.objects.exists())
        # The change log says once what the test refined.
        lines = ObjectChange.objects.filter(changed_object_id=left.pk)
        self.assertEqual(
            [line.change_context_detail for line in lines], [f"its cause is now: {left.cause}"]
        )
        # The idle ports that it was joined to are none of its business.
        self.assertEqual(left.proof, [["light", "iw-c002-t06", "4.1.2/X+"]])
        self.control("/mend", number=kept)
        self.make()
        self.assertEqual((self.audit().gone, self.open()), (1, []))

    def test_what_a_killed_light_test_left_the_next_audit_takes_away(self) -> None:
        self.audit()
        killed = AuditRun.objects.create(pod=self.pod, number=77, state="lost")
        switch = Switch.objects.get(device__name=X32)
        reserve(killed, Places(frozenset({place(switch.pk, "3A"), place(switch.pk, "3B")})))
        self.change(Change(add=frozenset({("3A", "3B")})))
        before = self.circuits()
        self.assertIn((X32, "3A", "3B"), before)
        self.assertEqual(self.audit().gate, "pass")
        self.assertEqual(self.circuits(), before - {(X32, "3A", "3B")})
        self.assertFalse(Reservation.objects.exists())

    def test_who_may_not_change_switches_makes_no_test_circuit(self) -> None:
        guest = User.objects.create(username="guest")
        with self.assertRaisesMessage(NotPermitted, "may not change"):
            run_audit(self.pod, WHOLE_POD, How(look=observe_scope, light_test=True, user=guest))
        self.assertFalse(AuditRun.objects.exists())

    def circuits(self) -> set[tuple[str, str, str]]:
        """What the switches show."""
        targets = shared_targets(self.said["gnmi"], self.names.switches)
        with open_fabric(targets, (), Access.from_environment()) as fabric:
            states = fabric.read_switches().all()
        return {(name, *pair) for name, state in states.items() for pair in state.configured}

    def test_a_switch_that_lies_about_a_change_is_found_out(self) -> None:
        self.audit()
        wanted = OpticalCircuit.objects.filter(switch__device__name=X32)
        pairs = frozenset((f"{circuit.a}A", f"{circuit.b}B") for circuit in wanted)
        for code, wish, words in LIES:
            with self.subTest(**wish):
                Finding.objects.all().delete()
                self.change(Change(delete=pairs))
                number = self.break_it(**wish)
                self.change(Change(add=pairs))
                self.assertEqual((self.audit().new, self.open()), (1, [code]))
                self.assertIn(words, Finding.objects.get().cause)
                self.control("/mend", number=number)
                self.change(Change(add=pairs))
                self.assertEqual((self.audit().gone, self.open()), (1, []))

    def change(self, change: Change) -> None:
        """Ask the switch for a change; what it says of it is nobody's business here."""
        with open_fabric(
            shared_targets(self.said["gnmi"], [X32]), (), Access.from_environment()
        ) as fabric:
            fabric.apply({X32: change})

    def test_where_nobody_answers_the_run_names_all_and_findings_stay_as_they_were(self) -> None:
        self.break_it("fan-lost", device=X32, unit=1)
        self.break_it("broken", cable="iw-c001:4.3.2/X+")
        self.audit()
        for model in (Switch, Cube):
            model.objects.update(address="127.0.0.1:9")  # where nobody is
        run = self.audit()
        self.assertEqual((run.state, run.new, run.gone), ("done", 1, 0))
        self.assertEqual(len(run.not_reached), 51)
        self.assertEqual(self.open(), ["dark", "fan-lost", "stale"])
        for model in (Switch, Cube):
            model.objects.update(address=self.said["gnmi"])
        run = self.audit()
        self.assertEqual((run.new, run.gone, run.still, run.not_reached), (0, 1, 2, {}))
        self.assertEqual(self.open(), ["dark", "fan-lost"])

    def test_a_switch_alone_is_asked_with_the_cubes_that_meet_there(self) -> None:
        record = PodRecord(self.pod)
        look = observe_scope(record, Scope(switches=frozenset({6})))
        self.assertEqual(len(look.asked & set(self.names.switches)), 1)
        self.assertLess(len(look.asked), 5)
        self.assertEqual(self.audit(Scope(switches=frozenset({6}))).found, 0)
        self.break_it("broken", cable="iw-c001:4.3.2/X+")
        [number] = (n for n, name in enumerate(self.names.switches) if name == X32)
        self.assertEqual(self.audit(Scope(switches=frozenset({number}))).new, 1)
        self.assertEqual(self.audit(Scope(switches=frozenset({number + 1}))).gone, 0)

    def test_an_hourly_look_at_light_leaves_serials_to_the_night(self) -> None:
        self.audit()
        self.break_it("wrong-serial", device=TRAY, port=PORT)
        self.assertEqual(self.audit(Scope(light=True)).found, 0)
        self.audit()
        self.assertEqual(self.audit(Scope(light=True)).gone, 0)
        self.assertEqual(self.open(), ["wrong-serial"])
        self.assertFalse(Touch.objects.exists())
