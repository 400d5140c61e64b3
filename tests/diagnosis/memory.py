"""What is remembered of findings from look to look, as the database does, in the core alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.findings.after_look import AfterLook, Known, Proofs, Seen, after_look
from fabric_twin.core.findings.proof import Proof

IsWell = Callable[[Proof], bool]
Place = tuple[str, str]


@dataclass
class Remembered:
    """A finding that is not mended."""

    id: str
    #: What looks called it, since it was opened; and where the last of them found it.
    codes: frozenset[str]
    ports: tuple[Place, ...]
    #: What is left to be shown.
    proof: Proofs
    #: The look that found it first.
    since: int
    #: The finding that tells of its fault.
    joined: str = ""

    @property
    def places(self) -> set[Place]:
        """Where it is: ports as they were last found, and where somebody has to look."""
        return {*self.ports, *((proof.device, proof.port) for proof in self.proof)}


@dataclass
class Memory:
    """The findings that are not mended, the oldest first."""

    left: dict[str, Remembered] = field(default_factory=dict)
    looks: int = 0
    #: By look: what it found, by the id of the finding that tells of it.
    told: dict[str, Finding] = field(default_factory=dict)
    #: What the last look mended, and what it did not see.
    mended: list[Remembered] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def look(self, diagnosis: Diagnosis) -> None:
        """Take what a diagnosis found, and keep what comes of it."""
        self.looks += 1
        found = {self.name(finding): finding for finding in diagnosis.findings}
        known = [Known(one.id, one.proof, one.joined) for one in self.left.values()]
        seen = [Seen(name, finding.proof) for name, finding in found.items()]
        after = self.after(seen, known, self.is_well(diagnosis))
        self.told = {after.told_by[name]: finding for name, finding in found.items()}
        self.mended = [self.left.pop(name) for name in after.mended]
        self.unseen = after.unseen
        for name, finding in self.told.items():
            was = self.left.get(name) or Remembered(name, frozenset(), (), (), self.looks)
            # Who is there already keeps its turn.
            self.left[name] = replace(was, codes=was.codes | {finding.code}, ports=finding.ports)
        for name, proof in after.proof.items():
            self.left[name].proof = proof
            self.left[name].joined = after.joined.get(name, "")

    @property
    def known(self) -> list[Proofs]:
        """What is left to be seen of findings, as diagnoses are told."""
        return [one.proof for one in self.left.values()]

    @property
    def open(self) -> dict[str, Remembered]:
        """The findings that are open: a fault of one that is joined is told by another."""
        return {name: one for name, one in self.left.items() if not one.joined}

    # What a planted mistake does otherwise

    def name(self, finding: Finding) -> str:
        """What a fault is called as it is found."""
        return finding.id

    def is_well(self, diagnosis: Diagnosis) -> IsWell:
        """Whether a place was seen well."""
        return diagnosis.well

    def after(self, found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
        """What becomes of findings."""
        return after_look(found, known, well)
