"""Two cabled pods, and somebody who may see one of them: what `fabric-twin remote` is tried on."""

import io
from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from nautobot.core.celery import app, setup_nautobot_job_logging
from nautobot.dcim.models import (
    Cable,
    CableToCableTermination,
    CableType,
    Device,
    FrontPort,
    Interface,
    RearPort,
)
from nautobot.extras.models import Job, JobLogEntry, JobResult, Status
from nautobot.users.models import ObjectPermission, Token

from fabric_twin import models
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.first_records import PRINTED_LABEL
from fabric_twin.inventory.cutsheet import write_cut_sheet
from fabric_twin.inventory.recorded_cables import SheetCable
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.pods.small import SMALL_PAIRED, hall
from tests.nautobot.bases.pods.small_pod import status_of

#: Goes through two patch panels.
THROUGH = "mine-c001:2.1.1/X+"
#: Two that are exchanged.
EXCHANGED = ("mine-c001:1.2.1/Y+", "mine-c002:1.2.1/Y+")
#: Neither the cables of cube 3 nor the switches of axis z.
_NO_Z = "^mine-(c|ocs-[xy])"
A_PART: dict[type, dict[str, str]] = {
    Cable: {"label__regex": "^(mine-c00[12]:|trunk|from)"},
    Device: {"name__regex": _NO_Z},
    Interface: {"device__name__regex": _NO_Z},
}


def make_records() -> str:
    """Make both pods with what is odd in them; tokens of who may see all, one pod, a part of it.

    Jobs are done in this process, as if a worker were there.
    """
    place = hall()
    _offer_the_designs()
    load_pod("mine", "small", place)
    load_pod("other", "small-paired", place, cut_sheet=_with_a_crossed_pair())
    _lead_through_panels()
    _exchange()
    facts = {"length": 12, "length_unit": "ft", "_custom_field_data": {PRINTED_LABEL: "=A 17"}}
    Cable.objects.filter(label="mine-c001:1.1.1/X-").update(**facts)
    Cable.objects.filter(label="mine-c003:1.1.1/X-").update(
        label="", length=250, length_unit="cm", status=status_of(Cable, "Planned")
    )
    users = get_user_model().objects
    admin = users.create_superuser("admin of remote")
    guest, trainee = users.create_user("guest"), users.create_user("trainee")
    make_slice(models.Pod.objects.get(name="mine"), Wish(shape="2x2x4", name="train-1"), admin)
    Job.objects.filter(module_name__startswith="fabric_twin.tasks").update(enabled=True)
    mock.patch("nautobot.extras.api.views.get_worker_count", return_value=1).start()
    setup_nautobot_job_logging(None, None, app.conf)
    _permit(guest, {})
    _permit(trainee, A_PART)
    return " ".join(Token.objects.create(user=user).key for user in (admin, guest, trainee))


def _offer_the_designs() -> None:
    """Have the forms of jobs offer the small design, which no package brings."""
    from fabric_twin.tasks.adopt_pod import AdoptPod
    from fabric_twin.tasks.load_pod import LoadPod

    for job in (LoadPod, AdoptPod):
        job.design.field_attrs["choices"] = [("small", "small")]


def _with_a_crossed_pair() -> bytes:
    """The sheet of pod other, in which the strands of its first cable are exchanged."""
    text = io.StringIO()
    write_cut_sheet(intended_plant(SMALL_PAIRED, "other"), text)
    header, first, *others = text.getvalue().splitlines()
    name, a_device, a_port, b_device, b_port, status, *_ = first.split(",")
    crossed = SheetCable(name, (a_device, a_port), (b_device, b_port), status, crossed=True)
    return "\n".join([header, *map(",".join, crossed.rows()), *others]).encode()


def _plug(a: Any, b: Any, label: str) -> None:
    status = status_of(Cable, "Connected")
    Cable(termination_a=a, termination_b=b, status=status, label=label).validated_save()


def _lead_through_panels() -> None:
    cable = Cable.objects.get(label=THROUGH)
    tray, switch = (end.interface for end in cable.terminations.order_by("cable_end"))
    cable.delete()
    (near, near_rear), (far, far_rear) = (_panel(name) for name in ("panel-1", "panel-2"))
    _plug(tray, near, THROUGH)
    _plug(near_rear, far_rear, "trunk")
    _plug(far, switch, "from the panel")


def _panel(name: str) -> tuple[FrontPort, RearPort]:
    like = Device.objects.get(name="mine-c001-t01")
    panel = Device.objects.create(
        name=name,
        device_type=like.device_type,
        role=like.role,
        status=like.status,
        location=like.location,
    )
    rear = RearPort.objects.create(device=panel, name="R1", type="lc")
    front = FrontPort.objects.create(
        device=panel, name="F1", type="lc", rear_port=rear, rear_port_position=1
    )
    return front, rear


def _exchange() -> None:
    ends = []
    for label in EXCHANGED:
        cable = Cable.objects.get(label=label)
        ends.append([end.interface for end in cable.terminations.order_by("cable_end")])
        cable.delete()
    (first, at), (second, there) = ends
    _plug(first, there, EXCHANGED[0])
    _plug(second, at, EXCHANGED[1])


def _permit(user: Any, but: dict[type, dict[str, str]]) -> None:
    """Let a user see pod mine, and run jobs."""
    mine: dict[type, dict[str, str]] = {
        models.Pod: {"name": "mine"},
        models.Cube: {"pod__name": "mine"},
        models.Switch: {"pod__name": "mine"},
        models.Slice: {"pod__name": "mine"},
        models.OpticalCircuit: {"switch__pod__name": "mine"},
        models.WrittenEnd: {"pod__name": "mine"},
        models.AuditRun: {"pod__name": "mine"},
        models.Finding: {"pod__name": "mine"},
        models.FindingPlace: {"finding__pod__name": "mine"},
        Device: {"name__startswith": "mine-"},
        Interface: {"device__name__startswith": "mine-"},
        CableToCableTermination: {},
        Cable: {},
        FrontPort: {},
        RearPort: {},
        Status: {},
        CableType: {},
        JobResult: {},
        JobLogEntry: {},
        Job: {"module_name__startswith": "fabric_twin"},
    }
    for model, constraints in (mine | but).items():
        permission = ObjectPermission.objects.create(
            name=f"{model.__name__} of {user}", constraints=constraints, actions=["view", "run"]
        )
        permission.users.add(user)
        permission.object_types.add(ContentType.objects.get_for_model(model))
