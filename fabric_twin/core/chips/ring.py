"""A ring of light: the endpoints on it, the waveguides through all of them, and what they are for.

1 >  2 >  3 >  4      a loop passes the endpoints of the grid row by row, to and fro,
               v      and goes back to the first one
8 <  7 <  6 <  5
"""

from dataclasses import dataclass
from functools import cached_property

from fabric_twin.core.counted import counted

#: Bits of a word.
WORD = 32
#: The waveguides of a ring beside those for data and metadata, and what each carries.
OTHERS = {"pw": "the light for its modulators", "ck": "its clock", "fc": "its flow control"}
#: The one whose light goes round the other way.
BACKWARDS = "fc"


@dataclass(frozen=True)
class Ring:
    """One ring, as its chip wants it.

    >>> ring = Ring("a0-07", columns=8, rows=8, data=32, metadata=4)
    >>> ring.endpoints, ring.modulators, ring.filters, ring.order[6:10], ring.waveguides[-1]
    (64, 2048, 129024, (7, 8, 16, 15), 'm04')
    """

    name: str
    #: The grid in which its endpoints stand; they are numbered row by row.
    columns: int
    rows: int
    #: Waveguides for data: one a bit that is sent at once.
    data: int
    metadata: int

    @property
    def endpoints(self) -> int:
        """How many send and listen; each has a wavelength, of its own number."""
        return self.columns * self.rows

    @cached_property
    def waveguides(self) -> tuple[str, ...]:
        """Their names, first those for data: number 5 is `d05`, for bit 5."""
        data = (f"d{number:02d}" for number in range(1, self.data + 1))
        return (*data, *OTHERS, *(f"m{number:02d}" for number in range(1, self.metadata + 1)))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The endpoints as the light of a loop passes them, from the first."""
        rows = (range(row * self.columns + 1, (row + 1) * self.columns + 1) for row in self._rows)
        return tuple(at for number, row in enumerate(rows) for at in (row, row[::-1])[number % 2])

    @property
    def _rows(self) -> range:
        return range(self.rows)

    @property
    def modulators(self) -> int:
        """One for each endpoint and bit."""
        return self.endpoints * self.data

    @property
    def fifos(self) -> int:
        """One for each endpoint and sender that it hears."""
        return self.endpoints * (self.endpoints - 1)

    @property
    def filters(self) -> int:
        """One for each endpoint, sender and bit."""
        return self.fifos * self.data

    @property
    def parts(self) -> int:
        """All that a netlist has of it."""
        return len(self.waveguides) + self.modulators + self.filters + self.fifos

    def carries(self, waveguide: str) -> str:
        """What a waveguide is for."""
        if waveguide in OTHERS:
            return OTHERS[waveguide]
        return f"{'bit' if waveguide.startswith('d') else 'metadata'} {int(waveguide[1:])}"


def cycles(data: int) -> int:
    """In how many cycles a word is sent over so many waveguides.

    >>> cycles(32), cycles(31), cycles(4)
    (1, 2, 8)
    """
    return -(-WORD // data)


def serial(left: int) -> str:
    """What is left of a ring, or of a sender, on so many waveguides for data."""
    if not left:
        return "no word can be sent"
    over, within = counted(left, "waveguide"), counted(cycles(left), "cycle")
    return f"a word goes over the {over} left, in {within}"
