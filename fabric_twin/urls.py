"""Pages of the App."""

from nautobot.apps.urls import NautobotUIViewSetRouter

app_name = "fabric_twin"

router = NautobotUIViewSetRouter()

urlpatterns = router.urls
