"""Give the devices of a pod their addresses from a file: all of them, or none."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.inventory.addresses import (
    DATAPATH,
    Address,
    canonical_address,
    canonical_datapath,
    read_addresses,
)
from fabric_twin.models import Block, Cube, Pod, Switch
from fabric_twin.repositories.permissions import require
from fabric_twin.repositories.pod_lock import pods_locked

Record = Switch | Cube | Block
#: Where it is reached, by the fields of its record.
Way = Mapping[str, str]


@dataclass(frozen=True)
class AddressesSet:
    """What was given, or would be."""

    pod: str
    #: By device, in the order of the file.
    given: Mapping[str, Way]
    same: int
    dry_run: bool

    def __str__(self) -> str:
        """The whole in a sentence."""
        gets = "would get" if self.dry_run else "got"
        same = f"; {self.same:,} had theirs before" if self.same else ""
        given = counted(len(self.given), "device")
        return f"Pod {self.pod}: {given} {gets} what the file says{same}."

    def lines(self) -> Iterator[str]:
        """Each device with what it is given."""
        for name, way in self.given.items():
            told = [f"{field.replace('_', ' ')} {value or 'none'}" for field, value in way.items()]
            yield f"{name}: {', '.join(told)}"


def set_addresses(
    pod: Pod, data: bytes, *, user: User | None = None, dry_run: bool = False
) -> AddressesSet:
    """Give devices of a pod the addresses of a file; what it does not name stays as it is.

    A row with a datapath id is the OpenFlow address of a packet switch, any other one that of gNMI.
    """
    require(user, "view", Pod, [pod.pk])
    asked = {name: _way(pod, name, one) for name, one in read_addresses(data, "addresses").items()}
    if not asked:
        raise UnusableInput(
            "it names no device", where="addresses", remedy="Give a row for each: device,address"
        )
    _refuse_doubles(asked)
    with pods_locked(keep=not dry_run):
        records = _records(pod, asked)
        _require_all(user, records)
        moved = {name: one for name, one in records.items() if _is_other(one, asked[name])}
        with transaction.atomic():
            _write(moved, asked)
            # A permission may say which addresses: of those that they have now too.
            _require_all(user, moved)
        given = {name: asked[name] for name in asked if name in moved}
        return AddressesSet(pod.name, given, len(asked) - len(given), dry_run)


def _way(pod: Pod, name: str, one: Address) -> Way:
    """The fields that a row of the file is for."""
    where = f"addresses, {name[:60]}"
    if one.driver:
        raise UnusableInput(
            "it names a driver, and here the record of a switch has its dialect",
            where=where,
            remedy="Leave the column driver empty",
        )
    address = canonical_address(one.address, where)
    if not one.datapath:
        return {"address": address, "target": one.target}
    if not pod.is_cluster or one.target:
        raise UnusableInput(
            "it has a datapath id and a target"
            if pod.is_cluster
            else "it has a datapath id, which only packet switches of clusters have",
            where=where,
            remedy=f"Leave the column {'target' if pod.is_cluster else DATAPATH} empty",
        )
    return {"flow_address": address, "datapath": canonical_datapath(one.datapath, where)}


def _refuse_doubles(asked: Mapping[str, Way]) -> None:
    """Two devices at one address would each be believed what the other says."""
    many = Counter(one for way in asked.values() for one in _alone(way))
    for name, way in asked.items():
        for told in _alone(way):
            if many[told] > 1:
                raise UnusableInput(
                    f"{' '.join(filter(None, told[1:]))} is given to {many[told]} devices",
                    where=f"addresses, {name[:60]}",
                    remedy="Give each an address of its own, or a target at a shared one",
                )


def _alone(way: Way) -> list[tuple[str, ...]]:
    """What no two devices can have of this."""
    if "address" in way:
        return [("address", way["address"], way["target"])]
    return [*way.items()]


def _records(pod: Pod, asked: Mapping[str, Way]) -> dict[str, Record]:
    """The devices of the pod that the file names, by name; in the order of the file."""
    its_name = "device__name" if pod.is_network else "rack__name"
    found: dict[str, Record] = {}
    kinds: list[tuple[Any, str]] = [(pod.switches, "device__name"), (pod.members, its_name)]
    for rows, name in kinds:
        relation = name.partition("__")[0]
        named = rows.filter(**{f"{name}__in": asked}).select_related(relation, "pod")
        # They are saved whole: what somebody writes meanwhile has to wait.
        for one in named.select_for_update(of=("self",), no_key=True):
            called = str(getattr(one, relation).name)
            if called in found:
                raise NotPossible(
                    f"two of its devices are called {called}",
                    where=f"pod {pod.name}",
                    remedy="Give racks and switches of a pod names of their own",
                )
            found[called] = one
    for name, way in asked.items():
        if name not in found or not hasattr(found[name], next(iter(way))):
            what = "packet switch" if DATAPATH in way else "device"
            raise UnusableInput(
                f"pod {pod.name} has no {what} of that name",
                where=f"addresses, {name[:60]}",
                remedy="Name switches, cubes, groups and blocks of this pod as its cut sheet does",
            )
    return {name: found[name] for name in asked}


def _require_all(user: User | None, records: Mapping[str, Record]) -> None:
    """Refuse unless the user may change and connect every one of them."""
    for model in (Switch, Cube, Block):
        keys = [one.pk for one in records.values() if isinstance(one, model)]
        require(user, "change", model, keys)
        require(user, "connect", model, keys)


def _is_other(record: Record, way: Way) -> bool:
    return any(getattr(record, field) != value for field, value in way.items())


def _write(moved: Mapping[str, Record], asked: Mapping[str, Way]) -> None:
    """Write what is another one, each checked as any door checks it."""
    # Two may exchange theirs: nobody has one while they are given.
    for model in (Switch, Cube, Block):
        for fields in (("address", "target"), ("flow_address", "datapath")):
            keys = [
                one.pk
                for name, one in moved.items()
                if isinstance(one, model) and fields[0] in asked[name]
            ]
            if keys:
                model.objects.filter(pk__in=keys).update(**dict.fromkeys(fields, ""))
    for name, record in moved.items():
        for field, value in asked[name].items():
            setattr(record, field, value)
        # Who may connect was asked of all of them.
        record.is_vouched = True
        try:
            record.validated_save()
        except ValidationError as refusal:
            raise NotPossible(
                " ".join(refusal.messages).rstrip("."),
                where=f"addresses, {name[:60]}",
                remedy="Correct the file or the record. Nothing was written",
            ) from None
