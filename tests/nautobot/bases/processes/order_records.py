"""Pods of two cubes, a planner, and another system of work: what orders from afar are tried on."""

import io

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from nautobot.extras.models import Job
from nautobot.users.models import ObjectPermission, Token

from fabric_twin import models
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.inventory.cutsheet import write_cut_sheet
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import SMALL, hall

#: What another system of work may do, to own orders that others make.
OWNS = {
    models.Pod: ["view"],
    models.WorkOrder: ["view", "change", "do"],
    models.OrderStep: ["view"],
    models.Ticket: ["view"],
}


def make_records() -> str:
    """Tokens of the planner, of the other system, and of who sees no order."""
    place = hall()
    for pod in ("s", "other"):
        load_pod(pod, "small", place, slots=(1, 2), cut_sheet=exchanged(pod))
    Job.objects.filter(module_name="fabric_twin.tasks.audit_pod").update(enabled=True)
    users = get_user_model().objects
    planner = users.create_superuser("planner")
    other, nobody = users.create_user("other-system"), users.create_user("nobody")
    for model, actions in OWNS.items():
        leave = ObjectPermission.objects.create(name=model.__name__, actions=actions)
        leave.users.add(other)
        leave.object_types.add(ContentType.objects.get_for_model(model))
    return " ".join(Token.objects.create(user=user).key for user in (planner, other, nobody))


def exchanged(pod: str) -> bytes:
    """The sheet of a pod in which two cables of a tray of cube 1 stand in each other's port."""
    text = io.StringIO()
    write_cut_sheet(intended_plant(SMALL, pod, (1, 2)), text)
    first, second = ("1.1.1/X-", "1.1.1/Y-")
    rows = []
    for row in text.getvalue().splitlines():
        cable, device, port, *more = row.split(",")
        if cable in {f"{pod}-c001:{first}", f"{pod}-c001:{second}"}:
            port = second if port == first else first
        rows.append(",".join((cable, device, port, *more)))
    return "\n".join(rows).encode()
