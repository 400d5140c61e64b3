"""A record that has a life on a server: looked at, written whole, and done something with."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

from fabric_twin.core.errors import UnusableInput
from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import APP, Server, reading


@dataclass(frozen=True)
class RemoteRecord:
    """A record as the server last showed it."""

    #: Where its kind is, below the App's address.
    KIND: ClassVar[str]
    #: What one is called, in full where it is looked for, and the model behind it.
    ONE: ClassVar[str]
    CALLED: ClassVar[str]
    MODEL: ClassVar[str]
    #: How its names are made, by what the server is asked for, and how a person writes one.
    NAME: ClassVar[re.Pattern[str]]
    EXAMPLE: ClassVar[str]

    server: Server
    facts: Mapping[str, Any]

    @property
    def path(self) -> str:
        """Its address below /api/."""
        return f"{APP}{self.KIND}/{self.facts['id']}/"

    @property
    def name(self) -> str:
        """As people call it."""
        return str(self.facts["name"])

    @property
    def state(self) -> str:
        """Where it stands."""
        return plain(self.facts["state"])

    @reading
    def again(self) -> Self:
        """As it is now."""
        return type(self)(self.server, self.server.read(self.path))

    def document(self, form: str) -> bytes:
        """The whole of it in one form, as the server writes it."""
        return self.server.get(f"{self.path}document/", form=form)

    @reading
    def do(self, deed: str, **given: Any) -> Self:
        """Do something with it; the answer is the record as it is then."""
        return type(self)(self.server, self.told(self.server.do(f"{self.path}{deed}/", given)))

    def told(self, done: dict[str, Any]) -> Mapping[str, Any]:
        """The record in what the server answered."""
        return done


Record = TypeVar("Record", bound=RemoteRecord)


@reading
def records(server: Server, kind: type[Record], pod: str, states: Sequence[str]) -> list[Record]:
    """Those of a pod, the newest first; only those that are open where no state is named."""
    wanted: dict[str, Any] = {"state": list(states)} if states else {"is_open": "true"}
    rows = server.read(f"{APP}{kind.KIND}/", pod=pod, limit="500", **wanted)["results"]
    return [kind(server, row) for row in rows]


@reading
def find_record(server: Server, kind: type[Record], name: str) -> Record:
    """One by its name; where it has revisions and none is named, it is the last."""
    match = kind.NAME.fullmatch(name)
    if match is None:
        raise UnusableInput(
            f"{name[:60]!r} is not {kind.ONE}'s name",
            where=kind.ONE.rpartition(" ")[2],
            remedy=kind.EXAMPLE,
        )
    wanted = {key: part for key, part in match.groupdict().items() if part}
    rows = server.read(f"{APP}{kind.KIND}/", **wanted)["results"]
    if not rows:
        raise NotThere(
            f"there is no {kind.CALLED} {name}, or you may not see it",
            where=server.address,
            remedy="Check its name, and that you have the permission "
            f"fabric_twin.view_{kind.MODEL}",
        )
    return kind(server, max(rows, key=lambda row: row.get("revision", 0)))


def plain(choice: Any) -> str:
    """A choice as it is kept: Nautobot says some with a label beside."""
    return str(choice["value"] if isinstance(choice, dict) else choice or "")
