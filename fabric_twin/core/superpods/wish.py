"""What is wished for of a job over several pods."""

from dataclasses import dataclass

from fabric_twin.core.superpods.collective import Collective
from fabric_twin.core.superpods.rings import Multislice


@dataclass(frozen=True)
class WishedRings:
    """A job whose rings are wished for, or run."""

    multislice: Multislice
    #: Whether its rings are there: their order stays, and they keep what they ask for meanwhile.
    runs: bool = False
    collective: Collective | None = None
