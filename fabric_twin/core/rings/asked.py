"""A job as people ask for it, in words: `150` in a sequence, `2x3` groups, `layer=row-1`."""

import re
from collections.abc import Sequence

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.rings.job import Axis, Form
from fabric_twin.core.rings.plane import Plane, parse_planes
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wish import Wish

_SHAPE = re.compile(r"(\d{1,3})x(\d{1,3})", re.ASCII)
#: More is no number of processors.
MOST_PROCESSORS = 10**9
LONGEST_NAME = 255


def wish_of(
    state: State,
    name: str,
    *,
    processors: int | None = None,
    sequence: int | None = None,
    shape: str | None = None,
    axes: Sequence[str] = (),
    both_ways: bool = False,
    groups: tuple[int, ...] = (),
    where: str = "",
) -> Wish:
    """The wish that some words stand for; one of processors, sequence and shape is given.

    `where` is what comes before the name of a word in a refusal: `--` on the command line.
    """
    if sum(given is not None for given in (processors, sequence, shape)) != 1:
        raise UnusableInput(
            "a job is small, a sequence or a shape",
            where=f"job {name[:40]}",
            remedy=f"Give one of {where}processors, {where}sequence and {where}shape",
        )
    form = Form.SMALL if processors else Form.SEQUENCE if sequence else Form.RECTANGLE
    rows, columns = _sides(shape, f"{where}shape") if shape is not None else (0, 0)
    many = processors or sequence or 0
    if shape is None and not 1 <= many <= MOST_PROCESSORS:
        word = "processors" if sequence is None else "sequence"
        raise UnusableInput(
            f"{many} is no number of processors",
            where=f"{where}{word}",
            remedy=f"Give 1 to {MOST_PROCESSORS:,}",
        )
    called = check_job_name(name, "the name", f"{where}job" if where else "name")
    named = _axes(state, form, axes, f"{where}axis" if where else "axes")
    return Wish(called, form, many, rows, columns, named, both_ways, groups)


def check_job_name(text: str, what: str, where: str) -> str:
    """The name of a job or an axis, or a refusal of one that could not be shown."""
    if not (0 < len(text) <= LONGEST_NAME and text.isprintable() and text == text.strip()):
        raise UnusableInput(
            f"{what} {text[:40]!r} is empty, too long, or cannot be printed",
            where=where,
            remedy=f"Use 1 to {LONGEST_NAME} characters that can be printed, none of them a space "
            "at an end",
        )
    return text


def _sides(text: str, where: str) -> tuple[int, int]:
    match = _SHAPE.fullmatch(text)
    if not match:
        raise UnusableInput(
            f"{text[:40]!r} is no shape", where=where, remedy="Write rows by columns, like 2x3"
        )
    return int(match[1]), int(match[2])


def _axes(state: State, form: Form, given: Sequence[str], where: str) -> tuple[Axis, ...]:
    """The axes that are named; by default one for each dimension that the job has."""
    cluster = state.wiring.cluster
    if not given and form is not Form.SMALL:
        many = cluster.dimensions if form is Form.RECTANGLE else 1
        given = ("row=row", "col=col")[:many]
    found: dict[str, tuple[Plane, ...]] = {}
    for text in given:
        name, equals, planes = text.partition("=")
        if not (name and equals):
            raise UnusableInput(
                f"{text[:40]!r} is no axis", where=where, remedy="Write one like layer=row"
            )
        called = check_job_name(name, "the name", where)
        found[called] = (*found.get(called, ()), *parse_planes(planes, cluster, where))
    return tuple(Axis(called, planes) for called, planes in found.items())
