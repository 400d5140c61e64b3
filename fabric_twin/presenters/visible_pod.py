"""What one user may see of a pod: the names of what is hidden never leave this module.

Where something stands that the user may not see (a cube, a slice), drawings show that something is
there, for a free place is offered to others; what it is called stays hidden.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.documents.pods.legend import UNNAMED
from fabric_twin.models import Block, Cube, OpticalCircuit, Pod, Port, Slice, SlicePart, Switch
from fabric_twin.repositories.permissions import hides

#: What a slice is called whose name the user may not see; and a figure not to be known.
HIDDEN = "(hidden)"


@dataclass(frozen=True)
class Stand:
    """A cube in its slot."""

    rack: str
    #: Its status in lower case: active, draining, ...
    status: str


class Sight:
    """A pod in the eyes of a user; each part is read once, when it is asked for."""

    def __init__(self, pod: Pod, user: User) -> None:
        self.pod, self.user = pod, user

    def of(self, model: Any) -> Any:
        """The records of a model that the user may see."""
        return model.objects.restrict(self.user, "view")

    def told(self, there: Any, many: int, text: str) -> str:
        """A figure about these rows, `many` of which the user sees; whether others are hidden."""
        if not hides(there, self.user):
            return text
        return f"{text}, others are hidden" if many else HIDDEN

    @cached_property
    def cubes(self) -> Mapping[int, tuple[UUID, Stand]]:
        """By slot: the cube, its rack and its status."""
        rows = self.of(Cube).filter(pod=self.pod).order_by("slot")
        return {
            slot: (pk, Stand(rack, status.lower()))
            for slot, pk, rack, status in rows.values_list(
                "slot", "pk", "rack__name", "status__name"
            )
        }

    @cached_property
    def blocks(self) -> Sequence[tuple[str, range, str]]:
        """In a network: the device of each block that the user may see, its places, its status."""
        rows = self.of(Block).filter(pod=self.pod).select_related("device", "pod", "status")
        return [(str(one.device), one.places, one.status.name.lower()) for one in rows]

    @cached_property
    def standing(self) -> Mapping[int, str]:
        """By slot: the status of the cube there; in a network by place that of the block."""
        if self.pod.is_network:
            return {place: status for _, places, status in self.blocks for place in places}
        return {slot: stand.status for slot, (_, stand) in self.cubes.items()}

    @cached_property
    def hidden_slots(self) -> frozenset[int]:
        """Slots whose cube the user may not see; in a network, places of such blocks."""
        if self.pod.is_network:
            blocks = Block.objects.filter(pod=self.pod).select_related("pod")
            return frozenset(p for one in blocks for p in one.places) - self.standing.keys()
        there = Cube.objects.filter(pod=self.pod).order_by().values_list("slot", flat=True)
        return frozenset(there) - self.cubes.keys()

    @cached_property
    def switches(self) -> Mapping[int, tuple[UUID, str, str]]:
        """By number: the switch, its name and its status."""
        rows = self.of(Switch).filter(pod=self.pod).order_by("number")
        return {
            number: (pk, name or str(pk), status.lower())
            for number, pk, name, status in rows.values_list(
                "number", "pk", "device__name", "status__name"
            )
        }

    @cached_property
    def _slices(self) -> Sequence[tuple[UUID, str, str]]:
        rows = self.of(Slice).filter(pod=self.pod).order_by("name")
        return list(rows.values_list("pk", "name", "letter"))

    @cached_property
    def slices(self) -> Mapping[UUID, str]:
        """The slices of the pod by name."""
        return {pk: name for pk, name, _ in self._slices}

    @cached_property
    def letters(self) -> Mapping[str, str]:
        """The letter of each slice."""
        return {name: letter for _, name, letter in self._slices} | {HIDDEN: UNNAMED}

    def slice_name(self, pk: UUID | None) -> str:
        """What a drawing calls the slice of a circuit; empty where there is none."""
        return self.slices.get(pk, HIDDEN) if pk else ""

    @cached_property
    def taken(self) -> Mapping[int, Sequence[str]]:
        """By slot: the slices that have the cube, or chips of it."""
        found: dict[int, list[str]] = defaultdict(list)
        parts = SlicePart.objects.filter(cube__pod=self.pod).order_by("slice__name")
        for slot, pk in parts.values_list("cube__slot", "slice_id"):
            found[slot].append(self.slice_name(pk))
        return found

    @property
    def circuits(self) -> Any:
        """The circuits of the pod that the user may see."""
        return self.of(OpticalCircuit).filter(switch__pod=self.pod)

    @property
    def ports(self) -> Any:
        """The ports of the pod that the user may see."""
        return self.of(Port).filter(pod=self.pod)

    @cached_property
    def cabled(self) -> int:
        """How many cables are in ports of cubes; where switches are joined too, in all ports."""
        there = self.cabled_ports.restrict(self.user, "view")
        cables = there.values("interface__cable_termination__cable")
        return int(cables.order_by().distinct().count())

    @property
    def cabled_ports(self) -> Any:
        """The ports that these cables are in, also those that the user may not see."""
        there = Port.objects.filter(pod=self.pod, interface__cable_termination__isnull=False)
        return there if self.pod.is_cluster else there.filter(switch__isnull=True)

    @cached_property
    def links(self) -> dict[str, str]:
        """Where the pages of cubes and slices are, by what drawings call them."""
        cubes = {f"slot {slot}": page("cube", pk) for slot, (pk, _) in self.cubes.items()}
        return cubes | {f"slice {name}": page("slice", pk) for pk, name in self.slices.items()}


def page(model: str, pk: Any) -> str:
    """The page of a record of this App."""
    return reverse(f"plugins:fabric_twin:{model}", args=[pk])
