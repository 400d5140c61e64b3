"""The control port: where a person makes faults, mends them, and sends a technician.

    GET  /faults                what is broken
    POST /faults   a wish       break something
    POST /mend     {"number"}   mend it
    POST /work     {"steps"}    a technician carries out a work order's steps
    POST /step     {"seconds"}  let time pass, where it is stepped
    GET  /kinds                 what can be broken

What the fabric is like is never told here: it is read as from a real one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.faults.book import KINDS, FaultBook
from fabric_twin.simulator.faults.kinds import number_of
from fabric_twin.simulator.technician import Technician


@dataclass
class Control:
    """What the control port does, for some pods."""

    books: Sequence[FaultBook]

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:  # noqa: PLR0911
        """Answer one request."""
        if body is not None and not isinstance(body, dict):
            raise UnusableInput("the body is not an object", remedy="Send an object")
        wish: dict[str, Any] = body or {}
        match method, path:
            case "GET", "/faults":
                return 200, {"faults": [f.as_json() for b in self.books for f in b.there.values()]}
            case "GET", "/kinds":
                return 200, {
                    kind.name: {"is": kind.words, "needs": list(kind.needs)}
                    for kind in KINDS.values()
                }
            case "POST", "/faults":
                book = self._book(wish)
                plain = {key: value for key, value in wish.items() if key != "pod"}
                return 200, book.make(plain).as_json()
            case "POST", "/mend":
                return 200, self._book(wish).mend(int(number_of(wish, "number", 0))).as_json()
            case "POST", "/work":
                steps = wish.get("steps")
                if not isinstance(steps, list) or not all(isinstance(s, dict) for s in steps):
                    raise UnusableInput('"steps" is not a list of steps', remedy="Send a remedy")
                errors = number_of(wish, "errors", 0.0)
                seed = abs(int(number_of(wish, "seed", 0)))
                return 200, {"told": Technician(self._book(wish), errors, seed).carry_out(steps)}
            case "POST", "/step":
                return 200, {"now": self._step(number_of(wish, "seconds", 1.0))}
        return 404, {"error": "nothing is done here"}

    def _book(self, wish: dict[str, Any]) -> FaultBook:
        """The pod that is meant: the only one, the one that is named, or whose device or cable is.

        A fault that is to be mended is that of the only pod that has one of its number.
        """
        if "pod" in wish:
            meant = [book for book in self.books if book.pod.name == wish["pod"]]
        elif "number" in wish and "kind" not in wish:
            number = int(number_of(wish, "number", 0))
            meant = [book for book in self.books if number in book.there]
        else:
            texts = list(_texts(wish))
            meant = [book for book in self.books if _names(book, texts)]
        if len(self.books) == 1 and "pod" not in wish:
            meant = list(self.books)
        if len(meant) == 1:
            return meant[0]
        pods = ", ".join(book.pod.name for book in self.books)
        raise UnusableInput("it does not say of which pod it is", remedy=f'Give "pod": {pods}')

    def _step(self, seconds: float) -> float:
        clock = self.books[0].pod.clock
        if not isinstance(clock, SteppedClock):
            raise NotPossible("time runs by itself", remedy="Start the simulator with --step")
        clock.step(max(0.0, seconds))
        for book in self.books:
            book.pod.advance()
            book.pod.changed()
        return clock.now()


def _names(book: FaultBook, texts: Sequence[str]) -> bool:
    """Whether one of some texts names a device or a cable of a pod."""
    return any(text.startswith(f"{book.pod.name}-") for text in texts)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a wish."""
    if isinstance(value, str):
        yield value
        return
    within = value.values() if isinstance(value, dict) else value
    for one in within if isinstance(value, dict | list) else ():
        yield from _texts(one)
