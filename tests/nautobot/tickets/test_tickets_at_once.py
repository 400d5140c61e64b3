"""Tickets of one pod made at once, each by a user on a connection of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Pod, Reservation, Slice, Ticket
from fabric_twin.operations.pods.remove import rows_of_tickets
from fabric_twin.operations.tickets.create import wish_ticket
from tests.nautobot.bases.processes.at_once import at_once, pod_for_all  # noqa: F401 - a fixture


@pytest.fixture
def held(pod: Pod) -> Iterator[Pod]:
    """The pod, whose tickets are gone before it is."""
    yield pod
    for rows in rows_of_tickets(pod):
        rows.order_by()._raw_delete("default")


def wishing(pod: Pod, **wish: Any) -> Callable[[Any], Any]:
    return lambda user: wish_ticket(pod, "slice", wish, user)


def test_two_who_both_fit_get_different_ports(held: Pod) -> None:
    made = at_once([wishing(held, shape="4x4x16")] * 2)
    assert sorted(str(one) for one in made) == ["atonce-t1", "atonce-t2"]
    # 4 cubes of 96 circuits each, both ends; and the cubes.
    assert [one.reservations.count() for one in made] == [4 * 96 * 2 + 4] * 2


def test_of_three_for_the_same_name_one_gets_it(held: Pod) -> None:
    made = at_once([wishing(held, shape="4x4x4", name="train")] * 3)
    assert sum(isinstance(one, NotPossible) for one in made) == 2
    assert Ticket.objects.filter(pod=held).count() == Slice.objects.filter(pod=held).count() == 1


def test_circuits_by_hand_on_one_port_are_one_tickets(held: Pod) -> None:
    switch = str(held.switches.get(number=0))
    circuits = [
        {"switch": switch, "a": "1A", "b": "66B"},
        {"switch": switch, "a": "66A", "b": "1B"},
    ]

    def by_hand(user: Any) -> Ticket:
        return wish_ticket(held, "hand", {"circuits": circuits}, user)

    made = at_once([by_hand] * 3)
    [ticket] = [one for one in made if isinstance(one, Ticket)]
    refused = {str(one) for one in made if isinstance(one, NotPossible)}
    assert refused == {
        f"pod atonce: port 1A of {switch} is reserved by ticket atonce-t1 (Circuits by hand). "
        "Wait until it ends, withdraw it, or choose other ports or cubes."
    }
    assert Reservation.objects.filter(ticket=ticket).count() == 4
