"""Switches are made to have the entries of rings and no others of ours.

Every switch is read before any is changed. Then rows are removed everywhere, and only once all are
gone are entries added: what still takes from a link of another ring must not meet its packets.
What came of it is read back. To send again does no harm, wherever it ended.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from fabric_twin.core.errors import NoAnswer, NotPossible
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.sending import NotDone, Sending
from fabric_twin.core.rings.state import State
from fabric_twin.services.audits.observe import is_silence
from fabric_twin.services.rings.on_switches import Switches, ask, wanted_flows
from fabric_twin.switches.openflow.switch import OpenFlowSwitch
from fabric_twin.switches.openflow.table import Applied, Difference, Flow, Row, Table, check_ports


def send(state: State, switches: Switches, *, dry_run: bool = False) -> Sending:
    """Send what differs, and read it back."""
    wanted = wanted_flows(state, switches)
    tables = _read(state, switches)
    for number, flows in wanted.items():
        check_ports(state.names.device(number), tables[number], flows)
    plan = _differences(tables, wanted)
    sending = Sending(
        state,
        asked=len(switches),
        unasked=len(_there(state) - switches.keys()),
        there=sum(len(table.entries) for table in tables.values()),
        wanted=sum(map(len, wanted.values())),
        remove=[
            Entry(number, *row.flow)
            for number, difference in plan.items()
            for row in difference.remove
            if row.flow
        ],
        odd=[(number, str(row)) for number, table in tables.items() for row in table.odd],
        add=[Entry(number, *flow) for number, of in plan.items() for flow in of.add],
        dry_run=dry_run,
    )
    _check_room(state, switches, plan)
    if dry_run or not plan:
        return sending
    now, why, silent = _carried_out(switches, tables, plan)
    left = _differences({number: now[number] for number in plan}, wanted)
    not_done = [
        NotDone(act, number, str(what.flow or what) if isinstance(what, Row) else str(what), said)
        for number, difference in left.items()
        for act, rows in (("remove", difference.remove), ("add", difference.add))
        for what in rows
        for said in [why.get(number, {}).get(what) or _NOT_SENT]
    ]
    return replace(sending, not_done=not_done, silent=silent)


_NOT_SENT = "it was not sent, because not all was removed that should be"
_Why = dict[int, Mapping[Row | Flow, str]]


def _carried_out(
    switches: Switches, tables: Mapping[int, Table], plan: Mapping[int, Difference]
) -> tuple[dict[int, Table], _Why, bool]:
    """What switches show afterwards, why something is not done, and whether one is silent."""
    now, why = dict(tables), _Why()
    for part in (
        {number: Difference(remove=of.remove) for number, of in plan.items() if of.remove},
        {number: Difference(add=of.add) for number, of in plan.items() if of.add},
    ):
        done, missing = ask(switches, part, partial(_apply, part))
        for number, applied in done.items():
            now[number], why[number] = applied.table, applied.why
        for number, error in missing.items():
            asked: list[Row | Flow] = [*part[number].remove, *part[number].add]
            why[number] = dict.fromkeys(asked, f"nobody knows: {error.what}")
        if missing or any(why.values()):
            return now, why, any(map(is_silence, missing.values()))
    return now, why, False


def _apply(part: Mapping[int, Difference], switch: OpenFlowSwitch, number: int) -> Applied:
    return switch.apply(part[number])


def _read(state: State, switches: Switches) -> dict[int, Table]:
    """What every switch shows; nothing is sent where one does not answer."""
    tables, missing = ask(switches, switches, lambda switch, _: switch.read(), or_none=True)
    for number, error in missing.items():
        more = f" ({len(missing) - 1:,} more could not be read)" if len(missing) > 1 else ""
        raise NoAnswer(
            f"{error.what}{more}, so nothing was sent",
            where=error.where or state.names.device(number),
            remedy=f"{error.remedy}; or say that the switch is lost: fabric-twin rings fail",
        )
    return tables


def _check_room(state: State, switches: Switches, plan: Mapping[int, Difference]) -> None:
    """Refuse before anything is removed, where something could not be added after it."""
    adding = {number: of.add for number, of in plan.items() if of.add}
    told, missing = ask(switches, adding, lambda one, number: one.in_the_way(adding[number]))
    for error in missing.values():
        raise error
    whys = [(number, why) for number, found in sorted(told.items()) for why in found.values()]
    for number, why in whys[:1]:
        more = f" ({len(whys) - 1:,} more like it)" if len(whys) > 1 else ""
        raise NotPossible(
            f"{why}{more}, so nothing was sent",
            where=state.names.device(number),
            remedy="Remove that flow, or give it another priority, and send again",
        )


def _differences(
    tables: Mapping[int, Table], wanted: Mapping[int, list[Flow]]
) -> dict[int, Difference]:
    """By switch where there is anything to do."""
    found = {n: Difference.between(table, wanted.get(n, [])) for n, table in tables.items()}
    return {number: difference for number, difference in found.items() if difference}


def _there(state: State) -> set[int]:
    """The switches of a cluster that are not lost."""
    numbers = range(state.wiring.cluster.groups, len(state.names.devices))
    return set(numbers) - state.lost
