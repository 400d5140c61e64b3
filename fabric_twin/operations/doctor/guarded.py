"""Who may do what, and what a site sets for its safety."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from fabric_twin.first_records import APPROVERS
from fabric_twin.operations.doctor.checked import Checked, bad, good, look


def check_guarded() -> Iterator[Checked]:
    """People first, then settings of Nautobot that every site decides about."""
    yield _approvers()
    if settings.DEBUG:
        yield bad("DEBUG", "on: error pages show internals to anybody", "Set DEBUG = False")
    if "*" in settings.ALLOWED_HOSTS:
        yield look("ALLOWED_HOSTS", "any host name is accepted", "Name the host that people type")
    insecure = [
        name
        for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE")
        if not getattr(settings, name)
    ]
    if insecure:
        yield look(
            " and ".join(insecure), "cookies are sent without TLS too", "Set True behind TLS"
        )
    metrics = getattr(settings, "METRICS_ENABLED", False)
    if metrics and not getattr(settings, "METRICS_AUTHENTICATED", False):
        yield look(
            "METRICS_AUTHENTICATED",
            "everybody who reaches /metrics/ can read the names of pods",
            "Set True, or let only the collector reach it",
        )


def _approvers() -> Checked:
    people = get_user_model().objects.filter(is_active=True)
    approvers = people.filter(groups__in=Group.objects.filter(name=APPROVERS)).count()
    if approvers:
        return good("approvers", f"{approvers} in the group {APPROVERS}")
    return look(
        "approvers",
        f"nobody is in the group {APPROVERS}: only administrators approve tickets",
        "Put those who may approve into it",
    )
