"""How Nautobot finds the App."""

from typing import ClassVar

from nautobot.apps import NautobotAppConfig, nautobot_database_ready

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
    min_version = "3.2.0"
    max_version = "3.2.99"
    home_view_name = "plugins:fabric_twin:pod_list"
    jobs = "tasks.jobs"
    searchable_models = ("pod", "cube", "switch", "port", "slice", "finding", "ticket")
    default_settings: ClassVar[dict[str, int]] = {
        # Days for which every run is kept, and for which one a day is.
        "audit_runs_kept_days": 30,
        "audit_runs_kept_daily_days": 365,
    }

    def ready(self) -> None:
        """Register the App's parts, and its first records as soon as there is a database."""
        super().ready()
        from django.db.models.signals import pre_save

        from fabric_twin.first_records import enable_new_job, make_first_records
        from fabric_twin.noticing import notice
        from fabric_twin.repositories.audit_job import follow_pods
        from fabric_twin.repositories.removing import take_along
        from fabric_twin.repositories.ticket_approval import follow_answers
        from fabric_twin.repositories.ticket_life import decided

        nautobot_database_ready.connect(make_first_records, sender=self)
        pre_save.connect(enable_new_job, dispatch_uid="fabric_twin.enable_new_job")
        follow_pods()
        follow_answers(decided)
        take_along()
        notice()
