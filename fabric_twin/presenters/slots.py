"""The slots of a pod as a user may see them: how each is used, and why it is not free."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from uuid import UUID

from fabric_twin.core.counted import counted
from fabric_twin.core.findings.noted import Noted
from fabric_twin.core.slices.slot_use import NO_GROUP, POD_AT_REST
from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.documents.pods.slot_map import Slot
from fabric_twin.models import AuditRun, Ticket, WorkOrder
from fabric_twin.operations.audits.findings_of import hides_findings, told_by_slot
from fabric_twin.operations.slices.occupancy import Standing, read_standing
from fabric_twin.operations.slices.slot_uses import SlotUse, count_uses, group_uses, slot_uses
from fabric_twin.presenters.visible_pod import Sight, page

#: What holds a cube that the user may not see.
SOMEBODY = "somebody"
#: How a place of a cluster is used where a group stands that the user may not see.
HIDDEN_GROUP = "hidden"


class Slots:
    """How the slots of a pod are used, and why, in the eyes of a user."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight

    @cached_property
    def standing(self) -> Standing:
        """The pod as the allocator sees it."""
        return read_standing(self.sight.pod)

    @cached_property
    def uses(self) -> Mapping[int, SlotUse]:
        """How each slot is used."""
        return slot_uses(self.standing)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many slots are used how."""
        return count_uses({slot: one.use for slot, one in self.uses.items()})

    @cached_property
    def _holders(self) -> Mapping[UUID, tuple[str, str]]:
        """By key: the name and the page of each ticket, order and run that holds something."""
        return {
            one.pk: (str(one), page(of.__name__.lower(), one.pk))
            for of in (Ticket, WorkOrder, AuditRun)
            for one in self.sight.of(of).filter(pk__in=self.standing.held).select_related("pod")
        }

    @cached_property
    def told(self) -> Mapping[int, Sequence[Noted]]:
        """By slot: the findings that are at its cube now, or at the far end of its cables."""
        return told_by_slot(self.sight.pod, self.sight.user)

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """What drawings of them leave out."""
        return (FINDINGS_HIDDEN,) * hides_findings(self.sight.pod, self.sight.user)

    @property
    def findings(self) -> Mapping[int, int]:
        """By slot: how many of them there are."""
        return {slot: len(told) for slot, told in self.told.items()}

    def holders(self, slot: int) -> list[tuple[str, str]]:
        """The page and the name of what holds the cube of a slot."""
        unknown = (SOMEBODY, "")
        names = {self._holders.get(holder, unknown) for holder in self.uses[slot].holders}
        return sorted((url, name) for name, url in names)

    def why(self, slot: int) -> str:
        """What keeps a cube from being free, besides those that hold it."""
        use = self.uses[slot]
        said = []
        if use.ports_out:
            said.append(f"{counted(use.ports_out, 'port')} of it or of its switches out of service")
        if use.by_hand:
            said.append("joined by a circuit of no slice")
        if use.use == POD_AT_REST:
            said.append(f"the pod is {self.sight.pod.status.name.lower()} and takes no slices")
        return "; ".join(said)

    def all(self) -> list[Slot]:
        """Every slot of the design, as it is drawn."""
        return [self._slot(slot) for slot in self.uses]

    def _slot(self, slot: int) -> Slot:
        sight = self.sight
        held = ", ".join(name for _, name in self.holders(slot))
        return replace(
            self._standing_in(slot, "cube"),
            use=self.uses[slot].use,
            why="; ".join(filter(None, (self.why(slot), f"held by {held}" if held else ""))),
            slices=tuple(sorted(sight.taken.get(slot, ()))),
        )

    def groups(self) -> list[Slot]:
        """The same of a cluster, whose groups jobs have."""
        sight, uses = self.sight, group_uses(self.sight.pod)
        found = (
            self._standing_in(slot, "group") for slot in range(1, sight.pod.to_core().slots + 1)
        )
        return [
            replace(
                one,
                use=uses[one.number] if one.status else HIDDEN_GROUP if one.rack else NO_GROUP,
                slices=tuple(sorted(sight.taken.get(one.number, ()))),
            )
            for one in found
        ]

    def _standing_in(self, slot: int, called: str) -> Slot:
        """What stands in a slot, and how many findings are there."""
        sight, told = self.sight, self.told.get(slot, ())
        _, stand = sight.cubes.get(slot, (None, None))
        hidden = slot in sight.hidden_slots
        return Slot(
            number=slot,
            rack=f"a hidden {called}" if hidden else stand.rack if stand else "",
            status=stand.status if stand else "",
            findings=len(told),
            unseen=sum(not one.seen for one in told),
        )
