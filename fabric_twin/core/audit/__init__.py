"""The audit of cabling: what is recorded against what is intended, by physical cause.

compare        wrong cables and unmet pairs                      (columns)
  -> repairs   those that hang together, mended with fewest ends (graph)
  -> mistakes  repairs that one physical mistake made necessary  (runs and bundles)
  -> findings  called by name, worded, with a remedy in order

Its modules know any fabric (`core/fabric`). What is a pod's alone is here: strands of a fibre pair
that went different ways.
"""

from fabric_twin.core.audit.explain import Progress, audit, explain, report
from fabric_twin.core.audit.findings import Finding, Report
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import part_strands
from fabric_twin.core.fabric.plant import Recorded

__all__ = ["Finding", "Report", "audit_cabling"]


def audit_cabling(
    intended: Intended, recorded: Recorded, progress: Progress = lambda _: None
) -> Report:
    """Explain every difference between the two plants of a pod, each in exactly one finding.

    `progress` is told how many findings are explained so far.
    """
    if not recorded.loose:
        return audit(intended, recorded, progress)
    expected = len(intended.a)
    intended, recorded, by_strand, strands = part_strands(intended, recorded)
    findings = explain(intended, recorded, progress) + explain(by_strand, strands, progress)
    cables = len(recorded.a) + (len(strands.a) + 1) // 2
    return report(intended, findings, cables=cables, expected=expected)
