"""The open orders that are given to a user: by name, or to a team that the user is in."""

from typing import Any

from django.db.models import Q
from nautobot.extras.models import Team
from nautobot.users.models import User

from fabric_twin.models import WorkOrder
from fabric_twin.models.work_order import ENDED


def given_to(user: User) -> Any:
    """Those that the user may see and do.

    Nautobot's teams hold contacts and no users: a user is in a team that has a contact with the
    user's e-mail address, or that is called as one of the user's groups.
    """
    mine = Q(name__in=user.groups.values("name"))
    if user.email:
        mine |= Q(contacts__email__iexact=user.email)
    teams = Team.objects.filter(mine).order_by().values("pk")
    may_do = WorkOrder.objects.restrict(user, "do").order_by().values("pk")
    seen = WorkOrder.objects.restrict(user, "view").filter(pk__in=may_do).exclude(state__in=ENDED)
    return seen.filter(Q(assignee=user) | Q(team__in=teams))
