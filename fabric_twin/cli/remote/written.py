"""Records of a server as a command writes them: a line for people, an object for programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fabric_twin.cli.files import write_json, writing
from fabric_twin.cli.messages import warn

if TYPE_CHECKING:
    from fabric_twin.remote.jobs import Done


def write_record(facts: dict[str, Any], line: str, *, as_json: bool) -> None:
    """One record."""
    with writing("-") as out:
        if as_json:
            write_json(facts, out)
        else:
            out.write(f"{line}\n")


def write_records(
    pod: str, kind: str, rows: Sequence[tuple[dict[str, Any], str]], *, as_json: bool
) -> None:
    """The records of a pod, each as an object and as a line."""
    with writing("-") as out:
        if as_json:
            shown = {"version": 1, "pod": pod, kind: [facts for facts, _ in rows]}
            write_json(shown, out)
        else:
            out.writelines(f"{line}\n" for _, line in rows)


def write_done(
    pod: str,
    done: "Done",
    *,
    as_json: bool,
    dry_run: bool | None = None,
    **more: Any,
) -> None:
    """What a job said when it was done; what is odd goes to standard error, too."""
    warn(done.warnings)
    with writing("-") as out:
        if as_json:
            write_json({**done.as_json(pod, dry_run=dry_run), **more}, out)
        else:
            out.writelines(f"{line}\n" for line in done.lines)
