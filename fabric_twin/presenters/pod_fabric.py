"""A pod as documents and drawings show it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from nautobot.users.models import User

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.documents.pods.fabric import Cable, Cables, Fabric
from fabric_twin.documents.pods.fabric_json import fabric_to_json
from fabric_twin.models import OpticalCircuit, WorkOrder
from fabric_twin.operations.orders.expected_cables import AT_WORK
from fabric_twin.presenters.conditions import conditions, drawn_circuits, read_circuits
from fabric_twin.presenters.detours import detours_of
from fabric_twin.repositories.cable_reading import PLANNED
from fabric_twin.repositories.permissions import require_of
from fabric_twin.repositories.pod_record import PodRecord


def fabric_of(record: PodRecord, user: User) -> Fabric:
    """Its cubes, cables as recorded, circuits as wanted and shown, what is wrong."""
    plant, intended, pod = record.plant, record.intended(record.standing), record.pod
    written = {cable.name: (cable.length_m, cable.printed) for cable in record.cables}
    slices = dict(pod.slices.values_list("pk", "name"))
    rows = read_circuits(OpticalCircuit.objects.filter(switch__pod=pod))
    return Fabric(
        intended=intended,
        cables=Cables.recorded(record.design.layout, (plant.cables, plant.a, plant.b), written),
        recorded=True,
        begun={
            one.port: Cable(one.name(record.names), one.length_m, one.printed)
            for one in record.begun
        },
        ordered=_planned(record, intended, _ordered(record, user)),
        astray={
            int(max(plant.a[row], plant.b[row])): plant.cables[row]
            for row in np.flatnonzero((plant.a < 0) != (plant.b < 0)).tolist()
        },
        letters=dict(pod.slices.values_list("name", "letter")),
        detours=detours_of(pod, user),
        **drawn_circuits(pod, rows, lambda pk: slices[pk] if pk else ""),
        **conditions(record, intended, user),
    )


def _ordered(record: PodRecord, user: User) -> dict[int, Cable]:
    """By the port that a cable is named after: what orders know of those that they bring."""
    orders = WorkOrder.objects.restrict(user, "view").filter(pod=record.pod, state__in=AT_WORK)
    laid = [one for cables in orders.values_list("facts__cables", flat=True) for one in cables]
    if not laid:
        return {}
    ports = record.names.find(*([one["a"][n] for one in laid] for n in (0, 1))).tolist()
    return {
        port: Cable(one["cable"], str(one["length_m"] or ""), one["label"])
        for port, one in zip(ports, laid, strict=True)
        if port >= 0
    }


def _planned(
    record: PodRecord, intended: Intended, ordered: Mapping[int, Cable]
) -> dict[int, Cable]:
    """The same, and planned cables that are recorded between ports that the rule joins.

    What the record leaves open, an order may know.
    """
    first, found = set(intended.a.tolist()), dict(ordered)
    for one in record.cables:
        if one.status == PLANNED and isinstance(one.a, int) and isinstance(one.b, int):
            near, far = (one.a, one.b) if one.a in first else (one.b, one.a)
            if intended.want[near] == far:
                more = found.get(near, Cable(one.name))
                found[near] = Cable(
                    one.name, one.length_m or more.length_m, one.printed or more.label
                )
    return found


def whole_fabric_of(record: PodRecord, user: User) -> Fabric:
    """The same for documents that leave Nautobot.

    They hang in the aisle and are taken for whole: who may not see all of it gets none.
    """
    require_of(user, "view", record.behind_documents)
    return fabric_of(record, user)


def drawn_json(record: PodRecord, user: User) -> dict[str, Any]:
    """The same for who draws it elsewhere."""
    return fabric_to_json(whole_fabric_of(record, user), record.substitutions)
