"""JSON over HTTP on this machine, for what is not gNMI: the control port, and RESTCONF.

Requests come in threads; what they do is done in the fabric's own loop, one after the other.
"""

import asyncio
import base64
import hmac
import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fabric_twin.core.errors import FabricTwinError, NotPossible

#: Method, path and body; the answer is a status and what to send.
Answer = Callable[[str, str, Any], tuple[int, Any]]
LARGEST = 4 * 2**20
HOST = "127.0.0.1"


class JsonServer:
    """One HTTP address."""

    def __init__(self, answer: Answer, users: Mapping[str, str], port: int = 0) -> None:
        self._loop = asyncio.get_running_loop()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30

            def _serve(self) -> None:
                server.serve(self, answer, users)

            do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

            def log_message(self, *_: Any) -> None:
                """Say nothing: a path may hold what is nobody's business."""

        self._http = ThreadingHTTPServer((HOST, port), Handler)
        self._http.daemon_threads = True
        self.address = f"{HOST}:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, args=(0.1,), daemon=True).start()

    def close(self) -> None:
        """Hang up."""
        self._http.shutdown()
        self._http.server_close()

    def serve(
        self, request: BaseHTTPRequestHandler, answer: Answer, users: Mapping[str, str]
    ) -> None:
        """Answer one request."""
        status, content = self._answer(request, answer, users)
        body = b"" if content is None else json.dumps(content).encode()
        request.send_response(status)
        if status == 401:
            request.send_header("WWW-Authenticate", 'Basic realm="fabric"')
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def _answer(  # noqa: PLR0911
        self, request: BaseHTTPRequestHandler, answer: Answer, users: Mapping[str, str]
    ) -> tuple[int, Any]:
        length = int(request.headers.get("Content-Length") or 0)
        if not 0 <= length <= LARGEST:
            request.close_connection = True
            return 413, {"error": "too large"}
        data = request.rfile.read(length)
        # A page of another site must not reach us by a name of its own, or without asking.
        if request.headers.get("Host", "").rpartition(":")[0] not in (HOST, "localhost"):
            return 403, {"error": "only this machine is served"}
        if not _let_in(request.headers.get("Authorization", ""), users):
            return 401, {"error": "user or password is wrong"}
        if data and "json" not in request.headers.get("Content-Type", ""):
            return 415, {"error": "send application/json"}
        try:
            body = json.loads(data) if data else None
        except (ValueError, RecursionError):
            return 400, {"error": "the body is not JSON"}

        async def act() -> tuple[int, Any]:
            return answer(request.command, request.path, body)

        try:
            return asyncio.run_coroutine_threadsafe(act(), self._loop).result(30)
        except NotPossible as refusal:
            return 409, {"error": str(refusal)}
        except FabricTwinError as refusal:
            return 400, {"error": str(refusal)}


def _let_in(authorization: str, users: Mapping[str, str]) -> bool:
    if not users:
        return True
    return any(
        hmac.compare_digest(
            authorization.encode(), b"Basic " + base64.b64encode(f"{user}:{password}".encode())
        )
        for user, password in users.items()
    )
