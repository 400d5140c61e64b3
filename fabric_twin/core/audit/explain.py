"""The audit of any fabric: what differs, explained and sorted."""

from collections.abc import Callable

from fabric_twin.core.audit.differences import compare
from fabric_twin.core.audit.findings import Finding, Report, finding_id
from fabric_twin.core.audit.kinds import Kinds
from fabric_twin.core.audit.mistakes import mistakes
from fabric_twin.core.audit.places import Places, Stray
from fabric_twin.core.audit.remedy import Flip, remedy
from fabric_twin.core.audit.repair import repairs
from fabric_twin.core.audit.wording import cause
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded

#: Is told how many findings are explained so far.
Progress = Callable[[int], None]


def audit(
    intended: IntendedPlant, recorded: Recorded, progress: Progress = lambda _: None
) -> Report:
    """Explain every difference between the two plants of a fabric, each in exactly one finding."""
    findings = explain(intended, recorded, progress)
    return report(intended, findings, cables=len(recorded.a), expected=len(intended.a))


def report(
    intended: IntendedPlant, findings: list[Finding], *, cables: int, expected: int
) -> Report:
    """Findings in order, beside what was compared."""
    findings.sort(key=lambda finding: finding.urgency)
    facts = (intended.pod, intended.design.name, cables, expected, tuple(findings))
    return Report(*facts, noun=intended.noun)


def explain(intended: IntendedPlant, recorded: Recorded, progress: Progress) -> list[Finding]:
    """Explain every difference between the two plants, in any order."""
    found = compare(intended, recorded)
    places = Places(intended, recorded, found)
    findings = [_crossed(row, places) for row in found.crossed]
    if found.wrong or found.unmet:
        kinds = Kinds(intended, recorded, found)
        for mistake in mistakes(intended, recorded, repairs(intended, recorded, found)):
            progress(len(findings))
            code, strays = kinds.of(mistake), places.strays(mistake)
            findings.append(
                Finding(
                    id=finding_id(places.faults(mistake)),
                    code=code,
                    cause=cause(code, mistake, strays, places),
                    strays=tuple(strays),
                    remedy=tuple(remedy(mistake, recorded.crossed, places)),
                )
            )
    return findings


def _crossed(row: int, places: Places) -> Finding:
    """A cable on the right ports whose strands are exchanged."""
    cable, first, second = places.cable(row), places.end(row, "a"), places.end(row, "b")
    return Finding(
        id=finding_id(["crossed " + " ".join(end) for end in (first, second)]),
        code="crossed-pair",
        cause=f"The two strands of {cable} are exchanged",
        strays=(Stray(cable, first, second, second),),
        remedy=(Flip(cable),),
    )
