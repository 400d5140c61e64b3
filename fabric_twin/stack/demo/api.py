"""A POST to the App's REST API, as the client's user."""

from typing import Any

from fabric_twin.core.errors import StackRefused


def post(nautobot: Any, path: str, **given: Any) -> Any:
    """The answer, or a refusal with what the server said; `path` is under the App's root."""
    url = f"{nautobot.base_url}/plugins/fabric-twin/{path}"
    headers = {"Authorization": f"Token {nautobot.token}"}
    answer = nautobot.http_session.post(url, json=given, headers=headers)
    if not answer.ok:
        raise StackRefused(
            f"the demo was refused: {answer.text[:300]}",
            where=url,
            remedy="See the log of web, or start with --no-demo",
        )
    return answer.json()
