"""Webhooks about the App's records go only to networks that are named; others are not looked at."""

from unittest import mock

from django.contrib.contenttypes.models import ContentType
from django.test import override_settings
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Device
from nautobot.extras.models import Webhook
from nautobot.extras.tasks import process_webhook

from fabric_twin.models import Ticket

HALL = override_settings(PLUGINS_CONFIG={"fabric_twin": {"networks": ["10.7.0.0/16"]}})


@HALL
class WebhookTest(TestCase):
    def send(self, url: str, model: type = Ticket) -> mock.Mock:
        """Have a webhook about a record sent; what was sent."""
        hook = Webhook.objects.create(name=f"to {url}", payload_url=url, type_create=True)
        hook.content_types.set([ContentType.objects.get_for_model(model)])
        given = (hook.pk, {}, model._meta.model_name, "create", "now", "me", "1", {})
        with mock.patch("nautobot.extras.tasks.requests.Session.send") as sent:
            sent.return_value.ok = True
            self.result = process_webhook.apply(args=given)
        return sent

    def test_one_that_leads_elsewhere_is_not_sent(self) -> None:
        for url in ("https://192.88.98.9/hook", "https://[2001:db8::9]:8443/hook"):
            with self.subTest(url):
                self.send(url).assert_not_called()
                self.assertIn("lies in no network that may be contacted", str(self.result.result))

    def test_one_in_a_named_network_is_sent(self) -> None:
        self.send("https://10.7.3.9/hook").assert_called_once()

    def test_those_about_other_records_are_nautobots_own(self) -> None:
        self.send("https://192.88.98.9/hook", Device).assert_called_once()
