"""A pod as documents and drawings show it."""

from fabric_twin.documents.pods.fabric import Cables, Fabric
from fabric_twin.repositories.pod_record import PodRecord


def fabric_of(record: PodRecord) -> Fabric:
    """Its cubes in service: cables as recorded, circuits as wanted, and what is unhealthy."""
    plant, circuits = record.plant, record.circuits
    written = {cable.name: (cable.length_m, cable.printed) for cable in record.cables}
    return Fabric(
        intended=record.intended(),
        cables=Cables.recorded(record.design.layout, (plant.cables, plant.a, plant.b), written),
        circuits=circuits[0],
        owner=circuits[1],
        unhealthy_slots=record.unhealthy_slots,
        unhealthy_ports=record.unhealthy_ports,
        recorded=True,
        letters=dict(record.pod.slices.values_list("name", "letter")),
    )
