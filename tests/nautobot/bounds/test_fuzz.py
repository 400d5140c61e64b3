"""Whatever is sent to an address of ours is answered in words, within seconds: nothing fails.

Drawn from the OpenAPI document, from the addresses of pages and from their forms; `make proof`
draws many more.
"""

import os
import random
import traceback
from collections import Counter
from itertools import chain, count, islice
from time import monotonic

from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client, override_settings
from nautobot.apps.testing import TestCase

from fabric_twin.api.urls import router
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Pod
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from tests.nautobot.bases.fuzz.api_requests import ApiRequests, Asked
from tests.nautobot.bases.fuzz.page_requests import PageRequests
from tests.nautobot.bases.many_of_all import make_many_of_all
from tests.session import SEED

#: How many are sent; 30 a second, more or less.
MANY = int(os.environ.get("FABRIC_TWIN_FUZZ", "300"))
#: Seconds that an answer may take, of a machine that does other things too.
PATIENCE = 30.0
DONE = (200, 201, 202, 204, 302)


@override_settings(PAGINATE_COUNT=50)  # as delivered: Nautobot's tests raise it
class FuzzTest(TestCase):
    """An administrator, to whom nothing is forbidden."""

    @classmethod
    def setUpTestData(cls) -> None:
        make_many_of_all()
        cls.admin = get_user_model().objects.create_superuser("admin of the fuzzer")
        cls.ids = {
            prefix: list(view.queryset.values_list("pk", flat=True)[:5])
            for prefix, view, _ in router.registry
        }
        order = make_order(
            Pod.objects.get(name="v4"), OrderWish(kind=Kind.INSTALL, slots=(20,)), cls.admin
        )
        cls.ids["work-orders"] = [order.pk]  # the others are made up, and name no steps
        cls.ids["circuits"] = cls.ids["optical-circuits"]

    def setUp(self) -> None:
        super().setUp()
        self.drawn = random.Random(os.environ[SEED])
        self.browser = Client(raise_request_exception=False)
        self.browser.force_login(self.admin)

    def test_no_request_to_the_api_fails(self) -> None:
        self.send(ApiRequests(self.drawn, self.ids))

    def test_no_request_to_a_page_fails(self) -> None:
        self.send(PageRequests(self.drawn, self.ids, self.browser))

    def send(self, drawn: ApiRequests | PageRequests) -> None:
        """Send what is drawn, each to the records as they were; say what failed."""
        failed: dict[str, str] = {}
        codes: Counter[int] = Counter()
        for asked in islice(chain.from_iterable(drawn.all() for _ in count()), MANY):
            code, why = self.answer_to(asked)
            codes[code] += 1
            if why:
                failed.setdefault(why, str(asked))
        told = "\n".join(f"{why}\n    {asked}" for why, asked in failed.items())
        drawn_by = f"{SEED}={os.environ[SEED]} FABRIC_TWIN_FUZZ={MANY}"
        self.assertFalse(failed, f"drawn by {drawn_by}, {len(failed)} fail:\n{told}")
        # Not everything is odd: enough comes through to what is behind the doors.
        self.assertGreater(sum(codes[code] for code in DONE), MANY / 5, codes)

    def answer_to(self, asked: Asked) -> tuple[int, str]:
        """The status, and why it failed; "" where it was answered."""
        begun, code, why = monotonic(), 0, ""
        try:
            with transaction.atomic():
                headers = {"HX-Request": "true"} if asked.is_part else {}
                told = self.browser.generic(
                    asked.method, asked.path, asked.body, asked.kind, headers=headers
                )
                code, error = told.status_code, getattr(told, "exc_info", None)
                if told.streaming:
                    b"".join(told.streaming_content)
                if code >= 500:
                    why = _where(error[1]) if error else told.text[:300]
                transaction.set_rollback(True)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            why = _where(error)
        took = monotonic() - begun
        return code, why or (f"it took {took:.0f} seconds" if took > PATIENCE else "")


def _where(error: BaseException) -> str:
    """An exception, and the last places that it passed: alike ones are one failure."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    places = " > ".join(f"{'/'.join(f.filename.split('/')[-2:])}:{f.lineno}" for f in frames)
    return f"{type(error).__name__}: {' '.join(str(error).split())[:120]} at {places}"
