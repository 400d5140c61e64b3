"""Read a fabric, and explain what differs between it, the record and the rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fabric_twin.core.cabling.lengths import lengths_of
from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant, recorded_plant
from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.design import Design
from fabric_twin.core.diagnosis import Diagnosis, Pictures, diagnose
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Baseline, Inventory, Wanted
from fabric_twin.core.errors import NoAnswer
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.pods.names import Names
from fabric_twin.core.topology.recorded import recorded_network
from fabric_twin.inventory.cutsheet import CutSheet, read_cut_sheet
from fabric_twin.services.audits.audit import SheetAudit
from fabric_twin.services.audits.observe import observe
from fabric_twin.switches.fabric import Answers, Fabric
from fabric_twin.switches.states import CubeState, SwitchState


@dataclass(frozen=True)
class Reading:
    """What a pod answered, as it was read."""

    switches: Answers[SwitchState]
    cubes: Answers[CubeState]

    @classmethod
    def of(cls, fabric: Fabric) -> "Reading":
        """Ask everybody; nobody's silence hides what others say, unless all are silent."""
        reading = cls(*fabric.read_all())
        if not reading.switches.given and not reading.cubes.given:
            missing = {**reading.switches.missing, **reading.cubes.missing}
            if not missing:
                raise NoAnswer(
                    "there is nobody to ask",
                    where="fabric",
                    remedy="Name switches and cubes with an address",
                )
            Answers[SwitchState]({}, missing).all()
        return reading


def diagnose_fabric(
    intended: Intended,
    fabric: Fabric,
    now: Callable[[], float],
    *,
    inventory: Inventory | None = None,
    wanted: Wanted | None = None,
    baseline: Baseline | None = None,
    limits: Limits | None = None,
) -> Diagnosis:
    """Ask every switch and cube once, and explain what they say."""
    reading = Reading.of(fabric)
    return diagnose(
        Pictures(
            intended=intended,
            shown=observe(intended, reading.switches, reading.cubes),
            now=now(),
            inventory=inventory,
            wanted=wanted,
            baseline=baseline or Baseline(),
            limits=limits or Limits(),
        )
    )


def diagnose_sheet(
    design: Design,
    pod: str,
    sheet: bytes,
    source: str,
    fabric: Fabric,
    now: Callable[[], float],
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    circuits: Sequence[Circuit] | None = None,
    progress: Callable[[str, int], None],
) -> SheetAudit:
    """Audit a sheet as the record of a fabric that can be asked."""
    intended = intended_plant(design, pod, slots, substitutions)
    read = read_cut_sheet(sheet, source, partial(progress, "rows read"), written=True)
    plant = recorded_plant(intended.names, *read.columns)
    report = _diagnosed(_measured(intended, plant, read), plant, fabric, now, circuits)
    return SheetAudit(report, plant.others, read.left_out)


def diagnose_network(
    intended: Intended,
    sheet: bytes,
    source: str,
    fabric: Fabric,
    now: Callable[[], float],
    *,
    circuits: Sequence[Circuit] | None = None,
    progress: Callable[[str, int], None],
) -> SheetAudit:
    """The same of a network of blocks."""
    read = read_cut_sheet(sheet, source, partial(progress, "rows read"), written=True)
    plant = recorded_network(intended.names, *read.columns)
    report = _diagnosed(_measured(intended, plant, read), plant, fabric, now, circuits)
    return SheetAudit(report, plant.others, read.left_out)


def _measured(intended: Intended, plant: Recorded, sheet: CutSheet) -> Intended:
    """The plant with its cables as long as a sheet says; what it does not say stays."""
    told = (sheet.written.get(name, ("", ""))[0] for name in plant.cables)
    ends = zip(plant.a.tolist(), plant.b.tolist(), told, strict=True)
    lengths = lengths_of(intended.names.layout.cube_ports, ends)
    if not len(lengths):
        return intended
    known = intended.lengths if len(intended.lengths) else np.zeros_like(lengths)
    return replace(intended, lengths=np.where(lengths > 0, lengths, known))


def _diagnosed(
    intended: Intended,
    plant: Recorded,
    fabric: Fabric,
    now: Callable[[], float],
    circuits: Sequence[Circuit] | None,
) -> Diagnosis:
    wanted = None if circuits is None else wanted_circuits(intended.names, circuits)
    return diagnose_fabric(intended, fabric, now, inventory=Inventory(plant), wanted=wanted)


def wanted_circuits(
    names: Names,
    circuits: Sequence[Circuit],
    on: Mapping[int, Iterable[str]] | None = None,
) -> Wanted:
    """Circuits by name as the columns of a wish; those of other pods are left out."""
    columns, rows = numbered(circuits, names)
    owners = sorted({row.owner for row in rows if row.owner})
    place = {owner: number for number, owner in enumerate(owners)}
    return Wanted(
        columns,
        np.array([place.get(row.owner, -1) for row in rows], np.int32),
        owners,
        on={slot: list(names) for slot, names in (on or {}).items()},
    )
