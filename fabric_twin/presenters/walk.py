"""The walk of a crew for its phone: the floor as the order's paper draws it, and each stop on it.

OrderStep rows --> visits, as on paper --> stops: rack, row, place, metres, steps left
"""

from typing import Any

from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.life import SETTLED, StepIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.steps import Step
from fabric_twin.documents.orders.floor_map import floor_map
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.orders.reports.rack_places import rack_places


def walk_of(order: WorkOrder, crew: int) -> dict[str, Any]:
    """The stops of a crew, by turn, and the racks of the floor with their turns."""
    rows = OrderStep.objects.filter(order=order).order_by("number")
    states: dict[int, str] = {}
    steps = []
    for facts, state in rows.values_list("facts", "state"):
        step = Step.from_json(facts)
        steps.append(step)
        states[step.number] = state
    places = rack_places(order.pod)
    walked = CoreOrder(
        name=order.name,
        pod=order.pod.name,
        design=order.pod.design,
        kind=Kind(order.kind),
        title=order.title,
        steps=tuple(steps),
        crews=order.crews,
    )
    floor = floor_map(walked, Floor(places.spots, places.rack_of))
    done = {*SETTLED, StepIs.NOT_DUE}
    stops = []
    for turn, visit in enumerate(walked.visits(crew), 1):
        spot = places.spots.get(visit[0].rack)
        stops.append(
            {
                "turn": turn,
                "first": visit[0].number,
                "last": visit[-1].number,
                "rack": visit[0].rack,
                "row": spot.row if spot else None,
                "place": spot.place if spot else None,
                "building": spot.building if spot else "",
                "metres": round(visit[0].metres, 1),
                "left": sum(states[step.number] not in done for step in visit),
            }
        )
    racks = [
        {
            "name": cell.rack,
            "row": cell.row,
            "place": cell.place,
            "turns": cell.turns if cell.crew == crew else (),
        }
        for cell in floor.cells
    ]
    return {"rows": floor.rows, "places": floor.places, "racks": racks, "stops": stops}
