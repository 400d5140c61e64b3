"""`fabric-twin rings ask`."""

import click

from fabric_twin.cli.options import Number
from fabric_twin.cli.rings.options import (
    Form,
    change_options,
    cluster_options,
    state_of,
    state_option,
    write_change,
)
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.rings.ask import ask as give
from fabric_twin.core.rings.asked import MOST_PROCESSORS, wish_of
from fabric_twin.core.rings.state import State
from fabric_twin.inventory.groups.state import device_numbers


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings ask --design groups-a --pod pg1 --job a --sequence 150 -o now.json\n"
    "  fabric-twin rings ask --design groups-a --pod pg1 --state now.json --job b --shape 2x3\n"
    "    --axis layer=row --axis pipeline=col --both-ways -o now.json\n"
    "  fabric-twin rings ask --design groups-a --pod pg1 --state now.json --job c --processors 6"
)
@cluster_options
@state_option(required=False)
@click.option("--job", required=True, metavar="NAME", help="What the job is called.")
@click.option(
    "--processors",
    type=click.IntRange(1, MOST_PROCESSORS),
    metavar="N",
    help="A small job, in one group.",
)
@click.option(
    "--sequence",
    type=click.IntRange(1, MOST_PROCESSORS),
    metavar="N",
    help="Processors one after the other, along whole groups.",
)
@click.option("--shape", metavar="2x3", help="Rows by columns of whole groups.")
@click.option(
    "--axis",
    "axes",
    multiple=True,
    metavar="NAME=PLANES",
    help="What rings are called, and their planes: layer=row, data=row-*-3; by default row and "
    "col, each with all planes.",
)
@click.option("--both-ways", is_flag=True, help="Two rings in each plane, one each way.")
@click.option(
    "--groups",
    metavar="r01c01,r01c02",
    help="Where the job should stand; row by row for a shape.",
)
@click.option(
    "--keep-back",
    type=Number(0, 0.999999, "number"),
    metavar="Q",
    help="The share of each link that rings leave to other traffic; only without --state.",
)
@change_options
def ask(
    design: str,
    pod: str,
    state: str | None,
    job: str,
    processors: int | None,
    sequence: int | None,
    shape: str | None,
    axes: tuple[str, ...],
    both_ways: bool,
    groups: str | None,
    keep_back: float | None,
    output: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Give a job its groups and rings, all of them or none.

    A small job shares a group with others; a sequence or a shape takes whole groups, and processors
    that are too many only forward. A sequence stands in as few rows as can be.

    Exits 1 when it cannot be, and says what is short.
    """
    form = Form(as_json, as_csv)
    if sum(given is not None for given in (processors, sequence, shape)) != 1:
        raise click.UsageError("Give one of --processors, --sequence and --shape.")
    if state is not None and keep_back is not None:
        raise click.UsageError("--keep-back is for a new state: that of --state has its own.")
    if not job:
        raise click.UsageError("--job needs a name.")
    now = state_of(design, pod, state, keep_back or 0.0, output=output)
    wish = wish_of(
        now,
        job,
        processors=processors,
        sequence=sequence,
        shape=shape,
        axes=axes,
        both_ways=both_ways,
        groups=_groups(now, groups) if groups is not None else (),
        where="--",
    )
    write_change(give(now, wish), output, form)


def _groups(state: State, text: str) -> tuple[int, ...]:
    numbers = device_numbers(state)
    found = []
    for name in text.split(","):
        number = numbers.get(name.strip(), state.wiring.cluster.groups)
        if number >= state.wiring.cluster.groups:
            raise UnusableInput(
                f"there is no group {name.strip()[:40]!r}",
                where="--groups",
                remedy="Name groups of the cluster, like r01c07",
            )
        found.append(number)
    return tuple(found)
