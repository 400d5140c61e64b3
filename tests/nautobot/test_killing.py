"""A loader that is killed half-way, and two loaders at once: real processes, one database."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from django.db import connection
from nautobot.apps.testing import TransactionTestCase
from nautobot.dcim.models import Cable, Interface, Rack

from fabric_twin.models import Pod
from tests.nautobot.small import hall

_ROOT = Path(__file__).parents[2]
_CONFIG = Path(__file__).with_name("nautobot_config.py")
_SCRIPT = """
import sys
import nautobot
nautobot.setup({config!r})
import tests.nautobot.small
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.repositories.loading import load_pod
from nautobot.dcim.models import Location

def progress(what, rows):
    print(what, flush=True)
    if what == {pause!r}:
        sys.stdin.readline()

try:
    print(load_pod("s", "small", Location.objects.get(), progress=progress))
except FabricTwinError as refusal:
    print("refused:", refusal)
"""


@pytest.mark.integration
class KillingTest(TransactionTestCase):
    """Half a pod is never there."""

    databases = ("default", "job_logs")

    def setUp(self) -> None:
        super().setUp()
        hall()

    def loader(self, pause: str = "") -> subprocess.Popen[str]:
        """A process that loads the pod; it waits for a line after some rows are written."""
        database = str(connection.settings_dict["NAME"])
        script = _SCRIPT.format(config=str(_CONFIG), pause=pause)
        loading = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(_ROOT), "NAUTOBOT_DB_NAME": database},
        )
        self.addCleanup(loading.wait)
        self.addCleanup(loading.kill)
        return loading

    def reach(self, loading: subprocess.Popen[str], what: str) -> None:
        """Wait until a loader has written these rows."""
        assert loading.stdout is not None
        for line in loading.stdout:
            if line.strip() == what:
                return
        self.fail(f"the loader ended before it wrote {what}")

    def test_a_loader_that_is_killed_leaves_nothing(self) -> None:
        loading = self.loader(pause="cables")
        self.reach(loading, "cables")
        loading.send_signal(signal.SIGKILL)
        loading.wait()
        for model in (Pod, Rack, Interface, Cable):
            self.assertFalse(model.objects.exists(), model)
        again, _ = self.loader().communicate()
        self.assertIn("Pod s: loaded", again)
        self.assertEqual(Cable.objects.count(), 72)

    def test_the_second_of_two_loaders_waits_and_finds_it_done(self) -> None:
        first = self.loader(pause="cables")
        self.reach(first, "cables")
        second = self.loader()
        self.wait_for_a_waiting_lock()
        done, _ = first.communicate("go on\n")
        self.assertIn("Pod s: loaded", done)
        done, _ = second.communicate()
        self.assertIn("nothing to load", done)
        self.assertEqual(Cable.objects.count(), 72)

    def wait_for_a_waiting_lock(self) -> None:
        """Return as soon as PostgreSQL says that somebody waits for the advisory lock."""
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        with connection.cursor() as cursor:
            for _ in range(600):
                cursor.execute(waiting)
                if cursor.fetchone()[0]:
                    return
                cursor.execute("SELECT pg_sleep(0.1)")
        self.fail("the second loader never came to wait")
