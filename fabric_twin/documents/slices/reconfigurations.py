"""The slice sheet, and a plan as a change record."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.cube import AXES
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.slice import Slice
from fabric_twin.documents.sheet import Document, Table, table
from fabric_twin.documents.slices.bearing_report import capacity_left, index_of, way_of

#: So much of a slice's name is in the name of its file.
LONGEST_MARK = 40
#: A row of what is changed, and its columns.
ChangeStep = tuple[int, str, str, str, str, str, str]
STEPS = "stage,do,switch,a,b,owner,undo by"


def slice_sheet(
    intended: Intended,
    made: Slice,
    circuits: Sequence[Circuit],
    warning: str,
    without: Sequence[tuple[Circuit, str]] = (),
) -> Document:
    """Which cubes make a slice, where each stands in it, and the circuits that join them.

    Of a slice that does without some circuits, also why, what capacity is left and the detours.
    """
    bearing = Bearing(intended, made)
    names = intended.names
    cubes = [(names.cube(slot), slot, _at(at)) for at, slot in made.places(intended.design.cube)]
    chips = [(made.slots[0], _at(chip, ".")) for chip in made.chips]
    many = f"{len(cubes)} cube{'s' * (len(cubes) != 1)}"
    parts = f"{len(chips)} chips of one cube" if chips else many
    each = Counter(circuit.switch for circuit in circuits)
    mark = re.sub("[^A-Za-z0-9]+", "-", made.name).strip("-")[:LONGEST_MARK]
    return Document(
        kind="slice-sheet",
        name="-".join(filter(None, (intended.pod, mark))),
        title=f"Slice {made.name}",
        lines=(
            f"Pod {intended.pod} ({intended.design.name}): {made.shape}, {parts}",
            f"Circuits: {len(circuits):,}, on switches: {len(each)}",
            *([f"Without {len(without):,}. {capacity_left(bearing)}"] * bool(made.without)),
            *([f"Wrong: {warning}"] * bool(warning)),
        ),
        tables=(
            table("Cubes", "rack,slot,at", cubes),
            *([table("Chips", "slot,chip", chips)] * bool(chips)),
            *(_borne(bearing, without) if made.without else ()),
            table("Circuits", "switch,a,b", ((c.switch, c.a, c.b) for c in circuits)),
        ),
    )


def _borne(bearing: Bearing, without: Sequence[tuple[Circuit, str]]) -> Iterator[Table]:
    """The circuits that are not made, and the detours instead."""
    yield table("Without", "switch,a,b,why", ((c.switch, c.a, c.b, why) for c, why in without))
    yield table(
        "Detours",
        "axis,lost,by,way",
        (
            (
                AXES[one.axis],
                *(index_of(one.axis, link, bearing) for link in (one.lost, one.by)),
                way_of(one, bearing),
            )
            for one in bearing.detours
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
    steps = list(steps_of(stages))
    counts = Counter(step[1] for step in steps)
    change = f"remove {counts['remove']:,}, add {counts['add']:,}"
    bound = f"stages: {len(stages)}; no plan needs fewer than {lower_bound:,} changes"
    untouched = ", ".join(untouched_owners) or "nobody else has circuits"
    return Document(
        kind="change-record",
        name=pod,
        title=f"Change record of {pod}",
        lines=(
            f"Circuits: {change}, keep {keep:,}; {bound}",
            f"Interrupted: {_interrupted(steps)}",
            f"Not touched: {untouched}",
            "In a stage, removals come before additions; undo a stage from its last row up",
        ),
        tables=(table("Steps", STEPS, steps),),
    )


def steps_of(stages: Iterable[tuple[Sequence[Circuit], Sequence[Circuit]]]) -> Iterator[ChangeStep]:
    """Every circuit that stages remove or add, and how that is undone."""
    for number, (remove, add) in enumerate(stages, 1):
        for do, undo, circuits in (("remove", "add", remove), ("add", "remove", add)):
            for one in circuits:
                yield number, do, one.switch, one.a, one.b, one.owner, undo


def _interrupted(steps: Sequence[ChangeStep]) -> str:
    """Who loses circuits and how many come back; those who lose the most first."""
    change = Counter((step[5], step[1]) for step in steps)
    losses = Counter({owner: lost for (owner, do), lost in change.items() if do == "remove"})
    told = (
        f"{owner or 'circuits without an owner'} (loses {lost:,}, gains {change[owner, 'add']:,})"
        for owner, lost in losses.most_common()
    )
    return ", ".join(told) or "nobody"
