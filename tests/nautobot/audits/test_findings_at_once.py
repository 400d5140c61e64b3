"""A run and whoever holds a finding write it at the same time, each on a connection of its own."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Finding, Pod
from fabric_twin.operations.audits.finding_life import mend, release_findings, take
from tests.nautobot.bases.processes.at_once import pod_for_all  # noqa: F401 - a fixture


def meanwhile(act: Callable[[], Any], mended: Any) -> Any:
    """What an act gets that waits for a run, which mends some rows and then ends."""

    def on_its_own_connection() -> Any:
        try:
            return act()
        except NotPossible as refusal:
            return refusal
        finally:
            connection.close()

    def somebody_waits() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            return bool(cursor.fetchone()[0])

    with ThreadPoolExecutor(1) as others:
        with transaction.atomic():
            mend(mended, timezone.now())
            waiting = others.submit(on_its_own_connection)
            last = time.monotonic() + 60
            while not somebody_waits():
                assert not waiting.done(), waiting.result()
                assert time.monotonic() < last, "nobody waits for the run"
                time.sleep(0.02)
        return waiting.result()


@pytest.fixture
def findings(pod: Pod) -> Any:
    now = timezone.now()
    seen = {"first_seen": now, "opened": now, "last_seen": now}
    for key in ("a", "b"):
        Finding.objects.create(pod=pod, key=key, code="dark", severity="error", cause="-", **seen)
    return Finding.objects.filter(pod=pod).order_by("key")


def test_what_a_run_mends_meanwhile_is_not_given_back(findings: Any) -> None:
    take(findings, "atonce-t1")
    given = meanwhile(lambda: release_findings(findings, "atonce-t1"), findings.filter(key="a"))
    stands = list(findings.values_list("key", "state", "worked_on"))
    assert (given, stands) == (1, [("a", "mended", "atonce-t1"), ("b", "open", "")])


def test_what_a_run_mends_meanwhile_is_taken_by_nobody(findings: Any) -> None:
    refused = meanwhile(lambda: take(findings, "atonce-t1"), findings.filter(key="a"))
    stands = list(findings.values_list("key", "state", "worked_on"))
    assert str(refused) == "finding dark a: it is mended. Nothing is left to do."
    assert stands == [("a", "mended", ""), ("b", "open", "")]
