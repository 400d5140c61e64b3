"""The page of a work order for a phone in the aisle; it goes on without a network.

page with the steps ahead --> doing.js: one step large, done / cannot, scans
                                 '--> a queue in the phone --> reports/ over REST, once each
worker: keeps page, style and script, and gives them out where there is no network
"""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views import View

from fabric_twin import __version__
from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.reports.offline_steps import ahead, asked_step
from fabric_twin.presenters.walk import walk_of

#: More digits than the number of any step has.
MOST_DIGITS = 9
#: Reads codes where a browser cannot: others' work, see the README beside it.
DECODER = "fabric_twin/jsqr/jsQR.js"
#: What the worker keeps beside pages.
KEPT = (
    "fabric_twin/doing.css",
    "fabric_twin/doing_store.js",
    "fabric_twin/doing_words.js",
    "fabric_twin/doing_server.js",
    "fabric_twin/doing_asked.js",
    "fabric_twin/doing_photo.js",
    "fabric_twin/doing_camera.js",
    "fabric_twin/doing_drawing.js",
    "fabric_twin/doing_route.js",
    "fabric_twin/doing.js",
    DECODER,
)


class DoingView(LoginRequiredMixin, View):
    """One order, one crew, the next step large."""

    def get(self, request: Any, pk: str) -> HttpResponse:
        """The page with all that it needs to go on alone."""
        orders = WorkOrder.objects.restrict(request.user, "view").select_related("pod", "assignee")
        order = orders.filter(pk=pk).first()
        if order is None:
            raise Http404
        if not request.user.has_perm("fabric_twin.do_workorder", order):
            raise PermissionDenied
        crew, asked = _number(request, "crew"), _number(request, "step")
        crew = crew if 1 <= crew <= order.crews else 1
        root = reverse("plugins-api:fabric_twin-api:workorder-detail", args=[order.pk])
        facts = {
            **ahead(order, crew),
            # It is shown where it is its turn: nothing is jumped to.
            "asked": asked_step(order, asked) if asked else None,
            "walk": walk_of(order, crew),
            "user": request.user.username,
            "csrf": get_token(request),
            "api": root,
            "login": reverse("login"),
            "decoder": static(DECODER),
            "worker": reverse("plugins:fabric_twin:doing_worker"),
        }
        crews = range(1, order.crews + 1)
        context = {"order": order, "facts": facts, "crew": crew, "crews": crews}
        shown = render(request, "fabric_twin/doing.html", context)
        # The worker keeps it: nothing between may.
        shown["Cache-Control"] = "private, no-cache"
        return shown


def _number(request: Any, name: str) -> int:
    """A number of the address; 0 where there is none."""
    said = request.GET.get(name, "")
    return int(said) if said.isdecimal() and len(said) <= MOST_DIGITS else 0


@cache
def kept_version() -> str:
    """The App's version, and a hash of all that a phone keeps: another one after each change."""
    app = Path(__file__).parents[2]
    files = [app / "static" / name for name in KEPT]
    files += [app / "templates/fabric_twin" / name for name in ("doing.html", "doing_worker.js")]
    content = sha256()
    for file in files:
        content.update(file.read_bytes())
    return f"{__version__}.{content.hexdigest()[:12]}"


class DoingWorkerView(LoginRequiredMixin, View):
    """The worker's script: it serves the pages below its own address."""

    def get(self, request: Any) -> HttpResponse:
        """The script, which knows what else to keep."""
        context = {"kept": [static(name) for name in KEPT], "version": kept_version()}
        kind = "text/javascript"
        return render(request, "fabric_twin/doing_worker.js", context, content_type=kind)
