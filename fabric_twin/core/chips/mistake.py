"""One mistake in a netlist, told without the ring it is on: several rings may have the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from fabric_twin.core.audit.places import some


@dataclass(frozen=True)
class Mistake:
    """What is wrong, and what that costs."""

    code: str
    said: str
    #: What it takes away.
    cost: str
    #: Endpoints and waveguides where it is.
    places: tuple[str, ...]
    #: How many parts are concerned.
    parts: int
    #: The same for programs, in full: endpoint, sender and bit of the parts.
    exactly: tuple[str, ...]
    harmless: bool = False


def places(endpoint: int | None, bits: Sequence[int] | None = None) -> tuple[str, ...]:
    """Where parts are: at an endpoint, else on the waveguides of bits."""
    return (str(endpoint),) if endpoint else tuple(f"d{bit:02d}" for bit in bits or ())


def on_waveguides(bits: Sequence[int] | None) -> str:
    """Of some bits ` on d05 and d06`; of all, nothing needs to be said."""
    return f" on {some([f'd{bit:02d}' for bit in bits], 'waveguides')}" if bits else ""


def listed(numbers: Sequence[int]) -> str:
    """A few numbers in words."""
    return some([str(number) for number in numbers])
