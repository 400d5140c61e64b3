"""What a ticket would change in a cluster's rings, planned from its records as they are now."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from uuid import UUID

from fabric_twin.core.circuits.unhealthy import numbers_of
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.proposals import proposal as kinds
from fabric_twin.core.proposals.effects import Effect, SetSlotStatus
from fabric_twin.core.proposals.rings import (
    RingsProposal,
    propose_as_wanted,
    propose_job,
    propose_release,
)
from fabric_twin.core.proposals.rings_out import propose_back, propose_out
from fabric_twin.core.proposals.targets import Out, out_of
from fabric_twin.core.proposals.wishes import OF_CLUSTERS, Wish, check_wish
from fabric_twin.core.rings.asked import wish_of
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wiring import Exit
from fabric_twin.core.slots import wished_slots
from fabric_twin.models import Pod
from fabric_twin.operations.slices.make import check_takes_slices
from fabric_twin.operations.slices.rings import RingsRecord, read_rings
from fabric_twin.operations.tickets.drafts.out_of_service import (
    IN_USE,
    OUT,
    back_in_service,
    out_of_service,
    without_racks,
)
from fabric_twin.repositories.pod_record import DOWN


def propose_of_cluster(
    pod: Pod, kind: str, wish: Wish, lent: Collection[UUID] = ()
) -> RingsProposal:
    """What a wish would change in the rings of a cluster; nothing is written."""
    check_wish(kind, wish, switch=f"{pod.name}-row-01-1-1", known=OF_CLUSTERS)
    rings = read_rings(pod, lent)
    match kind:
        case kinds.SLICE:
            check_takes_slices(pod)
            return _job(rings, wish)
        case kinds.RELEASE:
            return propose_release(rings.now, wish["slice"], wish)
        case kinds.MAINTENANCE:
            return _out(rings, wish)
        case kinds.RETURN:
            return _back(rings, wish)
        case _:
            return _as_wanted(rings, wish)


def _job(rings: RingsRecord, wish: Wish) -> RingsProposal:
    slots = wish.get("slots")
    chosen = (wished_slots(slots, rings.record.design.slots) if slots else None) or ()
    if slots and not isinstance(slots, str):
        chosen = tuple(slots)  # a sequence runs through them in this order
    asked = wish_of(
        rings.state,
        wish["name"],
        processors=wish.get("processors"),
        sequence=wish.get("sequence"),
        shape=wish.get("shape") or None,
        axes=wish.get("axes", ()),
        both_ways=wish.get("both_ways", False),
        groups=tuple(slot - 1 for slot in chosen),
    )
    return propose_job(rings.now, asked, wish)


def _out(rings: RingsRecord, wish: Wish) -> RingsProposal:
    plain = without_racks(rings.record, wish)
    out = _parts(rings, plain)
    effects = tuple(out_of_service(rings.record, rings.record.intended(), out))
    if not effects:
        raise NotPossible(
            "all of it is out of service already",
            where=f"cluster {rings.record.pod.name}",
            remedy="Name what is in service",
        )
    interrupt = wish.get("interrupt", False)
    parts, ports = _devices(rings.state, out), _links(rings.state, out)
    return propose_out(rings.now, parts, effects, plain, ports=ports, interrupt=interrupt)


def _back(rings: RingsRecord, wish: Wish) -> RingsProposal:
    out = _only_out(rings, _parts(rings, wish))
    effects = (*_groups_back(out), *_switches_back(rings, out))
    if not effects:
        raise NotPossible(
            "none of it is out of service",
            where=f"cluster {rings.record.pod.name}",
            remedy="Name groups that are out, or switches in maintenance",
        )
    # A cable whose other end is still out of service carries nothing.
    still = _links(rings.state, Out(ports=rings.record.bad_ports - out.ports))
    far, ports = rings.state.wiring.far, _links(rings.state, out)
    usable = {port for port in ports if far(port) not in still}
    return propose_back(rings.now, _devices(rings.state, out), effects, wish, ports=usable)


def _as_wanted(rings: RingsRecord, wish: Wish) -> RingsProposal:
    if wish.get("accept"):
        raise NotPossible(
            "an entry that no job asked for is not accepted",
            where=f"cluster {rings.record.pod.name}",
            remedy="Ask for a job, or have the entry removed",
        )
    ports = wish.get("ports")
    at = None if ports is None else {_port(rings.state, *port) for port in ports}
    return propose_as_wanted(rings.now, at, wish)


def _parts(rings: RingsRecord, wish: Wish) -> Out:
    """The groups and the switches of a wish."""
    out = out_of(rings.record.intended(), wish)
    if not out:
        raise UnusableInput(
            "it names no group, no switch and no port",
            where=f"cluster {rings.record.pod.name}",
            remedy="Name some: slots of groups, switches, or ports of switches",
        )
    slots = rings.record.design.slots
    if bad := sorted(slot for slot in out.slots if not 1 <= slot <= slots):
        raise UnusableInput(
            f"the cluster has no group {bad[0]}",
            where=f"cluster {rings.record.pod.name}",
            remedy=f"Its groups are 1 to {slots}",
        )
    return out


def _devices(state: State, out: Out) -> set[int]:
    groups = state.wiring.cluster.groups
    return {slot - 1 for slot in out.slots} | {groups + number for number in out.switches}


def _links(state: State, out: Out) -> set[Exit]:
    """The ports of switches that are named one by one."""
    return state.wiring.exits_at(out.ports)


def _only_out(rings: RingsRecord, out: Out) -> Out:
    """What of the parts that are named is out of service."""
    cubes, switches, none = rings.record.cubes, rings.record.switches, (None, "", "")
    return replace(
        out,
        slots=frozenset(slot for slot in out.slots if cubes.get(slot, none)[2] == OUT),
        switches=frozenset(n for n in out.switches if switches.get(n, none)[2] in DOWN),
    )


def _groups_back(out: Out) -> Iterator[Effect]:
    return (SetSlotStatus(slot, OUT, IN_USE) for slot in sorted(out.slots))


def _switches_back(rings: RingsRecord, out: Out) -> Iterator[Effect]:
    only = Out(switches=out.switches, ports=out.ports)
    return back_in_service(rings.record, rings.record.intended(), only)


def _port(state: State, device: str, port: str) -> tuple[int, int]:
    """A port of a switch by its names: `["pg1-row-01-1-1", "2A"]`, where `A` and `B` may be."""
    names = state.names
    number = port[:-1] if port[-1:] in {"A", "B"} else port
    found: list[int] = [
        n for n in numbers_of(names, (device, number)) if n >= names.layout.cube_ports
    ]
    if not found:
        raise UnusableInput(
            f"the cluster has no port {port[:40]!r} of a switch {device[:60]!r}",
            where="ports",
            remedy=f'Name a switch and a port of it, such as ["{names.devices[-1]}", "2A"]',
        )
    switch, at = divmod(found[0] - names.layout.cube_ports, names.layout.radix)
    return state.wiring.cluster.groups + switch, at + 1
