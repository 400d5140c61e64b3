"""Audit a cut sheet against the wiring rule of its pod's design."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from fabric_twin.core.audit import Report, audit_cabling
from fabric_twin.core.audit.explain import audit as audit_fabric
from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant, recorded_plant
from fabric_twin.core.design import Design
from fabric_twin.core.topology.recorded import recorded_network
from fabric_twin.inventory.cutsheet import read_cut_sheet


@dataclass(frozen=True)
class SheetAudit:
    """What was found in a sheet, and what of it was not looked at."""

    report: Report
    #: Rows wholly of other pods.
    others: int
    #: Rows that are not connected, by status.
    left_out: Counter[str]


def audit_network(
    intended: Intended,
    sheet: bytes,
    source: str,
    progress: Callable[[str, int], None],
) -> SheetAudit:
    """The same of a network of blocks."""
    read = read_cut_sheet(sheet, source, partial(progress, "rows read"))
    recorded = recorded_network(intended.names, *read.columns)
    report = audit_fabric(intended, recorded, partial(progress, "findings explained"))
    return SheetAudit(report, recorded.others, read.left_out)


def _unseen(_what: str, _done: int) -> None:
    """Nobody watches."""


def audit_sheet(
    design: Design,
    pod: str,
    sheet: bytes,
    source: str,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    progress: Callable[[str, int], None] = _unseen,
) -> SheetAudit:
    """Read a sheet and explain every difference from the rule."""
    intended = intended_plant(design, pod, slots, substitutions)
    recorded_sheet = read_cut_sheet(sheet, source, partial(progress, "rows read"))
    recorded = recorded_plant(intended.names, *recorded_sheet.columns)
    report = audit_cabling(intended, recorded, partial(progress, "findings explained"))
    return SheetAudit(report, recorded.others, recorded_sheet.left_out)
