"""`fabric-twin remote ticket`: everything a scheduler needs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from fabric_twin.cli.files import read_file
from fabric_twin.cli.options import bear_option, json_option
from fabric_twin.cli.remote.options import pod_option, server_options
from fabric_twin.cli.remote.records import SAID, Records
from fabric_twin.core.tickets.life import State

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server
    from fabric_twin.remote.tickets import RemoteTicket

KINDS = (
    *("slice", "release", "hand", "spare", "defragment", "maintenance", "drift", "return"),
    "topology",
)
STATES = tuple(map(str, State))
FORMS = ("html", "pdf", "md", "json", "csv", "ics")
#: What is done with a ticket, and what that means; some must be given a reason.
DEEDS = {
    "submit": "Ask for approval.",
    "approve": "Approve it; its author cannot.",
    "deny": "Deny it, and say why.",
    "emergency": "Approve your own at once; somebody else reviews it later.",
    "review": "Review one that was approved in an emergency.",
    "confirm-drained": "Say that the slices it interrupts run nothing, or can bear it.",
    "confirm-links-drained": "Say that the links that go with its next stage carry nothing.",
    "schedule": "Let it begin by itself, in its window or in this one.",
    "start": "Begin now.",
    "stop": "Hold it as it is.",
    "resume": "Go on where it was held.",
    "ask-undo": "Ask to undo one that is done; somebody else approves that.",
    "undo": "Go back, stage by stage.",
    "revise": "Plan it again for the same request, as a new draft.",
    "withdraw": "Withdraw it before it runs.",
}


@click.group(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote ticket ask --pod iw1 --shape 8x8x16 --submit\n"
    "  fabric-twin remote ticket follow iw1-t12 --until done\n"
    "  fabric-twin remote ticket ask --pod iw1 --release 8x8x16-1 --submit"
)
def ticket() -> None:
    """Ask for changes of circuits, follow them, and undo them; needs the App."""


@ticket.command()
@server_options
@pod_option
@click.option("--shape", metavar="8x8x16", help="A slice of this shape.")
@click.option("--twisted", is_flag=True, help="A twisted torus.")
@click.option("--name", help="What the slice is called; made from the shape by default.")
@click.option("--slots", metavar="1-4,7", help="The slots whose cubes may be used.")
@bear_option
@click.option("--release", "released", metavar="SLICE", help="Release this slice.")
@click.option("--kind", type=click.Choice(KINDS), help="Any other kind of ticket, with --wish.")
@click.option(
    "--wish", "wish_file", metavar="FILE", help="What it asks for, as JSON; - is standard input."
)
@click.option("--title", help="What it is called; made of what it does by default.")
@click.option("--reason", help="Why it is wanted.")
@click.option("--submit", is_flag=True, help="Ask for approval at once.")
@json_option
def ask(
    server: "Server",
    pod: str,
    shape: str | None,
    twisted: bool,
    name: str | None,
    slots: str | None,
    bear: int,
    released: str | None,
    kind: str | None,
    wish_file: str | None,
    title: str | None,
    reason: str | None,
    submit: bool,
    as_json: bool,
) -> None:
    """Ask for a slice, for its release, or for any other change.

    Exits 1 when it cannot be as things are.
    """
    from fabric_twin.remote.pods import find_pod
    from fabric_twin.remote.tickets import ask as ask_there

    if sum(map(bool, (shape, released, kind))) != 1:
        raise click.UsageError("Give one of --shape, --release and --kind.")
    if bear and not shape:
        raise click.UsageError("--bear is of --shape; for maintenance, write it in --wish.")
    wish: Mapping[str, Any]
    if shape:
        facts = {"shape": shape, "twisted": twisted, "name": name, "slots": slots, "bear": bear}
        kind, wish = "slice", {key: value for key, value in facts.items() if value}
    elif released:
        kind, wish = "release", {"slice": released}
    else:
        wish = _read_wish(wish_file)
    terms = {key: text for key, text in {"title": title, "reason": reason}.items() if text}
    server.need_app("ticket")
    made = ask_there(find_pod(server, pod), str(kind), wish, submit=submit, **terms)
    TICKETS.write(made, as_json=as_json)


@ticket.command()
@server_options
@click.argument("name")
@click.option(
    "--until",
    type=click.Choice(STATES),
    multiple=True,
    help="Stop there too; may be given again. Done, undone, withdrawn and failed always end it.",
)
@click.option(
    "--wait",
    type=click.FloatRange(1, 604_800),
    default=3600.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to follow it.",
)
@json_option
@click.pass_context
def follow(
    ctx: click.Context,
    server: "Server",
    name: str,
    until: tuple[str, ...],
    wait: float,
    as_json: bool,
) -> None:
    """Follow a ticket to its end, with a line for all that is done and said.

    Exits 0 when it is done, or where --until asked; 1 when it ended otherwise, 3 when it did not
    in the time.
    """
    from fabric_twin.remote.tickets import follow as follow_there

    found = follow_there(TICKETS.find(server, name), until, wait, _tell)
    TICKETS.write(found, as_json=as_json)
    ctx.exit(0 if found.state in {"done", *until} else 1)


#: What is given with what is done, where it is not only said.
GIVEN = {
    "schedule": (
        click.option(
            "--start", metavar="TIME", help="Not before this; by default as soon as possible."
        ),
        click.option("--end", metavar="TIME", help="No stage begins after this."),
    ),
    "start": (),
    "confirm-drained": (
        click.option(
            "--slice",
            "slices",
            multiple=True,
            help="This one runs nothing, or can bear it; may be given again.",
        ),
        SAID,
    ),
    "confirm-links-drained": (
        click.option("--stage", type=click.IntRange(1), required=True, help="The one that waits."),
        click.option("--back", is_flag=True, help="It waits on the way back."),
        SAID,
    ),
}


def as_object(found: "RemoteTicket") -> dict[str, Any]:
    """A ticket for programs."""
    from fabric_twin.remote.records import plain

    facts = found.facts
    plainly = {key: plain(facts[key]) for key in ("kind", "state", "risk")}
    same = ("title", "reason", "message", "window_start", "window_end", "started", "ended")
    return {
        "version": 1,
        "id": facts["id"],
        "name": found.name,
        **plainly,
        **{key: facts[key] for key in same},
        "slices": facts["blast"].get("slices", []),
        "url": facts["url"],
    }


def line(found: "RemoteTicket") -> str:
    """A ticket for people."""
    facts = as_object(found)
    message = f": {facts['message']}" if facts["message"] else ""
    return f"{facts['name']}  {facts['state']}  {facts['risk']} risk  {facts['title']}{message}"


def _tell(event: Mapping[str, Any]) -> None:
    who = event["who"]
    name = who["username"] if isinstance(who, dict) and "username" in who else ""
    at = str(event["at"])[:19].replace("T", " ")
    said = f": {event['said']}" if event["said"] else ""
    click.echo(f"{at}  {f'{name} ' * bool(name)}{event['what']}{said}", err=True)


def _read_wish(path: str | None) -> Mapping[str, Any]:
    """The wish of a file; without one there is nothing more to say."""
    from fabric_twin.inventory.json_files import read_object

    if path is None:
        return {}
    return read_object(*read_file(path), '{"shape": "8x8x16"}')


def _kind() -> "type[RemoteTicket]":
    from fabric_twin.remote.tickets import RemoteTicket

    return RemoteTicket


TICKETS = Records(ticket, _kind, as_object, line)
TICKETS.add_list("tickets", "List the tickets of a pod.", STATES)
TICKETS.add_show(
    "Say how a ticket stands, or write it whole.", FORMS, "The whole ticket, in this form."
)
TICKETS.add_acts(DEEDS, GIVEN)
