"""The network of the demo grows from four blocks to five: its order is done, then a ticket gives
the new block its links, stage by stage."""

from typing import Any

from playwright.sync_api import expect

from fabric_twin.core.orders.steps import BY_FABRIC
from fabric_twin.stack.demo.network import NETWORK, NEW
from tests.e2e.aisle import Picture, Server
from tests.e2e.conftest import SHOWN_WITHIN, Running, go, wait_until
from tests.e2e.day.hand import Hand, act, state_is


def install(stack: Running, twin: Any) -> str:
    """The order that the demo left, to its end: hands report, and a worker checks."""
    server = Server(stack)
    [order] = twin.work_orders.filter(pod=NETWORK)
    server.path = f"{order.id}/"
    server.post(f"{server.path}assign/", assignee="admin")
    server.post(f"{server.path}start/")
    by_hand: list[dict[str, Any]] = []
    for step in server.steps():
        if step["do"] not in BY_FABRIC:
            by_hand.append(step)
            continue
        server.do(by_hand)
        by_hand.clear()
        wait_until(lambda: not server.post(f"{server.path}next/")["called"])
    # The report of its last step has called a worker, which tests it by light.
    wait_until(lambda: twin.work_orders.get(order.id).state.value in {"awaiting light", "done"})
    return f"/plugins/fabric-twin/work-orders/{order.id}/"


def test_the_network_of_the_demo_grows_by_an_order_and_a_ticket(
    hand: Hand, boss: Hand, stack: Running, twin: Any, picture: Picture
) -> None:
    page = hand.page
    network = f"/plugins/fabric-twin/pods/{twin.pods.get(name=NETWORK).id}/"
    go(page, network)
    expect(page.get_by_text("ab01 and ab02, 100%")).to_be_visible()
    order = install(stack, twin)
    block = twin.blocks.get(pod=NETWORK, name=NEW)
    assert block.status.display == "Active"
    go(page, order)
    expect(page.get_by_text("Install block ab05 of dcn1").first).to_be_visible()

    go(page, network)
    hand.link("Change Topology")
    page.locator("#id_topology").select_option("uniform")
    hand.button("See what it would do")
    hand.button("Make the draft")
    act(hand, "Submit")
    go(boss.page, page.url)
    act(boss, "Approve")
    state_is(boss.page, "Approved")
    act(boss, "Start now")
    waits = boss.page.get_by_text("waits until somebody confirms that")
    expect(waits.first).to_be_visible(timeout=SHOWN_WITHIN)
    act(boss, "Confirm links drained")
    state_is(boss.page, "Done")
    go(page, network)
    expect(page.get_by_text(NEW).first).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 1500})
    picture(page, "network-grown")
    circuits = twin.optical_circuits.filter(pod=NETWORK, wanted=True)
    joined = [one for one in circuits if {13, 14, 15} & {one.a, one.b}]
    assert len(joined) == 12
