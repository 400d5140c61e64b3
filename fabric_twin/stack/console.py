"""What a person sees of the stack: steps with their times, then the logs of all parts as one."""

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import click

_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "bright_red", "bright_cyan")
_NAME = 30
#: Seconds after which a step's line is drawn again.
_TICK = 0.2
#: A log that grew larger starts anew; what was in it is kept beside it.
LARGEST_LOG = 20_000_000


class Console:
    """Writes to one stream; it draws over its own lines only where that is a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._live = out, out.isatty()
        #: A step's line is drawn by a thread of its own.
        self._lock = threading.RLock()
        self._step, self._since, self._told = "", 0.0, ""

    def say(self, words: str = "", **style: object) -> None:
        """A line of its own."""
        with self._lock:
            self._clear()
            self._write(click.style(words, **style) + "\n")  # type: ignore[arg-type]

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Something that takes a while; its time is told when it is done.

        On a terminal its line moves all the while, whatever the step waits for.
        """
        if not self._live:
            self.say(f"  {name} ...")
        self._step, self._since, self._told = name, time.monotonic(), ""
        done = threading.Event()
        drawing = threading.Thread(target=self._draw, args=(done,), daemon=True)
        drawing.start()
        how = {"fg": "red"}
        try:
            yield
            how = {"fg": "green"}
        finally:
            self._step = ""
            done.set()
            drawing.join()
            told = self._told if how["fg"] == "green" else "not done"
            self.say(f"  {name:{_NAME}} {self._seconds()}  {told}".rstrip(), **how)

    def tell(self, words: str) -> None:
        """How far the step is; elsewhere than on a terminal only the last such words are said."""
        self._told = words

    def _draw(self, done: threading.Event) -> None:
        """Draw the step's line with the time that has gone by, again and again."""
        while self._live and not done.wait(_TICK):
            with self._lock:
                self._clear()
                self._write(f"  {self._step:{_NAME}} {self._seconds()}  {self._told}"[:100])

    def _clear(self) -> None:
        if self._live:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        """Write at once. Who read this may have gone: that stops no part of the stack."""
        with contextlib.suppress(OSError):
            click.echo(text, file=self._out, nl=False)

    def _seconds(self) -> str:
        return f"{time.monotonic() - self._since:6.1f} s"

    def line(self, part: str, words: str, colour: str | None = None) -> None:
        """A line of a part's log; control characters in it do not reach the terminal."""
        harmless = "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}"
                           for c in words)  # fmt: skip
        self.say(click.style(f"{part:8} |", fg=colour) + f" {harmless}")


class LogView:
    """The logs of some parts as they grow, as one."""

    def __init__(self, console: Console, logs: Sequence[tuple[str, Path]]) -> None:
        self._console = console
        self._logs = [
            (name, log, _COLOURS[number % len(_COLOURS)]) for number, (name, log) in enumerate(logs)
        ]
        self._at = {log: _size(log) for _, log in logs}
        self._rest: dict[Path, bytes] = {}

    def show(self) -> None:
        """Write the lines that came since last time."""
        for name, log, colour in self._logs:
            for line in self._new_lines(log):
                self._console.line(name, line, colour)

    def _new_lines(self, log: Path) -> list[str]:
        size = _size(log)
        if size <= self._at[log]:
            return []
        with log.open("rb") as file:
            file.seek(self._at[log])
            lines = (self._rest.get(log, b"") + file.read(size - self._at[log])).split(b"\n")
        self._at[log], self._rest[log] = size, lines.pop()
        if size > LARGEST_LOG:
            _start_anew(log)
            self._at[log] = _size(log)
        return [line.decode(errors="replace").rstrip("\r") for line in lines]


def last_lines(log: Path, count: int = 15) -> list[str]:
    """How a log ends."""
    with contextlib.suppress(FileNotFoundError), log.open("rb") as file:
        file.seek(max(0, _size(log) - 100_000))
        return file.read().decode(errors="replace").splitlines()[-count:]
    return []


def _size(log: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        return log.stat().st_size
    return 0


def _start_anew(log: Path) -> None:
    """Keep one old log. Who writes appends, so it goes on at the new end."""
    draft = log.with_name(f"{log.name}.new")
    try:
        draft.write_bytes(log.read_bytes())
    except OSError:  # the disk is full: the log stays as it is
        draft.unlink(missing_ok=True)
        return
    draft.replace(log.with_name(f"{log.name}.1"))
    with log.open("r+b") as file:
        file.truncate()
