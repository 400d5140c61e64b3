"""A proxy before the live server, as good and as bad as a test wants it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

#: What becomes of a request by its number and its path: passed on, answered by a status, or broken
#: off in the middle of the answer.
Mood = Callable[[int, str], int | str | None]
BREAK = "break"
APP = "/api/plugins/fabric-twin/"


def without_app(_number: int, path: str) -> int | None:
    """As if no App were there. The records of the App stay in Nautobot's database, unasked for."""
    return 404 if path.startswith(APP) else None


@contextmanager
def proxy(server: str, mood: Mood) -> Iterator[tuple[str, list[str]]]:
    """Its address, and the paths of all requests so far."""
    asked: list[str] = []
    lock = threading.Lock()

    class Passing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length) if length else None
            with lock:
                asked.append(self.path)
                fate = mood(len(asked), self.path)
            if isinstance(fate, int):
                self.send_error(fate)
                return
            behind = HTTPConnection(urlsplit(server).netloc, timeout=120)
            behind.request(self.command, self.path, body, dict(self.headers))
            answer = behind.getresponse()
            content = answer.read()
            behind.close()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"date", "server", "content-length"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if fate == BREAK else content)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Passing) as passing:
        passing.daemon_threads = True
        threading.Thread(target=passing.serve_forever, args=[0.05], daemon=True).start()
        yield f"http://127.0.0.1:{passing.server_port}", asked
        passing.shutdown()
