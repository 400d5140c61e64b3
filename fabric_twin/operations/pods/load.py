"""Loading a pod: validate everything, then write it as sets, in one transaction.

    design, slots, cut sheet  -  what is there  =  what is missing  ->  checked  ->  written

What is there is never touched: a second loading finds nothing missing and writes nothing.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max, Model
from nautobot.dcim.models import Cable, Device, Location, Rack
from nautobot.users.models import User

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.counted import counted
from fabric_twin.core.design import Design
from fabric_twin.core.designs import find_design
from fabric_twin.core.kinds import Kind, Verb
from fabric_twin.core.pods.layout_digest import may_have_numbered
from fabric_twin.core.pods.names import Names, check_pod_name
from fabric_twin.core.slots import format_slots
from fabric_twin.inventory.addresses import check_address
from fabric_twin.models import Cube, Pod, Switch
from fabric_twin.operations.calls.progress import counting, tell
from fabric_twin.operations.pods.wanted_cables import (
    Sheet,
    WantedCable,
    cables_of_rule,
    cables_of_sheet,
)
from fabric_twin.operations.pods.write_cables import rows_of_cables, write_cables
from fabric_twin.operations.pods.write_hardware import (
    rows_of_cubes,
    rows_of_switches,
    write_cubes,
    write_switches,
)
from fabric_twin.repositories.bulk_insert import Progress, Writer
from fabric_twin.repositories.cable_reading import CableRecord
from fabric_twin.repositories.change_log import CREATE, UPDATE, record_change
from fabric_twin.repositories.hardware_types import find_parts, status
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_lock import PodRefused, locked_pod, pods_locked
from fabric_twin.repositories.pod_record import PodRecord

#: Made once for all pods, by the user who loads the first: no permission of one pod speaks of them.
_OF_ONE_POD: tuple[type[Model], ...] = (Pod, Cube, Switch, Rack, Device, Cable)


@dataclass(frozen=True)
class Loaded:
    """What a loading wrote, or would write."""

    names: Names
    #: How many rows, by what they are.
    added: Mapping[str, int]
    #: The slots whose cubes are new.
    slots: tuple[int, ...]
    #: Cables that were there as they should be.
    kept: int
    #: Rows of the sheet that were wholly of other pods.
    others: int
    dry_run: bool

    def __str__(self) -> str:
        """The whole in a sentence."""
        whole = f"{self.names.noun.capitalize()} {self.names.pod}"
        if not self.added:
            return f"{whole}: nothing to load, all of it is there."
        parts = ", ".join(f"{count:,} {what}" for what, count in self.added.items())
        of = f"{self.names.part.capitalize()}s"
        slots = f" {of} in slots {format_slots(self.slots)}." if self.slots else ""
        would = "would load" if self.dry_run else "loaded"
        return f"{whole}: {would} {parts}.{slots}"


def load_pod(
    name: str,
    design: str,
    location: Location,
    *,
    slots: Collection[int] | None = None,
    cut_sheet: bytes | None = None,
    cube_status: str = "Active",
    address: str = "",
    user: User | None = None,
    dry_run: bool = False,
    progress: Progress = lambda _what, _rows: None,
) -> Loaded:
    """Load a pod, or what it lacks: cubes in some slots (all of the design's, by default).

    Cables are the rule's, or those of a cut sheet as they stand there, mistakes too; then the
    sheet says which cubes there are, and `slots` may name more. `address` is where a gateway
    answers for every new switch and cube, each by its own name. A user needs the permission to
    add what is added, and to connect what gets an address; nobody is the system itself.
    """
    kind = find_design(design)
    kind.check_can(Verb.RECORD)
    check_pod_name(name, kind.kind.noun)
    if address:
        check_address(address, "address")
        require_kinds(user, "connect", (Switch, Cube))
    require(user, "view", Location, [location.pk])
    with pods_locked(keep=not dry_run):
        loading = _Loading(name, kind, location, address, user, progress)
        return loading.run(slots, cut_sheet, cube_status, dry_run=dry_run)


class _Loading:
    """One loading, in its transaction."""

    def __init__(
        self,
        name: str,
        design: Design,
        location: Location,
        address: str,
        user: User | None,
        progress: Progress,
    ) -> None:
        self.design, self.address, self.user = design, address, user
        self.progress, self.writer = progress, Writer(self._say_written)
        self.written: Callable[[int], None] = lambda _rows: None
        self.pod, self.fresh = pod_to_fill(name, design, location, user)
        self.record = PodRecord(self.pod)

    def run(
        self,
        slots: Collection[int] | None,
        cut_sheet: bytes | None,
        cube_status: str,
        *,
        dry_run: bool,
    ) -> Loaded:
        tell("Compares what is there with what is to be loaded")
        names: Names = self.design.names(self.pod.name) if self.fresh else self.record.names
        sheet = None if cut_sheet is None else cables_of_sheet(cut_sheet, "cut sheet", names)
        new = self._new_slots(slots, sheet)
        cables, kept = self._missing_cables(names, new, sheet)
        self._write(names, new, cables, cube_status)
        tell("Checks what was written")
        self._check_permissions()
        added = in_words_of(self.design.kind, self.writer.counts)
        others = sheet.others if sheet else 0
        loaded = Loaded(names, added, new, kept, others, dry_run)
        if added:
            record_change(self.pod, CREATE if self.fresh else UPDATE, str(loaded), self.user)
            self.writer.analyze()
        return loaded

    def _new_slots(self, slots: Collection[int] | None, sheet: Sheet | None) -> tuple[int, ...]:
        """The slots to fill that are empty; the plant refuses slots that the design has not."""
        wanted = set(slots or ()) | (sheet.slots if sheet else set())
        if slots is None and sheet is None:
            wanted = set(range(1, self.design.slots + 1))
        chosen = intended_plant(self.design, self.pod.name, wanted).slots
        there = () if self.fresh else self.record.cubes
        return tuple(slot for slot in chosen if slot not in there)

    def _missing_cables(
        self, names: Names, new: tuple[int, ...], sheet: Sheet | None
    ) -> tuple[list[WantedCable], int]:
        """The cables to write, checked against those that are there."""
        there = {} if self.fresh else {cable.name: cable for cable in self.record.cables}
        if sheet is None:
            all_slots = new if self.fresh else (*self.record.cubes, *new)
            intended = (
                self.record.intended(all_slots)
                if not self.fresh
                else intended_plant(self.design, self.pod.name, all_slots)
            )
            wanted = cables_of_rule(intended, new, of_switches=self.fresh)
        else:
            wanted = sheet.cables
        missing = missing_cables(names, wanted, there)
        if sheet is None:
            check_free(names, missing, list(there.values()))
        return missing, len(wanted) - len(missing)

    def _write(
        self, names: Names, new: tuple[int, ...], cables: list[WantedCable], cube_status: str
    ) -> None:
        if not (self.fresh or new or cables):
            return
        self._check_kinds(new=bool(new), cables=bool(cables))
        rows = rows_of_cubes(names, new) + rows_of_cables(cables)
        rows += 1 + rows_of_switches(names) if self.fresh else 0
        self.written = counting("rows written", rows)
        parts = find_parts(self.design, self.writer)
        if self.fresh:
            self._check_names(names, new)
            self.pod = made_pod(self.pod, self.writer)
            write_switches(self.pod, names, parts, self.writer, self.address)
        elif new:
            self._check_names(names, new)
        write_cubes(self.pod, names, new, cube_status, parts, self.writer, self.address)
        if cables:
            write_cables(self.pod, names, cables, self._free(), parts, self.writer)

    def _say_written(self, what: str, rows: int) -> None:
        self.written(rows)
        self.progress(what, rows)

    def _free(self) -> dict[int, UUID]:
        """The interfaces of ports that hold no cable: all of a pod that is new."""
        ports = self.pod.ports.order_by()
        if not self.fresh:
            # A planner that takes the tables for empty would look through all cables for each port.
            self.writer.analyze()
            ports = ports.filter(interface__cable_termination__isnull=True)
        return dict(ports.values_list("number", "interface_id"))

    def _check_names(self, names: Names, new: tuple[int, ...]) -> None:
        """Refuse names that racks or devices have already: an operator's own are adopted."""
        trays = self.design.layout.cube.trays
        devices = [names.device((slot - 1) * trays + tray) for slot in new for tray in range(trays)]
        devices += names.switches if self.fresh else []
        remedy = "Adopt them if they are the pod's, or give the pod another name"
        check_names(self.pod, devices, [names.cube(slot) for slot in new], remedy)

    def _check_kinds(self, *, new: bool, cables: bool) -> None:
        """Refuse before the first row is written who may add no row of a kind that is coming."""
        coming: dict[type[Model], bool] = {
            Pod: self.fresh,
            Switch: self.fresh and bool(self.design.layout.switches),
            Cube: new,
            Rack: new,
            Device: new,
            Cable: cables,
        }
        require_kinds(self.user, "add", [model for model, comes in coming.items() if comes])

    def _check_permissions(self) -> None:
        """Refuse rows beyond the constraints of a permission, which only rows can be asked."""
        for model in _OF_ONE_POD:
            require(self.user, "add", model, self.writer.added.get(model, ()))
        if self.address:
            for model in (Switch, Cube):
                require(self.user, "connect", model, self.writer.added.get(model, ()))


def in_words_of(kind: Kind, counts: Mapping[str, int]) -> dict[str, int]:
    """Rows by what they are called: the cubes of a cluster are its groups."""
    called = {"pod": kind.noun}
    if kind is Kind.GROUPS:
        called |= {"cube": "group", "cubes": "groups"}
    return {called.get(what, what): many for what, many in counts.items()}


def made_pod(pod: Pod, writer: Writer) -> Pod:
    """The pod's row; what is done to it goes into the change log once, at the end."""
    (key,) = writer.insert(pod, name=[pod.name])
    found: Pod = Pod.objects.get(pk=key)
    return found


def pod_to_fill(
    name: str, design: Design, location: Location, user: User | None
) -> tuple[Pod, bool]:
    """The pod of this name, held, or one to be written; whether it is new.

    One that is there under this name as something else is refused.
    """
    pod = locked_pod(name)
    if pod is None:
        active = status(Pod, "Active")
        facts = {"design": design.name, "layout": design.digest}
        return Pod(name=name, location=location, status=active, **facts), True
    require(user, "change", Pod, [pod.pk])
    for what, here, wanted in (
        ("of design", pod.design, design.name),
        ("at", str(pod.location), str(location)),
    ):
        if here != wanted:
            raise PodRefused(
                f"the pod is there already, {what} {here} and not {wanted}",
                where=f"pod {pod.name}",
                remedy=f"Load it as {what} {here}, or give the new pod another name",
            )
    pod.check_layout(design)
    if pod.layout != design.digest:
        _check_numbered(pod, design)
        pod.layout = design.digest
        Pod.objects.filter(pk=pod.pk).update(layout=pod.layout)
    return pod, False


def _check_numbered(pod: Pod, design: Design) -> None:
    """Refuse a design that cannot have numbered the ports of a pod whose layout nobody kept."""
    switches = pod.switches.values_list("number", "axis", "index")
    slot = pod.cubes.aggregate(last=Max("slot"))["last"] or 0
    port = pod.ports.aggregate(last=Max("number"))["last"]
    if not may_have_numbered(design.layout, switches, slot, -1 if port is None else port):
        raise PodRefused(
            f"the switches, slots and ports that are recorded are not those of {design.name}",
            where=f"pod {pod.name}",
            remedy="Put the file or package of its design back as it was when the pod was loaded",
        )


def missing_cables(
    names: Names, wanted: Collection[WantedCable], there: Mapping[str, CableRecord]
) -> list[WantedCable]:
    """Those that are not recorded; one that is recorded otherwise is refused."""
    differ = [
        cable.name
        for cable in wanted
        if cable.name in there and not cable.is_(names, there[cable.name])
    ]
    if differ:
        raise PodRefused(
            f"{len(differ):,} cables are recorded otherwise, {differ[0]!r} among them",
            where=f"{names.noun} {names.pod}",
            remedy="Loading adds and never changes: mend these cables or the sheet first",
        )
    return [cable for cable in wanted if cable.name not in there]


def check_names(
    pod: Pod,
    devices: Sequence[str],
    racks: Sequence[str],
    remedy: str,
    others: Iterable[Location] = (),
) -> None:
    """Refuse names that devices, or racks at the pod's location or others, have already."""
    of_racks = Rack.objects.filter(location__in=[pod.location, *others], name__in=racks)
    for taken in (Device.objects.filter(name__in=devices), of_racks):
        found = sorted(taken.values_list("name", flat=True)[:1000])
        if found:
            many = counted(len(found), str(taken.model._meta.verbose_name))
            raise PodRefused(
                f"{many} have these names already, {found[0]!r} among them"
                if len(found) > 1
                else f"{many} has this name already, {found[0]!r}",
                where=f"{pod.kind.noun} {pod.name}",
                remedy=remedy,
            )


def check_free(names: Names, cables: list[WantedCable], there: list[Any]) -> None:
    """Refuse the rule's cables where a port holds another one."""
    held = {end: cable.name for cable in there for end in (cable.a, cable.b)}
    for cable in cables:
        for end in (cable.a, cable.b):
            if isinstance(end, int) and end in held:
                raise PodRefused(
                    f"{' '.join(names.port(end))} holds the cable {held[end]!r}, and the rule "
                    f"wants {cable.name!r} there",
                    where=f"{names.noun} {names.pod}",
                    remedy="Move that cable first, or load the cubes from a cut sheet",
                )
