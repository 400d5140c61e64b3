"""The records on Nautobot's own base: keys, addresses, docs, dynamic groups."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from nautobot.apps.testing import ModelTestCases, TestCase

from fabric_twin.models import (
    AuditRun,
    Block,
    Cube,
    Demand,
    Finding,
    FindingPlace,
    Multislice,
    OpticalCircuit,
    Pod,
    Port,
    Silence,
    Slice,
    SlicePart,
    Substitution,
    Switch,
    WrittenEnd,
)
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.audits.small_findings import add_findings
from tests.nautobot.bases.networks.small_network import add_demand, add_multislice, make_network
from tests.nautobot.bases.pods.small_pod import add_ports, add_written_ends, make_pod
from tests.nautobot.bases.users import admin


class Records:
    """One of each kind of record."""

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=[1, 2])
        add_ports(pod, [0])
        make_slice(pod, Wish(shape="4x4x8"), admin())
        add_written_ends(pod)


class PodTest(Records, ModelTestCases.BaseModelTestCase):
    model = Pod

    def test_the_database_refuses_a_name_that_is_taken(self) -> None:
        pod = Pod.objects.get()
        with self.assertRaises(IntegrityError), transaction.atomic():
            Pod.objects.bulk_create(
                [Pod(name=pod.name, design="ironwood", location=pod.location, status=pod.status)]
            )


class CubeTest(Records, ModelTestCases.BaseModelTestCase):
    model = Cube

    def test_a_slot_stays_while_ports_are_numbered_for_it(self) -> None:
        cube = Cube.objects.get(slot=1)
        cube.slot = 7
        with self.assertRaisesMessage(ValidationError, "delete the cube there first"):
            cube.validated_save()


class SwitchTest(Records, ModelTestCases.BaseModelTestCase):
    model = Switch

    def test_a_number_stays_while_ports_are_numbered_for_it(self) -> None:
        add_ports(Pod.objects.get(), [Pod.objects.get().to_core().layout.cube_ports])
        switch = Switch.objects.get(number=0)
        switch.number = 99
        with self.assertRaisesMessage(ValidationError, "The design"):
            switch.clean()
        switch.number = 47
        with self.assertRaisesMessage(ValidationError, "those of number 0"):
            switch.clean()


class PortTest(Records, ModelTestCases.BaseModelTestCase):
    model = Port


class SliceTest(Records, ModelTestCases.BaseModelTestCase):
    model = Slice


class SlicePartTest(Records, ModelTestCases.BaseModelTestCase):
    model = SlicePart


class WrittenEndTest(Records, ModelTestCases.BaseModelTestCase):
    model = WrittenEnd


class Networks:
    """Blocks, and what they ask of each other."""

    @classmethod
    def setUpTestData(cls) -> None:
        add_demand(make_network("dc1"), [("ab01", "ab02", 8)])


class BlockTest(Networks, ModelTestCases.BaseModelTestCase):
    model = Block


class DemandTest(Networks, ModelTestCases.BaseModelTestCase):
    model = Demand


class MultisliceTest(Networks, ModelTestCases.BaseModelTestCase):
    model = Multislice

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        add_multislice(Pod.objects.get(name="dc1"), "job7")


class Findings:
    """A run, what it found, and what people said of it."""

    @classmethod
    def setUpTestData(cls) -> None:
        add_findings()


class SubstitutionTest(Findings, ModelTestCases.BaseModelTestCase):
    model = Substitution

    def test_what_the_design_does_not_allow_is_refused(self) -> None:
        made = Substitution.objects.get()
        for port, spare, words in (
            (made.spare, made.port, "the rule uses no port '4A'"),
            (made.port, made.port.pod.ports.get(number=73), "port '2A' is not a spare"),
            (made.port, made.port.pod.ports.get(number=79), "is on the other side of the switch"),
        ):
            with self.subTest(words), self.assertRaisesMessage(ValidationError, words):
                Substitution(pk=made.pk, port=port, spare=spare).clean()

    def test_the_database_gives_a_spare_to_one_port(self) -> None:
        made = Substitution.objects.get()
        with self.assertRaises(IntegrityError), transaction.atomic():
            Substitution.objects.create(port=made.port.pod.ports.get(number=73), spare=made.spare)


class AuditRunTest(Findings, ModelTestCases.BaseModelTestCase):
    model = AuditRun


class FindingTest(Findings, ModelTestCases.BaseModelTestCase):
    model = Finding


class FindingPlaceTest(Findings, ModelTestCases.BaseModelTestCase):
    model = FindingPlace


class SilenceTest(Findings, ModelTestCases.BaseModelTestCase):
    model = Silence


class OpticalCircuitTest(Records, ModelTestCases.BaseModelTestCase):
    model = OpticalCircuit


class FeaturesTest(Records, TestCase):
    """What Nautobot offers for every record it offers for ours."""

    def test_records_can_be_tagged_noted_exported_and_sent_on(self) -> None:
        from nautobot.extras.registry import registry

        features = registry["model_features"]
        for feature in (
            "custom_fields",
            "custom_links",
            "custom_validators",
            "export_templates",
            "graphql",
            "relationships",
            "webhooks",
        ):
            with self.subTest(feature):
                ours = set(features[feature]["fabric_twin"])
                # Its type of GraphQL is our own: Nautobot makes none.
                slices = set() if feature == "graphql" else {"slice"}
                primary = {"pod", "cube", "block", "switch", "opticalcircuit", "demand"}
                primary |= {"multislice"}
                self.assertLessEqual(primary | slices, ours)
