"""Pages of the App."""

from django.urls import path
from nautobot.apps.urls import NautobotUIViewSetRouter

from fabric_twin import views

app_name = "fabric_twin"

router = NautobotUIViewSetRouter()
router.register("pods", views.PodUIViewSet)
router.register("cubes", views.CubeUIViewSet)
router.register("switches", views.SwitchUIViewSet)
router.register("ports", views.PortUIViewSet)
router.register("slices", views.SliceUIViewSet)
router.register("circuits", views.OpticalCircuitUIViewSet)
router.register("substitutions", views.SubstitutionUIViewSet)
router.register("tickets", views.TicketUIViewSet)
router.register("findings", views.FindingUIViewSet)
router.register("audit-runs", views.AuditRunUIViewSet)
router.register("silences", views.SilenceUIViewSet)

urlpatterns = [
    path(
        "interfaces/<uuid:pk>/light-path/",
        views.InterfaceLightPathView.as_view(),
        name="interface_light_path",
    ),
    path(
        "cables/<uuid:pk>/light-path/",
        views.CableLightPathView.as_view(),
        name="cable_light_path",
    ),
    path("racks/<uuid:pk>/findings/", views.RackFindingsView.as_view(), name="rack_findings"),
    path("devices/<uuid:pk>/findings/", views.DeviceFindingsView.as_view(), name="device_findings"),
    path("cables/<uuid:pk>/findings/", views.CableFindingsView.as_view(), name="cable_findings"),
    *router.urls,
]
