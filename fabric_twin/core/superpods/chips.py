"""What a chip sends, by design: along each axis of its torus both ways, and into the network."""

from typing import NamedTuple


class ChipRates(NamedTuple):
    """In bytes a second."""

    ici_bytes_s: float
    dcn_bytes_s: float


_V4, _V5P = ChipRates(9e10, 6.25e9), ChipRates(1.8e11, 6.25e9)
_OF: dict[str, ChipRates] = {
    "tpu-v4": _V4,
    "tpu-v4-duplex": _V4,
    "tpu-v4-cwdm8": _V4,
    "tpu-v5p": _V5P,
}


def rates_of(design: str) -> ChipRates | None:
    """The rates of a design's chips; None where the sources do not say.

    >>> rates_of("tpu-v5p"), rates_of("ironwood")
    (ChipRates(ici_bytes_s=180000000000.0, dcn_bytes_s=6250000000.0), None)
    """
    return _OF.get(design)
