"""Whether a switch that was found dead is dead still: light of its circuits, as its cubes hear it.

silent, and no cube hears   dead: hands may go on
silent, and a cube hears    it runs, and only its controller is silent
too few cubes answer        nobody knows
no circuit is there         its silence has to do: there is no light to lose
"""

from collections.abc import Iterable, Mapping

from fabric_twin.core.counted import counted
from fabric_twin.core.findings.dead_switch import are_enough
from fabric_twin.core.orders.steps import End


def why_not_dead(
    switch: str,
    circuits: Iterable[tuple[End, End]],
    heard: Mapping[End, End | None],
    left_over: Iterable[tuple[End, End]] = (),
) -> str:
    """Why a silent switch is not known to be dead; empty where light shows that it is.

    `circuits` are the ends of each wanted circuit at cubes, `left_over` of those that nobody wants
    and that were seen. `heard` says of each end whose cube answered whom it hears, or that it hears
    nobody. No end may hear anything, and both cubes of half of the wanted circuits, or else of
    those left over, have to answer: a cube that is down would not be heard in any case.

    >>> a, b = ("c1-t01", "1.1.1/X-"), ("c2-t01", "4.1.1/X+")
    >>> why_not_dead("x", [(a, b)], {a: None, b: None})
    ''
    >>> why_not_dead("x", [(a, b)], {a: None, b: a})
    'light passes x: c2-t01 4.1.1/X+ hears c1-t01 1.1.1/X-'
    >>> why_not_dead("x", [(a, b)], {a: None})
    'light does not show whether x runs: both cubes answer at 0 of 1 circuit, and half are needed'
    """
    wanted, others = list(circuits), list(left_over)
    for near in (end for ends in (*wanted, *others) for end in ends):
        if far := heard.get(near):
            return f"light passes {switch}: {' '.join(near)} hears {' '.join(far)}"
    count = wanted or others
    known = sum(all(end in heard for end in ends) for ends in count)
    if not count or are_enough(known, len(count)):
        return ""
    return (
        f"light does not show whether {switch} runs: both cubes answer at {known:,} of "
        f"{counted(len(count), 'circuit')}, and half are needed"
    )
