"""A Nautobot as one of its users sees it: what it has, asked in pages of a bounded size."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

import pynautobot

from fabric_twin.core.errors import NotPermitted
from fabric_twin.remote.access import Access
from fabric_twin.remote.patience import PatientSession, Say
from fabric_twin.remote.refusals import (
    AppNotInstalled,
    NotThere,
    TooOld,
    WrongToken,
    broken,
    not_understood,
)

#: Before it, a cable's ends could not be asked for as they are now.
OLDEST = (3, 2)
APP = "plugins/fabric-twin/"
#: Rows of one answer.
PAGE = 500

#: What is asked for: one value, or any of some.
Wanted = str | Sequence[str]
Read = TypeVar("Read", bound=Callable[..., Any])
#: Told what is being counted, and how much so far.
Progress = Callable[[str, int], None]


class Server:
    """One server, one user: only what that user may see is there."""

    def __init__(self, access: Access, say: Say) -> None:
        self.address = access.root
        #: pynautobot, over a session that has patience.
        self.api = pynautobot.api(access.root, token=access.token)
        self.api.http_session.close()
        self.api.http_session = PatientSession(access, say)
        if access.is_open:
            say(f"{self.address}: without TLS, others on the way can read the token.")

    def check(self) -> None:
        """Ask who answers: anybody with a token may know that."""
        with self.understood():
            version = self.api.version
        numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
        if not numbers:
            raise broken(self.address)
        if numbers < OLDEST:
            raise TooOld(
                f"this is Nautobot {version}, and the oldest that is understood is "
                f"{'.'.join(map(str, OLDEST))}",
                where=self.address,
                remedy="Ask a newer one",
            )

    @cached_property
    def has_app(self) -> bool:
        """Whether the App is there: asked once."""
        self.check()
        try:
            self.get(APP)
        except NotThere:
            return False
        return True

    def need_app(self, what: str) -> None:
        """Refuse what core records alone cannot do."""
        if not self.has_app:
            raise AppNotInstalled(
                f"the App fabric_twin is not installed there, and {what} needs it",
                where=self.address,
                remedy="Install it; cutsheet, audit and render work with core records alone",
            )

    def get(self, path: str, **wanted: Wanted) -> bytes:
        """What is at an address below /api/, as it comes."""
        content: bytes = self._answer(path, wanted).content
        return content

    def read(self, path: str, **wanted: Wanted) -> dict[str, Any]:
        """The same, as an object."""
        with self.understood():
            return dict(self._answer(path, wanted).json())

    def seen(self, path: str, **wanted: Wanted) -> list[dict[str, Any]]:
        """The first rows of a list: none where one may not see such records."""
        try:
            return list(self.read(path, **wanted)["results"])
        except WrongToken:
            raise
        except NotPermitted:
            return []

    def do(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """Ask for something to be done: once."""
        with self.understood():
            url = f"{self.api.base_url}/{path}"
            done = self.api.http_session.post(url, json=content, headers=self.api.headers)
            return dict(done.json())

    def upload(
        self, path: str, fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]]
    ) -> dict[str, Any]:
        """Ask for something to be done with files, each a name and what is in it: once."""
        with self.understood():
            done = self.api.http_session.post(
                f"{self.api.base_url}/{path}", data=fields, files=files, headers=self.api.headers
            )
            return dict(done.json())

    def query(self, text: str, **variables: Any) -> dict[str, Any]:
        """Ask by GraphQL, which leaves out what the user may not see."""
        with self.understood():
            answer = dict(self.api.graphql.query(text, variables).json)
        if answer.get("errors") or not isinstance(answer.get("data"), dict):
            raise not_understood(self.address)
        return dict(answer["data"])

    def rows(
        self, kind: str, fields: str, progress: Progress, what: str, **filters: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Every row of a kind that the filters find, page by page; none is there twice.

        Rows come in the order in which Nautobot keeps them. One that is written meanwhile may move
        from page to page, so keys decide what is the same row.
        """
        named = "".join(f", ${name}: [String]" for name in filters)
        given = "".join(f", {name}: ${name}" for name in filters)
        text = (
            f"query ($limit: Int, $offset: Int{named}) "
            f"{{ {kind}(limit: $limit, offset: $offset{given}) {{ id {fields} }} }}"
        )
        found: dict[str, dict[str, Any]] = {}
        asked = 0
        while page := self.query(text, limit=PAGE, offset=asked, **filters)[kind]:
            found |= {row["id"]: row for row in page}
            asked += len(page)
            progress(what, len(found))
            if len(page) < PAGE:
                break
        return list(found.values())

    def _answer(self, path: str, wanted: dict[str, Wanted]) -> Any:
        url = f"{self.api.base_url}/{path}"
        return self.api.http_session.get(url, params=wanted, headers=self.api.headers)

    @contextmanager
    def understood(self) -> Iterator[None]:
        """Read what the server said, or say that no Nautobot says so."""
        try:
            yield
        except (pynautobot.ContentError, ArithmeticError, LookupError, TypeError, ValueError):
            raise broken(self.address) from None


def reading(function: Read) -> Read:
    """A function of a server, or of what is on one, that takes its answers apart."""

    @wraps(function)
    def read(of: Any, *given: Any, **more: Any) -> Any:
        server = of if isinstance(of, Server) else of.server
        with server.understood():
            return function(of, *given, **more)

    return cast("Read", read)
