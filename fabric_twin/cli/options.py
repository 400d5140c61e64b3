"""Options that several commands have."""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb

if TYPE_CHECKING:
    from fabric_twin.core.design import Design
    from fabric_twin.inventory.designs.folder import DesignFolder

#: Where a context keeps whether a program reads what is written.
JSON = "fabric_twin.json"
Command = TypeVar("Command", bound=Callable[..., Any])


class Number(click.FloatRange):
    """A number within a range; `nan` is within every range and is no number."""

    def __init__(self, least: float, most: float, what: str) -> None:
        super().__init__(least, most)
        self.what = what

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it, or refuse it."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a {self.what}.", param, ctx)
        return number


def look_in_folder() -> "DesignFolder | None":
    """Find the design files of the folder FABRIC_TWIN_DESIGNS by name, if there is one."""
    named = os.environ.get("FABRIC_TWIN_DESIGNS")
    if not named:
        return None
    from pathlib import Path

    from fabric_twin.core.designs import look_in
    from fabric_twin.inventory.designs.folder import DesignFolder

    folder = DesignFolder(Path(named).absolute())
    look_in("command line", folder)
    return folder


def complete_design(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from fabric_twin.core.designs import design_names

    look_in_folder()
    names = [CompletionItem(name) for name in design_names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def which_design(asked: str, verb: Verb) -> "Design":
    """What `--design` names: a design, or by a slash or its ending the file of one.

    One of a kind with which the command can do nothing is refused.
    """
    from fabric_twin.core.designs import find_design

    design = read_design_file(asked) if is_path(asked) else find_design(asked)
    design.check_can(verb)
    return design


def is_path(asked: str) -> bool:
    """Whether a design is named by its file."""
    return "/" in asked or asked.endswith((".yaml", ".yml"))


def read_design_file(path: str) -> "Design":
    """The design in a file, or a refusal of all that is wrong with it."""
    from fabric_twin.cli.files import read_file
    from fabric_twin.inventory.designs.design_file import read_design
    from fabric_twin.inventory.designs.yaml_lines import LARGEST

    return read_design(*read_file(path, LARGEST))


def pod_options(command: Command) -> Command:
    """Which pod: `--design`, `--pod`, `--slots`."""
    return _pod_options(command, many=False)


def pods_options(command: Command) -> Command:
    """Which pods, if any: `--pod` may be given again."""
    return _pod_options(command, many=True)


def _pod_options(command: Command, *, many: bool) -> Command:
    needed = not many
    pod = "The pod's name, like iw1" + ("; may be given again." if many else ".")
    for option in (
        click.option("--slots", metavar="1-4,7", help="Slots that hold cubes; all by default."),
        click.option("--pod", required=needed, multiple=many, metavar="NAME", help=pod),
        click.option(
            "--design",
            required=needed,
            metavar="NAME",
            shell_complete=complete_design,
            help="The pod's kind, as `fabric-twin designs` lists it, or a design file.",
        ),
    ):
        command = option(command)
    return command


def json_option(command: Command) -> Command:
    """`--json`: for programs, refusals too."""

    def note(ctx: click.Context, _param: click.Parameter, as_json: bool) -> bool:
        ctx.meta[JSON] = as_json
        return as_json

    return click.option(
        "--json", "as_json", is_flag=True, is_eager=True, callback=note, help="Write JSON."
    )(command)


def substitutions_option(command: Command) -> Command:
    """`--substitutions`: where the plant is not as the rule has it."""
    return click.option(
        "--substitutions",
        "substitutes",
        metavar="FILE",
        help="Spare ports in place of the rule's, as JSON.",
    )(command)


@dataclass(frozen=True)
class ReportForm:
    """How findings are written, and the least of them that a command fails for."""

    as_json: bool
    as_csv: bool
    as_html: bool
    fail_on: str

    def __post_init__(self) -> None:
        """Refuse two forms at once."""
        if self.as_json + self.as_csv + self.as_html > 1:
            raise click.UsageError("Choose one of --json, --csv and --html.")

    @property
    def name(self) -> str:
        """What a server calls it."""
        forms = {"json": self.as_json, "csv": self.as_csv, "html": self.as_html}
        return next((name for name, wanted in forms.items() if wanted), "txt")


def report_options(command: Command) -> Command:
    """What a `ReportForm` is made of."""
    for option in (
        click.option(
            "--fail-on",
            type=click.Choice(["error", "warning"]),
            default="warning",
            help="The lowest severity that exits 1; warning by default.",
        ),
        click.option("--html", "as_html", is_flag=True, help="Write one self-contained HTML page."),
        click.option("--csv", "as_csv", is_flag=True, help="Write CSV, a row a finding."),
        json_option,
    ):
        command = option(command)
    return command


def hold_back_option(command: Command) -> Command:
    """`--hold-back`: cubes that no slice gets."""
    return click.option(
        "--hold-back",
        type=click.IntRange(0, 1_000_000),
        default=0,
        metavar="N",
        help="How many free cubes to keep for repairs.",
    )(command)


def anywhere_option(command: Command) -> Command:
    """`--anywhere`: where a box of a static plant may begin."""
    return click.option(
        "--anywhere",
        is_flag=True,
        help="In a static plant: let the box begin at any unit, not only at multiples of its "
        "sides.",
    )(command)


def bear_option(command: Command) -> Command:
    """`--bear`: switches that a slice can do without."""
    return click.option(
        "--bear",
        type=click.IntRange(0),
        default=0,
        metavar="N",
        help="How many switches a join of two cubes may lack; 0 by default.",
    )(command)


def state_option(command: Command) -> Command:
    """`--state`: the folder that a stack is kept in."""

    def folder(_ctx: click.Context, _param: click.Parameter, path: str | None) -> Any:
        from pathlib import Path

        from fabric_twin.stack.folder import StateFolder, default_folder

        if path == "":
            raise UnusableInput(
                "no folder is named", where="--state", remedy="Name one, or leave the option out"
            )
        return StateFolder(Path(path) if path else default_folder())

    return click.option(
        "--state",
        metavar="DIR",
        callback=folder,
        help="Where everything is kept; FABRIC_TWIN_STATE, or a folder of this user's, by default.",
    )(command)
