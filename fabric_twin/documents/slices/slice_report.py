"""A slice, and a defragmentation plan, as text."""

from typing import Any, TextIO

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.counted import counted
from fabric_twin.core.cube import AXES
from fabric_twin.core.design import Design
from fabric_twin.core.pods.names import Names
from fabric_twin.core.slices.boxes import shape_in_words
from fabric_twin.core.slices.defragment import Defragmentation
from fabric_twin.core.slices.shapes import twist
from fabric_twin.core.slices.slice import Slice

#: Chips on a line.
A_LINE = 8


def write_text(made: Slice, circuits: Circuits, design: Design, names: Names, out: TextIO) -> None:
    """For a terminal: which cubes, in which order, and what joins them."""
    many = len(made.slots)
    what = f"{made.shape}, {made.shape.chips:,} chips"
    where = "part of a cube" if made.chips else f"{many} cube{'s' * (many != 1)}"
    out.write(f"Slice {made.name} of pod {names.pod} ({design.name}): {what}, {where}.\n")
    if made.chips:
        out.write(f"In slot {made.slots[0]}, by copper alone, without wraparound; its chips:\n")
        chips = [".".join(map(str, chip)) for chip in made.chips]
        out.writelines(
            "  " + "  ".join(chips[first : first + A_LINE]) + "\n"
            for first in range(0, len(chips), A_LINE)
        )
        return
    grid = made.shape.grid(design.cube)
    *fixed, along = list(AXES[: len(grid)])
    static = not design.medium.is_switched
    how = "" if static else "; `+` of each joins `-` of the next, the last closes"
    out.write(f"Slots along {along}, from 0{how}:\n")
    wide = len(str(max(made.slots)))
    for first in range(0, many, grid[-1]):
        at, _ = list(made.places(design.cube))[first]
        row = "  ".join(f"{slot:>{wide}}" for slot in made.slots[first : first + grid[-1]])
        place = " ".join(f"{axis.lower()}={c}" for axis, c in zip(fixed, at[:-1], strict=True))
        out.write(f"  {place}:  {row}\n")
    for axis, shift in twist(grid).items() if made.shape.twisted else ():
        steps = " and ".join(f"{n} along {AXES[a]}" for a, n in enumerate(shift) if n)
        out.write(f"Twisted: where {AXES[axis]} closes it shifts by {steps}, in cubes.\n")
    if static:
        out.write(f"{shape_in_words(design, made.shape.sides)}\n")
        out.write("No circuits: the cables of this static plant join the cubes.\n")
        return
    switches = len(set(circuits.switch.tolist()))
    on = f"{counted(len(circuits), 'circuit')} on {counted(switches, 'switch')}"
    out.write(f"{on}; --json lists them.\n")


def write_moves(plan: Defragmentation, out: TextIO) -> None:
    """For a terminal: the moves in order, and what they are good for."""
    if not plan.moves:
        out.write("Nothing to move: no cube becomes free by bringing slices together.\n")
        return
    out.writelines(f"{number:>3}  {move}\n" for number, move in enumerate(plan.moves, 1))
    freed = ", ".join(map(str, plan.freed))
    out.write(f"Free thereafter: slot{'s' * (len(plan.freed) != 1)} {freed}. ")
    many = len(plan.interrupted)
    out.write(f"{many} slice{'s are' if many != 1 else ' is'} interrupted.\n")


def moves_json(plan: Defragmentation) -> dict[str, Any]:
    """For programs."""
    return {
        "version": 1,
        "moves": [
            {
                "name": move.before.name,
                "shape": move.before.shape.text,
                "from": [[move.before.slots[0], *chip] for chip in move.before.chips],
                "to": [[move.after.slots[0], *chip] for chip in move.after.chips],
            }
            for move in plan.moves
        ],
        "interrupted": list(plan.interrupted),
        "freed": list(plan.freed),
    }
