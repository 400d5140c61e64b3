"""Migrations say all that the models do, and can be taken back."""

from io import StringIO
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from nautobot.apps.testing import TransactionTestCase

from fabric_twin.models import (
    Block,
    LightDay,
    Multislice,
    MultislicePart,
    Pod,
    Reading,
    Slice,
    Ticket,
    Touch,
)
from tests.nautobot.bases.networks.small_network import make_network
from tests.nautobot.bases.pods.small_pod import make_pod, status_of
from tests.nautobot.bases.state_guard import guard_states
from tests.nautobot.bases.users import somebody

APP = "fabric_twin"


def of_the_app() -> set[str]:
    """All that the database holds of the App: tables, constraints, triggers and functions."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type
            FROM information_schema.columns WHERE table_name LIKE 'fabric_twin_%%'
            UNION SELECT 'constraint ' || conname || ' ' || pg_get_constraintdef(oid)
            FROM pg_constraint WHERE conrelid::regclass::text LIKE 'fabric_twin_%%'
            UNION SELECT 'index ' || indexname || ' ' || indexdef
            FROM pg_indexes WHERE tablename LIKE 'fabric_twin_%%'
            UNION SELECT 'trigger ' || tgname FROM pg_trigger
            WHERE NOT tgisinternal AND tgrelid::regclass::text LIKE 'fabric_twin_%%'
            AND tgname NOT LIKE 'tests_%%'
            UNION SELECT 'function ' || proname FROM pg_proc WHERE proname LIKE 'twin_%%'
            """
        )
        return {row[0] for row in cursor.fetchall()}


class MigrationsTest(TransactionTestCase):
    def test_they_say_all_that_the_models_do(self) -> None:
        out = StringIO()
        call_command("makemigrations", APP, check_changes=True, dry_run=True, stdout=out)
        self.assertEqual(out.getvalue().strip(), f"No changes detected in app '{APP}'")

    def test_an_empty_database_holds_no_type_of_a_model_that_is_gone(self) -> None:
        kinds = ContentType.objects.all()
        self.assertEqual([kind for kind in kinds if kind.model_class() is None], [])

    @pytest.mark.integration
    @pytest.mark.weekly
    def test_all_of_them_are_taken_back_and_made_again(self) -> None:
        before, last = of_the_app(), self.leaves()
        self.assertIn("trigger twin_a_chip_in_one_slice", before)
        try:
            self.migrate([(APP, None)])
            self.assertEqual(of_the_app(), set())
        finally:
            self.migrate(last)
            guard_states()
        self.assertEqual(of_the_app(), before)

    @pytest.mark.integration
    def test_slices_that_stand_keep_the_letters_that_screens_showed(self) -> None:
        pod, last = make_pod("p"), self.leaves()
        active = status_of(Slice, "Active")
        for name in ("b-10", "a", "b-9"):
            Slice.objects.create(pod=pod, name=name, shape="4x4x4", status=active)
        try:
            self.migrate([(APP, "0005_findings_are_joined")])
        finally:
            self.migrate(last)
        letters = dict(Slice.objects.values_list("name", "letter"))
        self.assertEqual(letters, {"a": "C", "b-9": "D", "b-10": "E"})
        self.assertEqual(Pod.objects.get(pk=pod.pk).last_letter, "E")

    @pytest.mark.integration
    def test_what_blocks_said_goes_with_the_columns_that_held_it(self) -> None:
        network, now, last = make_network("n"), timezone.now(), self.leaves()
        for block in network.blocks.all():
            of = {"pod": network, "block": block}
            Reading.objects.create(asked=now, **of)
            LightDay.objects.create(day=now.date(), readings=1, **of)
            Touch.objects.create(since=now, last=now, **of)
        try:
            self.migrate([(APP, "0017_topology_tickets")])
        finally:
            self.migrate(last)
            guard_states()
        for model in (Reading, LightDay, Touch):
            self.assertFalse(model.objects.exists(), model)

    @pytest.mark.integration
    def test_jobs_that_had_rings_keep_them_over_the_blocks_that_serve(self) -> None:
        network, pods, last = make_network("n"), [make_pod("p"), make_pod("q")], self.leaves()
        blocks = list(network.blocks.order_by("first_port")[:2])
        for block, pod in zip(blocks, pods, strict=True):
            Block.objects.filter(pk=block.pk).update(serves=pod)
        ada, active = somebody("ada"), status_of(Slice, "Active")
        facts = {"pod": network, "shape": "4x4x4", "author": ada}
        made = [
            Slice.objects.create(pod=pod, name="j", shape="4x4x4", status=active) for pod in pods
        ]
        had = Multislice.objects.create(name="had", **facts)
        planned = Multislice.objects.create(
            name="planned",
            ticket=Ticket.objects.create(pod=network, number=1, kind="topology", author=ada),
            **facts,
        )
        for place, (pod, of_job) in enumerate(zip(pods, made, strict=True)):
            ticket = Ticket.objects.create(
                pod=pod, number=1, kind="slice", state="done", author=ada, slice=of_job
            )
            for job in (had, planned):
                part = {"pod": pod, "place": place, "ticket": ticket}
                MultislicePart.objects.create(multislice=job, **part)
        try:
            self.migrate([(APP, "0019_multislices")])
        finally:
            self.migrate(last)
        kept = dict(Multislice.objects.values_list("name", "keeps_rings"))
        self.assertEqual(kept, {"had": True, planned.name: False})
        [effect] = Ticket.objects.get(kind="topology").plan["effects"]
        self.assertEqual((effect["do"], effect["name"]), ("keep-rings", "planned"))
        over = [list(part.blocks.all()) for part in had.parts.order_by("place")]
        self.assertEqual(over, [[blocks[0]], [blocks[1]]])

    def leaves(self) -> list[Any]:
        return list(MigrationExecutor(connection).loader.graph.leaf_nodes(APP))

    def migrate(self, targets: list[Any]) -> None:
        MigrationExecutor(connection).migrate(targets)
