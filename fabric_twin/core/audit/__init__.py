"""The audit of cabling: what is recorded against what is intended, by physical cause.

compare        wrong cables and unmet pairs                      (columns)
  -> repairs   those that hang together, mended with fewest ends (graph)
  -> mistakes  repairs that one physical mistake made necessary  (runs and bundles)
  -> findings  called by name, worded, with a remedy in order
"""

from collections.abc import Callable

from fabric_twin.core.audit.differences import compare
from fabric_twin.core.audit.findings import Finding, Report, finding_id
from fabric_twin.core.audit.kinds import Kinds
from fabric_twin.core.audit.mistakes import mistakes
from fabric_twin.core.audit.places import Places, Stray
from fabric_twin.core.audit.remedy import Flip, remedy
from fabric_twin.core.audit.repair import repairs
from fabric_twin.core.audit.wording import cause
from fabric_twin.core.cabling.plant import Intended, Recorded
from fabric_twin.core.cabling.strand_plant import part_strands

__all__ = ["Finding", "Report", "audit_cabling"]


def audit_cabling(
    intended: Intended, recorded: Recorded, progress: Callable[[int], None] = lambda _: None
) -> Report:
    """Explain every difference between the two plants, each in exactly one finding.

    `progress` is told how many findings are explained so far.
    """
    expected, cables = len(intended.a), len(recorded.a)
    if recorded.loose:
        intended, recorded, by_strand, strands = part_strands(intended, recorded)
        cables = len(recorded.a) + (len(strands.a) + 1) // 2
        findings = _explained(intended, recorded, progress)
        findings += _explained(by_strand, strands, progress)
    else:
        findings = _explained(intended, recorded, progress)
    findings.sort(key=lambda finding: finding.urgency)
    return Report(intended.pod, intended.design.name, cables, expected, tuple(findings))


def _explained(
    intended: Intended, recorded: Recorded, progress: Callable[[int], None]
) -> list[Finding]:
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
