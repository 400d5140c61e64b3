"""Webhooks about the App's records: they too go only to networks that the administrator names.

Nautobot sends them, and looks itself whether their address is a forbidden one; this looks before.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from nautobot.extras.models import Webhook
from nautobot.extras.tasks import process_webhook

from fabric_twin.repositories.credentials import site_networks
from fabric_twin.switches.networks import resolved

_PORTS = {"http": 80, "https": 443}


def bind_webhooks() -> None:
    """Have each looked at before it is sent: what Celery calls before a task starts."""
    process_webhook.before_start = _before_start  # type: ignore[method-assign, assignment]


def _before_start(_task: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Refuse a webhook of ours that leads elsewhere; those of others are not ours to judge."""
    given = {**dict(zip(("webhook_pk", "data", "model_name"), args, strict=False)), **kwargs}
    webhook = Webhook.objects.filter(
        pk=given["webhook_pk"],
        content_types__app_label="fabric_twin",
        content_types__model=given["model_name"],
    ).first()
    if webhook is None:
        return
    url = urlsplit(webhook.payload_url)
    host = f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname
    address = f"{host}:{url.port or _PORTS.get(url.scheme, 443)}"
    resolved(address, site_networks(), f"webhook {webhook.name}", every=True)
