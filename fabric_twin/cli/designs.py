"""`fabric-twin designs`."""

import json

import click

from fabric_twin.cli.options import json_option
from fabric_twin.core.designs import design_names, find_design


@click.command(epilog="Example: fabric-twin designs --json")
@json_option
def designs(as_json: bool) -> None:
    """List the designs that are installed, each with its kind.

    A package of yours adds one by an entry point of the group fabric_twin.designs.
    """
    facts = [find_design(name).as_json() for name in design_names()]
    if as_json:
        click.echo(json.dumps({"version": 1, "designs": facts}, indent=2))
        return
    wide = max(len(str(fact["name"])) for fact in facts)
    head = f"{'design':{wide}}  kind    slots   chips  cables  switches  what it is"
    click.secho(head, bold=True)
    for fact in facts:
        click.echo(
            f"{fact['name']:{wide}}  {fact['kind']:6}  {fact['slots']:>5}  {fact['chips']:>6,}"
            f"  {fact['cables']:>6,}  {fact['switches']:>8}  {fact['title']}"
        )
