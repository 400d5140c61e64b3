"""Loading a pod, and reading it back."""

from nautobot.apps.testing import TestCase
from small import hall

from fabric_twin.repositories.loading import load_pod


class LoadingTest(TestCase):
    def test_x(self) -> None:
        import time
        place = hall()
        t = time.perf_counter()
        marks = []
        def progress(what, rows):
            nonlocal t
            now = time.perf_counter(); marks.append((what, rows, round(now - t, 2))); t = now
        t0 = t
        loaded = load_pod("iw1", "ironwood", place, progress=progress)
        print(loaded); print(*marks, sep="\n"); print("total", time.perf_counter() - t0)
        from fabric_twin.models import Pod
        from fabric_twin.repositories.reading import PodRecord
        from django.test.utils import CaptureQueriesContext
        from django.db import connection
        for _ in range(2):
            t0 = time.perf_counter()
            with CaptureQueriesContext(connection) as q:
                record = PodRecord(Pod.objects.get(name="iw1"))
                for part in ("cubes","switches","names","_ports","cables","plant","circuits","taken"):
                    t = time.perf_counter(); getattr(record, part); print(part, round(time.perf_counter()-t,3))
                t = time.perf_counter(); fabric = record.fabric(); print("fabric", round(time.perf_counter()-t,3))
            print(len(q), "queries", time.perf_counter() - t0)
        from fabric_twin.core.audit import audit_cabling
        print(len(audit_cabling(record.intended(), record.plant).findings))
        t0 = time.perf_counter()
        print(load_pod("iw1", "ironwood", place), time.perf_counter() - t0)
