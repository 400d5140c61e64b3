"""A start that was stopped within the demo goes on with it, and makes nothing twice."""

from fabric_twin.stack.demo.orders import make_orders
from fabric_twin.stack.demo.tickets import make_tickets
from tests.e2e.conftest import Running


def test_stages_that_are_done_again_find_what_they_made(stack: Running) -> None:
    nautobot = stack.api()
    app = nautobot.plugins.fabric_twin
    pod = app.pods.get(name="iw1")

    def made() -> list[str]:
        return sorted(str(one["display"]) for one in [*app.tickets.all(), *app.work_orders.all()])

    before = made()
    assert "iw1-t1 done, iw1-t2 submitted" in make_tickets(nautobot, pod)
    assert make_orders(nautobot, pod) == "iw1-w1 under way, iw1-w2 drafted"
    assert made() == before
