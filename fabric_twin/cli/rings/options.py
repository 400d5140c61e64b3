"""Options of all commands of rings, the state that they read, and how they end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import click

from fabric_twin.cli.files import alone, read_file, write_json, writing
from fabric_twin.cli.options import complete_design, json_option, which_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.documents.groups import rings_report

if TYPE_CHECKING:
    from fabric_twin.core.groups.design import GroupsDesign
    from fabric_twin.core.rings.change import Change
    from fabric_twin.core.rings.state import State

Command = Callable[..., Any]


def cluster_options(command: Command) -> Command:
    """`--design` and `--pod`."""
    for option in (
        click.option("--pod", required=True, metavar="NAME", help="The cluster's name, like pg1."),
        click.option(
            "--design",
            required=True,
            metavar="NAME",
            shell_complete=complete_design,
            help="A design of groups, as `fabric-twin designs` lists it, or a design file.",
        ),
    ):
        command = option(command)
    return command


def state_option(*, required: bool) -> Callable[[Command], Command]:
    """`--state`: the jobs that there are."""
    without = "" if required else " Without it, the cluster has no jobs."
    return click.option(
        "--state", required=required, metavar="FILE", help=f"The state of the cluster.{without}"
    )


def form_options(command: Command) -> Command:
    """`--json` and `--csv`."""
    csv = click.option("--csv", "as_csv", is_flag=True, help="Write CSV, a row an entry.")
    return json_option(csv(command))


def change_options(command: Command) -> Command:
    """How a change is written, and where the state after it goes."""
    output = click.option(
        "-o", "--output", metavar="FILE", help="Where to write the state afterwards, as JSON."
    )
    return output(form_options(command))


@dataclass(frozen=True)
class Form:
    """How something is written."""

    as_json: bool
    as_csv: bool

    def __post_init__(self) -> None:
        """Refuse two forms at once."""
        if self.as_json and self.as_csv:
            raise click.UsageError("Choose one of --json and --csv.")


def state_of(
    design: str,
    pod: str,
    state: str | None,
    kept_back: float = 0.0,
    *,
    output: str | None = None,
) -> "State":
    """The state that a file holds, or that of a cluster without jobs.

    Where the output is the same file, others who would change it wait until the command ends.
    """
    from fabric_twin.core.rings.state import State
    from fabric_twin.inventory.groups.state import read_state

    kind = cast("GroupsDesign", which_design(design, Verb.RINGS))
    click.get_current_context().with_resource(alone(output, state))
    if state is None:
        return State.of(kind, pod, kept_back)
    return read_state(*read_file(state), kind, pod)


def device_options(what: str) -> Callable[[Command], Command]:
    """`--group` and `--switch`: one of them, and what of it is said."""

    def options(command: Command) -> Command:
        for noun, example in (("switch", "row-01-1-1"), ("group", "r01c07")):
            words = f"The {noun} that is {what}, like {example}."
            command = click.option(f"--{noun}", metavar="NAME", help=words)(command)
        return command

    return options


def device_of(state: "State", group: str | None, switch: str | None) -> int:
    """The group or the switch that is named."""
    from fabric_twin.inventory.groups.state import device_numbers

    name = group or switch
    if not name or (group and switch):
        raise click.UsageError("Give one of --group and --switch.")
    number = device_numbers(state).get(name)
    if number is None or (number < state.wiring.cluster.groups) is not bool(group):
        noun = "group" if group else "switch"
        raise UnusableInput(
            f"there is no {noun} {name[:40]!r}",
            where=f"--{noun}",
            remedy=f"Name one of the cluster, like {'r01c07' if group else 'row-01-1-1'}",
        )
    return number


def write_change(change: "Change", output: str | None, form: Form) -> None:
    """Write the state afterwards, and say what to change."""
    from fabric_twin.core.rings.written import change_json, state_json

    if output is not None:
        if output == "-":
            raise click.UsageError("--output is a file: standard output says what to change.")
        with writing(output) as out:
            write_json(state_json(change.after), out)
    with writing("-") as out:
        if form.as_json:
            write_json(change_json(change), out)
        elif form.as_csv:
            rings_report.write_change_csv(change, out)
        else:
            rings_report.write_change(change, out)
