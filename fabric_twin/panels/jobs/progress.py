"""A bar for each audit or job that runs: how far it is, and about how long the rest takes."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils import timezone
from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.models import AuditRun
from fabric_twin.operations.calls.unheard_calls import OURS
from fabric_twin.operations.stuck.under_way import UnderWay, how_far_of, under_way
from fabric_twin.panels.once import once

#: How often a bar asks again.
EVERY = "2s"


def bar_of(one: UnderWay, *, titled: bool = False) -> dict[str, Any]:
    """What a bar shows; where it is beside others it has a link to what it is of."""
    said = one.progress
    far = said.how_far(timezone.now()) if said else None
    words = "Waits for its turn" if one.is_waiting else str(said) if said else "Runs"
    name = str(one.record) if isinstance(one.record, AuditRun) else str(one.record.name)
    return {
        "key": one.key,
        "name": name,
        "url": one.record.get_absolute_url() if titled else "",
        "titled": titled,
        "every": EVERY,
        "is_waiting": one.is_waiting,
        "words": words,
        "counted": bool(far and far.of and not one.is_waiting),
        "share": far.share if far else 0,
        "rest": far.rest if far and not one.is_waiting else "",
    }


def of_run(run: AuditRun, _user: User) -> Iterable[UnderWay]:
    """The run of the page, until it has ended."""
    return () if UnderWay(run).is_over else (how_far_of(run),)


def of_job(job: Any, _user: User) -> Iterable[UnderWay]:
    """The job of the page, if it is of the App and has not ended."""
    is_ours = job.job_model is not None and job.job_model.module_name.startswith(OURS)
    return (how_far_of(job),) if is_ours and not UnderWay(job).is_over else ()


def of_pod(pod: Any, user: User) -> Iterable[UnderWay]:
    """What runs now in the pod of the page."""
    return under_way(pod, user)


class ProgressPanel(Panel):
    """The bars of a page; it is not there where nothing runs."""

    body_content_template_path = "fabric_twin/panels/progress.html"
    #: What of a record runs, as a user may see it.
    find: Callable[[Any, Any], Iterable[UnderWay]] | None = None
    #: Whether each bar says what it is of.
    titled = False

    def should_render(self, context: Any) -> bool:
        """Only where something runs."""
        return bool(super().should_render(context) and self._found(context))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """A bar each."""
        bars = [bar_of(one, titled=self.titled) for one in self._found(context)]
        return {**super().get_extra_context(context), "bars": bars}

    def _found(self, context: Any) -> Iterable[UnderWay]:
        record, user = get_obj_from_context(context), context["request"].user
        return once(self.find, record, user) if self.find else ()
