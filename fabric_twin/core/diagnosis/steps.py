"""Steps of a remedy beyond plugging: what is done to equipment, to records and to circuits."""

from dataclasses import dataclass
from typing import ClassVar

from fabric_twin.core.audit.remedy import Step


@dataclass(frozen=True)
class Clean(Step):
    """Clean the connector at a port."""

    do: ClassVar[str] = "clean"
    device: str
    port: str

    def __str__(self) -> str:
        return f"clean {self.device} port {self.port}"


@dataclass(frozen=True)
class Reseat(Step):
    """Take out and put back what is at a port; without a port, the device's own controller."""

    do: ClassVar[str] = "reseat"
    device: str
    port: str = ""

    def __str__(self) -> str:
        where = f"port {self.port} of {self.device}" if self.port else self.device
        return f"reseat {where}"


@dataclass(frozen=True)
class Replace(Step):
    """Put a new part in; the port is empty where the part is none of a port's."""

    do: ClassVar[str] = "replace"
    device: str
    port: str
    part: str

    def __str__(self) -> str:
        where = f"port {self.port} of {self.device}" if self.port else self.device
        return f"replace {self.part} of {where}"


@dataclass(frozen=True)
class CorrectRecord(Step):
    """Write into the inventory what is there."""

    do: ClassVar[str] = "correct-record"
    object: str
    field: str
    from_: str
    to: str

    def placed(self) -> dict[str, str]:
        """The step as the contract has it: no plug comes out."""
        facts = {"object": self.object, "field": self.field, "from": self.from_, "to": self.to}
        return {"do": self.do} | facts

    def __str__(self) -> str:
        was = f" from {self.from_}" if self.from_ else ""
        return f"correct the record of {self.object}: {self.field}{was} to {self.to or 'nothing'}"


@dataclass(frozen=True)
class Connect(Step):
    """Make a circuit: work for a ticket, not for a technician."""

    do: ClassVar[str] = "connect"
    switch: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"join {self.a} to {self.b} on {self.switch}"


@dataclass(frozen=True)
class Disconnect(Step):
    """Take a circuit away: work for a ticket, not for a technician."""

    do: ClassVar[str] = "disconnect"
    switch: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"disconnect {self.a} from {self.b} on {self.switch}"
