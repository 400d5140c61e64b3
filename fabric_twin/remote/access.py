"""Where a Nautobot is, who asks, and how long one waits for an answer."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fabric_twin.core.errors import UnusableInput

#: Seconds that a server has for one answer.
TIMEOUT = 60.0
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True)
class Access:
    """An address and a token, which is never shown."""

    url: str
    token: str = field(repr=False)
    #: Whether certificates are checked, or the file with those that are trusted.
    verify: bool | str = True
    timeout: float = TIMEOUT

    def __post_init__(self) -> None:
        """Refuse what no server can be asked by; what is secret is in none of the words."""
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UnusableInput(
                "it is not the address of a server",
                where="--url",
                remedy="Give one like https://nautobot.example.com",
            )
        if parts.username or parts.password or parts.query or parts.fragment:
            raise UnusableInput(
                "the address holds more than a server and a path",
                where="--url",
                remedy="Leave out user, password and all after ? or #: the token says who you are",
            )
        if not self.token.isascii() or not self.token.isprintable() or " " in self.token:
            raise UnusableInput(
                "it has characters that a token cannot have",
                where="the token",
                remedy="Give the token alone, in one line",
            )

    @property
    def root(self) -> str:
        """The address without a slash at its end."""
        return self.url.rstrip("/")

    @property
    def is_open(self) -> bool:
        """Whether others on the way can read the token."""
        parts = urlsplit(self.url)
        return parts.scheme == "http" and parts.hostname not in _LOOPBACK
