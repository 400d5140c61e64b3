"""`fabric-twin discover`."""

import contextlib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from fabric_twin.cli.files import read_file, refuse_overwriting, write_json, writing
from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import json_option, pod_options, which_design
from fabric_twin.cli.stopping import stopping
from fabric_twin.core.discovery import MOST_ROUNDS
from fabric_twin.core.discovery.report import Report
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.kinds import Verb
from fabric_twin.core.slots import parse_slots
from fabric_twin.documents.audits.discovery_report import write_text
from fabric_twin.inventory.addresses import Address, check_address, read_addresses
from fabric_twin.inventory.journal import Journal
from fabric_twin.inventory.observed_sheet import write_observed_sheet
from fabric_twin.services.discovery.discover import Stopped
from fabric_twin.services.discovery.discover import discover as discover_cables
from fabric_twin.services.discovery.restore import restore
from fabric_twin.switches.driver import DEFAULT_DRIVER, Access, Target
from fabric_twin.switches.fabric import open_fabric, shared_targets


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin discover --design ironwood --pod iw1 --target gateway:9339 -o seen.csv\n"
    "  fabric-twin audit seen.csv --design ironwood --pod iw1\n"
    "  fabric-twin discover --design ironwood --pod iw1 --targets addresses.csv -o seen.csv\n"
    "  fabric-twin discover --design ironwood --pod iw1 --target gateway:9339 --restore"
)
@pod_options
@click.option("--target", metavar="HOST:PORT", help="Where switches and cubes answer.")
@click.option(
    "--targets",
    metavar="FILE",
    help="Addresses of devices that have their own: CSV with device and address.",
)
@click.option("--insecure", is_flag=True, help="Without TLS; only on this machine.")
@click.option(
    "--in-service/--interrupt",
    "in_service",
    default=True,
    help="Leave circuits that are there alone (the default), or take them down and put them back.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 10_000),
    default=MOST_ROUNDS,
    show_default=True,
    metavar="N",
    help="The most rounds.",
)
@click.option(
    "--settle",
    type=click.FloatRange(0, 600),
    default=0.0,
    metavar="SECONDS",
    help="How long to wait before neighbours are read: the time they take to announce themselves.",
)
@click.option("--journal", metavar="FILE", help="Where to note the circuits to take back.")
@click.option("--restore", "only_restore", is_flag=True, help="Only take back what was noted.")
@json_option
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="The cut sheet; - is standard output."
)
@click.pass_context
def discover(
    ctx: click.Context,
    design: str,
    pod: str,
    slots: str | None,
    target: str | None,
    targets: str | None,
    insecure: bool,
    in_service: bool,
    rounds: int,
    settle: float,
    journal: str | None,
    only_restore: bool,
    as_json: bool,
    output: str,
) -> None:
    """Learn by light which cable is in which port, and leave all circuits as they were.

    In a static plant, cubes say whom each port hears, and in a cluster groups and switches do.
    Nothing is switched there: --interrupt, --rounds, --settle and --journal change nothing.

    Writes a cut sheet for `audit`. With --json the report is standard output, and the sheet is
    written only with --output.

    Exits 0 when every cable was found, 1 when light or neighbours did not tell of some, 3 when the
    fabric or a part of it did not answer.
    """
    kind = which_design(design, Verb.DISCOVER)
    if only_restore:
        kind.check_can(Verb.TAKE_BACK)
    names = kind.names(pod)
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    notes = Journal(Path(journal) if journal else _journal_of(pod))
    refuse_overwriting(output, str(notes), targets)
    known = _Known.of(target, targets)
    switches = known.find(names.switches)
    cubes = known.find(
        map(names.cube, chosen or range(1, kind.slots + 1)), all_of_them=chosen is not None
    )
    if kind.medium is Medium.PACKET:
        switches, cubes = [], [*cubes, *switches]
    access = Access.from_environment(insecure=insecure)
    # gRPC's messages are for its developers; ours say what went wrong.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    with stopping() as stop, open_fabric(switches, cubes, access) as fabric:
        if only_restore:
            _say_restored(restore(pod, fabric, notes))
            return
        try:
            with progress(len(kind.layout.cable_a)) as advance:
                report = discover_cables(
                    kind,
                    pod,
                    fabric,
                    notes,
                    slots=chosen,
                    interrupt=not in_service,
                    settle=settle,
                    most_rounds=rounds,
                    stopped=lambda: bool(stop),
                    progress=advance,
                )
        except Stopped as end:
            click.echo(f"fabric-twin: {end}", err=True)
            ctx.exit(128 + stop.signal)
    _write(report, output, as_json=as_json)
    ctx.exit(3 if report.unanswered else 0 if report.is_complete else 1)


@dataclass(frozen=True)
class _Known:
    """Where devices answer: at addresses of their own, or all others behind a shared one."""

    shared: str | None
    own: Mapping[str, Address]
    source: str

    @classmethod
    def of(cls, target: str | None, targets: str | None) -> "_Known":
        """From the options."""
        if target is None and targets is None:
            raise click.UsageError("Give --target HOST:PORT, or --targets FILE.")
        if target is not None:
            check_address(target, "--target")
        if targets is None:
            return cls(target, {}, "")
        data, source = read_file(targets)
        return cls(target, read_addresses(data, source), source)

    def find(self, devices: Iterable[str], *, all_of_them: bool = True) -> list[Target]:
        """The targets of some devices; those that need not be there may have no address."""
        found: list[Target] = []
        for device in devices:
            if own := self.own.get(device):
                driver = own.driver or DEFAULT_DRIVER
                found.append(Target(device, own.address, called=own.target, driver=driver))
            elif self.shared is not None:
                found += shared_targets(self.shared, [device])
            elif all_of_them:
                raise UnusableInput(
                    f"it has no address of {device}",
                    where=self.source,
                    remedy="Add it, or say with --target where all others answer",
                )
        return found


def _write(report: Report, output: str, *, as_json: bool) -> None:
    if not as_json or output != "-":
        with writing(output) as out:
            write_observed_sheet(report, out)
    if as_json:
        with writing("-") as out:
            write_json(report.as_json(), out)
    elif sys.stderr is not None:
        with contextlib.suppress(BrokenPipeError):
            write_text(report, sys.stderr)


def _say_restored(count: int) -> None:
    words = f"{count:,} circuits were taken back" if count else "there is nothing to take back"
    click.echo(f"fabric-twin: {words}.", err=True)


def _journal_of(pod: str) -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "fabric-twin" / f"discover-{pod}.json"
