"""The technician: carries out a remedy step by step and refuses what no hand can do."""

from typing import Any

from .plant import Plant
from .words import Port


def lift(plant: Plant, taken: dict[Port, list[tuple[str, int]]], cable: str, side: int) -> None:
    """Pull a cable's end out of its port, if it is in any."""
    end = plant.rows[cable][side]
    if end is not None:
        taken[end].remove((cable, side))
    plant.rows[cable][side] = None


def carry_out(plant: Plant, finding: dict[str, Any]) -> int:
    """Do one finding's remedy in the order given; return how many cable ends were touched."""
    steps, touched, taken = finding["remedy"], 0, plant.standing()
    assert steps, f"{finding['id']} has no remedy"
    for number, step in enumerate(steps):
        match step["do"]:
            case "move":
                cable, side, port = step["cable"], "ab".index(step["end"]), tuple(step["to"])
                assert not taken.get(port), f"{step}: {taken[port]} is there"
                lift(plant, taken, cable, side)
                plant.rows[cable][side], taken[port] = port, [(cable, side)]
                touched += 1
            case "unplug":
                cable, side, later = step["cable"], "ab".index(step["end"]), steps[number + 1 :]
                assert plant.rows[cable][side] is not None, f"{step}: nothing to unplug"
                again = {(s["cable"], s["end"]) for s in later if s["do"] == "move"}
                assert (cable, step["end"]) in again, f"{step}: the end is never plugged again"
                lift(plant, taken, cable, side)
            case "add":
                cable, ends = (
                    f"added {finding['id']} {number}",
                    [tuple(step["a"]), tuple(step["b"])],
                )
                assert not any(taken.get(end) for end in ends), f"{step}: a port is taken"
                plant.rows[cable] = ends
                taken |= {end: [(cable, side)] for side, end in enumerate(ends)}
                touched += 2
            case "remove":
                assert step["cable"] in plant.rows, f"{step}: no such cable"
                for side in (0, 1):
                    lift(plant, taken, step["cable"], side)
                del plant.rows[step["cable"]]
                touched += 2
            case other:
                raise AssertionError(f"{other} mends no cabling by names")
    return touched
