"""What Nautobot tells a worker of a job beside its wish, such as whose it is: over any broker.

Nautobot writes it into properties of the message, which Redis carries. RabbitMQ carries those of
AMQP and no others, so that a job would come as nobody's, and fail. Headers come over both.
"""

from collections.abc import Mapping
from typing import Any

from nautobot.extras.constants import JOB_RESULT_CUSTOM_CELERY_KWARGS

HEADER = "fabric_twin_job_properties"


def into_header(headers: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Write into a message what Nautobot tells, before it is sent."""
    headers[HEADER] = {
        name: properties[name] for name in JOB_RESULT_CUSTOM_CELERY_KWARGS if name in properties
    }


def out_of_header(request: dict[str, Any]) -> None:
    """Put it back where Nautobot looks for it, once the message has come."""
    request["properties"] = {**(request.get(HEADER) or {}), **request["properties"]}
