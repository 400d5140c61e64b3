"""The record is wrong, and not the plant: what an order corrects in the inventory, and how.

    light looks again --> still so --> permission for each record --> written, with its history
                      |-> not any more: nothing is written, and the finding is mended
                      '-> it could not see: nothing is written, and the finding stays

cable    its ends, one end, its strands      serial   of a transceiver, or of a switch
state    a port that is dark by force for nobody, on its switch
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Model
from nautobot.apps.change_logging import web_request_context
from nautobot.dcim.models import Cable, Device, Module
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.identity import ConfirmedBy
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import End
from fabric_twin.models import Finding, Reservation, Switch, WorkOrder
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.audits.who_answers import confirm, told_by
from fabric_twin.operations.orders.cable_ends import Plugging
from fabric_twin.operations.orders.fabric.read_port import fabric_of
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.record import core_of, held_by, require_to
from fabric_twin.operations.orders.unmet_needs import RECORD
from fabric_twin.repositories.change_log import UPDATE, record_change
from fabric_twin.repositories.hardware_types import modules_in
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import port_names
from fabric_twin.services.orders.keep_dark import keep_dark

Move = Mapping[str, Any]


def correct_records(order: WorkOrder, user: User) -> list[str]:
    """Write what is there into the inventory, once light says so again; what was written."""
    keys = wrong_records(order, user)
    _look_again(order, user, keys)
    there = Finding.objects.filter(pod=order.pod_id, key__in=keys)
    left = list(there.exclude(state=FindingStateChoices.MENDED))
    # A port that the order has in hand is not judged: whether it is dark, its switch is asked.
    shown = [one for one in left if one.seen or any(m.get("field") == "state" for m in one.remedy)]
    if left and not shown:
        raise NotPossible(
            "light does not show it now",
            where=f"finding {left[0]}",
            remedy="Try again once its devices answer, and light passes there",
        )
    written: list[str] = []
    for finding in shown:
        # As it was found last: what a record should say may have moved on.
        moves = [move for move in finding.remedy if move["do"] == "correct-record"]
        written += _correct(order, user, finding, moves)
    _look_again(order, user, keys)
    return written


def wrong_records(order: WorkOrder, user: User) -> list[str]:
    """The findings of an order that say that a record is wrong, for who may correct it."""
    require_to(order, user, "change")
    _require_open(order)
    needs = [need for need in core_of(order).needs if need.what == RECORD]
    if not needs:
        raise NotPossible(
            "no record is to be corrected", where=str(order), remedy="Go on with its steps"
        )
    return [key for need in needs for key in need.findings]


def _look_again(order: WorkOrder, user: User, keys: Iterable[str]) -> None:
    """Have light look where the records are said to be wrong."""
    rows = Finding.objects.filter(pod=order.pod_id, key__in=keys)
    at_ports = rows.filter(places__port__isnull=False)
    scope = Scope(ports=frozenset(at_ports.values_list("places__port__number", flat=True)))
    run_audit(order.pod, scope, How(look=observe_scope, user=user))


def _correct(order: WorkOrder, user: User, finding: Finding, moves: list[Move]) -> list[str]:
    """Correct what one finding says: all of it, or none."""
    said = [f"{m['object']}: {m['field']} {m['from'] or 'nothing'} -> {m['to']}" for m in moves]
    if dark := [move for move in moves if move["field"] == "state"]:
        _release(order, user, dark)  # nobody waits for the order while its switches answer
    with transaction.atomic(), web_request_context(user, context_detail=str(order)):
        there = held_by(order, user, "change")
        _require_open(there)
        for field, write in _WRITERS.items():
            mine = [move for move in moves if move["field"] in field]
            if mine:
                write(there, user, mine)
        for line in said:
            say(there, "record", f"{finding.key}: {line}", user)
        words = f"{there}: corrected {'; '.join(said)}"
        record_change(there, UPDATE, words, user)
    return said


def _require_open(order: WorkOrder) -> None:
    if not order.is_open:
        raise NotPossible(f"the order is {order.state}", where=str(order), remedy="Reopen it first")


# Cables


def _cables(order: WorkOrder, user: User, moves: list[Move]) -> None:
    plugging = Plugging(order)
    plugs: dict[tuple[str, str], End | None] = {}
    straight: set[str] = set()
    there = plugging.ends_of({str(move["object"]) for move in moves})
    _allow(user, "change", Cable, [pk for pk, _ in there.values()])
    for move in moves:
        cable, was, to = str(move["object"]), str(move["from"]), str(move["to"])
        if move["field"] == "strands":
            straight.add(cable)
        elif move["field"] == "ends":
            if to:
                _allow(user, "add", Cable, [])
            else:
                _allow(user, "delete", Cable, [there[cable][0]] if cable in there else [])
            ends = [_end(side) for side in to.split(" - ")] if to else [None, None]
            plugs |= {(cable, "a"): ends[0], (cable, "b"): ends[1]}
        else:
            ends_now = there.get(cable, (None, {}))[1]
            end = next((end for end, at in ends_now.items() if at == _end(was)), "b")
            plugs[cable, end] = _end(to) if to else None
    plugging.write(plugs, straight)


def _end(said: str) -> End:
    """A device and a port, as a finding says them: the port is the last word."""
    device, _, port = said.strip().rpartition(" ")
    return device, port


# Serials


def _serials(order: WorkOrder, user: User, moves: list[Move]) -> None:
    """Serials of transceivers, which may are in each other's ports, and of switches."""
    rows: list[tuple[Module, str]] = []
    for move in moves:
        switches = Switch.objects.filter(device__name=str(move["object"]), pod=order.pod)
        if switch := switches.select_related("device").first():
            _check_was(switch.device.serial, move)
            _allow(user, "change", Device, [switch.device_id])
            told = told_by(switch)
            if told.serial != move["to"]:
                raise _moved_on(move, "another device answers now")
            confirm(switch, user, told, f"replaced by {order}", ConfirmedBy.ORDER)
            continue
        module = modules_in(order.pod, *_end(str(move["object"]))).first()
        if module is None:
            raise _moved_on(move, "there is no module any more")
        _check_was(module.serial, move)
        rows.append((module, str(move["to"])))
    _allow(user, "change", Module, [row.pk for row, _ in rows])
    mine = [row.pk for row, _ in rows]
    # Two that are exchanged: nobody takes the other's before it is free.
    Module.objects.filter(pk__in=mine).update(serial=None)
    for row, serial in rows:
        taken = Module.objects.filter(serial=serial).exclude(pk__in=mine)
        if taken.filter(module_type=row.module_type).exists():
            raise NotPossible(
                f"{serial} is recorded elsewhere",
                where=str(row),
                remedy="Correct that record first",
            )
        row.serial = serial
        row.validated_save()


def _check_was(serial: str | None, move: Move) -> None:
    if (serial or "") != move["from"]:
        raise _moved_on(move, f"its serial is not {move['from']} any more")


def _moved_on(move: Move, what: str) -> NotPossible:
    return NotPossible(what, where=str(move["object"]), remedy="Audit the pod again")


# Ports


def _release(order: WorkOrder, user: User, moves: list[Move]) -> None:
    """Release ports, on their switches, that are blocked for nobody."""
    require_to(order, user, "change")
    require_to(order, user, "do")
    _require_open(WorkOrder.objects.select_related("pod").get(pk=order.pk))
    ports = {one for move in moves for one in simplex(_end(str(move["object"])))}
    others = Reservation.objects.filter(switch__pod=order.pod_id).exclude(order=order)
    if held := sorted(ports & port_names(others)):
        raise NotPossible(
            "another user is correcting it",
            where=" port ".join(held[0]),
            remedy="Wait until they are done",
        )
    with fabric_of(PodRecord(order.pod), {device for device, _ in ports}) as fabric:
        keep_dark(fabric, release=ports).check_released(ports)


def _others(_order: WorkOrder, _user: User, moves: list[Move]) -> None:
    raise NotPossible(
        f"{moves[0]['field']} is corrected on the record's own page",
        where=str(moves[0]["object"]),
        remedy=f"Write {moves[0]['to']} there",
    )


#: By the field that a correction names: who writes it.
_WRITERS: Mapping[tuple[str, ...], Callable[[WorkOrder, Any, list[Move]], None]] = {
    ("ends", "end", "strands"): _cables,
    ("serial",): _serials,
    ("address",): _others,
}


def _allow(user: User, action: str, model: type[Model], keys: list[Any]) -> None:
    """Refuse who may not do this to a record itself, order or not."""
    require_kinds(user, action, [model])
    require(user, action, model, keys)
