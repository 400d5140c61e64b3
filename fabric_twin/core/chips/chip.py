"""A chip with rings on two levels: its regions, its counts, and what its rings may do at once.

level 0   a ring in each region, through its cores                   a0-01 .. a0-64
level 1   one ring, through the interface tiles of all regions       a1
mesh      electrical, from each core to its neighbours; it does not wrap
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from fabric_twin.core.chips.ring import WORD, Ring, cycles
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import DesignRefused, NotPossible, UnusableInput

#: Over how many endpoints one ring reaches, by its source.
MOST_ENDPOINTS = 64
WIDTHS = (32, 16, 8, 4)
MOST_METADATA = 16
CLOCK_GHZ = 1
#: Wavelengths and clock of the waveguide from a memory controller off the chip.
OFF_CHIP_WAVELENGTHS, OFF_CHIP_GHZ = 64, 2
#: Of 4,096 cores: mm2 for computing and for the third level of cache, and GiB in that.
AREA_MM2, CACHE_MM2, CACHE_GIB, OF_CORES = 400, 200, 8, 4096
#: How many broadcasts may be on level 1 for all cores at once.
ACROSS = 2


class Core(NamedTuple):
    """A core: its region, and its endpoint on the ring of that."""

    region: int
    endpoint: int

    def __str__(self) -> str:
        return f"{self.region}.{self.endpoint}"


@dataclass(frozen=True)
class Chip:
    """Regions in a grid, each a grid of cores.

    >>> atac = Chip(region=(8, 8), regions=(8, 8))
    >>> atac.cores, len(atac.rings), atac.mesh_links, atac.rate_gbps, atac.memory_gbyte_s
    (4096, 65, 8064, 32, 4096)
    """

    #: Columns and rows of cores in a region, and of regions.
    region: tuple[int, int]
    regions: tuple[int, int]
    #: Waveguides of a ring for data, and for metadata.
    data: int = WORD
    metadata: int = 4
    #: Cores of a region that are memory controllers in place of cores.
    memory: int = 4

    def __post_init__(self) -> None:
        """Refuse what cannot be laid out."""
        for where, (columns, rows) in (("region", self.region), ("regions", self.regions)):
            if columns < 1 or rows < 1 or not 2 <= columns * rows <= MOST_ENDPOINTS:
                raise DesignRefused(
                    f"a ring of {columns}x{rows} endpoints cannot be laid out",
                    where=where,
                    remedy=f"Give a grid of 2 to {MOST_ENDPOINTS}, such as 8x8",
                )
        if self.data not in WIDTHS:
            raise DesignRefused(
                f"{counted(self.data, 'waveguide')} for data cannot be laid out",
                where="data",
                remedy=f"Give {', '.join(map(str, WIDTHS[:-1]))} or {WIDTHS[-1]}",
            )
        if not 0 <= self.metadata <= MOST_METADATA:
            raise DesignRefused(
                f"{counted(self.metadata, 'waveguide')} for metadata cannot be laid out",
                where="metadata",
                remedy=f"Give 0 to {MOST_METADATA}",
            )
        if not 0 <= self.memory < self.endpoints:
            raise DesignRefused(
                f"{self.memory} of {self.endpoints} cores of a region cannot be for memory",
                where="memory",
                remedy=f"Give 0 to {self.endpoints - 1}",
            )

    @property
    def endpoints(self) -> int:
        """Of a region: its cores, those for memory too."""
        return self.region[0] * self.region[1]

    @property
    def many_regions(self) -> int:
        """How many regions there are."""
        return self.regions[0] * self.regions[1]

    @cached_property
    def rings(self) -> tuple[Ring, ...]:
        """Those of the regions, then the one of level 1."""
        facts = (self.data, self.metadata)
        regions = range(1, self.many_regions + 1)
        local = (Ring(f"a0-{number:02d}", *self.region, *facts) for number in regions)
        return (*local, Ring("a1", *self.regions, *facts))

    def ring(self, name: str) -> Ring:
        """The ring of a name, or a refusal."""
        found = next((ring for ring in self.rings if ring.name == name), None)
        if found is None:
            last = self.rings[-2].name
            raise UnusableInput(
                f"there is no ring {name[:40]!r}",
                where="ring",
                remedy=f"Use a0-01 to {last}, or a1",
            )
        return found

    @property
    def cores(self) -> int:
        """All of them, those for memory too."""
        return self.endpoints * self.many_regions

    @property
    def mesh(self) -> tuple[int, int]:
        """Columns and rows of cores on the whole chip."""
        return self.region[0] * self.regions[0], self.region[1] * self.regions[1]

    @property
    def mesh_links(self) -> int:
        """Links from cores to neighbours, each counted once."""
        columns, rows = self.mesh
        return columns * (rows - 1) + rows * (columns - 1)

    @property
    def cycles(self) -> int:
        """Cycles that a word takes."""
        return cycles(self.data)

    @property
    def rate_gbps(self) -> int:
        """What one sender sends."""
        return self.data * CLOCK_GHZ

    @property
    def controller_gbyte_s(self) -> float:
        """What one memory controller has off the chip."""
        return OFF_CHIP_WAVELENGTHS * OFF_CHIP_GHZ / 8

    @property
    def memory_gbyte_s(self) -> float:
        """What all memory controllers have off the chip."""
        return self.memory * self.many_regions * self.controller_gbyte_s

    @property
    def bytes_per_flop(self) -> float:
        """Of memory, where each endpoint does one operation a cycle, as the source counts them."""
        return self.memory * self.controller_gbyte_s / (self.endpoints * CLOCK_GHZ)

    @property
    def cache_mib(self) -> float:
        """Third level of cache for each core."""
        return CACHE_GIB * 1024 / OF_CORES

    @property
    def areas_mm2(self) -> tuple[float, float]:
        """For computing, and for the third level of cache."""
        return AREA_MM2 * self.cores / OF_CORES, CACHE_MM2 * self.cores / OF_CORES

    def core(self, word: str) -> Core:
        """The core that is written like 7.12, or a refusal."""
        region, _, endpoint = word.partition(".")
        numbers = (region, endpoint)
        if all(number.isascii() and number.isdigit() and len(number) < 5 for number in numbers):
            core = Core(int(region), int(endpoint))
            if 1 <= core.region <= self.many_regions and 1 <= core.endpoint <= self.endpoints:
                return core
        raise UnusableInput(
            f"there is no core {word[:40]!r}",
            where="core",
            remedy=f"Write region and core, 1.1 to {self.many_regions}.{self.endpoints}",
        )

    def check_broadcasts(self, senders: Iterable[Core], *, across: bool) -> None:
        """Refuse broadcasts that cannot be at once: a sender has one word a time.

        Across levels there are two; within regions, one for each core.
        """
        senders = list(senders)
        twice = [core for core, many in Counter(senders).items() if many > 1]
        if twice:
            raise NotPossible(
                f"core {twice[0]} cannot send two broadcasts at once",
                where="broadcasts",
                remedy="Send one after the other",
            )
        if across and len(senders) > ACROSS:
            raise NotPossible(
                f"{len(senders)} broadcasts to all cores cannot be at once: "
                f"{ACROSS} values pass between the levels",
                where="broadcasts",
                remedy=f"Send {ACROSS} at once, or keep them within their regions",
            )
