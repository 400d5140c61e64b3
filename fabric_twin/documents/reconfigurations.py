"""The slice sheet, and a plan as a change record."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from fabric_twin.documents.sheet import Document, table


class Circuit(Protocol):
    """A circuit by its names."""

    @property
    def switch(self) -> str: ...
    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def owner(self) -> str: ...


def slice_sheet(
    pod: str,
    *,
    name: str,
    shape: str,
    twisted: bool,
    cubes: Sequence[tuple[tuple[int, ...], int]],
    chips: Sequence[tuple[int, ...]],
    circuits: Sequence[Circuit],
) -> Document:
    """Which cubes make a slice, where each stands in it, and the circuits that join them."""
    parts = f"{len(cubes)} cubes" if cubes else f"{len(chips)} chips of one cube"
    each = Counter(circuit.switch for circuit in circuits)
    twist = ", twisted" if twisted else ""
    return Document(
        kind="slice-sheet",
        name=f"{pod}",
        title=f"Slice {name}",
        lines=(
            f"Pod {pod}: {shape}{twist}, {parts}",
            f"Circuits: {len(circuits):,}, on switches: {len(each)}",
        ),
        tables=(
            table("Cubes", "rack,slot,at", ((f"{pod}-c{s:03d}", s, _at(at)) for at, s in cubes)),
            *(
                [table("Chips", "slot,chip", ((c[0], _at(c[1:], ".")) for c in chips))]
                * bool(chips)
            ),
            table("Circuits", "switch,a,b", ((c.switch, c.a, c.b) for c in circuits)),
        ),
    )


def _at(numbers: Sequence[int], mark: str = ",") -> str:
    return mark.join(map(str, numbers))


def change_record(
    pod: str,
    *,
    keep: int,
    lower_bound: int,
    stages: Sequence[tuple[Sequence[Circuit], Sequence[Circuit]]],
    untouched_owners: Sequence[str],
) -> Document:
    """What is done stage by stage, and how each stage is undone: the same, backwards."""
    steps = [
        (stage, do, circuit.switch, circuit.a, circuit.b, circuit.owner, undo)
        for stage, (remove, add) in enumerate(stages, 1)
        for do, undo, circuits in (("remove", "add", remove), ("add", "remove", add))
        for circuit in circuits
    ]
    counts = Counter(step[1] for step in steps)
    untouched = ", ".join(untouched_owners) or "nobody else has circuits"
    return Document(
        kind="change-record",
        name=pod,
        title=f"Change record of {pod}",
        lines=(
            f"Circuits: {counts['remove']:,} go, {counts['add']:,} come, {keep:,} stay",
            f"Stages: {len(stages)}; no plan needs fewer than {lower_bound:,} changes",
            f"Not touched: {untouched}",
            "In a stage, removals come before additions; undo a stage from its last row up",
        ),
        tables=(table("Steps", "stage,do,switch,a,b,owner,undo by", steps),),
    )
