"""What of a pod is in use and unhealthy, as JSON: slices as the `slice` command writes them."""

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.unhealthy import numbers_of
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.inventory.json_files import list_of, read_object
from fabric_twin.inventory.slices import slice_of
from fabric_twin.inventory.unhealthy import unhealthy_of

_FORM = (
    '{"slices": [SLICE, ..], "unhealthy": {"slots": [7], "ports": [["iw1-ocs-x-3-2", "7A"]], '
    '"switches": ["iw1-ocs-y-1-1"]}}, '
    "each SLICE as fabric-twin slice --json writes it"
)


def read_in_use(
    data: bytes, source: str, occupancy: Occupancy, intended: Intended
) -> tuple[str, ...]:
    """Put what a file says is in use or unhealthy onto a pod, or refuse it; say what is odd."""
    content = read_object(data, source, _FORM)
    unhealthy = unhealthy_of(content, source, intended.names)
    warnings = []
    for number, row in enumerate(list_of(content, "slices", source, _FORM), 1):
        where = f"{source}, slice {number}"
        written = slice_of(row, where, intended, _FORM)
        try:
            occupancy.add(written.made)
        except NotPossible as refusal:
            raise UnusableInput(refusal.what, where=where, remedy=refusal.remedy) from None
        warnings.append(written.warning)
    for slot in unhealthy.slots:
        occupancy.fail(slot)
    for port in unhealthy.ports:
        for found in numbers_of(intended.names, port):
            occupancy.fail_port(found)
    return tuple(filter(None, warnings))
