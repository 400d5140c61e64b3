"""Which end of which cable is in which port, while they are moved: never two in one port."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.orders.steps import Do, End, Step
from fabric_twin.core.pods.names import Names

#: A cable, and its end `a` or `b`.
Plug = tuple[str, str]


@dataclass
class Plugs:
    """A plant by name."""

    #: What is in each port: one plug, unless somebody recorded or did what cannot stay.
    at: dict[End, tuple[Plug, ...]] = field(default_factory=dict)
    #: The port of every plug that is in one.
    of: dict[Plug, End] = field(default_factory=dict)

    @classmethod
    def recorded(cls, recorded: Recorded, names: Names) -> "Plugs":
        """The plant that an inventory records."""
        plugs = cls()
        for end, column in (("a", recorded.a), ("b", recorded.b)):
            rows = (column >= 0).nonzero()[0]
            places = zip(*names.ends(column[rows]), strict=True)
            for row, place in zip(rows.tolist(), places, strict=True):
                plugs.put((recorded.cables[row], end), place)
        for row, written in recorded.written.items():
            for end, place in (("a", written[:2]), ("b", written[2:])):
                if any(place) and (recorded.cables[row], end) not in plugs.of:
                    plugs.put((recorded.cables[row], end), place)
        return plugs

    def copy(self) -> "Plugs":
        """The same plant, to try things on; planning does so for every finding."""
        return Plugs(dict(self.at), dict(self.of))

    def put(self, plug: Plug, port: End) -> None:
        """A plug is in a port, whatever else is."""
        self.at[port] = (*self.at.get(port, ()), plug)
        self.of[plug] = port

    def plug(self, plug: Plug, port: End) -> None:
        """Put a loose plug into an empty port, or refuse."""
        if held := self.at.get(port):
            raise NotPossible(
                f"{held[0][0]} is in it", where=" port ".join(port), remedy="Unplug it first"
            )
        if plug in self.of:
            raise NotPossible(
                f"end {plug[1]} of {plug[0]} is in {' port '.join(self.of[plug])}",
                where=" port ".join(port),
                remedy="Unplug it first",
            )
        self.put(plug, port)

    def unplug(self, plug: Plug) -> End:
        """Take a plug out of its port, or refuse; where it was."""
        port = self.of.pop(plug, None)
        if port is None:
            raise NotPossible(
                f"end {plug[1]} of {plug[0]} is in no port", remedy="Look for its loose end"
            )
        if left := tuple(held for held in self.at[port] if held != plug):
            self.at[port] = left
        else:
            del self.at[port]
        return port

    def carry_out(self, steps: Iterable[Step]) -> "Plugs":
        """Do steps in order, and refuse the first that cannot be."""
        for step in steps:
            plug = step.cable, step.end
            if step.do == Do.PLUG:
                self.plug(plug, step.at)
            elif step.do == Do.UNPLUG and self.unplug(plug) != step.at:
                raise NotPossible(
                    f"step {step.number}: {step.cable} is not there",
                    where=" port ".join(step.at),
                    remedy="Audit the pod, and make the order again",
                )
        return self

    @property
    def pairs(self) -> set[frozenset[End]]:
        """The ports that whole cables join."""
        return {
            frozenset((port, self.of[cable, "b"]))
            for (cable, end), port in self.of.items()
            if end == "a" and (cable, "b") in self.of
        }
