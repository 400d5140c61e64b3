"""Findings as an audit writes them, read for those who mend them."""

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.finding import Found
from fabric_twin.inventory.json_files import list_of, read_object

_SHAPE = "what `fabric-twin audit --json` writes"


def read_findings(data: bytes, source: str, pod: str) -> list[Found]:
    """The findings of a report, or a refusal; one of another pod is refused."""
    content = read_object(data, source, _SHAPE)
    if content.get("pod", pod) != pod:
        raise UnusableInput(
            f"this is a report on pod {str(content['pod'])[:40]}",
            where=source,
            remedy=f"Give one on {pod}",
        )
    rows = list_of(content, "findings", source, _SHAPE, needed=True)
    return [Found.from_json(row, f"{source}, finding {n}") for n, row in enumerate(rows, 1)]
