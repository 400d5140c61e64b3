"""A plan as text: who is interrupted comes first."""

from collections.abc import Callable, Iterable
from typing import TextIO

from fabric_twin.core.circuits.plans import Plan, Stage

#: Circuits of one stage, and owners of one line, shown to a person; programs get all.
CIRCUITS_IN_TEXT, OWNERS_IN_TEXT = 4, 8

Style = Callable[..., str]


def write_text(pod: str, design: str, plan: Plan, out: TextIO, style: Style) -> None:
    """For a terminal."""
    keep, remove, add = (f"{len(part):,}" for part in (plan.keep, plan.remove, plan.add))
    change = f"circuits: keep {keep}, remove {remove}, add {add}"
    out.write(f"{style(f'Pod {pod}', bold=True)} ({design}), {change}.\n")
    out.write(style(_interrupted(plan), fg="yellow" if plan.remove else "green", bold=True) + "\n")
    if plan.untouched_owners:
        out.write(f"Untouched: {some(plan.untouched_owners)}.\n")
    if plan.passed_on:
        out.write(f"Changed only in the record, without losing light: {len(plan.passed_on):,}.\n")
    if plan.stages:
        size = len(plan.remove) + len(plan.add)
        out.write(f"Changes: {size:,}; no plan makes fewer than {plan.lower_bound:,}.\n")
    write_stages(plan, out, style)


def write_stages(plan: Plan, out: TextIO, style: Style) -> None:
    """What goes and what comes, stage by stage."""
    for number, stage in enumerate(plan.stages, 1):
        of = f"Stage {number} of {len(plan.stages)}"
        out.write(f"\n{style(of, bold=True)}: {_what(stage)}.\n")
        for sign, circuits in (("-", stage.remove), ("+", stage.add)):
            out.writelines(f"   {sign} {circuit}\n" for circuit in circuits[:CIRCUITS_IN_TEXT])
            if (more := len(circuits) - CIRCUITS_IN_TEXT) > 0:
                out.write(f"   {sign} and {more:,} more: --json has them all\n")
    if plan.stages:
        out.write("\nTo undo: the stages in reverse, - and + exchanged.\n")


def _interrupted(plan: Plan) -> str:
    if not plan.stages:
        return "Nothing to do: what is wanted is there."
    if not plan.remove:
        return "Interrupted: nobody."
    losses = [
        f"{owner or 'circuits without an owner'} (loses {lost:,}, gains {gained:,})"
        for owner, (lost, gained) in plan.interrupted.items()
    ]
    return f"Interrupted: {some(losses)}."


def _what(stage: Stage) -> str:
    switches = len({circuit.switch for circuit in (*stage.remove, *stage.add)})
    where = f"on {switches:,} switch{'es' * (switches != 1)}"
    if not stage.remove:
        return f"add {len(stage.add):,} {where}, on free ports"
    if not stage.add:
        return f"remove {len(stage.remove):,} {where}, whose ports no other circuit needs"
    return f"remove {len(stage.remove):,} and add {len(stage.add):,} in their place {where}"


def some(names: Iterable[str]) -> str:
    """The first of some names, and how many more there are."""
    listed = list(names)
    more = len(listed) - OWNERS_IN_TEXT
    shown = ", ".join(listed[:OWNERS_IN_TEXT])
    return f"{shown} and {more:,} more" if more > 0 else shown
