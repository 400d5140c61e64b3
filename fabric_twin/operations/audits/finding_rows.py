"""A finding as a run found it, ready to be written; and back again, for drawings and reports."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, ClassVar
from uuid import UUID

from fabric_twin.core.audit import Finding, Report
from fabric_twin.core.audit.places import Stray
from fabric_twin.core.audit.remedy import Step, contract
from fabric_twin.core.fabric.plant import End
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.models import AuditRun
from fabric_twin.models import Finding as FindingRow
from fabric_twin.models.finding import FindingStateChoices, SeverityChoices

#: Wrong cables of one finding that are kept to be drawn; its remedy and its places have all.
MOST_STRAYS = 200


@dataclass(frozen=True)
class Found:
    """What is written of one finding."""

    finding: Finding
    #: The slices that lack links by it, by name.
    owners: tuple[str, ...] = ()
    #: Only the fabric can show that it is mended.
    observed: bool = False
    #: What was to be seen before, and is still, of the finding that tells of it.
    left: tuple[Proof, ...] = ()

    @property
    def key(self) -> str:
        """The same from run to run for the same fault."""
        return self.finding.id

    @cached_property
    def columns(self) -> dict[str, Any]:
        """The columns of its row."""
        finding = self.finding
        return {
            "code": finding.code,
            "severity": finding.severity,
            "cause": finding.cause,
            "observed": self.observed,
            "strays": [_as_list(stray) for stray in finding.strays[:MOST_STRAYS]],
            "evidence_now": dict(finding.evidence),
            "remedy": [step.placed() | {"text": str(step)} for step in finding.remedy],
            "proof": as_rows(self.left or finding.proof),
        }

    def told_by(self, key: str, left: Sequence[Proof]) -> "Found":
        """The same, as the finding that tells of it."""
        return replace(self, finding=replace(self.finding, id=key), left=tuple(left))

    @cached_property
    def digest(self) -> str:
        """The same for the same facts: what did not change is not written again."""
        facts = [self.columns, self.finding.cables, self.finding.ports, self.owners]
        return blake2b(json.dumps(facts, default=str).encode(), digest_size=16).hexdigest()


def _as_list(stray: Stray) -> list[Any]:
    return [stray.cable, stray.stays, stray.stands, stray.wanted]


def as_rows(proof: Iterable[Proof]) -> list[list[str]]:
    """A proof as it is kept."""
    return [[one.look.value, one.device, one.port] for one in proof]


def proof_of(rows: Iterable[Sequence[str]]) -> tuple[Proof, ...]:
    """A proof as it was kept."""
    return tuple(Proof(Look(look), device, port) for look, device, port in rows)


def known_proofs(pod: UUID) -> list[tuple[Proof, ...]]:
    """By finding that is not mended, the oldest first: what is left to be seen of it."""
    rows = FindingRow.objects.filter(pod=pod).exclude(state=FindingStateChoices.MENDED)
    proofs = rows.order_by("first_seen", "key").values_list("proof", flat=True)
    return [proof_of(proof) for proof in proofs]


@dataclass(frozen=True)
class WrittenStep(Step):
    """A step of a remedy as it was written down."""

    do: ClassVar[str] = "written"
    facts: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The step as the contract has it."""
        return contract(self.facts)

    def placed(self) -> dict[str, Any]:
        """The same, with where a plug is that comes out."""
        return {key: value for key, value in self.facts.items() if key != "text"}

    def __str__(self) -> str:
        return str(self.facts.get("text", ""))


def finding_of(row: FindingRow, places: Sequence[tuple[str, str, str]] = ()) -> Finding:
    """A finding as the core knows it; `places` are devices, ports and cables by name."""
    ends = tuple((device, port) for device, port, cable in places if not cable)
    strays = tuple(
        Stray(cable, (stays[0], stays[1]), _end(stands), _end(wanted))
        for cable, stays, stands, wanted in row.strays
    )
    named = {stray.cable for stray in strays}
    return Finding(
        id=row.key,
        code=row.code,
        cause=row.cause,
        strays=strays,
        remedy=tuple(WrittenStep(step) for step in row.remedy),
        concerned=tuple(cable for _, _, cable in places if cable and cable not in named),
        places=ends,
        evidence=row.evidence_now,
        owners=(),
        harmless=row.severity == SeverityChoices.WARNING,
    )


def _end(written: Sequence[str] | None) -> End | None:
    return None if written is None else (written[0], written[1])


def report_of(run: AuditRun, findings: Sequence[Finding], *, hidden: bool) -> Report:
    """What a run found and what it could not see, as the core says it."""
    return Report(
        run.pod.name,
        run.pod.design,
        run.cables,
        run.expected,
        tuple(one for one in findings if not one.last_seen),
        unseen=tuple(one for one in findings if one.last_seen),
        hidden=hidden,
        places=run.places,
        light_only=run.light,
        not_answered=tuple(sorted(run.not_reached)),
    )
