"""What the App asks of Nautobot's change log beyond `nautobot.apps`, in each version of it."""

from uuid import uuid4

from django.contrib.auth import get_user_model
from nautobot.apps.change_logging import web_request_context
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ObjectChange

from fabric_twin.repositories.change_log import current_change, record_change
from tests.nautobot.bases.pods.small_pod import make_pod

#: What differs between two lines for the same record by themselves.
OF_THE_LINE = {"id", "time", "change_context_detail"}


class ChangeContextTest(TestCase):
    def test_what_is_open_is_known_and_nothing_else(self) -> None:
        user, key = get_user_model().objects.create_user("ada"), uuid4()
        self.assertIsNone(current_change())
        with web_request_context(user, "a test", change_id=key):
            change = current_change()
            self.assertEqual(
                (change.change_id, change.context, change.get_user()), (key, "orm", user)
            )
        self.assertIsNone(current_change())

    def test_a_line_of_ours_is_as_nautobot_writes_its_own(self) -> None:
        pod = make_pod("s")
        user = get_user_model().objects.create_user("ada")
        with web_request_context(user, "a test"):
            pod.validated_save()
            ours = record_change(pod, "update", "many rows", user)
        (its,) = ObjectChange.objects.filter(changed_object_id=pod.pk).exclude(pk=ours.pk)
        ours.refresh_from_db()
        for field in ObjectChange._meta.concrete_fields:
            if field.name not in OF_THE_LINE:
                self.assertEqual(getattr(ours, field.attname), getattr(its, field.attname))
        self.assertEqual(ours.change_context_detail, "many rows")
