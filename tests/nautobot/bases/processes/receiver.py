"""Another system of work: it hears of orders and tickets by webhook, and keeps what it heard."""

import hashlib
import hmac
import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRET = "that both know"  # noqa: S105
#: Seconds until what is sent must have come; nothing is told by how long it took.
PATIENCE = 120


class Receiver:
    """What came, one by one; a body that was not signed by who knows the secret is refused."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()

    def take(self, body: bytes, signature: str) -> bool:
        """Keep a body, if it is Nautobot's."""
        own = hmac.new(SECRET.encode(), body, hashlib.sha512).hexdigest()
        signed = hmac.compare_digest(own, signature)
        if signed:
            self.heard.put(json.loads(body))
        return signed

    def until(self, model: str, state: str) -> list[dict[str, Any]]:
        """All that comes of a model, up to the event in which one of it stands so."""
        events: list[dict[str, Any]] = []
        while not events or events[-1]["data"]["state"]["value"] != state:
            event = self.heard.get(timeout=PATIENCE)
            if event["model"] == model:
                events.append(event)
        return events


@contextmanager
def receiver() -> Iterator[Receiver]:
    """It listens on a free port of this machine."""
    # Nautobot connects to the first address that a name has.
    family, *_, (host, *_) = socket.getaddrinfo("localhost", None)[0]

    class Server(ThreadingHTTPServer):
        address_family = family

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            signed = listening.take(body, self.headers.get("X-Hook-Signature", ""))
            self.send_response(200 if signed else 403)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with Server((host, 0), Handler) as server:
        listening = Receiver(f"http://localhost:{server.server_port}/fabric")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield listening
        server.shutdown()
