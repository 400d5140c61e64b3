"""Which slices the drains of an order interrupt or move, planned before tickets are asked for.

A dead switch is not drained: its slices are named with what it took from them already.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from nautobot.users.models import User

from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.impact import Hit, Impact, impact_of
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.order import Need
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import End
from fabric_twin.core.proposals.proposal import MAINTENANCE
from fabric_twin.models import Pod, Slice, SlicePart
from fabric_twin.operations.audits.slices_hit import all_slices_hit
from fabric_twin.operations.orders.unmet_needs import DRAIN
from fabric_twin.operations.tickets.drafts.propose import propose_of_cubes
from fabric_twin.repositories.ports_out import dead_switches


def wanted_dark(needs: Iterable[Need]) -> list[End]:
    """The ports of switches that these needs want without circuits, as a switch names them."""
    drains = (need for need in needs if need.what == DRAIN)
    return sorted({one for need in drains for end in need.ports for one in simplex(end)})


def ports_to_drain(needs: Iterable[Need], dead: Mapping[str, str]) -> list[End]:
    """The same but for dead switches: no ticket could read back what it did there."""
    return [port for port in wanted_dark(needs) if port[0] not in dead.values()]


def drain_wish(pod: Pod, ports: Iterable[End], *, interrupt: bool, bear: int = 0) -> dict[str, Any]:
    """The wish for the ticket that clears some ports; a network has no slices to interrupt, and
    jobs of a cluster bear whatever lanes they lose.
    """
    named = {"ports": [list(port) for port in ports]}
    if pod.is_network:
        return named
    return named | {"interrupt": interrupt} | ({} if pod.is_cluster else {"bear": bear})


def names_seen(pod: Pod, impact: Impact, user: User) -> frozenset[str]:
    """The slices of an impact that a user may see."""
    rows = Slice.objects.restrict(user, "view").filter(pod=pod, name__in=impact.names)
    return frozenset(rows.values_list("name", flat=True) if impact.names else ())


def drain_impact(
    pod: Pod,
    core: CoreOrder,
    needs: Iterable[Need],
    lent: Collection[UUID] = (),
    *,
    bear: int = 0,
) -> Impact:
    """What the drains among some needs of an order do to slices; `lent` the order would lend.

    `bear` is how many switches a join of two cubes may lack in a slice that stays. A network has no
    slices: its ticket says what each pair of blocks keeps.
    """
    if not pod.can(Verb.SLICE):
        return Impact()
    needs = list(needs)
    dead = dead_switches(pod.pk)
    lost = tuple(_lost_already(pod, needs, dead))
    ports = ports_to_drain(needs, dead)
    if not ports:
        return Impact(lost)
    proposal = propose_of_cubes(
        pod, MAINTENANCE, drain_wish(pod, ports, interrupt=True, bear=bear), lent
    )
    impact = impact_of(proposal, ports, measure(core).seconds)
    return replace(impact, hits=(*impact.hits, *lost))


def _lost_already(pod: Pod, needs: Iterable[Need], dead: Mapping[str, str]) -> Iterator[Hit]:
    """Slices without the circuits of switches that are dead, and where work is to be done."""
    here = {device for device, _ in wanted_dark(needs)}
    if not (keys := {key for key, name in dead.items() if name in here}):
        return
    parts = SlicePart.objects.filter(slice__pod=pod).order_by("slice", "place")
    slots: dict[str, list[int]] = defaultdict(list)
    shapes: dict[str, str] = {}
    for name, shape, slot in parts.values_list("slice__name", "slice__shape", "cube__slot"):
        shapes[name] = shape
        slots[name].append(slot)
    for hit in all_slices_hit(pod, keys):
        name = hit.name
        yield Hit(
            *(name, shapes[name], tuple(slots[name]), ()),
            *(0, "", 0.0),
            bears=True,
            keeps=hit.change,
            already=True,
        )


def drain_choices(
    pod: Pod, core: CoreOrder, needs: Sequence[Need], lent: Collection[UUID] = ()
) -> Impact:
    """The same for slices that bear nothing, with what the pod would let them bear."""
    impact = drain_impact(pod, core, needs, lent)
    if not impact.hits or not pod.bear:
        return impact
    return impact.offering(drain_impact(pod, core, needs, lent, bear=pod.bear))
