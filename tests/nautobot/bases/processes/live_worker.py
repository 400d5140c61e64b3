"""A Celery worker beside the live server: it sends the webhooks that the server calls for.

Nautobot sends none to a loopback address, and tests listen on no other: here it may, and nothing
else differs.
"""

import sys
import warnings
from pathlib import Path
from unittest import mock

import nautobot

# It runs as a script: the checkout is not on its path yet.
ROOT = Path(__file__).parents[4]


def main() -> None:
    """Work until told to stop."""
    sys.path.insert(0, str(ROOT))
    with warnings.catch_warnings(action="ignore"):
        nautobot.setup(str(ROOT / "tests" / "nautobot" / "nautobot_config.py"))
    from nautobot.core.celery import app

    import tests.nautobot.bases.pods.small  # noqa: F401 the designs of the records

    may = mock.patch(
        "nautobot.extras.webhooks._webhook_addr_is_builtin_blocked", return_value=False
    )
    with may:
        app.worker_main(
            ["worker", "--loglevel=WARNING", "--pool=solo", "--without-gossip", "--without-mingle"]
        )


if __name__ == "__main__":
    main()
