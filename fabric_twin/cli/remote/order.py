"""`fabric-twin remote order`: orders on a server, from the wish to the last step."""

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import click

from fabric_twin.cli.files import read_file
from fabric_twin.cli.messages import tell
from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.options import pod_option, server_options
from fabric_twin.cli.remote.records import SAID, Records
from fabric_twin.cli.remote.written import write_record
from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.orders.order import MOST_CREWS
from fabric_twin.core.orders.reports import LARGEST_PHOTO

if TYPE_CHECKING:
    from fabric_twin.remote.orders import RemoteOrder
    from fabric_twin.remote.server import Server

STATES = tuple(map(str, OrderIs))
FORMS = ("html", "pdf", "md", "csv", "json", "labels")
#: What is done with a whole order, and what that means.
DEEDS = {
    "assign": "Give an order to a person, a team, or both; or take it over.",
    "start": "Start or resume work; starts the timer.",
    "pause": "Pause work: the timer stops, its ports stay reserved.",
    "finish": "Say that no manual step is left: a test and an audit confirm the work.",
    "close": "Say that it is done, once light has verified it; audits do so by themselves.",
    "reopen": "Open it again: something is not as it should be.",
    "withdraw": "Withdraw it: its ports and findings are released.",
}
#: What is given with what is done, where it is not only said.
GIVEN = {
    "assign": (
        click.option("--to", "assignee", metavar="USER", help="This person."),
        click.option("--team", metavar="TEAM", help="This team."),
        SAID,
    )
}


@click.group(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote order make --pod iw1 --install 5-12 --crews 2\n"
    "  fabric-twin remote order make --pod dc1 --block ab05 --strands 12 --rate 400\n"
    "  fabric-twin remote order show iw1-w3 --form pdf -o iw1-w3.pdf\n"
    "  fabric-twin remote order report iw1-w3 17 --scanned iw1-c005:4.1.1/X+"
)
def order() -> None:
    """Make work orders, hand them out, and report on them; needs the App."""


@order.command()
@server_options
@pod_option
@click.option("--install", metavar="5-12", help="Slots to bring cubes into.")
@click.option("--block", metavar="NAME", help="A block to bring into a network.")
@click.option("--take-out", metavar="NAME", help="A block to take out of a network.")
@click.option("--strands", type=int, help="Uplinks of a new block.")
@click.option("--rate", "rate_gbps", type=float, help="What a strand of it carries, in Gbit/s.")
@click.option(
    "--first-port", type=int, help="The first of its ports; the lowest with room by default."
)
@click.option("--owner", help="Whose block it is.")
@click.option("--location", help="Where the block stands, if that is not where its switches are.")
@click.option(
    "--cable-m", type=float, help="Metres of its cables, if it stands in another building."
)
@click.option("--repair", is_flag=True, help="Mend findings.")
@click.option(
    "--finding",
    "findings",
    metavar="ID",
    multiple=True,
    help="Only this, with --repair; may be given again. All that are open by default.",
)
@click.option("--move", "moves", metavar="MOVES.json", help="Bring plugs to other ports.")
@click.option("--decommission", metavar="5-12", help="Slots whose cubes are taken away.")
@click.option(
    "--crews", type=int, default=1, help=f"Crews that work at the same time: 1 to {MOST_CREWS}."
)
@click.option("--title", help="What it is called; made of what it does by default.")
@click.option("--reason", help="Why it is wanted.")
@click.option("--due", metavar="TIME", help="Until then its missing cables are not reported.")
@click.option(
    "--elsewhere", metavar="NUMBER", help="Another system that tracks it, and the number there."
)
@json_option
def make(
    server: "Server",
    pod: str,
    install: str | None,
    block: str | None,
    take_out: str | None,
    strands: int | None,
    rate_gbps: float | None,
    first_port: int | None,
    owner: str | None,
    location: str | None,
    cable_m: float | None,
    repair: bool,
    findings: tuple[str, ...],
    moves: str | None,
    decommission: str | None,
    as_json: bool,
    **terms: Any,
) -> None:
    """Make a work order: cubes, a block, findings or plugs; it holds what it needs at once.

    Exits 1 when it cannot be as things are.
    """
    from fabric_twin.remote.orders import make as make_there
    from fabric_twin.remote.pods import find_pod

    of_block = {
        "strands": strands,
        "rate_gbps": rate_gbps,
        "first_port": first_port,
        "owner": owner,
        "location": location,
        "cable_m": cable_m,
    }
    known = {name: value for name, value in of_block.items() if value is not None}
    wishes: dict[str, dict[str, Any]] = {
        "install": {
            **({"slots": install} if install else {}),
            **({"block": {"name": block, **known}} if block else {}),
        },
        "repair": {"findings": list(findings)} if repair else {},
        "move": {"moves": _moves(moves)} if moves else {},
        "decommission": {
            **({"slots": decommission} if decommission else {}),
            **({"block": {"name": take_out}} if take_out else {}),
        },
    }
    chosen = [kind for kind, wish in wishes.items() if wish]
    doubled = (
        (install and block)
        or (decommission and take_out)
        or (findings and not repair)
        or (known and not block)
    )
    if len(chosen) != 1 or doubled:
        raise click.UsageError(
            "Give one of --install, --block, --repair, --move, --decommission and --take-out; "
            "--finding with "
            "--repair; --strands, --rate, --first-port, --owner, --location and --cable-m with "
            "--block."
        )
    server.need_app("order")
    given = {name: term for name, term in terms.items() if term}
    made = make_there(find_pod(server, pod), chosen[0], **wishes[chosen[0]], **given)
    ORDERS.write(made, as_json=as_json)


@order.command("next")
@server_options
@click.argument("name")
@click.option(
    "--crew", type=click.IntRange(1, MOST_CREWS), default=1, help="Whose step; 1 by default."
)
@json_option
def next_(server: "Server", name: str, crew: int, as_json: bool) -> None:
    """Let the fabric do its part, and say what a crew does next.

    Why the technician must wait, and which neighbours carry light, is said on standard error.
    """
    told = ORDERS.find(server, name).next(crew)
    step, why = told["step"], told["why"]
    for said in (why, *(f"carries light: {port}" for port in told["live"])):
        if said:
            tell(f"{said.rstrip('.')}.")
    words = f"{step['number']}  {step['words']}" if step else "no step is left"
    write_record({"version": 1, **told}, words, as_json=as_json)


@order.command()
@server_options
@click.argument("name")
@click.argument("step", type=click.IntRange(1))
@click.option("--cannot", metavar="WHY", help="It cannot be done; say why.")
@click.option("--undone", is_flag=True, help="It turned out not to be done.")
@click.option("--scanned", metavar="LABEL", default="", help="What the label said.")
@click.option("--photo", metavar="FILE", help="A picture of why it cannot be done.")
@click.option(
    "--id", "key", metavar="ID", help="Your own ID: sending the same report again changes nothing."
)
@json_option
@click.pass_context
def report(
    ctx: click.Context,
    server: "Server",
    name: str,
    step: int,
    cannot: str | None,
    undone: bool,
    scanned: str,
    photo: str | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Say that a step is done, cannot be, or turned out not to be.

    Exits 1 when it is refused, with what is meant.
    """
    if cannot and undone:
        raise click.UsageError("Give either --cannot or --undone.")
    told = "cannot" if cannot else "undone" if undone else "done"
    said = {
        "id": key or str(uuid4()),
        "step": step,
        "told": told,
        "scanned": scanned,
        "reason": cannot or "",
        "photo": _picture(photo) if photo else "",
    }
    answer = ORDERS.find(server, name).report(said)
    if answer["why"]:
        tell(answer["why"])
    again = ", as it was said before" if answer["again"] else ""
    write_record({"version": 1, **answer}, f"{step}  {answer['state']}{again}", as_json=as_json)
    ctx.exit(0 if answer["taken"] else 1)


def as_object(found: "RemoteOrder") -> dict[str, Any]:
    """An order for programs."""
    from fabric_twin.remote.records import plain

    facts = found.facts
    same = ("title", "reason", "crews", "elsewhere", "message", "due", "started", "ended", "worked")
    return {
        "version": 1,
        "id": facts["id"],
        "name": found.name,
        "kind": plain(facts["kind"]),
        "state": found.state,
        **{key: facts[key] for key in same},
        "measure": facts["measure"],
        "url": facts["url"],
    }


def line(found: "RemoteOrder") -> str:
    """An order for people."""
    facts = as_object(found)
    message = f": {facts['message']}" if facts["message"] else ""
    return f"{facts['name']}  {facts['state']}  {facts['title']}{message}"


def _moves(path: str) -> list[Mapping[str, Any]]:
    """The moves of a file, as REST takes them."""
    from dataclasses import asdict

    from fabric_twin.inventory.moves import read_moves

    return [asdict(moved) for moved in read_moves(*read_file(path))]


def _picture(path: str) -> str:
    return base64.b64encode(read_file(path, LARGEST_PHOTO)[0]).decode()


def _kind() -> "type[RemoteOrder]":
    from fabric_twin.remote.orders import RemoteOrder

    return RemoteOrder


ORDERS = Records(order, _kind, as_object, line)
ORDERS.add_list("orders", "List the work orders of a pod.", STATES)
ORDERS.add_show(
    "Say how an order stands, or write it whole.", FORMS, "The whole order, or its labels as PDF."
)
ORDERS.add_acts(DEEDS, GIVEN)
