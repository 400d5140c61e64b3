"""Watching switches: each tells what changes, and what changed is audited a moment later.

    switch  -- Subscribe -->  its thread  -- differs from before? -->  touch  -->  audit

Levels of light move all the time and call for nobody; circuits, ports, power, fans and boards do.
Who is heard for the first time may have changed while nobody listened, and is looked at too.

Hundreds of threads listen, and note in turn: PostgreSQL has about a hundred connections for all.
"""

import logging
import threading
from collections.abc import Callable, Hashable
from typing import NamedTuple
from uuid import UUID

from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Verb
from fabric_twin.models import Pod, Switch
from fabric_twin.operations.audits.touches import note_touched
from fabric_twin.repositories.addresses import targets_of
from fabric_twin.repositories.credentials import pod_accesses
from fabric_twin.repositories.pod_record import IN_SERVICE
from fabric_twin.switches.driver import Access, Patience, SwitchDriver, Target
from fabric_twin.switches.finding import open_switch
from fabric_twin.switches.states import SwitchState

log = logging.getLogger("fabric_twin.watch")
#: Seconds between two looks for switches that came, went or moved.
LOOK = 30.0
#: Seconds until a change that could not be noted is noted again.
AGAIN = 1.0
_NOTING = threading.Lock()


class Watch:
    """Follows the switches of every pod until it is told to stop."""

    def __init__(self, look: float = LOOK, heard: Callable[[str], None] = lambda _: None) -> None:
        """`heard` is told who first said how it is."""
        self._look, self._heard = look, heard
        self._stop = threading.Event()
        self._followed: dict[UUID, _Followed] = {}
        #: Whom nobody can get in to, and why: told once.
        self._refused: dict[str, str] = {}

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Follow, and look now and then whom; `ready` is called when all are followed."""
        try:
            while not self._stop.is_set():
                try:
                    close_old_connections()
                    self.follow()
                    ready()
                    ready = _nothing
                except (DatabaseError, InterfaceError) as error:
                    log.warning("the database does not answer, all are heard anew: %s", error)
                    # What changes meanwhile is noted nowhere: so nobody passes for known.
                    self.end()
                self._stop.wait(self._look)
        finally:
            self.end()

    def end(self) -> None:
        """Hang up everywhere."""
        while self._followed:
            self._followed.popitem()[1].end()

    def stop(self) -> None:
        """End, as soon as everybody has hung up."""
        self._stop.set()

    def follow(self) -> int:
        """Follow exactly the switches that have an address now; say how many."""
        wanted: dict[UUID, _Wish] = {}
        refused: dict[str, FabricTwinError] = {}
        lit = (pod for pod in Pod.objects.order_by("name") if pod.can(Verb.DIAGNOSE))
        for pod in lit:
            try:
                targets, accesses = targets_of(pod, IN_SERVICE), pod_accesses(pod)
            except FabricTwinError as refusal:
                log.warning("pod %s is not watched: %s", pod.name, refusal)
                continue
            keys = dict(Switch.objects.filter(pod=pod).values_list("device__name", "pk"))
            for target in targets.switches:
                way = accesses[target.name]
                try:
                    if isinstance(way, FabricTwinError):
                        raise way
                    wanted[keys[target.name]] = _Wish(pod.pk, target, way)
                except FabricTwinError as refusal:
                    refused[target.name] = refusal
        for name, why in refused.items():
            self._refuse(name, why)
        # Who refused is asked again: it may be another device by now, or let us in.
        for key, one in list(self._followed.items()):
            if one.wish != wanted.get(key) or one.has_refused:
                self._followed.pop(key).end()
        for key in wanted.keys() - self._followed.keys():
            self._followed[key] = _Followed(key, wanted[key], self._heard, self._refuse)
        return len(self._followed)

    def _refuse(self, name: str, refusal: FabricTwinError) -> None:
        """Say once why a switch is not watched."""
        if self._refused.get(name) != str(refusal):
            self._refused[name] = str(refusal)
            log.warning("%s is not watched: %s", name, refusal)


class _Wish(NamedTuple):
    """Whom to listen to."""

    pod: UUID
    target: Target
    access: Access


def _nothing() -> None:
    """Once is enough."""


class _Followed:
    """One switch, and the thread that listens to it."""

    def __init__(
        self,
        switch: UUID,
        wish: _Wish,
        heard: Callable[[str], None],
        refuse: Callable[[str, FabricTwinError], None],
    ) -> None:
        self.wish, self._switch, self._heard, self._refuse = wish, switch, heard, refuse
        #: Whether it is not listened to any more.
        self.has_refused = False
        self._ended = threading.Event()
        self._driver: SwitchDriver = open_switch(wish.target, wish.access, Patience())
        self._thread = threading.Thread(target=self._listen, name=wish.target.name, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Hang up."""
        self._ended.set()
        self._driver.close()

    def _listen(self) -> None:
        before: Hashable = None
        try:
            for state in self._driver.watch():
                now = gist(state)
                if now != before:
                    log.info("%s %s", state.name, "is heard" if before is None else "changed")
                    self._note()
                if before is None:
                    self._heard(state.name)
                before = now
        except FabricTwinError as refusal:
            self.has_refused = True
            self._refuse(self.wish.target.name, refusal)

    def _note(self) -> None:
        """Have it audited. A database that is away comes back, and then it is told."""
        while not self._ended.is_set():
            try:
                with _NOTING:
                    note_touched(self.wish.pod, switch=[self._switch])
                return
            except Exception as error:  # noqa: BLE001 - database and broker, each with its own
                log.warning("%s changed, not noted yet: %s", self._driver.target.name, error)
            finally:
                connection.close()
            self._ended.wait(AGAIN)


def gist(state: SwitchState) -> Hashable:
    """What of a switch's state is worth an audit when it changes; nothing on its way is."""
    return (
        state.configured,
        frozenset((pair, circuit.is_tuned) for pair, circuit in state.carried.items()),
        frozenset((name, port.status, port.force_blocked) for name, port in state.ports.items()),
        *(frozenset(units.items()) for units in (state.power, state.fans, state.boards)),
        state.serial,
    )
