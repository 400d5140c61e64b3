"""What a server can refuse or fail to do, in words for the person who can mend it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests

from fabric_twin.core.errors import (
    FabricTwinError,
    NoAnswer,
    NotPermitted,
    NotPossible,
    UnusableInput,
)


class NotReachable(NoAnswer):
    """Nothing answers there, or not in time."""


class ServerFailed(NoAnswer):
    """The server, or a proxy before it, failed."""


class BrokenAnswer(NoAnswer):
    """An answer that nobody can read."""


class WrongToken(NotPermitted):
    """The server does not know who asks."""


class NotThere(UnusableInput):
    """There is no such thing, or not for this user."""


class AppNotInstalled(UnusableInput):
    """The server has core records only, and more is needed."""


class TooOld(UnusableInput):
    """A server, or an App in it, from before what it is asked for."""


class JobRefused(FabricTwinError):
    """A job that cannot be run as things are."""


class JobFailed(NoAnswer):
    """A job that ended without doing what it should, or did not end."""


def refused_by_job(result: Any, where: str) -> FabricTwinError | None:
    """The refusal that ended a job, in the job's own words; None where it broke otherwise.

    A refusal is the job's result, as the App's jobs keep it: the words, and what they exit with.
    """
    if not isinstance(result, dict) or "refused" not in result:
        return None
    said, code = result["refused"], result["exit_code"]
    kind = {1: NotPossible, 3: JobFailed}.get(code, JobRefused)
    at = f"{where}, {said['where']}" if said["where"] else where
    return kind(said["what"], where=at, remedy=said["remedy"])


@contextmanager
def never_findings() -> Iterator[None]:
    """Where 1 says that there are findings, what cannot be is a refusal like any other."""
    try:
        yield
    except NotPossible as refusal:
        raise JobRefused(refusal.what, where=refusal.where, remedy=refusal.remedy) from None


def unreachable(error: requests.RequestException, where: str, timeout: float) -> NoAnswer:
    """Say why no answer came."""
    if isinstance(error, requests.exceptions.SSLError):
        return NotReachable(
            "its certificate is not trusted, or it speaks no TLS",
            where=where,
            remedy="Name the file of certificates that you trust with --ca",
        )
    if isinstance(error, requests.exceptions.Timeout):
        return NotReachable(
            f"it did not answer within {timeout:g} s",
            where=where,
            remedy="Try again later, or wait longer with --timeout",
        )
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return BrokenAnswer(
            "the connection broke in the middle of an answer", where=where, remedy="Try again later"
        )
    return NotReachable(
        f"it cannot be reached{_because(_reason(error))}",
        where=where,
        remedy="Check the address, and that nothing between here and there keeps you out",
    )


def refusal(answer: requests.Response, where: str) -> FabricTwinError:
    """Say an answer that is none: the App's refusals in their own words."""
    code, said = answer.status_code, _content(answer)
    words = said if isinstance(said, dict) else {}
    if {"what", "where", "remedy"} <= words.keys():
        what, at, remedy = (_text(words[part]) for part in ("what", "where", "remedy"))
        kind = {403: NotPermitted, 409: NotPossible}.get(code, UnusableInput)
        return kind(what, where=f"{where}, {at}" if at else where, remedy=remedy)
    if isinstance(words.get("errors"), dict):  # of a job's form, by its fields
        return UnusableInput(
            f"the job cannot be given this ({_fields(words['errors'])})",
            where=where,
            remedy="Check what you asked for",
        )
    if "errors" in words:  # GraphQL's own way to refuse a question
        return not_understood(where)
    detail = _text(words.get("detail", "")) or _fields(words)
    if code == 401 or (code == 403 and _is_of_token(detail)):
        return WrongToken(
            f"it refuses the token{_because(detail)}",
            where=where,
            remedy="Make one on your profile page in Nautobot, and give it in NAUTOBOT_TOKEN or "
            "by --token-file",
        )
    if answer.is_redirect:
        return UnusableInput(
            f"it redirects to {_text(answer.headers['Location'])}",
            where=where,
            remedy="Give that server as --url if you trust it: no token follows a redirect",
        )
    return _of_code(code, detail, where, answer.reason or "")


def _of_code(code: int, detail: str, where: str, reason: str) -> FabricTwinError:
    if code == 403:
        return NotPermitted(
            f"you may not{_because(detail)}",
            where=where,
            remedy="Ask an administrator of this Nautobot for the permission",
        )
    if code in {404, 405}:
        return NotThere(
            "there is no such thing, or you may not see it", where=where, remedy="Check the address"
        )
    if code == 429 or code >= 500:
        return ServerFailed(
            f"it answered {code} {reason}".rstrip() + _because(detail),
            where=where,
            remedy="Try again later; if it stays so, see the logs of Nautobot and of its proxy",
        )
    return UnusableInput(
        f"it answered {code}{_because(detail)}", where=where, remedy="Check what you asked for"
    )


def not_understood(where: str) -> TooOld:
    """Say that a question is not one there."""
    return TooOld(
        "it does not understand what it is asked",
        where=where,
        remedy="Bring Nautobot, the App there and this program to versions that fit",
    )


def broken(where: str) -> BrokenAnswer:
    """Say that an answer cannot be read."""
    return BrokenAnswer(
        "the answer is not what a Nautobot says",
        where=where,
        remedy="Check that --url is Nautobot's own address, and not a login page before it",
    )


def _content(answer: requests.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return ""


def _text(said: Any) -> str:
    return " ".join(str(said).split())[:300].rstrip(".")


def _reason(error: BaseException) -> str:
    """What the system said, at the bottom of what libraries made of it."""
    seen: BaseException | None = error
    while seen:
        if isinstance(seen, OSError) and seen.strerror:
            return seen.strerror.lower()
        inner = getattr(seen.args[0], "reason", None) if seen.args else None
        seen = inner or seen.__cause__ or seen.__context__
    return ""


def _fields(words: dict[str, Any]) -> str:
    """What Nautobot's own checks say of each field that they refuse."""
    said = {key: why[0] if isinstance(why, list) and why else why for key, why in words.items()}
    words_of = (f"{key}: {why}".rstrip(".") for key, why in said.items() if isinstance(why, str))
    return _text("; ".join(words_of))


def _because(detail: str) -> str:
    return f" ({detail})" if detail else ""


def _is_of_token(detail: str) -> bool:
    low = detail.lower()
    return "token" in low or "credentials" in low or "inactive" in low
