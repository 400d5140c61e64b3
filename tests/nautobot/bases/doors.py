"""The doors of the App, each of which tries an act and answers with the words of the refusal."""

from collections.abc import Callable
from typing import Any

import requests
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from nautobot.users.models import Token

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.slots import parse_slots
from fabric_twin.models import Finding, Pod
from fabric_twin.operations.audits.finding_life import acknowledge, reopen
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.remote.access import Access
from fabric_twin.remote.orders import RemoteOrder
from fabric_twin.remote.server import Server
from fabric_twin.remote.tickets import RemoteTicket
from tests.nautobot.bases.run_jobs import FAILURE, run, said

HOST = "http://testserver"
#: Tries something, and answers what it was refused with; "" where it was done.
Door = Callable[[Any, str, dict[str, Any]], str]


def words_of(try_it: Callable[[], object]) -> str:
    """What a refusal says."""
    try:
        try_it()
    except FabricTwinError as refusal:
        return str(refusal)
    return ""


class InProcess(requests.adapters.BaseAdapter):
    """Requests of `fabric-twin remote`, answered by this process inside the test's transaction."""

    def send(self, request: Any, **_options: Any) -> requests.Response:
        path = request.url.removeprefix(HOST)
        headers = dict(request.headers)
        kind = headers.pop("Content-Type", "")
        told = Client().generic(request.method, path, request.body or b"", kind, headers=headers)
        answer = requests.Response()
        answer.status_code, answer.url, answer.request = told.status_code, request.url, request
        answer.headers.update(told.headers)
        answer._content = told.content
        return answer

    def close(self) -> None:
        """Nothing is open."""


class Doors:
    """One user at every door."""

    def __init__(self, user: Any) -> None:
        self.user = user
        self.browser = Client()
        self.browser.force_login(user)
        token = Token.objects.get_or_create(user=user)[0].key
        self._header = {"Authorization": f"Token {token}"}
        self.server = Server(Access(HOST, token), say=lambda _words: None)
        self.server.api.http_session.mount(HOST, InProcess())

    def page(self, record: Any, act: str, given: dict[str, Any]) -> str:
        """The page that asks whether it is meant; the message there, or on the page after it."""
        answer = self.browser.post(self.page_of(record, act), given)
        [message] = get_messages(answer.wsgi_request)
        return "" if message.level_tag == "success" else str(message)

    def page_of(self, record: Any, act: str) -> str:
        """Where the page of an act is."""
        kind = record._meta.model_name
        return reverse(f"plugins:fabric_twin:{kind}_act", args=[record.pk]) + f"?do={act}"

    def rest(self, record: Any, act: str, given: dict[str, Any]) -> str:
        """POST on the record."""
        url = reverse(
            f"plugins-api:fabric_twin-api:{record._meta.model_name}-detail", args=[record.pk]
        )
        answer = self.browser.post(
            f"{url}{act}/", given, content_type="application/json", headers=self._header
        )
        if answer.status_code < 300:
            return ""
        told = answer.json()
        return f"{told['where']}: {told['what']}. {told['remedy']}."

    def remote(self, record: Any, act: str, given: dict[str, Any]) -> str:
        """`fabric-twin remote`, which says before it on which server that is."""
        kind = {"ticket": RemoteTicket, "workorder": RemoteOrder}[record._meta.model_name]
        there = kind(self.server, {"id": str(record.pk)})
        return words_of(lambda: there.do(act, **given)).removeprefix(f"{HOST}, ")


class MakingDoors(Doors):
    """One user at every door at which orders are wished for."""

    def use_case(self, pod: Pod, **wish: Any) -> str:
        """Who calls the operation."""
        kind = Kind(wish.pop("kind"))
        slots = parse_slots(wish.pop("slots"), pod.to_core().slots) if "slots" in wish else ()
        asked = OrderWish(kind=kind, slots=tuple(slots), **wish)
        return words_of(lambda: make_order(pod, asked, self.user))

    def wish_page(self, pod: Pod, kind: str, **wish: Any) -> str:
        """The form of a wish, which shows the refusal above it."""
        url = reverse("plugins:fabric_twin:workorder_add")
        chosen = {"findings": [one.pk for one in wish.pop("findings", ())]}
        given = {"pod": pod.pk, "crews": 1, "make": "", **wish, **chosen}
        answer = self.browser.post(f"{url}?kind={kind}", given)
        return str(answer.context["refusal"]) if answer.status_code == 200 else ""

    def wish_over_rest(self, pod: Pod, **wish: Any) -> str:
        """POST on the list."""
        url = reverse("plugins-api:fabric_twin-api:workorder-list")
        given = {"pod": pod.name, **wish, "findings": [f.key for f in wish.get("findings", ())]}
        answer = self.browser.post(
            url, given, content_type="application/json", headers=self._header
        )
        if answer.status_code < 300:
            return ""
        told = answer.json()
        return f"{told['where']}: {told['what']}. {told['remedy']}."

    def job(self, pod: Pod, **wish: Any) -> str:
        """The job Make work order, by what it logged last."""
        wish["findings"] = [str(one.pk) for one in wish.get("findings", ())]
        result = run("MakeOrder", self.user.username, pod=str(pod.pk), dryrun=False, **wish)
        return said(result).splitlines()[-1] if result.status == FAILURE else ""


class FindingDoors(Doors):
    """One user at every door at which something is said of a finding."""

    def use_case(self, finding: Finding, act: str, given: dict[str, Any]) -> str:
        """Who calls the operation."""
        do = {"acknowledge": acknowledge, "reopen": reopen}[act]
        return words_of(lambda: do(finding, self.user, **given))

    def page_of(self, record: Any, act: str) -> str:
        """Each act has a page of its own."""
        return reverse(f"plugins:fabric_twin:finding_{act}", args=[record.pk])
