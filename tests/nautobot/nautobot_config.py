"""Settings of the tests: the stack's, with Celery in this process and caches of each worker."""

import os

from nautobot.core.settings_funcs import parse_redis_connection

from fabric_twin.stack.nautobot_config import *  # noqa: F403
from fabric_twin.stack.nautobot_config import CACHES, DATABASES

# What hears of tickets in the tests is this machine too, by whichever address it has first.
PLUGINS_CONFIG = {"fabric_twin": {"networks": ["127.0.0.0/8", "::1/128"]}}
ALLOWED_HOSTS = ["nautobot.example.com", "testserver"]
DATABASES["default"]["TEST"] = {"TEMPLATE": os.environ["FABRIC_TWIN_TEST_TEMPLATE"]}

# Parallel tests must not clear each other's caches.
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
CACHES["default"]["LOCATION"] = parse_redis_connection(redis_database=2 + _worker)
CONSTANCE_BACKEND = "constance.backends.memory.MemoryBackend"
CONTENT_TYPE_CACHE_TIMEOUT = 0

# But for a live server beside a worker: `live_worker.py`.
if "FABRIC_TWIN_TEST_WORKER" not in os.environ:
    CELERY_TASK_ALWAYS_EAGER = True
    CELERY_TASK_STORE_EAGER_RESULT = True
    CELERY_BROKER_URL = "memory://"
else:
    # What an audit says of an order between two steps is tried elsewhere: here nobody audits.
    nobody = {"queue": "nobody"}
    CELERY_TASK_ROUTES = {"fabric_twin.audit_touched": nobody, "fabric_twin.advance_order": nobody}
METRICS_ENABLED = False
