"""Nautobot's settings for the stack and the tests; what differs comes from NAUTOBOT_*.

`nautobot-server --config .../nautobot_config.py` reads this file; docs/stack.md lists them.
"""

import gc
import os
import sys
from pathlib import Path

from nautobot.core.settings import *  # noqa: F403
from nautobot.core.settings import DATABASES

SECRET_KEY = os.environ["NAUTOBOT_SECRET_KEY"]
PLUGINS = ["fabric_twin"]
DESIGNS = os.environ.get("FABRIC_TWIN_DESIGNS")
# The demo's fabric is simulated on this machine; a site names the networks of its switches here.
PLUGINS_CONFIG = {
    "fabric_twin": {
        "networks": ["127.0.0.0/8"],
        "designs_folder": str(Path(DESIGNS).absolute()) if DESIGNS else None,
        # Of 16 threads of a process: the others are for phones (parts.py).
        "pages_at_once": 2,
    }
}
INSTALLATION_METRICS_ENABLED = False
# A connection that is used again is asked first: after a restart of the database each would answer
# one request with an error.
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# A photo from the aisle: 12 MB, in base64.
DATA_UPLOAD_MAX_MEMORY_SIZE = 17_000_000

if "migrate" in sys.argv:
    # Django makes and drops whole graphs of models for each of 471 migrations. To look for them
    # after every 700 new objects took a quarter of the time; never to look takes 8 GB.
    gc.set_threshold(50_000, 10, 10)
