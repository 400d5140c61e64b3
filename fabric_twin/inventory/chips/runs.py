"""Names in one cell of a netlist, runs among them: `1..8 16..9`, `d01..d32 ck`, `a0-01..a0-64`."""

from collections.abc import Iterable, Sequence

from fabric_twin.core.counted import counted

#: Between the first and the last of a run. A dash would be a date to a spreadsheet.
TO = ".."


class Runs:
    """The names that one column may hold, in their order; what a cell says is looked up once."""

    def __init__(self, noun: str, names: Sequence[str]) -> None:
        self.noun, self.names = noun, tuple(names)
        self._number = {name: number for number, name in enumerate(names)}
        self._read: dict[str, tuple[int, ...]] = {}

    def read(self, cell: str, *, may_close: bool = False) -> tuple[int, ...]:
        """The numbers of the names in a cell, from 0, or a ValueError that says what is wrong.

        None is there twice, but that a loop that closes ends with its first.
        """
        if cell not in self._read:
            words = cell.split()
            if len(words) > len(self.names) + 1:
                raise ValueError(f"these are more {self.noun}s than there are")
            self._read[cell] = tuple(number for word in words for number in self._run(word))
        numbers = self._read[cell]
        closes = may_close and len(numbers) > 1 and numbers[0] == numbers[-1]
        once = numbers[:-1] if closes else numbers
        if len(set(once)) < len(once):
            twice = next(number for number in once if once.count(number) > 1)
            raise ValueError(f"{self.noun} {self.names[twice]} is there twice")
        if not numbers:
            raise ValueError(f"no {self.noun} is given")
        return numbers

    def _run(self, word: str) -> Iterable[int]:
        first, to, last = word.partition(TO)
        if to and self._at(last) < self._at(first):
            return range(self._at(first), self._at(last) - 1, -1)
        return range(self._at(first), self._at(last if to else first) + 1)

    def _at(self, name: str) -> int:
        if name not in self._number:
            raise ValueError(f"there is no {self.noun} {name[:20]!r}")
        return self._number[name]

    @property
    def all_of_them(self) -> str:
        """All names there can be, for a remedy."""
        many = counted(len(self.names), self.noun)
        return f"{self.written(range(len(self.names)))} ({many})"

    def written(self, numbers: Iterable[int]) -> str:
        """Numbers as a cell: what follows each other, up or down, as a run.

        >>> Runs("endpoint", "1 2 3 4 5 6".split()).written([0, 1, 2, 5, 4, 3])
        '1..3 6..4'
        """
        runs: list[list[int]] = []
        for number in numbers:
            last = runs[-1] if runs else []
            step = number - last[-1] if last else 0
            if abs(step) == 1 and (len(last) == 1 or last[1] - last[0] == step):
                last.append(number)
            else:
                runs.append([number])
        return " ".join(self._written(run) for run in runs)

    def _written(self, run: Sequence[int]) -> str:
        if len(run) == 1:
            return self.names[run[0]]
        if len(run) == 2:
            return f"{self.names[run[0]]} {self.names[run[1]]}"
        return f"{self.names[run[0]]}{TO}{self.names[run[-1]]}"
