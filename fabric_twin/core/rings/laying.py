"""Rings laid together: links are taken and marked used, and only then entries are made.

What a ring keeps of the way that it had before is taken first, for all rings: a change never takes
from one ring what another keeps.
"""

from collections.abc import Iterable, Sequence

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.rings.ring import Ring, Wanted, ring_of
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wiring import Exit, Path


class Laying:
    """Takes links that nobody has, on switches that are there."""

    def __init__(self, state: State, others: Iterable[Ring]) -> None:
        self._wiring, self._names, self._lost = state.wiring, state.names, state.lost
        self._held = state.held_links
        self._used = {entry.exit for ring in others for entry in ring.entries} | self._held

    def lay(self, wishes: Sequence[tuple[Wanted, Ring | None]]) -> list[Ring]:
        """Lay rings, each beside what it was before if it was; all of them, or a refusal."""
        kept = [self._keep(wanted, old) for wanted, old in wishes]
        return [self._lay(wanted, paths) for (wanted, _), paths in zip(wishes, kept, strict=True)]

    def _keep(self, wanted: Wanted, old: Ring | None) -> list[Path | None]:
        """By hop: the way between the same two switches, where one of both groups had it."""
        known = {}
        for (start, end), path in old.paths(self._wiring) if old else ():
            if not self._is_lost(path):
                known["from", start, self._switch(end, wanted)] = path
                known["to", end, self._switch(start, wanted)] = path
        found: list[Path | None] = []
        for start, end in wanted.hops:
            before = known.get(("from", start, self._switch(end, wanted)))
            after = known.get(("to", end, self._switch(start, wanted)))
            free = [path for path in (before, after) if path and not self._used.intersection(path)]
            found.append(free[0] if free else None)
            self._used.update(*free[:1])
        return found

    def _lay(self, wanted: Wanted, kept: Sequence[Path | None]) -> Ring:
        paths = []
        for (start, end), before in zip(wanted.hops, kept, strict=True):
            one, other = self._switch(start, wanted), self._switch(end, wanted)
            edges = (
                Exit(one, self._wiring.leaves_at(start, wanted.plane, wanted.way)),
                Exit(other, self._wiring.enters_at(end, wanted.plane, wanted.way)),
            )
            if held := [edge for edge in edges if edge in self._held]:
                raise NotPossible(
                    f"port {held[0].port} of {self._names.device(held[0].switch)} is out of "
                    "service, or held",
                    where="rings",
                    remedy="Choose other groups, or bring the port back",
                )
            if gone := {one, other} & {*self._lost}:
                name = self._names.device(min(gone))
                raise NotPossible(
                    f"{name} is lost, which the ring of {wanted.axis} in plane {wanted.plane} "
                    "needs",
                    where="rings",
                    remedy="Choose groups of another row or column, or bring it back",
                )
            free = before or self._wiring.path(one, other, self._is_free, self._lost)
            if free is None:
                raise self._short(wanted, one, other)
            self._used.update(free)
            paths.append(free)
        return ring_of(self._wiring, wanted, paths)

    def _switch(self, group: int, wanted: Wanted) -> int:
        return self._wiring.switch_of(group, wanted.plane)

    def _is_free(self, exit_: Exit) -> bool:
        return exit_ not in self._used

    def _is_lost(self, path: Path) -> bool:
        far = (self._wiring.far(exit_) for exit_ in path)
        return any(end is None or end.switch in self._lost for end in far)

    def _short(self, wanted: Wanted, one: int, other: int) -> NotPossible:
        """Say how many links are left at both ends of a way that there is not."""
        exits = self._wiring.exits
        out = [exit_ for exit_ in exits.get(one, ()) if exit_ not in self._used]
        into = [
            exit_ for exit_ in exits.get(other, ()) if self._wiring.far(exit_) not in self._used
        ]
        names = self._names.device(one), self._names.device(other)
        if not exits.get(one):
            why = f"nothing joins {names[0]} to other switches"
        else:
            why = (
                f"no way is left from {names[0]} to {names[1]}: of "
                f"{counted(len(exits[one]), 'link')} to other switches, {names[0]} has {len(out)} "
                f"left outward, and of {len(exits.get(other, ()))} {names[1]} has {len(into)} left "
                "inward"
            )
        return NotPossible(
            f"in plane {wanted.plane} {why}",
            where="rings",
            remedy="Choose groups of one row or column, release a job, or ask for fewer planes",
        )
