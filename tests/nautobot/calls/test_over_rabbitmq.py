"""What Nautobot tells a worker of a job comes over RabbitMQ, which carries less than Redis."""

from typing import Any

from amqp.basic_message import Message
from celery.signals import before_task_publish, task_received
from nautobot.apps.testing import TestCase
from nautobot.extras.jobs import run_job

#: What Nautobot puts into the properties of a message, with one of AMQP's own.
TOLD = {"nautobot_job_user_id": "of-somebody", "nautobot_job_profile": False}
PROPERTIES = {**TOLD, "correlation_id": "of-this-job"}
#: The class of AMQP's messages that have content.
BASIC = 60


class Came:
    """A message as a worker has it, before it gives it to one of its processes."""

    def __init__(self, message: Message) -> None:
        headers = message.properties["application_headers"]
        self.request_dict: dict[str, Any] = {**headers, "properties": message.properties}


def sent_over_amqp(headers: dict[str, Any]) -> Message:
    """A message that was written as RabbitMQ gets it, and read again."""
    sent, came = Message("{}", application_headers=headers, **PROPERTIES), Message()
    came._load_properties(BASIC, sent._serialize_properties(), 0)
    return came


class OverRabbitMQTest(TestCase):
    def test_amqp_carries_nothing_of_it(self) -> None:
        """Mended in kombu or Nautobot? Then the App need not carry it: docs/production.md says."""
        came = sent_over_amqp({"id": "1"})
        self.assertEqual(
            came.properties, {"correlation_id": "of-this-job", "application_headers": {"id": "1"}}
        )

    def test_whose_job_it_is_comes_in_a_header(self) -> None:
        headers: dict[str, Any] = {"id": "00000000-0000-0000-0000-000000000000"}
        before_task_publish.send(
            run_job.name, headers=headers, body=((), {}, {}), properties=PROPERTIES
        )
        came = Came(sent_over_amqp(headers))
        task_received.send(None, request=came)
        told = came.request_dict["properties"]
        self.assertEqual({name: told.get(name) for name in PROPERTIES}, PROPERTIES)

    def test_a_message_without_the_header_is_left_as_it_came(self) -> None:
        came = Came(sent_over_amqp({"id": "1"}))
        before = dict(came.request_dict["properties"])
        task_received.send(None, request=came)
        self.assertEqual(came.request_dict["properties"], before)
