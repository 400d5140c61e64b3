"""Pages of the App."""

from collections.abc import Iterable, Mapping
from functools import wraps
from itertools import chain
from typing import Any

from django.http import (
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    QueryDict,
)
from django.urls import path
from nautobot.apps.urls import NautobotUIViewSetRouter
from nautobot.dcim.views import CableUIViewSet, DeviceUIViewSet, InterfaceUIViewSet, RackUIViewSet

from fabric_twin import views
from fabric_twin.api.readable import KEY
from fabric_twin.views.aisle.doing import DoingView, DoingWorkerView
from fabric_twin.views.aisle.my_orders import MyOrdersView
from fabric_twin.views.going_on import GoOnView
from fabric_twin.views.jobs.for_real import ForRealView
from fabric_twin.views.jobs.progress import ProgressView
from fabric_twin.views.shift import ShiftView
from fabric_twin.views.tabs_of import tab_of

app_name = "fabric_twin"


#: How pages are posted to.
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data", "")


class KeyRouter(NautobotUIViewSetRouter):
    """Addresses of records by key, each by its methods: at others Nautobot's own fail."""

    def get_lookup_regex(self, viewset: Any, lookup_prefix: str = "") -> str:
        """Only keys as they are written."""
        return f"(?P<{lookup_prefix}{viewset.lookup_field}>{KEY})"

    def get_method_map(self, viewset: Any, method_map: Mapping[str, str]) -> dict[str, str]:
        """Without acts that a page has not: it says so by None in place of what does them."""
        found = super().get_method_map(viewset, method_map)
        return {method: act for method, act in found.items() if getattr(viewset, act)}

    def get_urls(self) -> list[Any]:
        """Each with a guard before it."""
        found: list[Any] = super().get_urls()
        for url in found:
            # Nautobot's page of CSV fails where a view has no serializer; its button opens a job.
            is_left = url.name.endswith("_import")
            url.callback = _guarded(url.callback, () if is_left else url.callback.actions)
        return found


def _guarded(view: Any, methods: Iterable[str]) -> Any:
    """A page by its methods and as forms are sent; an act that is only asked for leads back."""
    allowed = set(map(str.upper, methods))
    if "GET" in allowed:
        allowed.add("HEAD")  # it comes with it; OPTIONS do not, at which Nautobot's pages fail

    @wraps(view)
    def shown(request: Any, *args: Any, **kwargs: Any) -> Any:
        if request.method not in allowed:
            if request.method in ("GET", "HEAD"):
                return HttpResponseRedirect("../")
            return HttpResponseNotAllowed(sorted(allowed))
        if request.method == "POST" and request.content_type not in _FORMS:
            return HttpResponse("Send a form.", status=415, content_type="text/plain")
        if any("\0" in text for said in (request.GET, request.POST) for text in _texts(said)):
            return HttpResponseBadRequest("It holds the character NUL.", content_type="text/plain")
        return view(request, *args, **kwargs)

    return shown


def _texts(said: QueryDict) -> Iterable[str]:
    return chain(said, *(values for _, values in said.lists()))


router = KeyRouter()
router.register("pods", views.PodUIViewSet)
router.register("cubes", views.CubeUIViewSet)
router.register("blocks", views.BlockUIViewSet)
router.register("switches", views.SwitchUIViewSet)
router.register("ports", views.PortUIViewSet)
router.register("slices", views.SliceUIViewSet)
router.register("demands", views.DemandUIViewSet)
router.register("multislices", views.MultisliceUIViewSet)
router.register("circuits", views.OpticalCircuitUIViewSet)
router.register("substitutions", views.SubstitutionUIViewSet)
router.register("tickets", views.TicketUIViewSet)
router.register("work-orders", views.WorkOrderUIViewSet)
router.register("stock", views.StockUIViewSet)
router.register("findings", views.FindingUIViewSet)
router.register("audit-runs", views.AuditRunUIViewSet)
router.register("silences", views.SilenceUIViewSet)

urlpatterns = [
    path(
        "interfaces/<uuid:pk>/light-path/",
        tab_of(InterfaceUIViewSet, "light_path"),
        name="interface_light_path",
    ),
    path(
        "cables/<uuid:pk>/light-path/",
        tab_of(CableUIViewSet, "light_path"),
        name="cable_light_path",
    ),
    path("shift/", ShiftView.as_view(), name="shift"),
    path("work-orders/<uuid:pk>/do/", DoingView.as_view(), name="workorder_do"),
    path("work-orders/mine/", MyOrdersView.as_view(), name="my_orders"),
    path("work-orders/worker.js", DoingWorkerView.as_view(), name="doing_worker"),
    path("racks/<uuid:pk>/findings/", tab_of(RackUIViewSet, "findings"), name="rack_findings"),
    path(
        "devices/<uuid:pk>/findings/", tab_of(DeviceUIViewSet, "findings"), name="device_findings"
    ),
    path("cables/<uuid:pk>/findings/", tab_of(CableUIViewSet, "findings"), name="cable_findings"),
    path("racks/<uuid:pk>/work-orders/", tab_of(RackUIViewSet, "work_orders"), name="rack_orders"),
    path(
        "devices/<uuid:pk>/work-orders/",
        tab_of(DeviceUIViewSet, "work_orders"),
        name="device_orders",
    ),
    path("progress/<uuid:key>/", ProgressView.as_view(), name="progress"),
    path("jobs/<uuid:key>/for-real/", ForRealView.as_view(), name="for_real"),
    path("stuck/<str:kind>/<uuid:key>/go-on/", GoOnView.as_view(), name="go_on"),
    *router.urls,
]
