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
    *router.urls,
]
