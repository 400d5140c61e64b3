"""Drift that a ticket accepts: what switches show becomes wanted, and what they lack is not.

No switch is told anything: only the record changes, and is changed back.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone

from fabric_twin.models import OpticalCircuit, Pod
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.circuits import insert_circuits
from fabric_twin.repositories.reservations import Place, place

ACCEPT = "accept-circuits"
#: A switch, its A port and its B port.
Key = tuple[UUID, int, int]


class AcceptedCircuits:
    """The circuits that the effects of one ticket accept; in the caller's transaction."""

    def __init__(self, pod: Pod, effects: Sequence[Mapping[str, Any]]) -> None:
        mine = [one for one in effects if one["do"] == ACCEPT]
        rows = [row for one in mine for row in (*one["want"], *one["drop"])]
        #: The switches that are asked before, by name.
        self.switches = sorted({row["switch"] for row in rows})
        names = pod.switches.filter(device__name__in=self.switches)
        self._switches = dict(names.order_by().values_list("device__name", "pk"))
        self._want = [self._key(row) for one in mine for row in one["want"]]
        self._drop = [self._key(row) for one in mine for row in one["drop"]]

    @property
    def keys(self) -> frozenset[Key]:
        """All of them."""
        return frozenset((*self._want, *self._drop))

    @property
    def places(self) -> frozenset[Place]:
        """Every port that they concern."""
        keys = (*self._want, *self._drop)
        return frozenset(
            place(switch, port) for switch, a, b in keys for port in (f"{a}A", f"{b}B")
        )

    @property
    def rows(self) -> dict[Key, tuple[UUID, bool, bool]]:
        """The record of each, if there is one, whether it is wanted, and whether it is seen."""
        keys = {*self._want, *self._drop}
        found = OpticalCircuit.objects.filter(switch__in=self._switches.values()).order_by()
        columns = found.values_list("switch", "a", "b", "pk", "wanted", "seen")
        return {(s, a, b): (pk, w, seen) for s, a, b, pk, w, seen in columns if (s, a, b) in keys}

    @property
    def as_told(self) -> list[list[Any]]:
        """What the plan takes for granted of them: how each is wanted and seen."""
        rows = self.rows
        return [
            [str(switch), a, b, *(rows[key][1:] if key in rows else (False, False))]
            for key in sorted({*self._want, *self._drop}, key=str)
            for switch, a, b in [key]
        ]

    def finish(self) -> None:
        """What is shown is wanted."""
        self._leave(self._drop)
        self._take(self._want)

    def drop(self) -> None:
        """What was wanted is wanted again."""
        self._leave(self._want)
        self._take(self._drop)

    def _leave(self, keys: Sequence[Key]) -> None:
        """Nobody wants these any more; seen ones stay seen."""
        rows = self.rows
        mine = [rows[key] for key in keys if key in rows and rows[key][1]]
        OpticalCircuit.objects.filter(pk__in=[pk for pk, _, seen in mine if seen]).update(
            wanted=False, last_updated=timezone.now()
        )
        remove(OpticalCircuit.objects.filter(pk__in=[pk for pk, _, seen in mine if not seen]))

    def _take(self, keys: Sequence[Key]) -> None:
        """These are wanted, by nobody's slice."""
        rows = self.rows
        there = [rows[key][0] for key in keys if key in rows and not rows[key][1]]
        OpticalCircuit.objects.filter(pk__in=there).update(wanted=True, last_updated=timezone.now())
        insert_circuits((*key, None) for key in keys if key not in rows)

    def _key(self, row: Mapping[str, str]) -> Key:
        return self._switches[row["switch"]], int(row["a"][:-1]), int(row["b"][:-1])
