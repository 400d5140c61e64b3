"""What somebody confirms before circuits go; the plan decides what.

train      is interrupted    it runs nothing                    before the ticket begins
job-a      bears it          its job can go on with fewer       before the ticket begins
stage 2    in a network      its links carry nothing            before the stage begins
"""

from collections.abc import Iterable, Mapping
from typing import Any

from fabric_twin.core.circuits.plans import Stage
from fabric_twin.core.tickets.called import called
from fabric_twin.core.tickets.course import Position
from fabric_twin.core.tickets.words import some

Plan = Mapping[str, Any]
GOES_ON = "can go on with fewer circuits"


def bears(name: str, plan: Plan) -> bool:
    """Whether a slice stays and does without what goes: its job need not end."""
    return any(one["name"] == name for one in plan.get("bears", ()))


def labels(names: Iterable[str], plan: Plan) -> dict[str, str]:
    """What a box, or a row, says of each slice; its name alone where it runs nothing."""
    return {name: f"{name}: its job {GOES_ON}" if bears(name, plan) else name for name in names}


def confirmed(name: str, plan: Plan) -> str:
    """What a history says once it is confirmed."""
    return f"the job of {name} {GOES_ON}" if bears(name, plan) else f"{name} is drained"


def unconfirmed(names: Iterable[str], plan: Plan) -> str:
    """What nobody confirmed, with the first name of each kind."""
    stopped, going_on = _parted(names, plan)
    said = [f"{called(plan).slice} {_first(stopped)} is drained"] if stopped else []
    said += [f"the job of slice {_first(going_on)} {GOES_ON}"] if going_on else []
    return _joined(said)


def in_numbers(names: Iterable[str], plan: Plan) -> str:
    """How many slices it is to be confirmed of."""
    stopped, going_on = map(len, _parted(names, plan))
    run = "s run" if stopped != 1 else " runs"
    said = [f"{stopped:,} {called(plan).slice}{run} nothing"] if stopped else []
    many = "the jobs of" if going_on != 1 else "the job of"
    said += [f"{many} {going_on:,} slice{'s' * (going_on != 1)} {GOES_ON}"] if going_on else []
    return _joined(said)


def by_name(names: Iterable[str], plan: Plan) -> str:
    """Of which slices it is to be confirmed."""
    stopped, going_on = _parted(names, plan)
    run = "run" if len(stopped) > 1 else "runs"
    said = [f"{some(stopped)} {run} nothing"] if stopped else []
    many = "the jobs of" if len(going_on) > 1 else "the job of"
    said += [f"{many} {some(going_on)} {GOES_ON}"] if going_on else []
    return _joined(said)


def none_named(names: Iterable[str], plan: Plan) -> str:
    """The refusal of a confirmation that names no slice."""
    stopped, going_on = _parted(names, plan)
    said = ["that runs nothing"] if stopped or not going_on else []
    said += [f"whose job {GOES_ON}"] if going_on else []
    return f"no {called(plan).slice} is named {' or '.join(said)}"


def told(names: Iterable[str], plan: Plan) -> str:
    """What the act means for this ticket, in a sentence."""
    stopped, going_on = _parted(names, plan)
    if not going_on:
        return f"The {called(plan).slice}s that it interrupts run nothing."
    if not stopped:
        return f"The jobs of the slices that bear it {GOES_ON}."
    return f"The slices that it interrupts run nothing; the jobs of those that bear it {GOES_ON}."


def awaits_drain(position: Position, stage: Stage, *, drained: bool, carries: bool) -> bool:
    """Whether a stage waits until links carry nothing, for who routes over them.

    `drained`: that was confirmed for this very step. `carries`: what the stage brought was found
    good, and so may carry traffic; on the way back nothing else has to be drained.
    """
    if position.tries or drained:
        return False
    return bool(stage.add) and carries if position.is_back else bool(stage.remove)


def _parted(names: Iterable[str], plan: Plan) -> tuple[list[str], list[str]]:
    """Those that have to run nothing, and those whose job goes on."""
    listed = list(names)
    going_on = [name for name in listed if bears(name, plan)]
    return [name for name in listed if name not in set(going_on)], going_on


def _first(names: list[str]) -> str:
    return names[0] + (f" and {len(names) - 1:,} more" if len(names) > 1 else "")


def _joined(said: list[str]) -> str:
    return ", and that ".join(said)
