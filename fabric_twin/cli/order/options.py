"""Options that all orders have, and how an order is written."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from fabric_twin.cli.files import read_file
from fabric_twin.cli.folders import writing_into
from fabric_twin.cli.messages import tell
from fabric_twin.cli.render import made_when
from fabric_twin.core.orders.order import MOST_CREWS
from fabric_twin.inventory.json_files import LARGEST, printable

Command = TypeVar("Command", bound=Callable[..., Any])
FORMATS = ("txt", "json", "html", "pdf", "csv", "md")


@dataclass(frozen=True)
class Options:
    """What all orders are given."""

    cables: str | None
    circuits: str | None
    substitutes: str | None
    floor: str | None
    stock: str | None
    crews: int
    name: str
    form: str
    labels: bool
    templates: str | None
    output: str


def order_options(command: Command) -> Command:
    """What an order is made from, and how it is written."""
    for option in (
        click.option(
            "-o", "--output", default="-", metavar="DIR", help="The folder; - by default."
        ),
        click.option(
            "--templates", metavar="DIR", help="Templates of yours, in place of ours by name."
        ),
        click.option("--labels", is_flag=True, help="Also write the labels of its cables."),
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            default="txt",
            help="What to write; csv and json have every step by itself.",
        ),
        click.option("--name", default="", metavar="NAME", help="What the order is called."),
        click.option(
            "--crews",
            type=int,
            default=1,
            metavar="N",
            help=f"Who goes at once: 1 to {MOST_CREWS}.",
        ),
        click.option("--stock", metavar="FILE", help="Parts on hand and ordered, as JSON."),
        click.option("--floor", metavar="FILE", help="Where racks stand, as JSON."),
        click.option(
            "--substitutions",
            "substitutes",
            metavar="FILE",
            help="Spare ports in place of the rule's, as JSON.",
        ),
        click.option("--circuits", metavar="FILE", help="Circuits and their owners, as JSON."),
        click.option("--cables", metavar="FILE", help="A cut sheet; the rule's cables by default."),
    ):
        command = option(command)
    return command


def given(options: Options, *others: str | None) -> Any:
    """The files that an order is made from, read."""
    from fabric_twin.services.orders.issue import Given

    paths = {key: getattr(options, key) for key in ("cables", "circuits", "floor", "stock")}
    if [*paths.values(), options.substitutes, *others].count("-") > 1:
        raise click.UsageError("Only one file can be standard input.")
    if options.templates and not Path(options.templates).is_dir():
        raise click.UsageError(f"There is no folder {options.templates}; name one for --templates.")
    if options.labels and options.output == "-":
        raise click.UsageError("These are 2 files; name a folder for --output.")
    read: dict[str, Any] = {
        key: read_file(path, LARGEST) if path else None for key, path in paths.items()
    }
    name = printable(options.name, "the name", "--name")
    return Given(**read, crews=options.crews, name=name)


def substitutions(options: Options) -> Any:
    """The substitutions of a file."""
    from fabric_twin.inventory.substitutions import read_substitutions

    path = options.substitutes
    return read_substitutions(*read_file(path, LARGEST)) if path else ()


def write(issued: Any, options: Options) -> None:
    """Write an order, and say what it leaves out."""
    from fabric_twin.services.orders.render_order import render_order

    for left in issued.order.deferred:
        tell(f"left out: finding {left.finding}: {left.why.rstrip('.')}.")
    templates = Path(options.templates).resolve() if options.templates else None
    files = render_order(
        issued, options.form, labels=options.labels, templates=templates, made=made_when()
    )
    with writing_into(options.output) as out:
        for name, content in files:
            out(name, content)
