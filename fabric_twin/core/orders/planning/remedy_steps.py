"""The manual work that mends one finding: its remedy as tasks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fabric_twin.core.audit.remedy import elsewhere_said
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.order import Laid
from fabric_twin.core.orders.planning.connections import done
from fabric_twin.core.orders.planning.draft import Bench
from fabric_twin.core.orders.planning.plugs import Plug
from fabric_twin.core.orders.steps import BY_FABRIC, Do, End, Step, end
from fabric_twin.core.pods.names import Names

#: What no technician does: it becomes a need.
ELSEWHERE = {
    **dict.fromkeys(("connect", "disconnect", "spread-links"), "circuits"),
    "correct-record": "record",
    "change-entry": "entries",
}


def is_manual(remedy: Iterable[Mapping[str, object]]) -> bool:
    """Whether any of a remedy is manual work."""
    return any(move["do"] not in ELSEWHERE for move in remedy)


@dataclass(eq=False)
class Deeds:
    """The moves of one finding's remedy as tasks."""

    bench: Bench
    names: Names
    found: Found
    #: Cables that are laid new.
    laid: list[Laid] = field(default_factory=list)
    _tasks: list[int] = field(default_factory=list)
    #: Where else plugs may be, and those that may be anywhere.
    _elsewhere: dict[Plug, tuple[End, ...]] = field(default_factory=dict)
    _lost: set[Plug] = field(default_factory=set)
    #: Ports that are kept dark anyway.
    _at_hand: set[End] = field(default_factory=set)

    def carry_out(self, remedy: Sequence[Mapping[str, object]]) -> list[int]:
        """Tasks for every manual move."""
        hands = [move for move in remedy if move["do"] not in ELSEWHERE]
        moves = [move for move in hands if move["do"] == "move"]
        self._believe([move for move in hands if move["do"] in ("move", "unplug")])
        # All plugs that move come out first: where light and record differ, a port that is empty
        # in the record is not always so.
        for move in moves:
            self._unplug((str(move["cable"]), str(move["end"])))
        for move in hands:
            self._do(move)
        return self._tasks

    def climb(self, rung: int, moves: Sequence[Mapping[str, object]]) -> list[int]:
        """Tasks for what is done only if light refuses the rung below.

        Their ports are kept dark by the steps of the first rung, which are done again with them.
        """
        first, tasks = len(self._tasks), self.bench.tasks
        for move in moves:
            self._do(move)
        added = self._tasks[first:]
        for number in added:
            task = tasks[number]
            task.after += [below for below in self._tasks[:first] if tasks[below].rack == task.rack]
            task.steps = [
                step if step.do in BY_FABRIC else replace(step, rung=rung) for step in task.steps
            ]
        return added

    def _believe(self, moves: Sequence[Mapping[str, object]]) -> None:
        """Plugs are where light saw them, whatever is recorded."""
        plugs = self.bench.plugs
        for move in moves:
            plug = str(move["cable"]), str(move["end"])
            if move["do"] == "unplug" and (move.get("perhaps") or move.get("lost")):
                self._elsewhere[plug] = tuple(map(end, move.get("perhaps", ())))  # type: ignore[call-overload]
                self._lost |= {plug} if move.get("lost") else set()
                if "at" not in move and plug in plugs.of:
                    plugs.unplug(plug)
        seen = {
            (str(move["cable"]), str(move["end"])): end(move["at"])
            for move in moves
            if "at" in move
        }
        astray = {plug: at for plug, at in seen.items() if plugs.of.get(plug) != at}
        for plug in astray:
            if plug in plugs.of:
                plugs.unplug(plug)
        for plug, at in astray.items():
            plugs.put(plug, at)
        self._at_hand = {end(move["to"]) for move in moves if "to" in move} | {*seen.values()}

    def _unplug(self, plug: tuple[str, str]) -> None:
        bench = self.bench
        if plug not in bench.plugs.of:
            return
        others, lost = self._elsewhere.get(plug, ()), plug in self._lost
        self._tasks.append(
            bench.unplug(
                plug,
                self.found.rank,
                finding=self.found.id,
                perhaps=[port for port in others if port not in self._at_hand],
                said=elsewhere_said(bench.plugs.of[plug], others, lost=lost),
            )
        )

    def _do(self, move: Mapping[str, object]) -> None:
        bench, rank, what = self.bench, self.found.rank, {"finding": self.found.id}
        cable = str(move.get("cable", ""))
        match move["do"]:
            case "move":
                plug = cable, str(move["end"])
                self._tasks.append(bench.plug(plug, end(move["to"]), rank, **what))
            case "unplug":
                self._unplug((cable, str(move["end"])))
            case "remove":
                for plug_end in "ab":
                    self._unplug((cable, plug_end))
            case "add":
                self._add(end(move["a"]), end(move["b"]))
            case "flip":
                port = bench.plugs.of.get((cable, "b")) or bench.plugs.of.get((cable, "a"))
                if port is None:
                    raise NotPossible(f"{cable} is in no port", remedy="Look for its loose end")
                self._at(port, (Do.UNPLUG, Do.FLIP, Do.INSPECT, Do.CLEAN, Do.PLUG), cable)
            case _:
                self._handle(move)

    def _add(self, a: End, b: End) -> None:
        """A new cable, which bears the name of its first end."""
        bench, names = self.bench, self.names
        number = int(names.find([a[0]], [a[1]])[0])
        layout = names.layout
        may_begin = len(layout.mate) if layout.joins_switches else layout.cube_ports
        cable = names.cable(number) if 0 <= number < may_begin else " ".join(a)
        if {(cable, "a"), (cable, "b")} & bench.plugs.of.keys():
            cable = f"{cable} new"
        for plug, port in (("a", a), ("b", b)):
            task = bench.plug((cable, plug), port, self.found.rank, finding=self.found.id)
            self._tasks.append(task)
        self.laid.append(Laid(cable, a, b, label=cable))

    def _handle(self, move: Mapping[str, object]) -> None:
        """Clean, reseat or replace."""
        if move["do"] not in (Do.CLEAN, Do.RESEAT, Do.REPLACE):
            raise NotPossible(
                f"there is no kind of step called {str(move['do'])[:40]!r}",
                remedy="Mend it by hand",
            )
        deed = Do(str(move["do"]))
        device, port = str(move.get("device", "")), str(move.get("port", ""))
        part = str(move.get("part", ""))
        if not port:
            step = Step(do=deed, rack="", device=device, part=part, finding=self.found.id)
            self._tasks.append(self.bench.add(device, [step], rank=self.found.rank))
            return
        hands = (Do.INSPECT, Do.CLEAN, Do.INSPECT) if deed == Do.CLEAN else (deed,)
        self._at((device, port), hands, part=part)

    def _at(self, port: End, hands: Sequence[Do], cable: str = "", part: str = "") -> None:
        bench = self.bench
        held = bench.plugs.at.get(port, ())
        plug = next((end for name, end in held if name == cable), "")
        steps = done(
            [(cable, port)], plug, hands, guarded=bench.guarded(port[0]), finding=self.found.id
        )
        if part:
            steps = [replace(s, part=part) if s.do == Do.REPLACE else s for s in steps]
        self._tasks.append(bench.add(port[0], steps, rank=self.found.rank))
