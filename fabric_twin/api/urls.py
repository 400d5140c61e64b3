"""Addresses below /api/plugins/fabric-twin/."""

from nautobot.apps.api import OrderedDefaultRouter

from fabric_twin.api import findings, multislices, orders, tickets, views

app_name = "fabric_twin-api"

router = OrderedDefaultRouter(view_name="Fabric Twin")
router.register("pods", views.PodViewSet)
router.register("cubes", views.CubeViewSet)
router.register("blocks", views.BlockViewSet)
router.register("switches", views.SwitchViewSet)
router.register("ports", views.PortViewSet)
router.register("slices", views.SliceViewSet)
router.register("slice-parts", views.SlicePartViewSet)
router.register("demands", views.DemandViewSet)
router.register("multislices", multislices.MultisliceViewSet)
router.register("multislice-parts", multislices.MultislicePartViewSet)
router.register("written-ends", views.WrittenEndViewSet)
router.register("agreed-cables", views.AgreedCableViewSet)
router.register("optical-circuits", views.OpticalCircuitViewSet)
router.register("substitutions", findings.SubstitutionViewSet)
router.register("audit-runs", findings.AuditRunViewSet)
router.register("findings", findings.FindingViewSet)
router.register("finding-places", findings.FindingPlaceViewSet)
router.register("silences", findings.SilenceViewSet)
router.register("tickets", tickets.TicketViewSet)
router.register("ticket-stages", tickets.TicketStageViewSet)
router.register("ticket-events", tickets.TicketEventViewSet)
router.register("reservations", tickets.ReservationViewSet)
router.register("work-orders", orders.WorkOrderViewSet)
router.register("order-steps", orders.OrderStepViewSet)
router.register("step-reports", orders.StepReportViewSet)
router.register("order-events", orders.OrderEventViewSet)
router.register("stock", orders.StockViewSet)

urlpatterns = router.urls
