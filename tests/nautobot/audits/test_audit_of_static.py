"""A static pod whose cubes answer: audited by what each port hears."""

from collections import Counter

from nautobot.dcim.models import Cable

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import AgreedCable, Finding, LastGoodLight, Reading
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.discovery.ask import ask_for_discovery, can_be_discovered
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.users import admin


class StaticAuditTest(FabricTestCase):
    design = "tpu-v5e"
    slots = tuple(range(1, 17))

    def test_cubes_are_read_and_say_who_of_record_and_rule_is_right(self) -> None:
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual((run.state, run.gate, run.found), ("done", "pass", 0))
        self.assertEqual(Reading.objects.count(), 16)
        Cable.objects.get(label="iw-c001:4.1/X+").delete()
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual((run.state, run.found), ("done", 1))
        self.assertEqual(
            Finding.objects.get().cause,
            "iw-c001:4.1/X+ is as the rule wants by light, and the record is wrong (missing)",
        )
        self.break_it("missing", cable="iw-c001:4.1/X+")
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual(
            Finding.objects.get(code="missing").cause,
            "iw-c001:4.1/X+ is missing between iw-c001-t01 port 4.1/X+ and iw-c002-t01 port 1.1/X-",
        )

    def test_light_is_remembered_by_cube_and_a_cable_that_got_worse_is_told(self) -> None:
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        kept = LastGoodLight.objects.all()
        self.assertEqual(
            [(row.cube.slot, len(row.paths["near"])) for row in kept.order_by("cube__slot")],
            [(slot, 8) for slot in range(1, 17)],
        )
        before = list(kept.order_by("pk").values())
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual(list(kept.order_by("pk").values()), before)
        self.break_it(
            "dirty", device="iw-c001-t01", port="4.1/X+", loss_db=0.4, reflection_db=-46.0
        )
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        [finding] = Finding.objects.all()
        self.assertEqual(finding.code, "worse-than-before")
        self.assertIn("its path loses 0.4 dB more than on ", finding.cause)

    def test_cables_are_agreed_with_where_both_their_ends_are_seen(self) -> None:
        self.break_it("missing", cable="iw-c001:4.1/X+")
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        agreed = set(AgreedCable.objects.values_list("cable__label", flat=True))
        labels = set(Cable.objects.values_list("label", flat=True))
        self.assertEqual((len(labels), labels - agreed), (128, {"iw-c001:4.1/X+"}))

    def test_a_copper_link_that_is_down_costs_its_slice_a_link(self) -> None:
        make_slice(self.pod, Wish(shape="8x8"), admin())
        for device in ("iw-c001", "iw-c003"):
            self.break_it("copper-down", device=device, link="1.1/Y+")
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        found = Finding.objects.order_by("-circuits_lost")
        self.assertEqual(
            [(one.cause.partition(" (")[0], str(one.cost)) for one in found],
            [
                (
                    "The copper link 1.1/Y+ of iw-c001 is down, and so a slice that has both its "
                    "chips lacks a link",
                    "1 link in use",
                ),
                (
                    "The copper link 1.1/Y+ of iw-c003 is down, and so a slice that has both its "
                    "chips lacks a link",
                    "1 idle cube",
                ),
            ],
        )

    def test_pages_speak_of_no_switches_and_say_how_a_cube_is_cleared(self) -> None:
        self.client.force_login(admin())
        cube = self.pod.cubes.get(slot=1)
        for url in (self.pod.get_absolute_url(), f"{self.pod.get_absolute_url()}edit/"):
            page = self.client.get(url, follow=True).content.decode().lower()
            self.assertIn("overwrite serials from the fabric", page)
            self.assertNotIn("switches that a slice may lack", page)
        page = self.client.get(cube.get_absolute_url(), follow=True).content.decode()
        order = f'kind=repair&amp;pod={self.pod.pk}">make a work order</a>; no ticket is needed'
        self.assertIn(order, page)

    def test_records_tell_copper_from_cables_that_close_a_ring(self) -> None:
        kinds = Cable.objects.values_list("cable_type__name", "type").order_by("cable_type")
        self.assertEqual(Counter(kinds), {("Copper", "dac-passive"): 96, ("Fibre", "aoc"): 32})
        closing = Cable.objects.filter(type="aoc").values_list("label", flat=True)
        self.assertEqual(
            {label[3:7] for label in closing if label.endswith("X+")},
            {"c004", "c008", "c012", "c016"},
        )

    def test_who_asks_nautobot_to_discover_its_cables_is_told_of_the_command(self) -> None:
        self.assertFalse(can_be_discovered(self.pod))
        with self.assertRaises(UnusableInput) as refused:
            ask_for_discovery(self.pod, admin())
        self.assertEqual(
            str(refused.exception),
            "design tpu-v5e: it has no switches, so each audit by light sees both ends of every "
            "cable. Audit it by light; `fabric-twin discover` writes its cut sheet.",
        )
