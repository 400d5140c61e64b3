"""Mistakes that a memory of findings may make, each with a history in which the law notices it."""

from collections.abc import Sequence

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.findings.after_look import AfterLook, Known, Seen, after_look
from fabric_twin.core.findings.proof import Look, Proof

from .histories import Act
from .memory import IsWell, Memory


class ClosesAsBefore(Memory):
    """A finding is mended when it is not found, and everything there answers."""

    def is_well(self, diagnosis: Diagnosis) -> IsWell:
        return lambda proof: diagnosis.well(Proof(Look.ANSWERS, proof.device))


class ById(Memory):
    """A finding tells of what has its name, and of nothing else."""

    def after(self, found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
        after = AfterLook({one.id: one.id for one in found}, {one.id: one.proof for one in found})
        rest = after_look([], [one for one in known if one.id not in after.told_by], well)
        after.proof |= rest.proof
        after.mended, after.unseen = rest.mended, rest.unseen
        return after


class IdByCode(ById):
    """All faults of one kind are one."""

    def name(self, finding: Finding) -> str:
        return finding.code


class IdByPort(ById):
    """A fault is called by the first port where it is seen."""

    def name(self, finding: Finding) -> str:
        return " ".join(finding.ports[0])


class JoinsWithoutMemory(Memory):
    """What is told with another fault by an older finding is forgotten."""

    def after(self, found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
        after = super().after(found, known, well)
        after.mended += after.joined
        after.proof = {n: left for n, left in after.proof.items() if n not in after.joined}
        after.joined = {}
        return after


class PartsWithoutMemory(Memory):
    """What was joined stays so, and tells of nothing again."""

    def after(self, found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
        after = super().after(found, [one for one in known if not one.joined], well)
        joined = [one for one in known if one.joined and one.id not in after.told_by]
        rest = after_look([], joined, well)
        after.mended += rest.mended
        after.proof |= rest.proof
        after.joined |= {one.id: one.joined for one in joined if one.id in rest.proof}
        return after


#: Cables are called by their place among those of two switches: c1 X+ is 0, c3 X- is 10. In the
#: first ring c1 X+ is joined to c2 X-, and c2 X+ to c3 X-; in the second c1 X+ to c3 X-.
PLANTED: dict[type[Memory], list[Act]] = {
    # The cable is out of the ring, and everything answers.
    ClosesAsBefore: [("broken", 0, 0, 0), ("drain", 0, 0, 0)],
    # The second is mended, and looked at with light.
    IdByCode: [("broken", 0, 0, 0), ("broken", 2, 0, 0)],
    # Its partner's port comes first, until another partner shows that it was not to blame.
    IdByPort: [("broken", 10, 0, 0), ("circuits", 2, 0, 0)],
    # Both are dark towards each other: that is one finding, until they part.
    JoinsWithoutMemory: [("broken", 0, 0, 0), ("broken", 10, 0, 0), ("circuits", 2, 0, 0)],
    # And when they part, each has another partner than at first.
    PartsWithoutMemory: [
        *(("broken", 0, 0, 0), ("broken", 10, 0, 0)),
        *(("circuits", 2, 0, 0), ("circuits", 3, 0, 0)),
    ],
}
