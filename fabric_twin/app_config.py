"""How Nautobot finds the App."""

from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured
from nautobot.apps import NautobotAppConfig

from fabric_twin import __version__


class FabricTwinConfig(NautobotAppConfig):
    """The App. Nautobot looks for its urls, views and the like beside this class's module."""

    __module__ = "fabric_twin"

    name = "fabric_twin"
    verbose_name = "Fabric Twin"
    description = "A digital twin of the optical fabric of accelerator pods"
    version = __version__
    author = "The fabric-twin authors"
    base_url = "fabric-twin"
    min_version = "3.2.7"
    max_version = "3.2.99"
    home_view_name = "plugins:fabric_twin:pod_list"
    jobs = "tasks.jobs"
    middleware: ClassVar = ["fabric_twin.middleware.PhonesFirst"]
    searchable_models = (
        "pod",
        "cube",
        "block",
        "switch",
        "port",
        "slice",
        "multislice",
        "finding",
        "ticket",
        "workorder",
        "auditrun",
        "stock",
    )
    default_settings: ClassVar = {
        # Days for which every run is kept, and for which one a day is.
        "audit_runs_kept_days": 30,
        "audit_runs_kept_daily_days": 365,
        # Days for which light is kept each day, one day a week, and one a month; None for ever.
        "light_kept_days": 60,
        "light_kept_weekly_days": 365,
        "light_kept_monthly_days": 1825,
        # Limits of light that are not ours, by name: docs/diagnosis.md.
        "limits": {},
        # A folder of design files beside the installed designs: docs/design-files.md.
        "designs_folder": None,
        # Networks that switches and cubes may be in; none may be spoken to elsewhere.
        "networks": [],
        # Pages that a process of the web server makes at once; None as many as it has threads.
        "pages_at_once": None,
    }

    @classmethod
    def validate(cls, user_config: dict[str, Any], nautobot_version: str) -> None:
        """Refuse settings that mean nothing, before anything runs."""
        from fabric_twin.core.diagnosis.kept_readings import LIGHT_KEPT, REMEMBERED
        from fabric_twin.core.diagnosis.limits import limits_of
        from fabric_twin.core.errors import UnusableInput
        from fabric_twin.core.kept_days import kept_days_of
        from fabric_twin.inventory.designs.folder import folder_of
        from fabric_twin.middleware import pages_at_once_of
        from fabric_twin.switches.networks import networks_of

        super().validate(user_config, nautobot_version)
        try:
            limits_of(user_config["limits"], 'PLUGINS_CONFIG["fabric_twin"]["limits"]')
            folder_of(
                user_config["designs_folder"], 'PLUGINS_CONFIG["fabric_twin"]["designs_folder"]'
            )
            networks_of(user_config["networks"])
            pages_at_once_of(user_config["pages_at_once"])
            kept_days_of(user_config, LIGHT_KEPT, least=REMEMBERED)
        except UnusableInput as refusal:
            raise ImproperlyConfigured(str(refusal)) from None

    def ready(self) -> None:
        """Register the App's parts, and begin to listen."""
        super().ready()
        from fabric_twin.change_signals import listen
        from fabric_twin.models.reached import ask_before_connecting
        from fabric_twin.operations import hooks
        from fabric_twin.operations.orders.audit_hook import ORDERS_IN_HAND
        from fabric_twin.operations.pods.connect import check_connecting
        from fabric_twin.operations.pods.webhook_networks import bind_webhooks
        from fabric_twin.operations.site_designs import offer_site_designs
        from fabric_twin.operations.tickets.audit_hook import TICKETS_IN_HAND
        from fabric_twin.tables.one_at_a_time import make_one_at_a_time

        ask_before_connecting(check_connecting)
        bind_webhooks()
        offer_site_designs()
        make_one_at_a_time()
        hooks.register(ORDERS_IN_HAND)
        hooks.register(TICKETS_IN_HAND)
        listen(self)
