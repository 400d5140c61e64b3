"""What a dry run said it would do, and the button that does it."""

from typing import Any

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.operations.calls.for_real import can_run_for_real


class DryRunPanel(Panel):
    """On the page of a dry run that ended well."""

    body_content_template_path = "fabric_twin/panels/dry_run.html"
    required_permissions = ("extras.run_job",)

    def should_render(self, context: Any) -> bool:
        """Only for who may run jobs."""
        job = get_obj_from_context(context)
        return bool(super().should_render(context) and can_run_for_real(job))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """What it said."""
        job = get_obj_from_context(context)
        said = job.result if isinstance(job.result, str) else ""
        return {**super().get_extra_context(context), "key": job.pk, "said": said.splitlines()}
