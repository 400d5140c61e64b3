"""The network that a newcomer finds: four blocks, what they ask for, and a fifth that is to come.

In the simulated fabric the fifth stands as hands will have put it: its order can be done to the
end, and then a ticket gives it links.
"""

import json
from collections.abc import Sequence
from typing import Any

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.topology.network import Network, placed
from fabric_twin.stack.demo.api import hall_of, post, run_job

NETWORK, SWITCHES, NEW = "dcn1", 2, "ab05"
STRANDS, RATE = 12, 400
#: Gbit/s between blocks, as of their last day.
DEMAND = {
    ("ab01", "ab02"): 1600,
    ("ab03", "ab04"): 1200,
    ("ab01", "ab03"): 400,
    ("ab02", "ab04"): 400,
}
REASON = "The network grows by a block"


def network_of(blocks: int) -> Network:
    """So many blocks over the switches."""
    rows = [(f"ab{number:02}", STRANDS, float(RATE)) for number in range(1, blocks + 1)]
    return placed(NETWORK, SWITCHES, rows)


def block_file(blocks: int) -> str:
    """The same as a file."""
    rows = [
        {
            "name": block.name,
            "strands": block.strands,
            "rate_gbps": RATE,
            "first_port": block.first_port,
        }
        for block in network_of(blocks).blocks
    ]
    return json.dumps({"version": 1, "switches": SWITCHES, "blocks": rows}, indent=2) + "\n"


def first_circuits() -> Sequence[Circuit]:
    """As many links for each pair as strands allow."""
    from fabric_twin.core.topology.plan import plan_topology

    return plan_topology(network_of(4), "uniform").circuits


def make_network(nautobot: Any, address: str) -> str:
    """Load it with its circuits and its demand, audit it, and ask for the block that comes.

    An earlier start may have been stopped anywhere here: what is there is not made again.
    """
    twin = nautobot.plugins.fabric_twin
    if not (pod := twin.pods.get(name=NETWORK)):
        wish = {"network": NETWORK, "location": hall_of(nautobot).id, "address": address}
        circuits = [circuit.as_json() for circuit in first_circuits()]
        given = {"blocks": block_file(4), "circuits": json.dumps({"circuits": circuits})}
        run_job(nautobot, "Load network", wish, given)
        pod = twin.pods.get(name=NETWORK)
    known = {block.name for block in network_of(5).blocks}
    if not {block.name for block in twin.blocks.filter(pod=NETWORK)} <= known:
        return f"{NETWORK} was there already, with other blocks"
    if not twin.demands.filter(pod=NETWORK):
        rows = [f"{a},{b},{gbps}" for (a, b), gbps in DEMAND.items()]
        demand = "\n".join(["from,to,gbps", *rows]) + "\n"
        run_job(nautobot, "Import demand", {"network": pod.id}, {"demand": demand})
    run_job(nautobot, "Audit pod", {"pod": pod.id})
    order = _order(nautobot, pod)
    found = twin.findings.count(pod=NETWORK, is_there=True)
    return f"{NETWORK}, with 4 blocks and {found} findings; {order['name']} is to bring {NEW}"


def _order(nautobot: Any, pod: Any) -> Any:
    """The order for the fifth block; asked for now if nobody did."""
    for order in nautobot.plugins.fabric_twin.work_orders.filter(pod=NETWORK):
        if order.reason == REASON:
            return dict(order)
    block = {"name": NEW, "strands": STRANDS, "rate_gbps": RATE}
    return post(nautobot, "work-orders/", pod=pod.id, kind="install", reason=REASON, block=block)
