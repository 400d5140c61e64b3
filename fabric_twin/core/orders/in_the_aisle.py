"""Words for a technician with a phone: what the fabric does now."""

from dataclasses import dataclass

from fabric_twin.core.orders.steps import Do, End, Step


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


def fabric_does(step: Step, fault: Fault | None = None) -> str:
    """What the fabric does in a step that no technician does."""
    there = " port ".join(step.at)
    if step.do == Do.BLOCK:
        return f"the fabric keeps {there} dark"
    if step.do == Do.RELEASE:
        return f"the fabric releases {there}"
    if fault and not fault.is_of_light:
        return f"{fault.at[0] or 'the fabric'} is asked whether it is mended: {fault.code}"
    return f"light is tested: {fault or step.bundle}"


def without_key(bundle: str, why: str) -> str:
    """What was seen, without the key of its finding or bundle before it: nobody knows that."""
    return why.removeprefix(f"{bundle}: ")
