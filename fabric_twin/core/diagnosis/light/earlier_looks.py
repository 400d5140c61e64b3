"""What earlier looks left of known findings: the cables that they may be of."""

from fabric_twin.core.diagnosis.case import Case
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
