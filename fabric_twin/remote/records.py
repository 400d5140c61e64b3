"""A record that has a life on a server: looked at, written whole, and done something with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from fabric_twin.remote.server import APP, Server, reading


@dataclass(frozen=True)
class RemoteRecord:
    """A record as the server last told of it."""

    #: Where its kind is, below the App's address.
    KIND: ClassVar[str]

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


def plain(choice: Any) -> str:
    """A choice as it is kept: Nautobot says some with a label beside."""
    return str(choice["value"] if isinstance(choice, dict) else choice or "")
