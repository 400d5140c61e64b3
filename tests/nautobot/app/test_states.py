"""A state follows a table, and nothing else writes it: the tests' database refuses the rest."""

from django.contrib.auth import get_user_model
from django.db import IntegrityError, InternalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.core.findings.life import FindingIs
from fabric_twin.models import Finding, OrderStep, Ticket, WorkOrder
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.repositories.states import save_state, update_state
from tests.nautobot.bases.many_of_all import make_many_of_all
from tests.nautobot.bases.state_guard import GUARDED

OTHER = {Finding: "open", Ticket: "failed", WorkOrder: "paused", OrderStep: "cannot"}


class StatesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        make_many_of_all()

    def test_a_state_that_is_written_past_the_tables_is_refused(self) -> None:
        for model in GUARDED:
            row, state = model.objects.first(), OTHER[model]
            row.state = state

            def as_a_set(model: type = model, state: str = state) -> None:
                model.objects.update(state=state)

            def after_none_was_announced(model: type = model, state: str = state) -> None:
                update_state(model.objects.none(), state)
                model.objects.update(state=state)

            def after_one_was_announced(model: type = model, state: str = state) -> None:
                update_state(model.objects.filter(pk=model.objects.first().pk), "x")
                model.objects.update(state=state)

            said = f"the state of {model._meta.db_table} became {state}, and no table said so"
            for write in (as_a_set, row.save, after_none_was_announced, after_one_was_announced):
                with (
                    self.subTest(model.__name__, way=write.__name__),
                    self.assertRaisesMessage(InternalError, said),
                    transaction.atomic(),
                ):
                    write()

    def test_one_that_is_announced_is_written(self) -> None:
        order = WorkOrder.objects.first()
        save_state(order, "paused")
        self.assertEqual(update_state(Ticket.objects.all(), "failed"), Ticket.objects.count())
        order.refresh_from_db()
        self.assertEqual(order.state, "paused")

    def test_records_and_the_table_of_findings_know_the_same_states(self) -> None:
        self.assertEqual([value for value, _ in FindingStateChoices.CHOICES], list(FindingIs))

    def test_what_an_order_and_its_steps_are_about_never_changes(self) -> None:
        order, step = WorkOrder.objects.first(), OrderStep.objects.first()
        for row in (order, step):
            row.facts = row.facts | {"crews": 7}
            with (
                self.subTest(type(row).__name__),
                self.assertRaisesMessage(IntegrityError, f"the facts of {row._meta.db_table}"),
                transaction.atomic(),
            ):
                row.save()
        order.refresh_from_db()
        order.facts = order.facts | {"used": {"fan": 1}, "before": {"3": "Planned"}}
        order.save()  # what it used is no part of what it is about

    def test_what_a_worker_writes_meanwhile_is_not_written_over_by_a_patch(self) -> None:
        self.client.force_login(get_user_model().objects.create_superuser("patching"))
        for model in (Finding, Ticket, WorkOrder):
            kind, row = model._meta.model_name, model.objects.first()
            url = reverse(f"plugins-api:fabric_twin-api:{kind}-detail", args=[row.pk])
            with self.subTest(kind), CaptureQueriesContext(connection) as asked:
                answer = self.client.patch(url, {"tags": []}, content_type="application/json")
                self.assertEqual(answer.status_code, 200, answer.content)
            said = [one["sql"] for one in asked if f'"{model._meta.db_table}"' in one["sql"]]
            holds = f'UPDATE OF "{model._meta.db_table}"'
            held = next(place for place, sql in enumerate(said) if sql.endswith(holds))
            written = next(place for place, sql in enumerate(said) if sql.startswith("UPDATE"))
            self.assertTrue(
                any(sql.startswith("SELECT") for sql in said[held + 1 : written]), "read again"
            )

    def test_all_that_have_a_table_are_guarded(self) -> None:
        self.assertEqual(set(OTHER), set(GUARDED))
