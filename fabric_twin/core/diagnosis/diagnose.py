"""The questions, in their order: what one explains is not asked about again."""

from fabric_twin.core.diagnosis.cabling.neighbours import misplaced_neighbours
from fabric_twin.core.diagnosis.cabling.observed import observed_mistakes
from fabric_twin.core.diagnosis.cabling.strangers import strangers
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.diagnosis import Diagnosis
from fabric_twin.core.diagnosis.equipment import (
    copper,
    lost_units,
    old_news,
    silent_cubes,
    silent_switches,
    trays,
)
from fabric_twin.core.diagnosis.identity import exchanged
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.light.agreed import agreed_cables
from fabric_twin.core.diagnosis.light.dark import dark_paths
from fabric_twin.core.diagnosis.light.earlier_looks import spare_test_partners
from fabric_twin.core.diagnosis.light.levels import errors, lost_light, thrown_back
from fabric_twin.core.diagnosis.light.rates import rate_lowered
from fabric_twin.core.diagnosis.light.worse import worse_than_before
from fabric_twin.core.diagnosis.modules import (
    dying_modules,
    strands_of,
    switch_serials,
    wrong_modules,
)
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Pictures
from fabric_twin.core.diagnosis.recorded import recorded_mistakes
from fabric_twin.core.diagnosis.refused import refusing_devices
from fabric_twin.core.diagnosis.siblings import odd_siblings
from fabric_twin.core.diagnosis.switching import circuits, failed_ports
from fabric_twin.core.diagnosis.well import Well


def diagnose(pictures: Pictures) -> Diagnosis:
    """Explain all that differs between what is intended, recorded, wanted and shown."""
    case = Case(pictures)
    if case.is_switched:
        exchanged(case)
    refusing_devices(case)
    silent_switches(case)
    silent_cubes(case)
    old_news(case)
    case.look_again()
    lost_units(case)
    trays(case)
    copper(case)
    if case.is_switched:
        failed_ports(case)
        circuits(case)
        odd_siblings(case)
        switch_serials(case)
    wrong_modules(case)
    recorded_mistakes(case)
    strangers(case)
    if case.is_switched:
        observed_mistakes(case)
    else:
        misplaced_neighbours(case)
    good = _light(case)
    spare_test_partners(case)
    inventory, intended = pictures.inventory, pictures.intended
    case.findings.sort(key=lambda finding: finding.urgency)
    return Diagnosis(
        intended.pod,
        intended.design.name,
        len(inventory.plant.a) if inventory else 0,
        len(intended.a),
        tuple(case.findings),
        dict(sorted(case.unobserved.items())),
        Well(case),
        good,
        agreed_cables(case),
        noun=intended.noun,
    )


def _light(case: Case) -> GoodLight:
    weak = strands_of(case, dying_modules(case))
    dark_paths(case, Paths.of(case), weak)
    lost_light(case, Paths.of(case))
    # A module that sends too little explains what its far end thinks of the light.
    case.explain(case.path_of(weak, case.home) if len(weak) else [])
    paths = Paths.of(case)
    thrown_back(case, paths)
    errors(case, paths)
    rate_lowered(case, paths)
    return worse_than_before(case, paths)
