"""Ask for a multislice: a slice in each pod and the rings between them, in one transaction.

wish -> lock network and pods -> order of pods (core) -> Multislice
     -> a ticket for the slice in each pod, and one for the rings -> all submitted

The ticket of the rings is made even where all links are there: it says that others keep them.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from nautobot.extras.models import Tag
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.proposals.proposal import SLICE, TOPOLOGY
from fabric_twin.core.superpods.rings import check_ring
from fabric_twin.core.topology.network import AT_ONCE
from fabric_twin.models import Multislice, MultislicePart, Pod, Ticket
from fabric_twin.operations.networks.alone import check_alone
from fabric_twin.operations.networks.last_topology import ISOLATED, last_kind
from fabric_twin.operations.networks.rings import own_blocks, wished_rings
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import make_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.lifecycle import submit
from fabric_twin.repositories.change_log import CREATE, record_alone
from fabric_twin.repositories.permissions import require_kinds
from fabric_twin.repositories.pod_lock import hold_pod, lock_rows


@dataclass(frozen=True, kw_only=True)
class MultisliceWish:
    """What a job over several pods should be."""

    name: str
    shape: str
    pods: tuple[Pod, ...]
    owner: str = ""
    least: int = 1
    gigabytes: float = 140.0
    #: Switches that are changed together while its rings are made.
    at_once: int = AT_ONCE
    description: str = ""
    custom_fields: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[Tag, ...] = ()


def ask_for_multislice(
    network: Pod, wish: MultisliceWish, user: User, *, keep: bool = True
) -> Multislice:
    """Make it with its tickets, or refuse it and leave everything as it was.

    The user needs what each of its tickets needs. A dry run (not `keep`) takes all of it back.
    """
    with transaction.atomic():
        lock_rows(*{network.pk, *(pod.pk for pod in wish.pods)})
        held = hold_pod(network, user)
        pods = [hold_pod(pod, user) for pod in wish.pods]
        require_kinds(user, "add", [Multislice, Ticket])
        held.to_core().check_can(Verb.TOPOLOGY, NotPossible)
        check_alone(held)
        _check_joined(held)
        check_ring(wish.name, [pod.name for pod in pods])
        made = _row(held, wish, user)
        ordered = _ordered(made, own_blocks(held, pods), user)
        made.validated_save()
        if not Multislice.objects.restrict(user, "add").filter(pk=made.pk).exists():
            raise NotPermitted(
                f"you may not make the multislice {made.name} over network {held.name}",
                where="multislice",
                remedy="Ask for the permission to add such multislices",
            )
        made.tags.set(wish.tags)
        _draft(made, ordered, wish, user)
        made.refresh_from_db()
        record_alone(made, f"asked for over {', '.join(pod.name for pod in ordered)}", user, CREATE)
        transaction.set_rollback(not keep)
    return made


def _row(network: Pod, wish: MultisliceWish, user: User) -> Multislice:
    row = Multislice(
        pod=network,
        name=wish.name,
        shape=wish.shape,
        owner=wish.owner,
        author=user,
        least=wish.least,
        gigabytes=wish.gigabytes,
        description=wish.description,
        _custom_field_data=dict(wish.custom_fields),
    )
    try:
        row.full_clean()
    except ValidationError as refusal:
        raise UnusableInput(
            "; ".join(refusal.messages).rstrip("."),
            where=f"multislice {wish.name[:60]}",
            remedy="Correct it",
        ) from None
    return row


def _check_joined(network: Pod) -> None:
    """Refuse rings over a network whose last topology keeps owners apart."""
    if last_kind(network) == ISOLATED:
        raise NotPossible(
            "its topology keeps the blocks of owners apart, and rings would join them",
            where=f"network {network.name}",
            remedy="Ask for an engineered or a uniform topology first",
        )


def _ordered(
    job: Multislice, own: Mapping[Pod, tuple[str, ...]], user: User
) -> dict[Pod, tuple[str, ...]]:
    """The pods with their blocks, in the order of rings that adds the fewest links."""
    # Its solver is slow to load, and most processes never plan a topology.
    from fabric_twin.core.superpods.plan import plan_rings
    from fabric_twin.operations.networks.topology import read_network

    now = read_network(job.pod, user=user)
    wanted = [circuit for circuit in now.shown if circuit.key not in now.left_over]
    planned = plan_rings(
        now.network,
        [wished_rings(job, own, runs=False)],
        least=max(now.least, job.least),
        demand=now.demand,
        present=[rule for one in wanted if (rule := now.ports.by_rule(one))],
        takes=now.takes,
    )
    place = {pod.pod: at for at, pod in enumerate(planned.wishes[0].multislice.pods)}
    return dict(sorted(own.items(), key=lambda one: place[one[0].name]))


def _draft(
    job: Multislice, own: Mapping[Pod, tuple[str, ...]], wish: MultisliceWish, user: User
) -> None:
    """A ticket for the slice in each pod, then that of the rings."""
    reason = f"Multislice {job.name}"
    for place, (pod, names) in enumerate(own.items()):
        asked = {"shape": job.shape, "name": job.name}
        with _in_pod(pod):
            ticket = submit(wish_ticket(pod, SLICE, asked, user, Terms(reason=reason)), user)
        part = MultislicePart.objects.create(multislice=job, pod=pod, place=place, ticket=ticket)
        part.blocks.set(job.pod.blocks.filter(name__in=names))
    rings = {"topology": "engineered", "at_once": wish.at_once, "rings": job.name}
    found = propose_ticket(job.pod, TOPOLOGY, rings, user=user)
    terms = Terms(title=f"Rings of {job.name}", reason=reason)
    submit(make_ticket(job.pod, found, user, terms), user)


@contextmanager
def _in_pod(pod: Pod) -> Iterator[None]:
    """A refusal of one of several pods says which it is."""
    try:
        yield
    except NotPossible as refusal:
        where = f"pod {pod.name}"
        if where not in refusal.where:
            where = f"{where}, {refusal.where}" if refusal.where else where
        raise NotPossible(refusal.what, where=where, remedy=refusal.remedy) from None
