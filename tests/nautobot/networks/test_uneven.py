"""`topology-odd`: a pair whose links are uneven over switches, as audits find it and lose it."""

import re
from collections.abc import Sequence

from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Device

from fabric_twin.models import Block, Finding, OpticalCircuit, Switch
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.finding_life import acknowledge
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.orders.finding_acts import possible_acts
from tests.nautobot.bases.networks.small_network import load_small_network, make_network
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import admin

#: A and B ports of circuits between the two blocks.
PAIRS = ((1, 4), (2, 5), (3, 6), (4, 1))
FIRST, SECOND = (Scope(switches=frozenset({number})) for number in (0, 1))


class UnevenTest(TestCase):
    """Two blocks over two switches: all four of their links are on the first."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = load_small_network()
        cls.one, cls.two = cls.pod.switches.order_by("number")
        OpticalCircuit.objects.bulk_create(
            OpticalCircuit(switch=cls.one, a=a, b=b, wanted=True) for a, b in PAIRS
        )

    def audited(self, scope: Scope = WHOLE_POD) -> Sequence[int]:
        """Findings of an audit: all, new and gone."""
        run = run_audit(self.pod, scope)
        return run.found, run.new, run.gone

    def move(self, *pairs: tuple[int, int]) -> None:
        """Some circuits are wanted of the second switch instead."""
        for a, b in pairs:
            OpticalCircuit.objects.filter(a=a, b=b).update(switch=self.two)

    def test_it_opens_stays_goes_and_comes_back_as_the_same_finding(self) -> None:
        self.assertEqual(self.audited(), (1, 1, 0))
        finding = Finding.objects.get()
        self.assertEqual(
            (finding.code, finding.severity, finding.cause),
            (
                "topology-odd",
                "warning",
                "Of the 4 links of dc1-ab01 and dc1-ab02 there are 4 on dc1-ocs-01 and 0 on "
                "dc1-ocs-02, and each switch should have 1 to 3",
            ),
        )
        places = finding.places.values_list("device__name", flat=True)
        at = ["dc1-ab01", "dc1-ab02", "dc1-ocs-01", "dc1-ocs-02"]
        self.assertEqual([*places.order_by("number")], at)
        self.assertEqual(self.audited(), (1, 0, 0))
        self.move(PAIRS[0])
        self.assertEqual(self.audited(), (0, 0, 1))
        OpticalCircuit.objects.update(switch=self.two)
        self.assertEqual(self.audited(), (1, 1, 0))
        again = Finding.objects.get()
        self.assertEqual((again.pk, again.state), (finding.pk, "open"))
        self.assertIn("there are 0 on dc1-ocs-01 and 4 on dc1-ocs-02", again.cause)

    def test_a_switch_that_maintenance_took_has_no_share(self) -> None:
        self.two.status = status_of(Switch, "Maintenance")
        self.two.save()
        self.assertEqual(self.audited(), (0, 0, 0))

    def test_it_costs_nothing_and_only_warns(self) -> None:
        self.audited()
        finding = Finding.objects.get()
        self.assertEqual((finding.impact, str(finding.cost)), ("minor", "nothing now"))
        self.assertEqual(self.pod.audit_runs.get().gate, "warn")

    def test_a_change_at_a_switch_finds_it_and_shows_that_it_is_gone(self) -> None:
        self.assertEqual(self.audited(SECOND), (1, 1, 0))
        self.move(PAIRS[0])
        self.assertEqual(self.audited(FIRST), (0, 0, 1))

    def test_what_is_accepted_stays_accepted_while_its_numbers_change(self) -> None:
        self.audited()
        acknowledge(Finding.objects.get(), admin(), "the second switch comes next week")
        OpticalCircuit.objects.create(switch=self.one, a=5, b=2, wanted=True)
        self.assertEqual(self.audited(), (1, 0, 0))
        finding = Finding.objects.get()
        self.assertEqual(finding.state, "acknowledged")
        self.assertIn("Of the 5 links", finding.cause)

    def test_it_goes_with_its_block(self) -> None:
        self.audited()
        OpticalCircuit.objects.all().delete()
        Block.objects.get(name="ab02").delete()
        Device.objects.filter(name="dc1-ab02").delete()
        self.assertEqual(self.audited()[2], 1)
        self.assertFalse(Finding.objects.filter(code="topology-odd").exclude(state="mended"))

    def test_its_page_says_what_to_do_and_offers_no_technician(self) -> None:
        self.audited()
        finding, user = Finding.objects.get(), admin()
        self.client.force_login(user)
        page = self.client.get(finding.get_absolute_url()).content.decode()
        words = " ".join(re.sub("<[^>]*>", " ", page).split())
        for said in (
            "topology-odd at dc1-ab01",
            "ask for a new topology of dc1: it spreads the links of dc1-ab01 and dc1-ab02 evenly",
            "the links of dc1-ab01 and dc1-ab02 are spread evenly over switches",
            "On switch dc1-ocs-01 4, dc1-ocs-02 0",
        ):
            self.assertIn(said, words)
        for record in (self.one, self.two, *self.pod.blocks.all()):
            self.assertIn(record.device.name, page)
        acts = {"acknowledge", "assign", "silence", "ticket"}
        self.assertEqual(possible_acts(finding, user), acts)

    def test_a_network_without_blocks_or_circuits_has_none(self) -> None:
        OpticalCircuit.objects.all().delete()
        self.assertEqual(self.audited(), (0, 0, 0))
        bare = make_network("dc2", 0, location=self.pod.location)
        self.assertEqual(run_audit(bare).found, 0)
