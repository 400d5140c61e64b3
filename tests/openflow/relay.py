"""Between a driver and a switch: whatever may happen to a change on its way."""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from typing import Self

HEADER = struct.Struct("!BBHI")
FLOW_MOD, ERROR = 14, 1


def pass_on(_: int) -> str:
    """All is well."""
    return "pass"


class Relay:
    """Hands every message on, but for flow mods: those meet what `fate` says of their number.

    `pass`, `lose` (it never arrives), `refuse` (the table is full), or `late` (held until
    `let_go`).
    """

    def __init__(self, switch: str, fate: Callable[[int], str] = pass_on) -> None:
        host, _, port = switch.rpartition(":")
        self._switch, self.fate = (host, int(port)), fate
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self._count, self._counting = 0, threading.Lock()
        self.let_go = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go.set()
        self.take_no_more()
        for thread in self._threads:
            thread.join(30)

    def take_no_more(self) -> None:
        """Refuse connections from now on."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(self._switch)
                for does in (self._there, self._back):
                    self._threads.append(threading.Thread(target=does, args=(near, far)))
                    self._threads[-1].start()

    def _back(self, near: socket.socket, far: socket.socket) -> None:
        with far, contextlib.suppress(OSError):
            while data := far.recv(65536):
                near.sendall(data)

    def _there(self, near: socket.socket, far: socket.socket) -> None:
        with near, contextlib.suppress(OSError):
            while header := near.recv(HEADER.size, socket.MSG_WAITALL):
                _, kind, length, number = HEADER.unpack(header)
                body = near.recv(length - HEADER.size, socket.MSG_WAITALL)
                fate = self._met() if kind == FLOW_MOD else "pass"
                if fate == "late":
                    self.let_go.wait(60)
                if fate == "refuse":
                    near.sendall(HEADER.pack(4, ERROR, 12, number) + struct.pack("!HH", 5, 1))
                elif fate != "lose":
                    far.sendall(header + body)
        with contextlib.suppress(OSError):
            far.shutdown(socket.SHUT_WR)

    def _met(self) -> str:
        with self._counting:
            self._count += 1
            return self.fate(self._count)
