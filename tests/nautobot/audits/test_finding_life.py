"""The life of a finding, from the run that first sees it to the one that finds it mended."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import ProtectedError
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ObjectChange

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.models import (
    AuditRun,
    Finding,
    OpticalCircuit,
    Pod,
    Port,
    Silence,
    Substitution,
)
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.finding_life import acknowledge, reopen, take
from fabric_twin.operations.audits.prune_runs import thin_runs
from fabric_twin.operations.audits.run import sentence, try_audit
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.repositories.silences import heard, rules_for
from tests.nautobot.bases.audits.small_findings import (
    add_findings,
    audit,
    fade,
    life,
    mend,
    silence,
    small_pod,
    substitute,
)


def counts(run: AuditRun) -> dict[str, Any]:
    """What a run says of itself."""
    return {name: getattr(run, name) for name in ("found", "new", "gone", "still", "gate")}


class LifeTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()

    def setUp(self) -> None:
        super().setUp()
        self.pod = Pod.objects.get(pk=self.pod.pk)

    def finding(self) -> Finding:
        return Finding.objects.get(pod=self.pod)

    def test_a_pod_as_it_should_be_passes(self) -> None:
        run = audit(self.pod)
        self.assertEqual(sentence(run), "s: 0 findings, 0 new, 0 gone, 0 still there: pass.")
        self.assertEqual((run.state, run.number, run.cables, run.expected), ("done", 1, 72, 72))
        self.assertGreater(run.duration, 0)
        self.assertIsNone(run.lease_token)

    def test_a_fault_is_new_then_still_there_then_gone_then_back(self) -> None:
        cable = fade(self.pod, 0)
        said = [counts(audit(self.pod))]
        first = self.finding()
        said.append(counts(audit(self.pod)))
        again = self.finding()
        mend(cable)
        said.append(counts(audit(self.pod)))
        self.assertEqual(self.finding().state, "mended")
        self.assertIsNotNone(self.finding().mended_at)
        fade(self.pod, 0)
        said.append(counts(audit(self.pod)))
        self.assertEqual(
            said,
            [
                {"found": 1, "new": 1, "gone": 0, "still": 0, "gate": "fail"},
                {"found": 1, "new": 0, "gone": 0, "still": 1, "gate": "fail"},
                {"found": 0, "new": 0, "gone": 1, "still": 0, "gate": "pass"},
                {"found": 1, "new": 1, "gone": 0, "still": 0, "gate": "fail"},
            ],
        )
        self.assertEqual((again.pk, again.first_seen), (first.pk, first.first_seen))
        self.assertGreater(again.last_seen, first.last_seen)
        back = self.finding()
        self.assertEqual((back.pk, back.state, back.reopened), (first.pk, "open", 1))
        self.assertGreater(back.opened, back.first_seen)

    def test_a_finding_says_what_where_and_what_to_do(self) -> None:
        fade(self.pod, 0)
        audit(self.pod)
        found = self.finding()
        self.assertEqual((found.code, found.severity, found.observed), ("missing", "error", False))
        places = [str(place) for place in found.places.all()]
        self.assertEqual(places, ["s-c001-t01 2.1.1/X+", "s-ocs-x-1-1 1A", "s-c001:2.1.1/X+"])
        self.assertEqual(
            list(found.places.values_list("device__name", "rack__name", "port__number")),
            [
                ("s-c001-t01", "s-c001", 0),
                ("s-ocs-x-1-1", "s-ocs-r01", 72),
                (None, None, None),
            ],
        )
        self.assertEqual(
            [step["text"] for step in found.remedy],
            ["lay a cable from s-c001-t01 port 2.1.1/X+ to s-ocs-x-1-1 port 1A"],
        )

    def test_what_did_not_change_has_the_fingerprint_of_the_run_before(self) -> None:
        fade(self.pod, 0)
        audit(self.pod)
        before = AuditRun.objects.get(number=1)
        with self.assertNumQueries(72):
            run = audit(self.pod)
        self.assertEqual(run.fingerprints, before.fingerprints)
        self.assertEqual((run.before, run.by_code), (before, {"missing": 1}))
        self.assertEqual(run.keys["found"], before.keys["found"])

    def test_every_input_has_a_fingerprint_that_changes_with_it(self) -> None:
        before = audit(self.pod).fingerprints
        substitute(self.pod)
        fade(self.pod, 30)
        after = audit(self.pod).fingerprints
        changed = {name for name in after if after[name] != before[name]}
        self.assertEqual(changed, {"substitutions", "cables"})

    def test_what_people_say_is_logged_and_what_runs_do_is_one_line(self) -> None:
        user = get_user_model().objects.create_superuser("operator")
        fade(self.pod, 0)
        audit(self.pod, user=user)
        lines = ObjectChange.objects.filter(changed_object_type__app_label="fabric_twin")
        lines = lines.exclude(changed_object_type__model="pod")
        self.assertEqual(
            [(line.changed_object_type.model, line.change_context_detail) for line in lines],
            [("auditrun", "s: 1 finding, 1 new, 0 gone, 0 still there: fail.")],
        )

    def test_acknowledged_stays_so_until_it_is_mended(self) -> None:
        user = get_user_model().objects.create_superuser("operator")
        cable = fade(self.pod, 0)
        audit(self.pod)
        acknowledge(self.finding(), user, "parts come on Monday")
        audit(self.pod)
        found = self.finding()
        self.assertEqual(
            (found.state, found.acknowledged_by, found.acknowledged_why),
            ("acknowledged", user, "parts come on Monday"),
        )
        with self.assertRaisesMessage(NotPossible, "it is acknowledged"):
            acknowledge(found, user, "twice")
        take(Finding.objects.all(), "s-w17")
        self.assertEqual(self.finding().state, "working")
        mend(cable)
        audit(self.pod)
        with self.assertRaisesMessage(NotPossible, "it is mended"):
            take(Finding.objects.all(), "s-w18")
        fade(self.pod, 0)
        audit(self.pod)
        back = self.finding()
        self.assertEqual(
            (back.state, back.acknowledged_by, back.acknowledged_why, back.worked_on),
            ("open", None, "", ""),
        )

    def test_what_somebody_opens_again_though_it_is_mended_the_next_run_judges(self) -> None:
        cable = fade(self.pod, 0)
        audit(self.pod)
        mend(cable)
        audit(self.pod)
        reopen(self.finding())
        self.assertEqual((self.finding().state, self.finding().reopened), ("open", 1))
        self.assertEqual(counts(audit(self.pod))["gone"], 1)

    def test_a_part_of_the_pod_mends_only_what_is_there(self) -> None:
        here, there = fade(self.pod, 0), fade(self.pod, 24)
        audit(self.pod)
        mend(here)
        mend(there)
        one_cube = audit(self.pod, Scope(slots=frozenset({1})))
        self.assertEqual((one_cube.scope, one_cube.places, one_cube.gone), ("cube", "s-c001", 1))
        self.assertEqual(
            life(self.pod), {"missing s-c001:2.1.1/X+": "mended", "missing s-c002:2.1.1/X+": "open"}
        )
        switch = audit(self.pod, Scope(switches=frozenset({0})))
        self.assertEqual((switch.places, switch.gone), ("s-ocs-x-1-1", 1))

    def test_ports_that_changed_are_audited_alone(self) -> None:
        fade(self.pod, 0)
        fade(self.pod, 24)
        run = audit(self.pod, Scope(ports=frozenset({24})))
        self.assertEqual((run.scope, run.places), ("ports", "s-c002-t01 2.1.1/X+"))
        self.assertEqual(life(self.pod), {"missing s-c002:2.1.1/X+": "open"})

    def test_a_substitution_is_meant(self) -> None:
        audit(self.pod)
        self.assertEqual(counts(audit(self.pod))["found"], 0)
        made = substitute(self.pod)
        self.assertEqual(str(made), "s-ocs-x-1-1 1A by 4A")
        run = audit(self.pod)
        self.assertEqual(run.by_code, {"wrong-port": 1})
        self.assertIn("belongs on s-ocs-x-1-1 port 4A", self.finding().cause)

    def test_a_dry_run_says_what_would_be_and_writes_nothing(self) -> None:
        fade(self.pod, 0)
        audit_, turned = try_audit(self.pod)
        self.assertEqual((len(audit_.found), len(turned.new), turned.gone), (1, 1, ()))
        self.assertFalse(AuditRun.objects.exists() or Finding.objects.exists())

    def test_old_runs_are_thinned_and_findings_stay(self) -> None:
        fade(self.pod, 0)
        runs = [audit(self.pod) for _ in range(6)]
        now = timezone.now().replace(hour=12)  # minutes before are of the same day
        ages = (400, 40, 40.01, 41, 2, 0)
        for run, days in zip(runs, ages, strict=True):
            AuditRun.objects.filter(pk=run.pk).update(ended=now - timedelta(days=days))
        self.assertEqual(thin_runs(self.pod), 2)
        left = AuditRun.objects.order_by("number").values_list("number", flat=True)
        self.assertEqual(list(left), [3, 4, 5, 6])
        self.assertEqual(Finding.objects.count(), 1)


class SilenceTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.cable = fade(cls.pod, 0)
        fade(cls.pod, 24)
        audit(cls.pod)

    def heard(self) -> list[str]:
        """The cubes of findings that are heard."""
        found = heard(Finding.objects.all()).order_by("pk")
        return sorted(str(one.places.exclude(cable_name="").get())[:6] for one in found)

    def test_each_part_of_a_rule_must_fit(self) -> None:
        from nautobot.dcim.models import Device

        first = Finding.objects.get(places__cable_name__startswith="s-c001")
        device = Device.objects.get(name="s-c001-t01")
        both, second = ["s-c001", "s-c002"], ["s-c002"]
        for rule, left in (
            ({"finding": first}, second),
            ({"device": device}, second),
            ({"code": "missing"}, []),
            ({"code": "swapped"}, both),
            ({"code": "swapped", "device": device}, both),
            ({}, []),
            ({"until": timezone.now() - timedelta(seconds=1)}, both),
        ):
            with self.subTest(rule):
                made = silence(self.pod, **rule)
                self.assertEqual(self.heard(), left)
                told = rules_for(first).exists()
                self.assertEqual(told, "s-c001" not in left)
                made.delete()

    def test_a_tag_silences_what_has_it_and_what_is_on_what_has_it(self) -> None:
        from nautobot.dcim.models import Device
        from nautobot.extras.models import Tag

        tag = Tag.objects.create(name="under work")
        silence(self.pod, tag=tag)
        self.assertEqual(self.heard(), ["s-c001", "s-c002"])
        Device.objects.get(name="s-c001-t01").tags.add(tag)
        self.assertEqual(self.heard(), ["s-c002"])
        Finding.objects.get(places__cable_name__startswith="s-c002").tags.add(tag)
        self.assertEqual(self.heard(), [])

    def test_the_gate_does_not_hear_what_is_silenced(self) -> None:
        self.assertEqual(audit(self.pod).gate, "fail")
        silence(self.pod)
        self.assertEqual(audit(self.pod).gate, "pass")


class RemovalTest(TestCase):
    def test_a_pod_goes_with_its_runs_findings_silences_and_substitutions(self) -> None:
        add_findings()
        remove_pod("s", hardware=True)
        for model in (Pod, AuditRun, Finding, Silence, Substitution):
            self.assertFalse(model.objects.exists(), model)

    def test_a_pod_that_is_deleted_takes_its_thousands_of_rows_along_as_sets(self) -> None:
        pod = add_findings()
        circuits = [OpticalCircuit(switch=pod.switches.first(), a=n, b=n) for n in range(1, 6)]
        OpticalCircuit.objects.bulk_create(circuits)
        with CaptureQueriesContext(connection) as asked, transaction.atomic():
            pod.delete()
            connection.check_constraints()
        for model in (Pod, Port, OpticalCircuit, AuditRun, Finding, Silence, Substitution):
            self.assertFalse(model.objects.exists(), model)
        for model in (Port, OpticalCircuit):
            of_it = [query for query in asked if model._meta.db_table in query["sql"]]
            deleted = [query for query in of_it if query["sql"].startswith("DELETE")]
            self.assertEqual(len(deleted), 1, deleted)

    def test_a_pod_that_is_used_keeps_everything(self) -> None:
        pod = small_pod()
        user = get_user_model().objects.create_superuser("operator")
        make_slice(pod, Wish(shape="2x2x4"), user)
        before = Port.objects.count(), OpticalCircuit.objects.count()
        with self.assertRaises(ProtectedError):
            pod.delete()
        self.assertEqual((Port.objects.count(), OpticalCircuit.objects.count()), before)

    def test_who_may_not_delete_each_kind_of_them_removes_nothing(self) -> None:
        add_findings()
        allowed = [f"fabric_twin.delete_{n}" for n in ("pod", "cube", "switch", "opticalcircuit")]
        for kind in ("substitution", "silence", "finding", "auditrun"):
            self.add_permissions(*allowed)
            with self.assertRaisesRegex(NotPermitted, f"fabric_twin.delete_{kind} "):
                remove_pod("s", user=get_user_model().objects.get(pk=self.user.pk))
            allowed = [f"fabric_twin.delete_{kind}"]
        self.assertTrue(Finding.objects.exists())
        self.add_permissions(*allowed)
        remove_pod("s", user=get_user_model().objects.get(pk=self.user.pk))
        self.assertFalse(Pod.objects.exists())
