"""What a ticket changes in the records beside circuits, from its draft to its end and back.

                    draft            done              undone after that    undone, or withdrawn
    make-slice      made, Planned    Active            Releasing            gone
    release-slice   Releasing        gone              made again, Planned  as it was
    move-slice      (cubes held)     on its new cubes  (cubes held)         on its old ones
    keep-rings      (links held)     kept, given up    (links held)         the other way round
    others          (nothing)        done              (nothing)            taken back

Each step may be done twice: what is so already stays so. Circuits are `circuits.py`'s.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils import timezone
from nautobot.dcim.models import Interface
from nautobot.extras.models import Status, Tag

from fabric_twin.core.circuits.unhealthy import numbers_of
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.pods.names import Names
from fabric_twin.models import (
    Cube,
    Multislice,
    Pod,
    Port,
    Slice,
    SlicePart,
    Substitution,
    Switch,
    Ticket,
)
from fabric_twin.models.slice import PLANNED, RELEASING
from fabric_twin.operations.tickets.changes.accepted_circuits import AcceptedCircuits

ACTIVE = "Active"
KEEP_RINGS = "keep-rings"
_STATUSES = {"set-slot-status", "set-switch-status", "set-port-status"}
Effect = dict[str, Any]


class Effects:
    """The effects of one ticket, and what becomes of them; in the caller's transaction."""

    def __init__(self, pod: Pod, effects: Sequence[Effect]) -> None:
        self._pod, self.all = pod, list(effects)
        self.accepted = AcceptedCircuits(pod, self.all)

    @property
    def of_slices(self) -> dict[UUID, str]:
        """The records of the slices that it makes, releases or moves, and their names."""
        return {UUID(one["id"]): slice_of(one)["name"] for one in self.all if "id" in one}

    @property
    def moves(self) -> list[Effect]:
        """How it moves slices."""
        return list(self._do("move-slice"))

    @property
    def statuses(self) -> list[Effect]:
        """How it sets the status of cubes, switches and ports."""
        return [one for one in self.all if one["do"] in _STATUSES]

    @property
    def makes_rings_of(self) -> list[str]:
        """The multislices whose rings are kept once it is done."""
        return [one["multislice"] for one in self._do(KEEP_RINGS) if one["keeps"]]

    def prepare(self) -> None:
        """A draft: slices that come stand already where they will, those that go say so.

        Effects learn their records' ids here, and how what goes was.
        """
        for one in self._do("make-slice"):
            one["id"] = str(self._make(one["slice"], PLANNED).pk)
        for one in self._do("release-slice"):
            made = self._slice(one)
            one["row"] = _row(made)
            _set_status(made, RELEASING)

    def finish(self) -> None:
        """All circuits are carried out."""
        for one in self._do("make-slice"):
            _set_status(self._slice(one), ACTIVE)
        for one in self._do("release-slice"):
            Slice.objects.filter(pk=one["id"]).delete()
        self._move("to")
        for one in self._do("substitute"):
            port, spare = self._ports(one)
            Substitution.objects.get_or_create(
                port=port, defaults={"spare": spare, "reason": one["reason"][:255]}
            )
        self.accepted.finish()
        self._keep_rings(done=True)
        self._set_statuses("to")

    def reopen(self) -> None:
        """It was done, and is to be undone."""
        for one in self._do("make-slice"):
            _set_status(self._slice(one), RELEASING)
        for one in self._do("release-slice"):
            if not Slice.objects.filter(pk=one["id"]).exists():
                made = self._make(one["slice"], PLANNED, one)
                about = {"plan__effects__contains": [{"id": one["id"]}]}
                Ticket.objects.filter(pod=self._pod, slice=None, **about).update(slice=made)

    def drop(self) -> None:
        """As it was before the draft, whatever came after that."""
        for one in self._do("make-slice"):
            Slice.objects.filter(pk=one["id"]).delete()
        for one in self._do("release-slice"):
            if "row" in one:
                _set_status(self._slice(one), one["row"]["status"])
        self._move("from")
        for one in self._do("substitute"):
            port, spare = self._ports(one)
            Substitution.objects.filter(port=port, spare=spare).delete()
        self.accepted.drop()
        self._keep_rings(done=False)
        self._set_statuses("from")

    def _keep_rings(self, *, done: bool) -> None:
        """Whether others keep the rings of multislices; undone, it is the other way round."""
        for one in self._do(KEEP_RINGS):
            mine = Multislice.objects.filter(pod=self._pod, pk=one["multislice"])
            mine.update(keeps_rings=one["keeps"] is done, last_updated=timezone.now())

    def _do(self, what: str) -> Iterator[Effect]:
        return (one for one in self.all if one["do"] == what)

    def _slice(self, one: Effect) -> Slice:
        """The slice that an effect is about, if it still stands."""
        made: Slice | None = Slice.objects.filter(pod=self._pod, pk=one.get("id")).first()
        if made is None:
            raise NotPossible(
                "it is gone", where=f"slice {slice_of(one)['name']}", remedy="Plan the ticket again"
            )
        return made

    def _make(self, facts: Mapping[str, Any], status: str, was: Effect | None = None) -> Slice:
        """A slice with its parts and without circuits, as it `was` where it stood before."""
        row = (was or {}).get("row", {})
        made = Slice(
            pod=self._pod,
            name=facts["name"],
            shape=facts["shape"],
            twisted=facts["twisted"],
            rings=facts.get("rings", {}),
            description=row.get("description", ""),
            status=_status(Slice, status),
            _custom_field_data=row.get("custom_fields", {}),
            letter=self._letter(row),
        )
        if was:
            made.pk = UUID(was["id"])
        try:
            made.validated_save()
        except ValidationError as refusal:
            raise NotPossible(
                "; ".join(refusal.messages), where=f"slice {made.name}", remedy="Mend that first"
            ) from refusal
        made.tags.set(Tag.objects.filter(name__in=row.get("tags", ())))
        self._place({made.pk: facts})
        return made

    def _letter(self, row: Mapping[str, Any]) -> str:
        """The letter that the slice had, unless another one has it by now."""
        had: str = row.get("letter", "")
        return "" if self._pod.slices.filter(letter=had).exists() else had

    def _move(self, to: str) -> None:
        """Slices that move stand there; all at once, for one may need what another one leaves."""
        moves = {UUID(one["id"]): one[to] for one in self._do("move-slice")}
        SlicePart.objects.filter(slice__in=moves).delete()
        self._place(moves)

    def _place(self, slices: Mapping[UUID, Mapping[str, Any]]) -> None:
        """Write where slices stand."""
        slots = {cube["slot"] for facts in slices.values() for cube in facts["cubes"]}
        cubes = dict(Cube.objects.filter(pod=self._pod, slot__in=slots).values_list("slot", "pk"))
        SlicePart.objects.bulk_create(
            SlicePart(
                slice_id=made,
                cube_id=cubes[cube["slot"]],
                place=place,
                chips=[chip[1:] for chip in facts.get("chips", ())] or None,
            )
            for made, facts in slices.items()
            for place, cube in enumerate(facts["cubes"])
        )

    def _ports(self, one: Effect) -> tuple[Port, Port]:
        """The port that a substitution is for, and the spare."""
        found = [self._port(one["switch"], one[name]) for name in ("port", "spare")]
        return found[0], found[1]

    def _port(self, switch: str, name: str) -> Port:
        number = next(iter(self._numbers(switch, [name])), -1)
        port: Port | None = Port.objects.filter(pod=self._pod, number=number).first()
        if port is None:
            raise NotPossible(
                f"the pod has no record of port {name}",
                where=f"switch {switch}",
                remedy="Bind the port with the job Adopt pod first",
            )
        return port

    def _numbers(self, switch: str, ports: Sequence[str]) -> list[int]:
        """The numbers of some ports that are named by the rule, of a switch by its own name."""
        number = (
            Switch.objects.filter(pod=self._pod, device__name=switch)
            .values_list("number", flat=True)
            .first()
        )
        names = Names(self._pod.to_core().layout, self._pod.name)
        if number is None:
            return []
        device = names.switches[number]
        return [found for port in ports for found in numbers_of(names, (device, port))[:1]]

    def _set_statuses(self, to: str) -> None:
        """Cubes, switches and ports have the status that the ticket gives them, or had before."""
        cubes, switches = Cube.objects.filter(pod=self._pod), Switch.objects.filter(pod=self._pod)
        for one in self._do("set-slot-status"):
            _save_status(cubes.filter(slot=one["slot"]).first(), one, to)
        for one in self._do("set-switch-status"):
            _save_status(switches.filter(device__name=one["switch"]).first(), one, to)
        for one in self._do("set-port-status"):
            numbers = self._numbers(one["switch"], one["ports"])
            ports = Interface.objects.filter(
                fabric_port__pod=self._pod, fabric_port__number__in=numbers
            )
            there = _status(Interface, one["from" if to == "to" else "to"])
            ports.filter(status=there).update(status=_status(Interface, one[to]))


def slice_of(effect: Mapping[str, Any]) -> Mapping[str, Any]:
    """The slice that an effect is about, as it is before."""
    found: Mapping[str, Any] = effect.get("slice") or effect["from"]
    return found


def slots_of(effects: Sequence[Effect]) -> set[int]:
    """The slots of all cubes that effects take, leave or change whole."""
    found = {one["slot"] for one in effects if one["do"] == "set-slot-status"}
    for one in effects:
        moves = one["do"] == "move-slice"
        for facts in (one.get("slice"), one.get("from") if moves else None, one.get("to")):
            # Chips of a cube leave the rest of it to others, unless they move.
            if isinstance(facts, dict) and (moves or "chips" not in facts):
                found.update(cube["slot"] for cube in facts["cubes"])
    return found


def _row(made: Slice) -> dict[str, Any]:
    """What of a slice's record its shape does not say."""
    return {
        "status": made.status.name,
        "description": made.description,
        "letter": made.letter,
        "custom_fields": dict(made._custom_field_data),  # noqa: SLF001 - as the record has it
        "tags": list(made.tags.values_list("name", flat=True)),
    }


def _status(model: type, name: str) -> Status:
    found: Status = Status.objects.get_for_model(model).get(name=name)
    return found


def _set_status(made: Slice, name: str) -> None:
    if made.status.name != name:
        made.status = _status(Slice, name)
        made.save()


def _save_status(record: Cube | Switch | None, one: Effect, to: str) -> None:
    """Change the status, unless somebody gave it another one meanwhile."""
    there = one["from" if to == "to" else "to"]
    if record is not None and record.status.name == there:
        record.status = _status(type(record), one[to])
        record.save()
