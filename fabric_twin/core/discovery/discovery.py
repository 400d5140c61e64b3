"""Discovery as a conversation: the next round, what was seen in it, and again until it is done."""

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.discovery.chains import Joined, chain_rounds
from fabric_twin.core.discovery.knowledge import Knowledge
from fabric_twin.core.discovery.observed import Heard, Observed, Seen
from fabric_twin.core.discovery.pairing import Bench, next_joins
from fabric_twin.core.discovery.placing import place_figures
from fabric_twin.core.discovery.refinement import told_apart
from fabric_twin.core.discovery.rounds import (
    Mask,
    agreed_sightings,
    circuits_of,
    joined_ports,
    ports_of,
)
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.kinds import Verb
from fabric_twin.core.rule import Plant

#: The most rounds, unless told otherwise.
MOST_ROUNDS = 12
#: So many rounds in a row that place no port, and show none that is not placed, are the end.
VAIN = 3


class Discovery:
    """Learns which cube port is in which switch port of one pod.

    Ask for `next_round()` and set those circuits, read whom each cube port sees, `take()` that, and
    go on until there is no next round. In a paired plant the ports are strands: see `by_strand`.
    """

    def __init__(
        self,
        intended: Intended,
        *,
        usable: Mask | None = None,
        shining: Mask | None = None,
        before: Column | None = None,
        in_use: Circuits | None = None,
        most_rounds: int = MOST_ROUNDS,
        seed: int = 0,
    ) -> None:
        """Of switch ports, the usable may be touched; of cube ports, the shining have light.

        Ports of circuits in use are not usable. `before` is whom each cube port claimed to see
        before any circuit was set: these stay as they are, and are in use.
        """
        layout = self._layout = intended.names.layout
        intended.design.check_can(Verb.TAKE_BACK)
        if layout.plant is Plant.PAIRED and layout.strands == 1:
            raise UnusableInput(
                "a paired plant is discovered strand by strand",
                where=f"design {intended.design.name}",
                remedy="Part the intended plant by strand first",
            )
        ports, cubes = len(layout.mate), layout.cube_ports
        self._intended = intended
        self._usable = np.ones(ports, np.bool_) if usable is None else usable.copy()
        self._usable[:cubes] = False
        self._in_use = in_use or Circuits.none()
        for taken in ports_of(layout, self._in_use):
            self._usable[taken] = False
        #: Where a cube port may be that was seen; ports that fail later were joined before.
        self._places = self._usable.copy()
        present = intended.want[:cubes] != NO_PORT
        self._shining = present if shining is None else present & shining[:cubes]
        self._before = np.full(ports, NO_PORT, np.int32)
        self._before[:cubes] = agreed_sightings(self._claims(before))
        self._steady = (self._before >= 0) | (self._before == NOT_OF_DESIGN)
        self._known = Knowledge.none(ports, cubes)
        self._rounds: list[Column] = []
        self._first: list[Joined] = []
        self._next: Column | None = None
        self._failures = np.zeros(ports, np.int8)
        self._most, self._vain, self._told = most_rounds, 0, 0
        self._chance = np.random.default_rng(seed)

    @property
    def rounds(self) -> int:
        """How many rounds were taken so far."""
        return len(self._rounds)

    @property
    def found(self) -> int:
        """How many cube ports are known so far."""
        return len(self._known.placed)

    def next_round(self) -> Circuits | None:
        """All circuits that discovery wants to be there next; None when it is done."""
        if not self._findable().any() or self.rounds >= self._most or self._vain >= VAIN:
            return None
        near, far = self._joins()
        if not near:
            return None
        a, b = np.array(near, dtype=np.int32), np.array(far, dtype=np.int32)
        self._next = joined_ports(self._layout, a, b)
        return circuits_of(self._layout, a, b)

    def take(
        self, claims: Column, failed: Circuits | None = None, left: Circuits | None = None
    ) -> None:
        """Conclude from whom each cube port claims to see.

        Some circuits may not have been made (`failed`), and others be left that should have gone.

        What claims hold is told in `rounds.agreed_sightings`.
        """
        if self._next is None:
            raise RuntimeError("take() before next_round()")
        meets, self._next = self._next, None
        cubes = self._layout.cube_ports
        if failed:
            ports = np.concatenate(ports_of(self._layout, failed))
            meets[ports] = NO_PORT
            self._failures[ports] += 1
            # Once may be the other port's fault; twice is with two others.
            self._usable[self._failures > 1] = False
        if left:
            a, b = ports_of(self._layout, left)
            meets[a], meets[b] = b, a
        meets[:cubes] = agreed_sightings(self._claims(claims))
        meets[:cubes][self._steady[:cubes]] = NOT_KNOWN
        self._rounds.append(meets)
        self._conclude()

    def observed(self) -> Observed:
        """What is known now."""
        layout, known = self._layout, self._known
        cubes = layout.cube_ports
        end = known.end.copy()
        end[known.odd] = NOT_KNOWN
        end[(end >= 0) & known.odd[end]] = NOT_KNOWN
        seen = self._seen(end)
        fits = (seen == Seen.FITS) | (seen == Seen.IN_USE)
        ports = np.flatnonzero(fits)
        end[ports] = layout_mate = self._intended.mate[ports]
        end[layout_mate] = ports
        heard = np.full(len(end), Heard.UNTOLD, np.int8)
        heard[~self._usable] = Heard.UNTOUCHED
        for value, what in ((NO_PORT, Heard.DARK), (NOT_OF_DESIGN, Heard.FOREIGN)):
            heard[end == value] = what
        heard[end >= 0] = Heard.LIT
        return Observed(self.rounds, end, seen, heard[cubes:], self._strangers())

    def _joins(self) -> Joined:
        wanted = self._wanted()
        if not self._rounds:
            self._first = list(chain_rounds(self._layout, wanted & self._usable))
        if self._first and self._first[0][0]:
            return self._first.pop(0)
        self._first = []
        unseen = self._findable() & ~self._ever_seen()
        return next_joins(
            Bench(
                self._layout,
                self._usable,
                wanted,
                self._known,
                self._guess(),
                np.stack(self._rounds) if self._rounds else np.zeros((0, len(wanted)), np.int32),
                any_unseen=bool(unseen.any()),
                chance=self._chance,
            )
        )

    def _wanted(self) -> Mask:
        """Switch ports in which the rule wants a cube port that can be found."""
        cubes = np.flatnonzero(self._shining & ~self._steady[: self._layout.cube_ports])
        wanted = np.zeros(len(self._layout.mate), np.bool_)
        wanted[self._intended.want[cubes]] = True
        return wanted

    def _findable(self) -> Mask:
        cubes = self._layout.cube_ports
        known = self._known
        lost = (known.end[:cubes] == NOT_KNOWN) & ~known.odd[:cubes]
        findable: Mask = self._shining & ~self._steady[:cubes] & lost
        return findable

    def _ever_seen(self) -> Mask:
        cubes = self._layout.cube_ports
        seen = np.zeros(cubes, np.bool_)
        for meets in self._rounds:
            seen |= (meets[:cubes] >= 0) | (meets[:cubes] == NOT_OF_DESIGN)
        return seen

    def _conclude(self) -> None:
        known, rounds = self._known, self._rounds
        known.place(*told_apart(rounds, known.cube_ports))
        known.walk(rounds)
        place_figures(rounds, known, self._places)
        told = int((known.end != NOT_KNOWN).sum())
        lost = (rounds[-1] >= 0) & (known.end == NOT_KNOWN)
        in_vain = told == self._told and not lost[: known.cube_ports].any()
        self._vain = self._vain + 1 if in_vain else 0
        self._told = told

    def _guess(self) -> Knowledge:
        """What is known, and what seems to be: who saw what the rule wants is where it wants."""
        guess = self._known.copy()
        likely = np.flatnonzero(self._as_ruled() & (guess.end[: guess.cube_ports] == NOT_KNOWN))
        there = self._intended.want[likely]
        free = guess.end[there] == NOT_KNOWN
        guess.place(likely[free], there[free])
        guess.walk(self._rounds)
        return guess

    def _as_ruled(self) -> Mask:
        """Cube ports that saw somebody, and never anybody but whom the rule would show them."""
        cubes = self._layout.cube_ports
        want = self._intended.want
        fits, saw = want[:cubes] != NO_PORT, np.zeros(cubes, np.bool_)
        fits &= self._places[np.where(fits, want[:cubes], 0)]
        for meets in self._rounds:
            there = meets[np.where(fits, want[:cubes], 0)]
            expected = np.where(there >= 0, want[np.where(there >= 0, there, 0)], NO_PORT)
            seen = meets[:cubes] >= 0
            fits &= ~seen | (meets[:cubes] == expected)
            saw |= seen
        as_ruled: Mask = fits & saw
        return as_ruled

    def _seen(self, end: Column) -> NDArray[np.int8]:
        cubes = self._layout.cube_ports
        want, odd = self._intended.want[:cubes], self._known.odd[:cubes]
        seen = np.full(cubes, Seen.DARK if self.rounds else Seen.UNTOLD, np.int8)
        seen[self._ever_seen()] = Seen.UNTOLD
        free = end[np.where(want >= 0, want, 0)] == NOT_KNOWN
        seen[self._as_ruled() & free & ~odd] = Seen.FITS
        seen[self._steady[:cubes]] = Seen.IN_USE_ELSEWHERE
        used = joined_ports(self._layout, *ports_of(self._layout, self._in_use))
        across = used[np.where(want >= 0, want, 0)]
        expected = np.where(across >= 0, self._intended.want[np.where(across >= 0, across, 0)], -9)
        seen[self._steady[:cubes] & (self._before[:cubes] == expected)] = Seen.IN_USE
        seen[odd] = Seen.ODD
        seen[end[:cubes] >= 0] = Seen.LIGHT
        seen[(seen == Seen.DARK) & ~self._shining] = Seen.SILENT
        seen[(seen == Seen.SILENT) & (want == NO_PORT)] = Seen.ABSENT
        return seen

    def _strangers(self) -> dict[int, tuple[int, int]]:
        found: dict[int, tuple[int, int]] = {}
        placed = self._known.placed
        for number, meets in enumerate(self._rounds):
            saw = placed[meets[placed] == NOT_OF_DESIGN]
            at = meets[self._known.end[saw]]
            for port, by in zip(at.tolist(), saw.tolist(), strict=True):
                if port >= 0 and self._known.end[port] == NOT_OF_DESIGN:
                    found.setdefault(port, (by, number))
        return found

    def _claims(self, claims: Column | None) -> Column:
        cubes = self._layout.cube_ports
        if claims is None:
            return np.full(cubes, NO_PORT, np.int32)
        return np.asarray(claims, dtype=np.int32)[:cubes]
