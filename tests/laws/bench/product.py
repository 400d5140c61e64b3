"""The audit under test, asked about a plant by names."""

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant, recorded_plant
from fabric_twin.core.design import Design
from fabric_twin.inventory.designs.design_file import read_design

from .plant import Plant
from .words import POD, Port

Report = dict[str, Any]
EXAMPLES = Path(__file__).parents[3] / "docs/examples/designs"


def design_of(name: str) -> Design:
    """The product's design of a name: a module, or a file that is an example."""
    if name == "v5e-hosts":
        file = EXAMPLES / f"{name}.yaml"
        return read_design(file.read_bytes(), file.name)
    return import_module(f"fabric_twin.core.designs.{name.replace('-', '_')}").DESIGN


@lru_cache(64)
def _intended(
    design: str, slots: tuple[int, ...], substituted: frozenset[tuple[Port, Port]]
) -> Intended:
    substitutions = [
        Substitution(switch, port, spare) for (switch, port), (_, spare) in substituted
    ]
    return intended_plant(design_of(design), POD, slots=slots, substitutions=substitutions)


def intended(plant: Plant) -> Intended:
    """What the product wants of a plant's cubes."""
    return _intended(plant.kind.name, plant.slots, frozenset(plant.substituted.items()))


def audit(plant: Plant, order: list[str] | None = None) -> Report:
    """The audit's report on a plant whose rows are in this order."""
    cables = list(plant.rows) if order is None else order
    near = [plant.rows[cable][0] or ("", "") for cable in cables]
    far = [plant.rows[cable][1] or ("", "") for cable in cables]
    columns = [[end[n] for end in ends] for ends in (near, far) for n in (0, 1)]
    want = intended(plant)
    return audit_cabling(want, recorded_plant(want.names, cables, *columns)).as_json()
