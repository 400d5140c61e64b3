"""Devices that answer, and not as they are asked: an address, a right or a record is to be checked.

Nobody sends hands for it: what answers runs. A device that is not the recorded one is left alone.
"""

from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.pictures import Refusal
from fabric_twin.core.diagnosis.steps import CorrectRecord
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.identity import serial_of


def refusing_devices(case: Case) -> None:
    """Say of each what is to be checked; of all together, where none does as it is asked."""
    refused = case.pictures.shown.refused
    here = {*case.switch_names, *case.standing}
    mine = {name: why for name, why in refused.items() if name in here}
    case.unobserved |= {name: refusal.why for name, refusal in mine.items()}
    if (
        len(mine) > 1
        and len({refusal.why for refusal in mine.values()}) == 1
        and mine.keys() == here
    ):
        [refusal, *_] = mine.values()
        _found(case, "all devices", f"All {len(mine)} devices answer alike", "", refusal)
        return
    numbers = {name: number for number, name in enumerate(case.switch_names)}
    for name, refusal in mine.items():
        number = numbers.get(name)
        if number is not None and (number in case.confused or case.is_out(number)):
            continue
        if not (number is not None and _another_serial(case, number, refusal)):
            _found(case, name, name, name, refusal)


def _found(case: Case, key: str, who: str, device: str, refusal: Refusal) -> None:
    case.found(
        "refused",
        key,
        f"{who}: {refusal.why}. {refusal.check}",
        [],
        places=[(device, "")] if device else [],
        evidence={"why": refusal.why, "check": refusal.check},
        proof=[Proof(Look.ANSWERS, device)],
    )


def _another_serial(case: Case, switch: int, refusal: Refusal) -> bool:
    """Whether the serial of what answers is none that is recorded: it was replaced, perhaps.

    One of another switch of the pod is a wrong address.
    """
    inventory = case.pictures.inventory
    recorded = inventory.switch_serials if inventory else ()
    was = recorded[switch] if switch < len(recorded) else ""
    told = refusal.told.serial
    if not (serial_of(was) and serial_of(told)) or serial_of(told) in map(serial_of, recorded):
        return False
    name = case.switch_names[switch]
    case.found(
        "wrong-serial",
        name,
        f"{name} is {told}, and {was} is recorded: it is left alone until somebody confirms it",
        [CorrectRecord(name, "serial", was, told)],
        places=[(name, "")],
        evidence={"serials": {name: told}},
        proof=[Proof(Look.SERIAL, name)],
    )
    return True
