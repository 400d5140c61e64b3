"""Requests that wait and ask again, where asking twice does no harm."""

import random
from collections.abc import Callable
from time import sleep
from typing import Any

import requests
from urllib3.exceptions import HTTPError, NewConnectionError
from urllib3.util import Retry

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.remote.access import Access
from fabric_twin.remote.refusals import refusal, unreachable

#: What a server or a proxy says that may be gone in a moment.
BUSY = frozenset({429, 502, 503, 504})
TRIES = 5
#: Seconds: the first pause doubles with every try; no server is waited for longer than the last.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
#: GraphQL is asked by POST, and changes nothing.
_QUERY = "/api/graphql/"

Say = Callable[[str], None]


class PatientSession(requests.Session):
    """A session whose every answer is a good one: all else is a refusal in words.

    What only reads is asked again, with longer and longer pauses that no two programs share. What
    changes something is asked again only where it surely was not heard.

    urllib3's own `Retry` in the adapter would do less: it is over before requests reads the body,
    its first pause is none, it tells nobody, and it takes a question by POST for a change.
    """

    def __init__(self, access: Access, say: Say) -> None:
        super().__init__()
        self._access, self._say = access, say
        self.auth = _as_it_is  # else a .netrc would take the token's place
        self.headers["Accept-Encoding"] = "gzip, deflate"

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **options: Any) -> Any:
        """Ask until there is an answer, or no more sense in asking."""
        options |= {
            "timeout": (min(10.0, self._access.timeout), self._access.timeout),
            "allow_redirects": False,
            "verify": self._access.verify,
        }
        verb, address = str(method).upper(), str(url)
        reads = verb in _READING or address.endswith(_QUERY)
        for left in reversed(range(TRIES)):
            pause = random.uniform(0.5, 1) * FIRST_PAUSE * 2 ** (TRIES - 1 - left)  # noqa: S311
            try:
                answer = super().request(verb, address, *args, **options)
            except requests.RequestException as error:
                why: FabricTwinError = unreachable(error, self._access.root, self._access.timeout)
                if not left or not (reads or _was_not_sent(error)):
                    raise why from None
            else:
                if answer.ok and not answer.is_redirect:
                    return answer
                why = refusal(answer, self._access.root)
                asked = _retry_after(answer)
                again = answer.status_code in BUSY and (reads or answer.status_code == 429)
                if not left or not again or asked > LONGEST_PAUSE:
                    raise why from None
                pause = max(pause, asked)
            self._say(f"{self._access.root}: {why.what}; asked again in {pause:.1f} s.")
            sleep(pause)
        raise AssertionError  # the last try answers or raises


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _was_not_sent(error: requests.RequestException) -> bool:
    """Whether nobody can have heard the request."""
    reason = getattr(error.args[0], "reason", None) if error.args else None
    return isinstance(error, requests.ConnectTimeout) or isinstance(reason, NewConnectionError)


def _retry_after(answer: requests.Response) -> float:
    """How long the server wants to be left alone; words that make no sense are none."""
    try:
        return Retry().parse_retry_after(answer.headers.get("Retry-After", "0"))
    except (HTTPError, ArithmeticError, ValueError):
        return 0.0
