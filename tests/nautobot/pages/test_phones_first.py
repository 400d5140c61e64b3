"""What a phone says is answered while pages wait for their turn."""

from threading import Event, Thread

from django.core.exceptions import ImproperlyConfigured, MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import RequestFactory, SimpleTestCase, override_settings

from fabric_twin.app_config import FabricTwinConfig
from fabric_twin.middleware import PhonesFirst

ORDER = "/api/plugins/fabric-twin/work-orders/2f6c1c0e-4d06-4ab6-9a52-2b5d3f0d1f8e/"
PAGES = (
    "/plugins/fabric-twin/pods/",
    "/dcim/racks/",
    ORDER,
    f"{ORDER}document/",
    "/api/plugins/other/metrics/all/",
    "/extras/health/x",
)
ON_PHONES = "/plugins/fabric-twin/work-orders/"
AT_ONCE = (
    *(f"{ORDER}{path}/" for path in ("reports", "next", "start", "finish")),
    f"{ON_PHONES}2f6c1c0e-4d06-4ab6-9a52-2b5d3f0d1f8e/do/",
    f"{ON_PHONES}mine/",
    "/health/",
    "/metrics/",
)


def pages_at_once(most: object) -> override_settings:
    return override_settings(PLUGINS_CONFIG={"fabric_twin": {"pages_at_once": most}})


class PhonesFirstTest(SimpleTestCase):
    def setUp(self) -> None:
        self.begun: dict[str, Event] = {}
        self.go_on = Event()
        with pages_at_once(2):
            self.answer = PhonesFirst(self.make)

    def make(self, request: HttpRequest) -> HttpResponseBase:
        self.begun[request.path].set()
        if request.path not in AT_ONCE:
            self.go_on.wait(60)
        return HttpResponse()

    def asked(self, path: str) -> Thread:
        """Somebody waits for an answer."""
        self.begun[path] = Event()
        asked = Thread(target=lambda: self.answer(RequestFactory().get(path)), daemon=True)
        asked.start()
        return asked

    def test_phones_are_answered_while_pages_wait_for_their_turn(self) -> None:
        pages = [self.asked(path) for path in PAGES[:2]]
        for path in PAGES[:2]:
            self.assertTrue(self.begun[path].wait(60))
        pages += [self.asked(path) for path in PAGES[2:]]
        for path in AT_ONCE:
            self.asked(path).join(60)
            self.assertTrue(self.begun[path].is_set())
        self.assertEqual([self.begun[path].is_set() for path in PAGES], [True, True, *[False] * 4])

        self.go_on.set()
        for page in pages:
            page.join(60)
        self.assertTrue(all(self.begun[path].is_set() for path in PAGES))

    def test_a_page_that_fails_leaves_its_turn_to_the_next(self) -> None:
        def fail(_request: HttpRequest) -> HttpResponseBase:
            raise ZeroDivisionError

        with pages_at_once(1):
            answer = PhonesFirst(fail)
        for _ in range(3):
            with self.assertRaises(ZeroDivisionError):
                answer(RequestFactory().get("/"))

    def test_where_nothing_is_set_nothing_waits(self) -> None:
        with pages_at_once(None), self.assertRaises(MiddlewareNotUsed):
            PhonesFirst(self.make)

    def test_what_is_no_number_of_pages_is_refused_before_anything_runs(self) -> None:
        for given in (0, -1, True, "2", 1.5):
            with self.subTest(given), self.assertRaises(ImproperlyConfigured) as refused:
                FabricTwinConfig.validate({"pages_at_once": given}, "3.2.7")
            self.assertEqual(
                str(refused.exception),
                f"pages_at_once: {given!r} is not a number of pages. A whole number, or None.",
            )
