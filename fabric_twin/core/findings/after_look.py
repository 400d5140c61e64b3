"""After a look: which finding tells of what was found, what is mended, and what was not seen.

found                          told by the finding that has its name; or by one of the same thing
                               that was not seen well, the oldest first, each of one
known, found no more           what of its proof was seen well is crossed off
    nothing of it is left      mended
    something is left          not seen since: open
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fabric_twin.core.findings.proof import Look, Proof, Thing

Proofs = tuple[Proof, ...]


@dataclass(frozen=True)
class Seen:
    """A fault as a look found it; its id names the fact, and not yet the finding."""

    id: str
    proof: Proofs


@dataclass(frozen=True)
class Known:
    """A finding that is open; `proof` is what is left to be shown."""

    id: str
    proof: Proofs


@dataclass
class AfterLook:
    """What becomes of findings by a look."""

    #: By the id of what was found: the id of the finding that tells of it.
    told_by: dict[str, str] = field(default_factory=dict)
    #: By the id of a finding that is open after it: what would show that it is gone.
    proof: dict[str, Proofs] = field(default_factory=dict)
    mended: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)


def after_look(
    found: Sequence[Seen], known: Sequence[Known], is_well: Callable[[Proof], bool]
) -> AfterLook:
    """Tell what becomes of findings; `known` are those that are open, the oldest first."""
    after = AfterLook({one.id: one.id for one in found})
    left = {one.id: tuple(p for p in one.proof if not is_well(p)) for one in known}
    told = _told_by(found, [one for one in known if left[one.id]], known)
    after.told_by |= {seen: finding for finding, seen in told.items()}
    by_id = {one.id: one for one in found}
    after.proof = {one.id: one.proof for one in found if after.told_by[one.id] == one.id}
    for one in known:
        if one.id in told:
            more = [proof for proof in left[one.id] if proof.look is not Look.PLACE]
            # What it told of first comes first: by that it is told again when two part.
            after.proof[one.id] = tuple(dict.fromkeys([*more, *by_id[told[one.id]].proof]))
        elif left[one.id]:
            after.proof[one.id] = left[one.id]
            after.unseen.append(one.id)
        else:
            after.mended.append(one.id)
    return after


def _told_by(
    found: Sequence[Seen], there: Sequence[Known], known: Sequence[Known]
) -> dict[str, str]:
    """By finding: what of the found it tells of; by its thing only what may be still there."""
    named = {one.id for one in found} & {one.id for one in known}
    about: dict[Thing, list[str]] = {}
    for one in found:
        if one.id not in named:
            for thing in _things(one.proof):
                about.setdefault(thing, []).append(one.id)
    choices = {
        one.id: list(
            dict.fromkeys(seen for thing in _things(one.proof) for seen in about.get(thing, ()))
        )
        for one in there
        if one.id not in named
    }
    return {name: name for name in named} | _matched(choices)


def _things(proof: Proofs) -> Iterable[Thing]:
    return dict.fromkeys(one.thing for one in proof)


def _matched(choices: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Give as many as can be one of their choices, the first before the later ones."""
    taken: dict[str, str] = {}
    for first in choices:
        # A path from it to something that is free, through those that can take another.
        came: dict[str, str] = {}
        queue = [first]
        for one in queue:
            free = None
            for choice in choices[one]:
                if choice not in came:
                    came[choice] = one
                    if choice not in taken:
                        free = choice
                        break
                    queue.append(taken[choice])
            if free is not None:
                _hand_on(free, first, came, taken)
                break
    return {finding: seen for seen, finding in taken.items()}


def _hand_on(free: str, first: str, came: Mapping[str, str], taken: dict[str, str]) -> None:
    """Give what is free to who came to it, and what that had to the one before."""
    of = {finding: seen for seen, finding in taken.items()}
    while True:
        one = came[free]
        taken[free] = one
        if one == first:
            return
        free = of[one]
