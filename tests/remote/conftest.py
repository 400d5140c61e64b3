"""A server that says what a test wants it to say, as badly as real ones do."""

import json
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

TOKEN = "0123456789abcdef0123456789abcdef01234567"  # noqa: S105 - nobody's


@dataclass(frozen=True)
class Answer:
    """One answer; `reset` breaks the connection in the middle of it, `never` says nothing."""

    content: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    reset: bool = False
    never: bool = False


@dataclass
class Nautobot:
    """What is said at each path: one answer after the other, the last again and again."""

    address: str
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    #: Method and path of every request.
    asked: list[str] = field(default_factory=list)
    #: The JSON that was sent with them.
    sent: list[Any] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    done: threading.Event = field(default_factory=threading.Event)

    def say(self, path: str, *answers: Any) -> None:
        self.answers[path] = [a if isinstance(a, Answer) else Answer(a) for a in answers]

    def answer(self, path: str) -> Answer:
        left = self.answers.get(path) or [Answer({"detail": "Not found."}, 404)]
        return left.pop(0) if len(left) > 1 else left[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    nautobot: Nautobot

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Type") == "application/json":
            self.nautobot.sent.append(json.loads(body))
        path = self.path.partition("?")[0]
        self.nautobot.asked.append(f"{self.command} {path}")
        self.nautobot.tokens.add(self.headers.get("Authorization", ""))
        answer = self.nautobot.answer(path)
        if answer.never:
            self.nautobot.done.wait(30)
            return
        plain = isinstance(answer.content, (str, bytes))
        said = answer.content if plain else json.dumps(answer.content)
        body = said.encode() if isinstance(said, str) else said
        self.send_response(answer.status)
        kind = "text/html" if plain else "application/json"
        for name, value in {"Content-Type": kind, "API-Version": "3.2", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if answer.reset else body)
        if answer.reset:
            linger = struct.pack("ii", 1, 0)  # closed at once: the other side gets a reset
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.close_connection = True

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def nautobot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nautobot]:
    """A Nautobot of core records; the command line finds it and its token in the environment."""
    handler = type("Saying", (Handler,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        said = Nautobot(f"http://127.0.0.1:{server.server_port}")
        handler.nautobot = said
        said.say("/api/", {})
        threading.Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
        monkeypatch.setenv("NAUTOBOT_URL", said.address)
        monkeypatch.setenv("NAUTOBOT_TOKEN", TOKEN)
        monkeypatch.setattr("fabric_twin.remote.patience.FIRST_PAUSE", 0.001)
        monkeypatch.setattr("fabric_twin.remote.jobs.FIRST_LOOK", 0.001)
        yield said
        said.done.set()
        server.shutdown()


@pytest.fixture
def app(nautobot: Nautobot) -> Nautobot:
    """The same with the App, which knows pod iw1."""
    nautobot.say("/api/plugins/fabric-twin/", {})
    pod = {"id": "p", "name": "iw1", "design": "ironwood"}
    nautobot.say("/api/plugins/fabric-twin/pods/", {"results": [pod]})
    return nautobot
