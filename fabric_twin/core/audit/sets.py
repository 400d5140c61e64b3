"""Sets that are joined two at a time."""

from collections.abc import Iterable


class DisjointSets:
    """Union-find with path halving; the least member is not special."""

    def __init__(self, members: Iterable[int]) -> None:
        self._parent = {member: member for member in members}

    def find(self, member: int) -> int:
        """The member that stands for the set."""
        parent = self._parent
        while parent[member] != member:
            parent[member] = member = parent[parent[member]]
        return member

    def join(self, one: int, other: int) -> int:
        """Make one set of two; return the member that stands for it."""
        one, other = self.find(one), self.find(other)
        self._parent[other] = one
        return one

    def parted(self) -> list[list[int]]:
        """The members of each set; both in the order in which members were given."""
        sets: dict[int, list[int]] = {}
        for member in self._parent:
            sets.setdefault(self.find(member), []).append(member)
        return list(sets.values())
