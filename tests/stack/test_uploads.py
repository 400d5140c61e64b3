"""uWSGI with the stack's own options, while a phone sends a photo slowly and others read pages."""

import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from fabric_twin.stack.parts import options_of_web

pytestmark = pytest.mark.integration

APPLICATION = """
def application(environ, start):
    many = len(environ["wsgi.input"].read())
    start("200 OK", [("Content-Type", "text/plain")])
    return [str(many).encode()]
"""
#: Of a photo; more than what uWSGI keeps in memory, for longer than it looks once.
PIECES, PIECE = 300, b"x" * 2_000


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Where it answers; what it said is in `log`."""
    (tmp_path / "app.py").write_text(APPLICATION)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path / "log").open("wb")
    command = [
        str(Path(sys.executable).with_name("uwsgi")),
        *options_of_web(port),
        "--wsgi-file=app.py",
    ]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT)
    until = time.monotonic() + 30
    while not _page(port):
        assert time.monotonic() < until, (tmp_path / "log").read_text()
        time.sleep(0.1)
    yield port
    process.terminate()
    process.wait(30)
    log.close()


def _page(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
        return bool(answer.read() == b"0")
    return False


def test_pages_that_end_meanwhile_do_not_end_an_upload(port: int, tmp_path: Path) -> None:
    over, lost = threading.Event(), list[bool]()

    def read_pages() -> None:
        while not over.wait(0.1):
            lost.append(not _page(port))

    def upload() -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=30) as phone:
            head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {PIECES * len(PIECE)}\r\n\r\n"
            phone.sendall(head.encode())
            for _ in range(PIECES):
                phone.sendall(PIECE)
                time.sleep(0.01)  # a phone's network
            return phone.recv(4096)

    readers = [threading.Thread(target=read_pages) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        answers = [upload() for _ in range(3)]
    finally:
        over.set()
        for reader in readers:
            reader.join()
    assert [answer.endswith(b"600000") for answer in answers] == [True] * 3
    assert not any(lost)
    assert "HARAKIRI" not in (tmp_path / "log").read_text()
