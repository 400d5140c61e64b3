"""What joins the cables of a fabric."""

from enum import StrEnum


class Medium(StrEnum):
    """What stands between two cables that make a link."""

    #: Mirrors join a port of side A to one of side B: a circuit has both for itself.
    OPTICAL = "optical"
    #: Any port to any port, many flows at once, and both directions of a cable at full rate.
    PACKET = "packet"
    #: One sends, and all others on the ring hear it.
    RING = "ring"
    #: A cable is the link: it stays as a hand laid it.
    NONE = "none"

    @property
    def is_switched(self) -> bool:
        """Whether circuits say who is joined to whom, and can be changed without a hand."""
        return self in {Medium.OPTICAL, Medium.PACKET}
