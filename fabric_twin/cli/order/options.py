"""Options that all orders have, and how an order is written."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from fabric_twin.cli.files import read_file, writing_into
from fabric_twin.cli.messages import tell
from fabric_twin.cli.options import substitutions_option, which_design
from fabric_twin.cli.render import made_when
from fabric_twin.core.design import Design
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.order import MOST_CREWS
from fabric_twin.core.slots import parse_slots
from fabric_twin.inventory.json_files import printable

Command = TypeVar("Command", bound=Callable[..., Any])
#: How a kind of order comes of a wish, as the services do it.
Issue = Callable[..., Any]
FORMATS = ("txt", "json", "html", "pdf", "csv", "md")


def order_options(command: Command) -> Command:
    """What an order is made from, and how it is written."""
    for option in (
        click.option(
            "-o",
            "--output",
            default="-",
            metavar="DIR",
            help="Output folder; - (standard output) by default.",
        ),
        click.option(
            "--templates",
            metavar="DIR",
            help="Your own templates, used instead of ours of the same name.",
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
            help=f"Crews that work at the same time: 1 to {MOST_CREWS}.",
        ),
        click.option("--stock", metavar="FILE", help="Parts on hand and ordered, as JSON."),
        click.option("--floor", metavar="FILE", help="Where racks stand, as JSON."),
        substitutions_option,
        click.option("--circuits", metavar="FILE", help="Circuits and their owners, as JSON."),
        click.option("--cables", metavar="FILE", help="A cut sheet; the rule's cables by default."),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Options:
    """What all orders are given."""

    design: str
    pod: str
    slots: str | None
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

    def order_cubes(self, verb: Verb, issue: Issue, cubes: str) -> None:
        """Write an order that brings or takes the cubes of some slots."""
        design = which_design(self.design, verb)
        self._order(issue, design, parse_slots(cubes, design.slots), self._given())

    def order_from(self, verb: Verb, issue: Issue, path: str) -> None:
        """Write an order of what a file says."""
        design, given = which_design(self.design, verb), self._given(path)
        self._order(issue, design, read_file(path), given)

    def _order(self, issue: Issue, design: Design, wish: Any, given: Any) -> None:
        from fabric_twin.inventory.substitutions import read_substitutions

        slots, path = self.slots, self.substitutes
        issued = issue(
            design,
            self.pod,
            wish,
            given,
            slots=parse_slots(slots, design.slots) if slots is not None else None,
            substitutions=read_substitutions(*read_file(path)) if path else (),
        )
        self._write(issued)

    def _given(self, *others: str) -> Any:
        """The files that an order is made from, read."""
        from fabric_twin.services.orders.issue import Given

        paths = {key: getattr(self, key) for key in ("cables", "circuits", "floor", "stock")}
        if [*paths.values(), self.substitutes, *others].count("-") > 1:
            raise click.UsageError("Only one file can be standard input.")
        if self.templates and not Path(self.templates).is_dir():
            raise click.UsageError(
                f"There is no folder {self.templates}; name one for --templates."
            )
        if self.labels and self.output == "-":
            raise click.UsageError("These are 2 files; name a folder for --output.")
        read: dict[str, Any] = {
            key: read_file(path) if path else None for key, path in paths.items()
        }
        name = printable(self.name, "the name", "--name")
        return Given(**read, crews=self.crews, name=name)

    def _write(self, issued: Any) -> None:
        """Write an order, and say what it leaves out."""
        from fabric_twin.services.orders.render_order import render_order

        for left in issued.order.deferred:
            tell(f"left out: finding {left.finding}: {left.why.rstrip('.')}.")
        if self.form in ("html", "pdf"):
            tell(
                "no codes for a phone: print the order from its page, whose address is known there."
            )
        templates = Path(self.templates).resolve() if self.templates else None
        files = render_order(
            issued, self.form, labels=self.labels, templates=templates, made=made_when()
        )
        with writing_into(self.output) as out:
            for name, content in files:
                out(name, content)
