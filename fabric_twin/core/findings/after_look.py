"""After a look: which finding tells of what was found, what is mended, and what was not seen.

found                          told by the finding that has its name; or by one of the same thing
                               that was not seen well, the oldest first, each of one
known, found no more           what of its proof was seen well is crossed off
    none of it is left         mended
    all that is left of it is
    told by another finding    joined with that one, until they part
    something else is left     not seen since: open

Of a fault that may be of several cables, each look may clear some: they stay cleared, and have to
be seen well all the same.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fabric_twin.core.findings.proof import Look, Proof, Thing, suspects

Proofs = tuple[Proof, ...]
Spot = tuple[Thing, str]


@dataclass(frozen=True)
class Seen:
    """A fault as a look found it; its id names the fact, and not yet the finding."""

    id: str
    proof: Proofs


@dataclass(frozen=True)
class Known:
    """A finding that is not mended; `proof` is what is left to be shown."""

    id: str
    proof: Proofs
    #: The finding that it was joined with.
    joined: str = ""


@dataclass
class AfterLook:
    """What becomes of findings by a look."""

    #: By the id of what was found: the id of the finding that tells of it.
    told_by: dict[str, str] = field(default_factory=dict)
    #: By the id of a finding that is not mended: what would show that it is gone.
    proof: dict[str, Proofs] = field(default_factory=dict)
    mended: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    #: By the id of a finding: the one that tells of its fault, seen or not.
    joined: dict[str, str] = field(default_factory=dict)


def after_look(
    found: Sequence[Seen], known: Sequence[Known], is_well: Callable[[Proof], bool]
) -> AfterLook:
    """Tell what becomes of findings; `known` are those that are not mended, the oldest first."""
    after = AfterLook({one.id: one.id for one in found})
    left = {one.id: tuple(p for p in one.proof if not is_well(p)) for one in known}
    told = _told_by(found, [one for one in known if left[one.id]], known)
    after.told_by |= {seen: finding for finding, seen in told.items()}
    by_id = {one.id: one for one in found}
    there = {one.id for one in known}
    new = [one for one in found if after.told_by[one.id] not in there]
    spots = {spot for one in new for spot in _spots(one.proof)}
    after.proof = {one.id: one.proof for one in found if after.told_by[one.id] == one.id}
    for one in known:
        if one.id in told:
            mine = by_id[told[one.id]].proof
            # What a new finding tells of is no more of this one: they have parted.
            others = spots - _spots(mine)
            more = [p for p in left[one.id] if p.look is not Look.PLACE and _spot(p) not in others]
            after.proof[one.id] = _with_look(one.proof, more, mine)
        elif left[one.id]:
            after.proof[one.id] = left[one.id]
            after.unseen.append(one.id)
        else:
            after.mended.append(one.id)
    after.joined = _joined(found, [one for one in known if one.id in after.unseen], after)
    after.unseen = [one for one in after.unseen if one not in after.joined]
    return after


def _with_look(was: Proofs, left: Sequence[Proof], seen: Proofs) -> Proofs:
    """What is left of a finding, with what the look that found it again adds.

    Where the look tells which of its cables is to blame, the others were only beside that one, and
    stay so: the same circuits again do not make them suspects again.
    """
    blamed = suspects(seen)
    if blamed and blamed <= suspects(was):
        left = [p._replace(look=Look.BESIDE) if p.look is Look.LIGHT else p for p in left]
    told = {_spot(p): p for p in seen if p.look in _OF_WHOM}
    # Its first fault stays first: by that it gets its ID back when two part.
    kept = [told.get(_spot(p), p) if p.look in _OF_WHOM else p for p in left]
    return tuple(dict.fromkeys([*kept, *seen]))


#: Looks that tell which cable is to blame, and which is not.
_OF_WHOM = (Look.LIGHT, Look.BESIDE)


def _joined(found: Sequence[Seen], left: Sequence[Known], after: AfterLook) -> dict[str, str]:
    """By finding that was not found itself: the one that tells of all that is left of it."""
    joined = {}
    tellers: dict[Spot, list[Seen]] = {}
    for seen in found:
        for spot in _spots(seen.proof):
            tellers.setdefault(spot, []).append(seen)
    for one in left:
        mine = _spots(after.proof[one.id])
        for seen in tellers.get(next(iter(mine)), ()):
            if mine <= _spots(seen.proof):
                joined[one.id] = after.told_by[seen.id]
                break
    # What nobody sees now stays joined for as long as the other is there.
    for one in left:
        there = _spots(after.proof.get(one.joined, ()))
        if one.id not in joined and _spots(after.proof[one.id]) <= there:
            joined[one.id] = joined.get(one.joined, one.joined)
    return joined


def _spots(proof: Proofs) -> set[Spot]:
    return {_spot(one) for one in proof}


def _spot(proof: Proof) -> Spot:
    """Where a finding is: each thing, and of circuits each of its own."""
    return proof.thing, proof.port


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
