"""What earlier looks left of known findings: the cables that they may be of, and what is asked."""

from dataclasses import replace

from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.pictures import Port
from fabric_twin.core.diagnosis.recorded import expected
from fabric_twin.core.findings.proof import Look, suspects


def suspected(case: Case) -> list[frozenset[int]]:
    """By finding that is not mended, the oldest first: its cables, by their first strands.

    Last come the cables that were only beside those, where all of these are seen well by now: then
    one of the others was to blame.
    """
    right = (case.heard >= 0) & (case.heard == expected(case, case.home))
    blamed, beside = [], []
    for proof in case.pictures.known:
        mine = case.cables_at(suspects(proof))
        if all(right[strand : strand + case.strands].all() for strand in mine):
            beside.append(case.cables_at(suspects(proof, Look.BESIDE)))
        else:
            blamed.append(mine)
    return [cables for cables in (*blamed, *beside) if cables]


#: Looks that ask for both ends of a path, as light does not tell them apart.
_OF_BOTH_ENDS = frozenset(
    {
        *(Look.BESIDE, Look.LOSS, Look.REFLECTION, Look.BER, Look.AIM),
        *(Look.AS_BEFORE, Look.SENT_BEFORE, Look.AIM_BEFORE),
    }
)


def spare_test_partners(case: Case) -> None:
    """Ask of no finding that the idle ports are seen well to which a light test joined it.

    Such a port is there to show what is at the other one, of which a finding was known before.
    Once its circuit is gone, nobody sees it any more: a mended fault would wait for it.
    """
    idle = _test_partners(case)
    for number, finding in enumerate(case.findings):
        asked = tuple(
            one
            for one in finding.looks
            if one.look not in _OF_BOTH_ENDS or (one.device, one.port) not in idle
        )
        if asked and len(asked) < len(finding.looks):
            case.findings[number] = replace(finding, looks=asked)


def _test_partners(case: Case) -> set[Port]:
    """What is at test ports of which nothing was known, across from those that were asked about."""
    known = {(one.device, one.port) for proof in case.pictures.known for one in proof}
    found = set[Port]()
    for ends in zip(*(end.tolist() for end in case.ends(case.pictures.tested)), strict=True):
        one, other = (_at(case, end) for end in ends)
        if bool(one & known) is not bool(other & known):
            found |= other if one & known else one
    return found


def _at(case: Case, port: int) -> set[Port]:
    """A port of a switch and the cube port across its cable, as looks name them."""
    strand = int(case.plant.mate[port])
    return {case.plug(port), case.mirror(port), *([case.plug(strand)] if strand >= 0 else [])}
