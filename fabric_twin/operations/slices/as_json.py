"""A slice and its circuits in the form of the contract, as they are recorded."""

from typing import Any

from nautobot.users.models import User

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.pods.names import Names
from fabric_twin.models import OpticalCircuit, Slice
from fabric_twin.operations.slices.bearing import shown_bearing


def slice_json(made: Slice, user: User) -> dict[str, Any]:
    """What `fabric-twin slice --json` would say of it, switches by the names they have here.

    What a dead switch took is among what it does without, and so not among its circuits.

    Half of a slice's circuits are no slice's: who may not see them all sees none.
    """
    core = made.to_core()
    facts = core.as_json(Names(made.pod.to_core().layout, made.pod.name), Circuits.none())
    if core.chips:
        return facts
    circuits = OpticalCircuit.objects.filter(slice=made)
    seen = circuits.restrict(user, "view").order_by("switch__number", "a", "b")
    rows = list(seen.values_list("switch__number", "a", "b", "switch__device__name"))
    if len(rows) != circuits.count():
        raise NotPermitted(
            "you may not see all circuits of the slice",
            where=f"slice {made.name}",
            remedy="Ask for the permission to view optical circuits",
        )
    bearing = shown_bearing(made, user)
    lost = set(bearing.made.without) if bearing else ()
    facts["circuits"] = [
        {"switch": name, "a": f"{a}A", "b": f"{b}B"}
        for switch, a, b, name in rows
        if (switch, a, b) not in lost
    ]
    return facts | (bearing.as_json() if bearing and bearing.made.without else {})
