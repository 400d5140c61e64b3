"""Debian's RabbitMQ, in a folder and on ports of its own."""

import os
import shlex
import shutil
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from fabric_twin.stack.kept import Kept, Program
from tests.e2e.conftest import wait_until

#: Not those on the PATH, which ask for root, and become the user rabbitmq.
_PROGRAMS = Path("/usr/lib/rabbitmq/bin")


def rabbitmq_is_here() -> bool:
    """Whether it is installed; CI must have it."""
    there = (_PROGRAMS / "rabbitmq-server").exists() and shutil.which("epmd") is not None
    if not there and os.environ.get("CI"):
        pytest.fail("CI must run this: apt-get install rabbitmq-server")
    return there


class Rabbit:
    """A server, and the epmd by which its tools find it, for as long as it is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._kept = folder, list[Kept]()
        self.port, node, self._epmd, tools = _free_ports(4)
        self.environment = {
            "HOME": str(folder),
            "RABBITMQ_NODENAME": "site@localhost",
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            # What this machine has set up of its own is not read.
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(node),
            "RABBITMQ_CTL_DIST_PORT_MIN": str(tools),
            "RABBITMQ_CTL_DIST_PORT_MAX": str(tools),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self._epmd),
        }

    def start(self) -> None:
        """Start both, and wait until the server takes calls."""
        self.folder.mkdir()
        (self.folder / "plugins").write_text("[].")
        # Ours: one that the server starts would outlive it.
        self._keep("epmd", str(shutil.which("epmd")), "-port", str(self._epmd))
        self._keep("server", str(_PROGRAMS / "rabbitmq-server"))
        log = self.folder / "server.log"
        wait_until(lambda: "Server startup complete" in log.read_text(), log.read_text, 120)

    def stop(self) -> None:
        """End both."""
        while self._kept:
            self._kept.pop().stop()

    def tool(self) -> str:
        """A script that is this server's rabbitmqctl."""
        told = "".join(f"export {k}={shlex.quote(v)}\n" for k, v in self.environment.items())
        return f'#!/bin/sh\n{told}exec {_PROGRAMS}/rabbitmqctl "$@"\n'

    def _keep(self, name: str, *command: str) -> None:
        log = self.folder / f"{name}.log"
        self._kept.append(Kept(Program(command, log, self.environment, grace=30)))


def _free_ports(many: int) -> list[int]:
    """Different ones: each is held until all are found."""
    with ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(many)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
