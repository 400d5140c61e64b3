"""What `fabric-twin remote load` and `adopt` have in common: a pod, its place, and a file."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from fabric_twin.cli.files import read_file
from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import complete_design, is_path
from fabric_twin.cli.remote.options import filled, pod_option
from fabric_twin.cli.remote.written import write_done
from fabric_twin.core.errors import UnusableInput

if TYPE_CHECKING:
    from fabric_twin.remote.jobs import AppJob, Files
    from fabric_twin.remote.server import Server

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Place:
    """A pod by name, its kind, and where it stands; of one that is there the last two are known."""

    pod: str
    design: str | None
    location: str | None

    def told(self, server: "Server") -> dict[str, str]:
        """What a job is given of it."""
        from fabric_twin.remote.locations import find_location
        from fabric_twin.remote.pods import known_pod

        design = self.design
        location = find_location(server, self.location) if self.location else None
        if not (design and location):
            known = known_pod(server, self.pod)
            if known is None:
                raise click.UsageError(
                    f"There is no pod {self.pod}, or you may not see it: a new one needs its "
                    "--design and --location."
                )
            design, location = design or known.design, location or known.location
        return {"pod": self.pod, "design": design, "location": location}


def _of_the_server(ctx: click.Context, param: click.Parameter, given: str | None) -> str | None:
    """A design by name: the server loads by its own, and reads no file of this machine."""
    if given and is_path(given):
        raise UnusableInput(
            "the server cannot read a file of this machine",
            where="--design",
            remedy="Put it into the folder of design files of the server, and give its name",
        )
    return filled(ctx, param, given)


def place_options(command: Command) -> Command:
    """`--pod`, `--design`, `--location`; the command is given a `place`."""

    @wraps(command)
    def with_place(*, pod: str, design: str | None, location: str | None, **given: Any) -> Any:
        return command(place=Place(pod, design, location), **given)

    for option in (
        click.option(
            "--location",
            callback=filled,
            metavar="NAME",
            help="Where its racks and devices are: a location of Nautobot, by name or id.",
        ),
        click.option(
            "--design",
            callback=_of_the_server,
            metavar="NAME",
            shell_complete=complete_design,
            help="The pod's kind.",
        ),
    ):
        option(with_place)
    pod_option(with_place)
    return cast("Command", with_place)


def attached(field: str, path: str | None, largest: int) -> "Files":
    """A file for a field of a job's form; the job refuses one that is larger than it reads."""
    if path is None:
        return {}
    content, source = read_file(path, largest)
    if not content:
        raise UnusableInput(
            "it is empty",
            where=source,
            remedy="Name another file; standard input can be read for one option alone",
        )
    return {field: (PurePath(source).name, content)}


def bring_in(
    server: "Server",
    job: "AppJob",
    place: Place,
    wish: dict[str, Any],
    files: "Files",
    wait: float,
    *,
    as_json: bool,
) -> None:
    """Let a job bring a pod in, and say what it did."""
    from fabric_twin.remote.jobs import do_job

    server.need_app(str(click.get_current_context().info_name))
    given = {name: value for name, value in wish.items() if value is not None}
    with progress() as advance:
        done = do_job(server, job, place.told(server) | given, wait, advance, files)
    write_done(place.pod, done, as_json=as_json, dry_run=bool(wish["dryrun"]))
