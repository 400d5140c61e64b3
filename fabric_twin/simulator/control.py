"""The control port: where a person makes faults, mends them, and sends a technician.

    GET  /faults                what is broken
    POST /faults   a wish       break something
    POST /mend     {"number"}   mend it
    POST /work     {"steps"}    a technician carries out a work order's steps
    POST /step     {"seconds"}  let time pass, where it is stepped
    GET  /kinds                 what can be broken

What the fabric is like is never told here: it is read as from a real one.
"""

from collections.abc import Sequence
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
        """The pod that is meant: the only one, or the one that is named."""
        named = [book for book in self.books if book.pod.name == wish.get("pod")]
        if named or ("pod" not in wish and len(self.books) == 1):
            return (named or list(self.books))[0]
        pods = ", ".join(book.pod.name for book in self.books)
        raise UnusableInput('"pod" names none that is simulated', remedy=f"Name one of {pods}")

    def _step(self, seconds: float) -> float:
        clock = self.books[0].pod.clock
        if not isinstance(clock, SteppedClock):
            raise NotPossible("time runs by itself", remedy="Start the simulator with --step")
        clock.step(max(0.0, seconds))
        for book in self.books:
            book.pod.advance()
            book.pod.changed()
        return clock.now()
