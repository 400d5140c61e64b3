"""A cluster as data: its groups, how many, and how their switches are joined.

    row switch 1-i-p    groups (1,1) .. (1,24): W on 2C-1, E on 2C        tier 0
         |  uplinks
    t1-i-p-t            the row switches 1 .. 24 of plane i-p              tier 1

A plane is what one port of an edge is for: row i, lane p. Switches of different planes, or of rows
and of columns, are never joined; cross links are the one exception.
"""

from dataclasses import dataclass
from enum import StrEnum

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.groups.group import LONGEST_CHAIN, LONGEST_SIDE, Group

#: Ports of a packet switch, those that are for groups, and the rest for other switches.
RADIX, DOWN = 64, 48
UP = RADIX - DOWN
#: Most rows and columns of groups: each group has two of a switch's ports for groups.
MOST = DOWN // 2
MOST_LANES = 8
#: Uplinks that cross links take, at the end.
CROSS = 2


class Joined(StrEnum):
    """What joins the tier-0 switches of one plane."""

    #: Nothing: rings stay within a row, or a column.
    NOTHING = "nothing"
    #: Two tier-1 switches, an uplink to each.
    TWO = "a"
    #: Eight tier-1 switches, two uplinks to each.
    EIGHT = "b"
    #: A cable to each of the others.
    EACH_OTHER = "each-other"
    #: One switch in the middle, an uplink from each.
    CORE = "core"


@dataclass(frozen=True)
class Cluster:
    """Groups in rows and columns, over their switches.

    >>> a = Cluster(Group.of(4, lanes=3), 24, 24, Joined.TWO)
    >>> a.processors, a.planes, a.uplinks, a.tier_1
    (9216, 12, 2, 2)
    """

    group: Group
    rows: int
    columns: int
    joined: Joined
    cross_links: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be wired."""
        side, chain = self.group.chips[0], self.group.is_chain
        longest = LONGEST_CHAIN if chain else LONGEST_SIDE
        if not 2 <= side <= longest:
            raise DesignRefused(
                f"a group of {'x'.join(map(str, self.group.chips))} processors cannot be laid out",
                where="group",
                remedy=f"Give a {'chain' if chain else 'side'} of 2 to {longest}",
            )
        if not 1 <= self.group.lanes <= MOST_LANES:
            raise DesignRefused(
                f"{counted(self.group.lanes, 'lane')} cannot be laid out",
                where="lanes",
                remedy=f"Give 1 to {MOST_LANES}",
            )
        for noun, many in (("rows", self.rows), ("columns", self.columns)):
            if not 1 <= many <= MOST:
                raise DesignRefused(
                    f"{many:,} {noun} of groups cannot be laid out: a switch has {DOWN} ports for "
                    "groups, two for each",
                    where=noun,
                    remedy=f"Give 1 to {MOST}",
                )
        switches, left = max(map(self.tier_0, range(self.dimensions))), RADIX - self.first_up
        if self.joined is Joined.EACH_OTHER and switches > left + 1:
            raise DesignRefused(
                f"{switches} switches of a plane cannot each have a cable to each other: {left} "
                "ports are left beside those for groups",
                where="joined",
                remedy="Give fewer rows or columns of groups, or join the switches by tier 1",
            )
        if self.cross_links:
            self._check_cross_links()

    def _check_cross_links(self) -> None:
        why, remedy = "", "Leave cross links out"
        if self.group.is_chain:
            why = "they join switches of rows to those of columns, and chains have no columns"
        elif self.rows != self.columns:
            why = "each row has a column of its number, and there are "
            why += f"{counted(self.rows, 'row')} and {counted(self.columns, 'column')}"
            remedy = "Give as many rows as columns, or leave cross links out"
        elif self.joined not in {Joined.NOTHING, Joined.TWO, Joined.EIGHT}:
            why = f"their ports are known beside nothing, a or b, not {self.joined}"
            remedy = "Join switches by one of these, or leave cross links out"
        if why:
            raise DesignRefused(why, where="cross links", remedy=remedy)

    @property
    def groups(self) -> int:
        """How many groups a full cluster has."""
        return self.rows * self.columns

    @property
    def processors(self) -> int:
        """How many processors a full cluster has."""
        return self.groups * self.group.size

    @property
    def dimensions(self) -> int:
        """1 where there are only switches of rows, 2 with those of columns."""
        return self.group.dimensions

    @property
    def planes(self) -> int:
        """How many planes each dimension has: tier-0 switches of one row."""
        return len(self.group.indices(0)) * self.group.lanes

    def tier_0(self, axis: int) -> int:
        """How many tier-0 switches a plane has: one a row of groups, or one a column."""
        return (self.rows, self.columns)[axis]

    @property
    def uplinks(self) -> int:
        """How many ports of a tier-0 switch go to tier 1."""
        if self.joined is Joined.EIGHT:
            return UP - CROSS * self.cross_links
        return {Joined.TWO: 2, Joined.CORE: 1}.get(self.joined, 0)

    @property
    def tier_1(self) -> int:
        """How many tier-1 switches a plane has."""
        return {Joined.TWO: 2, Joined.EIGHT: self.uplinks // 2, Joined.CORE: 1}.get(self.joined, 0)

    @property
    def first_up(self) -> int:
        """The port of a tier-0 switch before the first that goes to another switch."""
        if self.joined in {Joined.EACH_OTHER, Joined.CORE}:
            return 2 * (max(self.rows, self.columns) if self.dimensions > 1 else self.columns)
        return DOWN
