"""Packet switches are asked what they show: many at once, by device number."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import TypeVar

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.rings.audit import RingReport, audit_rings
from fabric_twin.core.rings.change import by_switch, entries
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.fabric import AT_ONCE
from fabric_twin.switches.openflow.switch import OpenFlowSwitch
from fabric_twin.switches.openflow.table import Flow, Table

Switches = Mapping[int, OpenFlowSwitch]
T = TypeVar("T")


def wanted_flows(state: State, switches: Switches) -> dict[int, list[Flow]]:
    """By switch that is there: the entries that rings need of it; each has to have an address."""
    there = [entry for entry in entries(state) if entry.switch not in state.lost]
    rows = by_switch(there).items()
    found = {switch: [Flow(entry.into, entry.out) for entry in of] for switch, of in rows}
    if without := found.keys() - switches.keys():
        raise UnusableInput(
            f"it has no address of {state.names.device(min(without))}, which rings pass",
            where="--targets",
            remedy="Add it with its datapath, or say that it is lost: fabric-twin rings fail",
        )
    return found


def ask(
    switches: Switches,
    numbers: Iterable[int],
    question: Callable[[OpenFlowSwitch, int], T],
    *,
    or_none: bool = False,
) -> tuple[dict[int, T], dict[int, FabricTwinError]]:
    """What some switches answer, and why others do not.

    With `or_none` all have to: once one does not, those that were not asked yet are not asked.
    """
    given: dict[int, T] = {}
    missing: dict[int, FabricTwinError] = {}
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="switches")
    try:
        asked = {number: pool.submit(question, switches[number], number) for number in numbers}
        for number, future in asked.items():
            try:
                given[number] = future.result()
            except CancelledError:
                continue
            except FabricTwinError as error:
                missing[number] = error
                for other in asked.values() if or_none else ():
                    other.cancel()
    except BaseException:  # the user has enough: nobody is waited for
        for switch in switches.values():
            switch.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    return given, missing


def read_tables(
    targets: Sequence[Target],
    access: Mapping[str, Access | FabricTwinError],
    patience: Patience,
    each: Callable[[], object] = lambda: None,
) -> tuple[dict[str, Table], dict[str, FabricTwinError]]:
    """What some switches show, by name, and why others show nothing."""
    ways = {n: (target, access[target.name]) for n, target in enumerate(targets)}
    switches = {
        number: OpenFlowSwitch(target, way, patience)
        for number, (target, way) in ways.items()
        if isinstance(way, Access)
    }

    def read(switch: OpenFlowSwitch, _: int) -> Table:
        try:
            return switch.read()
        finally:
            switch.close()
            each()

    given, missing = ask(switches, switches, read)
    missing |= {n: way for n, (_, way) in ways.items() if isinstance(way, FabricTwinError)}
    return (
        {targets[number].name: table for number, table in sorted(given.items())},
        {targets[number].name: error for number, error in sorted(missing.items())},
    )


def check(state: State, switches: Switches) -> tuple[RingReport, dict[int, FabricTwinError]]:
    """Audit what switches show; those that do not answer are not judged, and told beside it."""
    wanted_flows(state, switches)
    tables, missing = ask(switches, switches, lambda switch, _: switch.read())
    found = [Entry(number, *flow) for number, table in tables.items() for flow in table.entries]
    odd = {number: [*map(str, table.odd)] for number, table in tables.items() if table.odd}
    return audit_rings(state, found, unread=missing, odd=odd), missing
