"""Records the App needs before anything can be loaded: statuses, roles, fields, approvers, jobs."""

from typing import Any

from django.db import transaction

#: Status: colour, description, and the models (of this App) that may have it.
STATUSES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "Planned": ("00bcd4", "Unit has been planned", ("pod", "cube", "block", "switch", "slice")),
    "Installing": ("2196f3", "A technician is at work; audits look at it", ("cube", "block")),
    "Active": ("4caf50", "Unit is active", ("pod", "cube", "block", "switch", "slice")),
    "Draining": (
        "ffc107",
        "Runs what it runs and takes nothing new",
        ("pod", "cube", "block", "slice"),
    ),
    "Releasing": ("ffc107", "An open ticket releases it", ("slice",)),
    "Out": ("9e9e9e", "Out of service: not used, not audited", ("cube", "block", "switch")),
    "Maintenance": ("9e9e9e", "Unit is under maintenance", ("pod", "switch")),
    "Retired": ("f44336", "Unit has been retired", ("pod",)),
}

#: Role: colour, description, and the models (of Nautobot) that may have it.
ROLES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "Cube": ("3f51b5", "A rack of chips that takes a slot of a pod", ("dcim.rack",)),
    "Switch rack": ("009688", "A rack of optical circuit switches", ("dcim.rack",)),
    "Group": ("3f51b5", "Processors of a cluster", ("dcim.rack", "dcim.device")),
    "Block": ("3f51b5", "An aggregation block of a network", ("dcim.rack", "dcim.device")),
    "Tray": ("3f51b5", "A host with four chips of a cube", ("dcim.device",)),
    "Optical circuit switch": ("009688", "Joins an A to a B port by light", ("dcim.device",)),
    "Packet switch": ("009688", "Joins groups of a cluster", ("dcim.device",)),
    "Optical port": ("795548", "Takes a fibre of the pod", ("dcim.interface",)),
    "Cluster port": ("795548", "Takes a cable of the cluster", ("dcim.interface",)),
}

#: Who approves tickets, until an operator says otherwise: nobody is in the group at first.
APPROVERS = "Fabric approvers"
#: What a ticket names: who decides about it sees that, and changes none of it.
_DECIDED_ABOUT = (
    *("pod", "cube", "block", "switch", "port", "opticalcircuit", "slice", "slicepart"),
    *("demand", "multislice", "finding", "findingplace", "workorder", "orderstep", "auditrun"),
)
#: What they need for it on Nautobot's pages and by its API: a name, models, and actions on them.
_OF_APPROVERS = (
    ("ticket", ("fabric_twin.ticket",), ["view", "change"]),
    ("approvalworkflowstage", ("extras.approvalworkflowstage",), ["view", "change"]),
    (
        "approvalworkflow, approvalworkflowstageresponse",
        ("extras.approvalworkflow", "extras.approvalworkflowstageresponse"),
        ["view"],
    ),
    (
        "what they decide about",
        tuple(f"fabric_twin.{model}" for model in _DECIDED_ABOUT),
        ["view"],
    ),
)

#: A cable's name is its label in Nautobot, so what is printed on it is a field beside.
PRINTED_LABEL = "fabric_twin_label"
#: Where a rack stands: work orders measure cables and walks by it.
RACK_ROW, RACK_PLACE = "fabric_twin_row", "fabric_twin_place"
#: Custom field: its label, its type, what it says, and the model of Nautobot that has it.
FIELDS: dict[str, tuple[str, str, str, str]] = {
    PRINTED_LABEL: (
        "Printed label",
        "text",
        "What is printed on the cable, where it is not its name",
        "cable",
    ),
    RACK_ROW: ("Row", "integer", "The row of racks in which it stands, counted from 1", "rack"),
    RACK_PLACE: ("Place in row", "integer", "Counted from 1 along its row", "rack"),
}


@transaction.atomic
def make_first_records(sender: Any, *, apps: Any, **_: Any) -> None:  # noqa: ARG001
    """Make statuses and roles that are not there, and let the models have them; change no other.

    Where the App is new, its jobs are enabled; what is enabled later, an administrator decides.
    """
    content_types = apps.get_model("contenttypes", "ContentType").objects
    if not apps.get_model("extras", "CustomField").objects.filter(key__in=FIELDS).exists():
        jobs = apps.get_model("extras", "Job").objects
        jobs.filter(module_name__startswith="fabric_twin.tasks.").update(enabled=True)
    for kind, records in (("Status", STATUSES), ("Role", ROLES)):
        for name, (color, description, models) in records.items():
            record, _made = apps.get_model("extras", kind).objects.get_or_create(
                name=name, defaults={"color": color, "description": description}
            )
            for app, _dot, model in (label.rpartition(".") for label in models):
                record.content_types.add(
                    content_types.get_or_create(app_label=app or "fabric_twin", model=model)[0]
                )
    for key, (label, kind, description, model) in FIELDS.items():
        field, _made = apps.get_model("extras", "CustomField").objects.get_or_create(
            key=key, defaults={"label": label, "type": kind, "description": description}
        )
        field.content_types.add(content_types.get_or_create(app_label="dcim", model=model)[0])
    _make_approval(apps, content_types)


def _make_approval(apps: Any, content_types: Any) -> None:
    """A workflow for tickets, with a stage and a group, where none is; it is the operator's then.

    The group learns what approvers need when it is made, and not later.
    """
    tickets, _made = content_types.get_or_create(app_label="fabric_twin", model="ticket")
    definitions = apps.get_model("extras", "ApprovalWorkflowDefinition").objects
    if definitions.filter(model_content_type=tickets).exists():
        return
    group, made = apps.get_model("auth", "Group").objects.get_or_create(name=APPROVERS)
    if made:
        for what, labels, actions in _OF_APPROVERS:
            permission, _made = apps.get_model("users", "ObjectPermission").objects.get_or_create(
                name=f"{APPROVERS}: {what}", defaults={"actions": actions}
            )
            permission.groups.add(group)
            for app, _dot, model in (label.rpartition(".") for label in labels):
                permission.object_types.add(
                    content_types.get_or_create(app_label=app, model=model)[0]
                )
    definition, _made = definitions.get_or_create(
        name="Fabric tickets", defaults={"model_content_type": tickets}
    )
    apps.get_model("extras", "ApprovalWorkflowStageDefinition").objects.get_or_create(
        approval_workflow_definition=definition,
        sequence=100,
        defaults={"name": "Another person", "min_approvers": 1, "approver_group": group},
    )
