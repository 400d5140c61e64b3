"""What an audit could have seen: only there is a finding mended that it did not find."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Covered:
    """What a run could have seen, so that what it did not find is mended."""

    #: Names of devices, and numbers of ports; neither is the whole pod.
    devices: frozenset[str] = frozenset()
    ports: frozenset[int] = frozenset()
    #: Switches and cubes that have one finding as a whole, such as one that refuses.
    spoken_to: frozenset[str] = frozenset()
    #: Whether the fabric was asked, and which devices of it did not answer.
    fabric: bool = False
    not_reached: frozenset[str] = frozenset()
    #: Codes that were not looked for.
    left_out: frozenset[str] = frozenset()

    @property
    def everything(self) -> bool:
        """Whether it is all of the pod."""
        return not (self.devices or self.ports)
