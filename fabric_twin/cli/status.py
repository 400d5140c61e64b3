"""`fabric-twin status`."""

import json
from datetime import UTC, datetime
from typing import Any

import click

from fabric_twin.cli.options import json_option, state_option
from fabric_twin.stack.folder import StateFolder

#: As everywhere: a server did not answer.
_DOWN = 3


@click.command(epilog="\b\nExamples:\n  fabric-twin status\n  fabric-twin status --json")
@state_option
@json_option
@click.pass_context
def status(ctx: click.Context, state: StateFolder, as_json: bool) -> None:
    """Say what runs, what hangs, where and since when; exit 3 unless all of it is ready."""
    from fabric_twin.stack import running
    from fabric_twin.stack.recovery.space import FULL, few_bytes

    facts = running.status(state)
    if as_json:
        click.echo(json.dumps(facts, indent=2))
    else:
        _write(facts)
        if few := few_bytes(state):
            click.echo(f"\nThe disk fills up: {few}.")
    states = {facts["state"], *(part["state"] for part in facts["parts"])}
    is_whole = states == {"ready"} and facts["demo"] in {"none", "there"}
    ctx.exit(0 if is_whole and facts["free_bytes"] >= FULL else _DOWN)


def _write(facts: dict[str, Any]) -> None:
    if facts["state"] == "down":
        click.echo(f"Nothing runs ({facts['folder']}).")
        return
    if facts["state"] == "left over":
        left = ", ".join(f"{part['name']} ({len(part['pids'])})" for part in facts["parts"])
        click.echo(f"What ran it was killed ({facts['folder']}).")
        click.echo(f"Left over: {left}. `fabric-twin down` ends them, and so does the next `up`.")
        return
    click.echo(f"{facts['address']}  {facts['state']}, up {_since(facts)}, in {facts['folder']}")
    if facts["demo"] != "none":
        click.echo(f"demo: {facts['demo']}")
    click.echo(f"\n{'part':10} {'state':10} {'pid':>8} {'up':>10} {'restarts':>9}")
    for part in facts["parts"]:
        numbers = f"{part['pid']:8} {_since(part):>10} {part['restarts']:9}"
        click.echo(f"{part['name']:10} {part['state']:10} {numbers}")
    _write_what_hangs(facts)


def _write_what_hangs(facts: dict[str, Any]) -> None:
    hanging = [part for part in facts["parts"] if part["state"] == "hangs"]
    if hanging:
        click.echo()
    for part in hanging:
        silent = _since(part, "silent_since")
        how = f"`kill {part['pid']}` starts it again"
        click.echo(f"{part['name']} has not answered for {silent}: see {part['log']}; {how}.")
    if facts["state"] == "hangs":
        pid, silent = facts["supervisor"]["pid"], _since(facts, "silent_since")
        click.echo(
            f"\nProcess {pid}, which runs it, has said nothing for {silent}: the above is old."
        )


def _since(facts: dict[str, Any], what: str = "since") -> str:
    seconds = int((datetime.now(UTC) - datetime.fromisoformat(facts[what])).total_seconds())
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"
