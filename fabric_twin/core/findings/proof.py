"""What would show that a fault is gone: one look at one place, and what it has to see there.

A finding has a proof for each place that its fault may be at. A look at another place, or with
nothing that could show the fault, proves nothing: then the finding stays open.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

#: A fault as it is told from others: what is wrong, and where.
Thing = tuple[str, str, str]


class Look(StrEnum):
    """What is looked at, by the word that is kept of it; at most 12 letters."""

    # A device
    ANSWERS = "answers"
    SHINES = "shines"
    RUNS = "runs"
    MODULES = "modules"
    IDENTITY = "identity"
    UNIT = "unit"
    TRAY = "tray"
    COPPER = "copper"
    # The mirror of a simplex port
    STEERED = "steered"
    POWERED = "powered"
    FORCED = "forced"
    AIM = "aim"
    AIM_BEFORE = "aim-before"
    # The circuits of a switch
    CIRCUIT = "circuit"
    CARRIES = "carries"
    SIBLING = "sibling"
    UNTOLD = "untold"
    #: The flow entries of a packet switch that take from a port, or send to it.
    ENTRIES = "entries"
    #: The links of two blocks of a network.
    EVEN = "even"
    # A cable, by the cube port that it begins at
    LIGHT = "light"
    #: The same of a cable that was only beside the one to blame: another look cleared it.
    BESIDE = "beside"
    LOSS = "loss"
    REFLECTION = "reflection"
    BER = "ber"
    AS_BEFORE = "as-before"
    #: What the link of a strand, or all links of a block, run at.
    RATE = "rate"
    # The module of a cube port
    SENT = "sent"
    SENT_BEFORE = "sent-before"
    PART = "part"
    SERIAL = "serial"
    # The record, and what was found before findings knew their proof
    RECORD = "record"
    PLACE = "place"


class Proof(NamedTuple):
    """A look at a place; the port is empty where the whole device is looked at."""

    look: Look
    device: str
    port: str = ""

    @property
    def thing(self) -> Thing:
        """What a fault is of: two findings of one thing tell of the same fault."""
        family = _FAMILY.get(self.look, self.look.value)
        # Circuits come and go while the same switch does wrong.
        return (family, self.device, "" if family == "circuits" else self.port)

    def told(self) -> str:
        """What has to be seen, in words."""
        return _TOLD[self.look].format(
            at=f"{self.device} port {self.port}" if self.port else self.device,
            device=self.device or f"one of the {self.port or 'devices'}",
            port=self.port,
            circuit=self.port.replace(" ", "-"),
            entries=_entries_at(self.port),
        )


def _entries_at(side: str) -> str:
    """The entries at a side of a port of a packet switch: `2A` comes in there, `2B` goes out.

    >>> _entries_at("2A"), _entries_at("2B"), _entries_at("")
    ('entries for what comes in at port 2', 'entries for what goes out at port 2', 'entries')
    """
    way = {"A": "comes in", "B": "goes out"}.get(side[-1:])
    return f"entries for what {way} at port {side[:-1]}" if way else "entries"


def told(proof: Sequence[Proof], *, is_switched: bool = True) -> list[str]:
    """What has to be seen, each once, in order; without switches no circuit is made for it."""
    said = (one.told() for one in proof)
    if not is_switched:
        said = (one.removeprefix(_FIRST).removeprefix("and ") for one in said)
    return list(dict.fromkeys(said))


def suspects(proof: Iterable[Proof], look: Look = Look.LIGHT) -> frozenset[tuple[str, str]]:
    """The ports of the cables that a fault may be of; or of those that were only beside them."""
    return frozenset((one.device, one.port) for one in proof if one.look is look)


#: Looks at one and the same thing, in which a fault may show itself one way or another.
_FAMILY = {
    **dict.fromkeys((Look.ANSWERS, Look.SHINES, Look.RUNS), "device"),
    **dict.fromkeys((Look.STEERED, Look.POWERED, Look.FORCED, Look.AIM, Look.AIM_BEFORE), "mirror"),
    **dict.fromkeys((Look.CIRCUIT, Look.CARRIES), "circuits"),
    **dict.fromkeys(
        (
            *(Look.LIGHT, Look.BESIDE, Look.LOSS, Look.REFLECTION, Look.BER),
            *(Look.AS_BEFORE, Look.RECORD, Look.PLACE),
        ),
        "cable",
    ),
    **dict.fromkeys((Look.SENT, Look.SENT_BEFORE, Look.PART, Look.SERIAL), "module"),
}

#: How a look begins that needs a circuit.
_FIRST = "a circuit is made, "
_TOLD = {
    Look.ANSWERS: "{device} answers, with news",
    Look.SHINES: "light passes {device}",
    Look.RUNS: "{device} answers, and its trays run",
    Look.MODULES: "{device} tells of its modules",
    Look.IDENTITY: "{device} answers with its own serial, or light passes it as its circuits say",
    Look.UNIT: "{device} tells that {port} works",
    Look.TRAY: "{device} runs",
    Look.COPPER: "the copper link {port} of {device} is up, between trays that run",
    Look.STEERED: "a circuit is made at {at}, and its mirror gets there",
    Look.POWERED: "{device} tells that {port} has power",
    Look.FORCED: "{at} is not kept dark by force",
    Look.AIM: "light passes a circuit at {at}, and loses no more than it should",
    Look.CIRCUIT: "{device} has no circuit {circuit} that nobody wants",
    Look.CARRIES: "{device} lets light through the circuit {circuit}, or others at its two ports",
    Look.SIBLING: "{device} joins the same cubes as its siblings",
    Look.ENTRIES: "{device} is read, and has the {entries} that jobs need, and no others",
    Look.EVEN: "the links of {device} and {port} are spread evenly over switches",
    Look.UNTOLD: "no light passes {device} between {port}, or it tells of the circuit",
    Look.AIM_BEFORE: "light passes a circuit at {at}, no worse than when last good",
    Look.AS_BEFORE: "a circuit is made, and the path of {at} is no worse than when last good",
    Look.SENT_BEFORE: "a circuit is made, and {at} is heard no worse than when last good",
    Look.LIGHT: "a circuit is made, and {at} hears whom it should",
    Look.BESIDE: "a circuit is made, and {at} hears whom it should",
    Look.LOSS: "a circuit is made, and the path of {at} loses no more than it should",
    Look.REFLECTION: "a circuit is made, {at} hears whom it should, and little light comes back",
    Look.BER: "a circuit is made, and {at} has few bit errors",
    Look.RATE: "a circuit is made, and {at} runs as fast as both ends of its links can",
    Look.SENT: "the module of {at} tells that it sends enough light",
    Look.PART: "the module of {at} is told, and it is the part that belongs there",
    Look.SERIAL: "the serial of {at} is told, and it is the recorded one",
    Look.RECORD: "{at} is recorded as the wiring rule wants",
    Look.PLACE: "{at} answers, and light that passes it is as it should be",
}
