"""A pod as documents show it, as JSON: what a server knows is drawn elsewhere just as there.

Ports are numbers of the design's layout, names are what an operator calls them: neither has to be
found again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.design import Design
from fabric_twin.core.designs import find_design
from fabric_twin.core.findings.noted import Noted
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.own_names import OwnNames
from fabric_twin.documents.pods.fabric import Cable, Cables, Fabric

#: Texts by number, such as what holds a port.
_TEXTS = ("to_come", "held", "differs", "astray")
#: Cables that are not in both of their ports, by number.
_CABLES = ("begun", "ordered")
_FINDINGS = ("findings", "switch_findings", "cube_findings")


def fabric_to_json(fabric: Fabric, substitutions: Sequence[Substitution]) -> dict[str, Any]:
    """Everything of it, in plain lists, numbers and texts."""
    cables, circuits = fabric.cables, fabric.circuits
    return {
        "version": 1,
        "pod": fabric.pod,
        "design": fabric.intended.design.name,
        "slots": list(fabric.intended.slots),
        "substitutions": [[s.switch, s.port, s.spare, s.reason] for s in substitutions],
        "names": _own_names(fabric.names),
        "cables": {
            "name": list(cables.name),
            "a": cables.a.tolist(),
            "b": cables.b.tolist(),
            "length_m": list(cables.length_m),
            "label": list(cables.label),
        },
        "circuits": {
            "switch": circuits.switch.tolist(),
            "a": circuits.a.tolist(),
            "b": circuits.b.tolist(),
            "owner": list(fabric.owner),
        },
        "letters": dict(fabric.letters),
        "unhealthy": {
            "slots": sorted(fabric.unhealthy_slots),
            "ports": sorted(fabric.unhealthy_ports),
        },
        "findings_hidden": fabric.findings_hidden,
        **{of: {str(at): text for at, text in getattr(fabric, of).items()} for of in _TEXTS},
        **{of: {str(at): list(c) for at, c in getattr(fabric, of).items()} for of in _CABLES},
        **{of: _noted_to_json(getattr(fabric, of)) for of in _FINDINGS},
    }


def fabric_from_json(
    told: Mapping[str, Any], design: Design | None = None, slots: Collection[int] | None = None
) -> Fabric:
    """The pod again, or a part of its slots; a `ValueError` or the like for what is none."""
    design = design or find_design(told["design"])
    layout = design.layout
    intended = intended_plant(
        design,
        told["pod"],
        told["slots"] if slots is None else slots,
        [Substitution(*map(str, row)) for row in told["substitutions"]],
    )
    cables, circuits = told["cables"], told["circuits"]
    noted: dict[str, Any] = {of: _by_number(told[of]) for of in _TEXTS}
    noted |= {of: {at: Cable(*_texts(c)) for at, c in _pairs(told.get(of, {}))} for of in _CABLES}
    noted |= {of: _noted_from_json(told[of]) for of in _FINDINGS}
    for of in _CABLES:  # a server that does not tell of them knows of none
        _numbers(list(noted[of]), 0, len(layout.mate))
    _check_alike(*cables.values())
    _check_alike(*circuits.values())
    return Fabric(
        intended=replace(intended, names=_names_of(layout, told["pod"], told["names"])),
        cables=Cables(
            _texts(cables["name"]),
            _numbers(cables["a"], 0, len(layout.mate)),
            _numbers(cables["b"], 0, len(layout.mate)),
            _texts(cables["length_m"]),
            _texts(cables["label"]),
        ),
        recorded=True,
        circuits=Circuits(
            _numbers(circuits["switch"], 0, len(layout.switches)),
            _numbers(circuits["a"], 1, layout.radix + 1),
            _numbers(circuits["b"], 1, layout.radix + 1),
        ),
        owner=_texts(circuits["owner"]),
        letters={str(name): str(letter) for name, letter in dict(told["letters"]).items()},
        unhealthy_slots=frozenset(told["unhealthy"]["slots"]),
        unhealthy_ports=frozenset(told["unhealthy"]["ports"]),
        findings_hidden=bool(told.get("findings_hidden")),
        **noted,
    )


def _own_names(names: Names) -> dict[str, Any]:
    """What is called otherwise than by the rule."""
    layout, rule = names.layout, Names(names.layout, names.pod)
    ports = np.arange(len(layout.mate), dtype=np.int32)
    called, by_rule = (zip(*which.ends(ports), strict=True) for which in (names, rule))
    slots = range(1, layout.slots + 1)
    return {
        "racks": {str(s): names.cube(s) for s in slots if names.cube(s) != rule.cube(s)},
        "switches": _differing(names.switches, rule.switches),
        "ports": _differing(called, by_rule),
    }


def _differing(own: Iterable[Any], by_rule: Iterable[Any]) -> dict[str, Any]:
    pairs = enumerate(zip(own, by_rule, strict=True))
    return {str(number): name for number, (name, rule) in pairs if name != rule}


def _names_of(layout: Layout, pod: str, own: Mapping[str, Any]) -> OwnNames:
    racks, switches = (_by_number(own[of]) for of in ("racks", "switches"))
    ports = {n: (str(device), str(port)) for n, (device, port) in _pairs(own["ports"])}
    return OwnNames(layout, pod, racks, switches, ports)


def _by_number(told: Any) -> dict[int, str]:
    return {number: str(text) for number, text in _pairs(told)}


def _pairs(told: Any) -> Iterator[tuple[int, Any]]:
    return ((int(number), value) for number, value in dict(told).items())


def _noted_to_json(found: Mapping[int, Sequence[Noted]]) -> dict[str, list[dict[str, Any]]]:
    return {str(at): [asdict(one) for one in noted] for at, noted in found.items()}


def _noted_from_json(told: Mapping[str, Any]) -> dict[int, Sequence[Noted]]:
    return {
        at: tuple(
            # One that does not tell whether it is seen tells of none that is not.
            Noted(str(n["code"]), str(n["cause"]), bool(n["is_error"]), bool(n.get("seen", True)))
            for n in noted
        )
        for at, noted in _pairs(told)
    }


def _numbers(told: Sequence[int], first: int, end: int) -> Any:
    column = np.array(told, dtype=np.int32)
    if column.ndim != 1 or (len(column) and not first <= column.min() <= column.max() < end):
        raise ValueError(f"numbers are not within {first} to {end - 1}")
    return column


def _texts(told: Sequence[Any]) -> list[str]:
    return [str(text) for text in told]


def _check_alike(*columns: Sequence[Any]) -> None:
    if len({len(column) for column in columns}) > 1:
        raise ValueError("columns are not equally long")
