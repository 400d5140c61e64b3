"""Words for a technician with a phone: what the fabric does now, and what to try again."""

from collections.abc import Iterable
from dataclasses import dataclass

from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.steps import BY_LIGHT, BY_NEIGHBOURS, Do, End, Step


@dataclass(frozen=True)
class Fault:
    """A finding that an order mends, as a person calls it."""

    code: str
    #: The device and its port, or the device alone where it has to do with no port.
    at: End

    @property
    def is_of_light(self) -> bool:
        """Whether light shows it; else a device says so of itself, such as of a fan."""
        return bool(self.at[1])

    def __str__(self) -> str:
        device, port = self.at
        there = f"{device} port {port}" if port else device
        return f"{self.code} at {there}" if there else self.code


@dataclass(frozen=True)
class StillWrong:
    """Why steps come again after their test: what was seen, and what to try."""

    seen: str
    try_: str


def fabric_does(step: Step, fault: Fault | None = None) -> str:
    """What the fabric does in a step that no technician does."""
    there = " port ".join(step.at)
    if step.do == Do.BLOCK:
        return f"the fabric keeps {there} dark"
    if step.do == Do.RELEASE:
        return f"the fabric releases {there}"
    if fault and not fault.is_of_light:
        device = fault.at[0]
        asked = f"asks {device} whether" if device else "looks whether"
        return f"the fabric {asked} it is mended: {fault.code}"
    if step.by == BY_NEIGHBOURS:
        return f"neighbours are asked for: {fault or step.bundle}"
    return f"light is tested: {fault or step.bundle}"


def failed_by(fault: Fault | None, by: str = BY_LIGHT) -> str:
    """The state of a step that is to be done again, by what looked: light, or the device itself."""
    if by == BY_NEIGHBOURS:
        return "failed: neighbours differ"
    if fault and fault.at[0] and not fault.is_of_light:
        return f"failed: {fault.at[0]} still reports it"
    return str(StepIs.FAILED)


def still_wrong(bundle: str, why: str, left: Iterable[Step]) -> StillWrong:
    """Why a test failed; `left` are the manual steps that are to be done again."""
    return StillWrong(without_key(bundle, why), what_to_try(left))


def without_key(bundle: str, why: str) -> str:
    """What was seen, without the key of its finding or bundle before it: nobody knows that."""
    return why.removeprefix(f"{bundle}: ")


def what_to_try(left: Iterable[Step]) -> str:
    """What most likely helps where these steps have to be done again."""
    steps = list(left)
    for do, words in _TRY.items():
        step = next((step for step in steps if step.do == do), None)
        if step:
            part = step.part or "part"
            return f"{words.format(part=part)} If that does not help, say so under Cannot be done."
    return "Nothing for you to do: it is tested again by itself."


#: By what is done again, the deed that decides first.
_TRY = {
    Do.REPLACE: "Check that the new {part} is the right type and sits all the way in. "
    "If it does, fit another one.",
    Do.FIT: "Check that the {part} is the right type and sits all the way in. "
    "If it does, fit another one.",
    Do.TAKE_OUT: "Check that you took out the {part} that is named.",
    Do.FLIP: "Check that the two strands of the plug are exchanged, and that it clicked in.",
    Do.PLUG: "Read the label again. Clean the plug, and push it into the port that is named "
    "until it clicks.",
    Do.RESEAT: "Take it out, and push it in until it clicks.",
    Do.CLEAN: "Look at the end face, clean it again, and look once more.",
    Do.UNPLUG: "Check that the plug is out of the port that is named.",
}
