"""A plant by names that can be wired wrong, and what is wrong with it."""

from collections import defaultdict
from collections.abc import Mapping

import networkx as nx

from .words import KINDS, Kind, Port, right_cables

End = Port | None
Pair = frozenset[Port]


class Plant:
    """Cables by name, each with two ends; an end may be unknown (None)."""

    def __init__(
        self, design: str, slots: tuple[int, ...], substituted: Mapping[Port, Port] | None = None
    ) -> None:
        self.kind: Kind = KINDS[design]
        self.slots = slots
        self.substituted = dict(substituted or {})
        self.right: dict[str, tuple[Port, Port]] = {
            cable: (near, self.substituted.get(far, far))
            for cable, (near, far) in right_cables(self.kind, slots).items()
        }
        self.rows: dict[str, list[End]] = {cable: list(ends) for cable, ends in self.right.items()}
        #: What was done to it, for a person to read.
        self.log: list[str] = []

    def copy(self) -> "Plant":
        """The same plant, to be changed on its own."""
        other = Plant.__new__(Plant)
        other.__dict__ |= self.__dict__
        other.rows = {cable: list(ends) for cable, ends in self.rows.items()}
        other.log = list(self.log)
        return other

    def standing(self) -> dict[Port, list[tuple[str, int]]]:
        """The cable ends on every port."""
        found = defaultdict(list)
        for cable, ends in self.rows.items():
            for side, end in enumerate(ends):
                if end is not None:
                    found[end].append((cable, side))
        return dict(found)

    @property
    def pairs(self) -> set[Pair]:
        """The pairs of ports that should be joined."""
        return {frozenset(ends) for ends in self.right.values()}

    def is_right(self) -> bool:
        """Whether exactly the right pairs are joined, each once."""
        joined = [frozenset(ends) for ends in self.rows.values()]
        return len(joined) == len(self.right) and set(joined) == self.pairs

    def wrong_and_unmet(self) -> tuple[set[str], set[Pair]]:
        """Cables that join no right pair (or one that a lesser name joins); pairs not joined."""
        pairs, met, wrong = self.pairs, set(), set()
        for cable in sorted(self.rows):
            joined = frozenset(self.rows[cable])
            if joined in pairs and joined not in met:
                met.add(joined)
            else:
                wrong.add(cable)
        return wrong, pairs - met

    def fewest_ends(self) -> int:
        """The fewest cable ends that a hand must touch to make the plant right.

        A wrong cable on a port of an unmet pair can meet it by one move; every other wrong cable
        is removed and every other unmet pair added, two ends each.
        """
        wrong, unmet = self.wrong_and_unmet()
        pair_of = {port: pair for pair in unmet for port in pair}
        graph = nx.Graph()
        graph.add_nodes_from(wrong)
        graph.add_nodes_from(unmet)
        graph.add_edges_from(
            (cable, pair_of[end]) for cable in wrong for end in self.rows[cable] if end in pair_of
        )
        matched = len(nx.bipartite.maximum_matching(graph, top_nodes=wrong)) // 2
        return matched + 2 * (len(wrong) - matched) + 2 * (len(unmet) - matched)
