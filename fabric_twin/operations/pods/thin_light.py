"""The history of light is thinned: every day of the last ones, then one a week, then one a month.

Nothing else is lost with a day: what light is compared with is younger than any limit may be
(`REMEMBERED`), findings have their own evidence, and how a path was when it was last good is a
record of its own.
"""

from collections import defaultdict
from datetime import UTC, date, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now, TruncDate

from fabric_twin.core.diagnosis.kept_readings import LIGHT_KEPT, REMEMBERED
from fabric_twin.core.kept_days import kept_days_of
from fabric_twin.models import LightDay, Pod
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.light_history import DEVICES
from fabric_twin.repositories.pod_lock import lock_rows


@transaction.atomic
def thin_light(pod: Pod) -> int:
    """Remove a pod's old days of light by the policy of the settings; say how many rows went.

    Each device keeps its own last day of a week: it may have been silent on that of others. Days
    are counted back from the newest that the pod has, which the clock of a worker cannot move.
    """
    keep = kept_days_of(settings.PLUGINS_CONFIG["fabric_twin"], LIGHT_KEPT, least=REMEMBERED)
    of_pod = LightDay.objects.filter(pod=pod).order_by()
    not_ahead = of_pod.filter(day__lte=TruncDate(Now(), tzinfo=UTC))
    newest = not_ahead.aggregate(day=Max("day"))["day"]
    if not newest:
        return 0
    old = of_pod.filter(day__lt=newest - timedelta(days=keep.daily))
    if not keep.dropped(old.values_list("day", flat=True).distinct(), newest):
        return 0  # as on most runs: each week and month has one day
    days: dict[UUID, dict[date, UUID]] = defaultdict(dict)
    for key, switch, cube, block, day in old.values_list("pk", *DEVICES, "day"):
        days[switch or cube or block][day] = key
    gone = [of[day] for of in days.values() for day in keep.dropped(of, newest)]
    if not gone:
        return 0
    lock_rows(pod.pk)
    return remove(LightDay.objects.filter(pk__in=gone))
