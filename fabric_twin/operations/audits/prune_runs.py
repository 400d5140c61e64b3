"""Old runs are thinned: all of the last days, then the last of each day, then none."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import TruncDay
from django.utils import timezone

from fabric_twin.models import AuditRun, Pod
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.repositories.bulk_delete import remove

_SETTINGS = "fabric_twin"


def thin_runs(pod: Pod) -> int:
    """Remove a pod's old runs by the policy of the settings; findings stay."""
    asked = settings.PLUGINS_CONFIG.get(_SETTINGS, {})
    now = timezone.now()
    all_since = now - timedelta(days=asked["audit_runs_kept_days"])
    daily_since = now - timedelta(days=asked["audit_runs_kept_daily_days"])
    # What still holds ports for test circuits has to be taken away first.
    old = AuditRun.objects.filter(pod=pod, ended__lt=all_since, reservations__isnull=True)
    whole = Q(state=RunStateChoices.DONE, scope=ScopeChoices.POD, light=False)
    days = old.filter(whole, ended__gte=daily_since).order_by("number")
    kept = dict(days.values_list(TruncDay("ended"), "pk"))  # of each day the last
    gone = old.exclude(pk__in=kept.values()).order_by()
    # What came after says no more what it was compared with.
    AuditRun.objects.filter(before__in=gone.values("pk")).update(before=None)
    return remove(gone)
