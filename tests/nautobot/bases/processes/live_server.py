"""Nautobot on a free port of this machine, on a database of its own with two pods in it.

Prints its address and tokens when it is ready, and serves until its standard input ends. A module
named as its argument makes other records, and other users.
"""

import sys
import threading
import warnings
from importlib import import_module
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import nautobot

# It runs as a script: the checkout is not on its path yet.
ROOT = Path(__file__).parents[4]


class Quiet(WSGIRequestHandler):
    """No line per request."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def make_records() -> str:
    """A pod with slices and ports, another one, and somebody who may do everything."""
    from django.contrib.auth import get_user_model
    from nautobot.users.models import Token

    from fabric_twin.operations.slices.make import Wish, make_slice
    from tests.nautobot.bases.pods.small_pod import add_ports, make_pod

    user = get_user_model().objects.create_superuser("admin of the live server")
    pod = make_pod("v4", slots=range(1, 17))
    make_pod("iw1", design="ironwood", slots=[1, 2])
    add_ports(pod, range(8))
    for shape in ("4x4x8", "4x4x4", "2x2x2"):
        make_slice(pod, Wish(shape=shape), user)
    return str(Token.objects.create(user=user).key)


def main() -> None:
    """Set up, fill, serve."""
    sys.path.insert(0, str(ROOT))
    with warnings.catch_warnings(action="ignore"):
        nautobot.setup(str(ROOT / "tests" / "nautobot" / "nautobot_config.py"))
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    settings.ALLOWED_HOSTS.append("127.0.0.1")

    other = import_module(sys.argv[1]).make_records if sys.argv[1:] else make_records
    tokens = other()
    with make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"http://127.0.0.1:{server.server_port} {tokens}", flush=True)  # noqa: T201
        sys.stdin.read()
        server.shutdown()


if __name__ == "__main__":
    main()
