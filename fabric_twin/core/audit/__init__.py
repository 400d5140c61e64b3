"""The audit of cabling: what is recorded against what is intended, by physical cause.

compare        wrong cables and unmet pairs                      (columns)
  -> repairs   those that hang together, mended with fewest ends (graph)
  -> mistakes  repairs that one physical mistake made necessary  (runs and bundles)
  -> findings  called by name, worded, with a remedy in order
"""

from fabric_twin.core.audit.differences import compare
from fabric_twin.core.audit.findings import Finding, Report, finding_id
from fabric_twin.core.audit.kinds import Kinds
from fabric_twin.core.audit.mistakes import mistakes
from fabric_twin.core.audit.places import Places, Stray
from fabric_twin.core.audit.remedy import Flip, remedy
from fabric_twin.core.audit.repair import repairs
from fabric_twin.core.audit.wording import cause
from fabric_twin.core.plant import Intended, Recorded

__all__ = ["Finding", "Report", "audit_cabling"]


def audit_cabling(intended: Intended, recorded: Recorded) -> Report:
    """Explain every difference between the two plants, each in exactly one finding."""
    found = compare(intended, recorded)
    places = Places(intended, recorded, found)
    findings: list[Finding] = []
    if found.wrong or found.unmet:
        kinds = Kinds(intended, recorded, found)
        for mistake in mistakes(intended, recorded, repairs(intended, recorded, found)):
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
    findings += [_crossed(row, places) for row in found.crossed]
    findings.sort(
        key=lambda finding: (finding.severity, -len(finding.strays), finding.ports, finding.id)
    )
    return Report(
        pod=intended.pod,
        design=intended.design.name,
        cables=len(recorded.a),
        expected=len(intended.a),
        findings=tuple(findings),
    )


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
