"""The record against the rule, with light as the witness: who of the two is right?

record differs from the rule,   light shows what is recorded   the finding of cabling, confirmed
                                light shows the rule           record-wrong: only the record errs
                                no light there                 the finding of cabling, unconfirmed
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.audit.findings import Finding, Report, finding_id
from fabric_twin.core.audit.places import some
from fabric_twin.core.cabling.plant import Intended, recorded_plant
from fabric_twin.core.cabling.strand_plant import narrowed, strand_of
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.pictures import Mask
from fabric_twin.core.diagnosis.steps import CorrectRecord
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, Column
from fabric_twin.core.fabric.plant import End, Recorded
from fabric_twin.core.findings.proof import Look, Proof


def recorded_mistakes(case: Case) -> None:
    """Explain the record's differences from the rule, and what they make of light."""
    inventory = case.pictures.inventory
    if inventory is None:
        return
    judged = without_awaited(case, inventory.plant)
    report = audit_cabling(judged, inventory.plant)
    case.wrong_ends = wrong_ends(case.intended, judged, inventory.plant, report)
    if not report.findings:
        return
    end = recorded_ends(case, inventory.plant)
    by_record, by_rule = expected(case, end), expected(case, case.home)
    ours = np.arange(case.cubes_end)
    asked = (by_record != by_rule) & (by_record != NOT_KNOWN) & (by_rule != NOT_KNOWN)
    asked &= case.observed_strand & case.is_open(ours)
    for finding in report.findings:
        strands = _strands_at(case, finding, end)
        path = case.path_of(strands, end)
        if case.left_alone[path].any():
            continue
        told = strands[asked[strands]]
        heard = case.heard[told]
        if not case.is_switched and _hear_others(heard, by_record[told], by_rule[told]):
            continue  # what is there is neither: that is told first
        fits = {
            "record": _fits(heard, by_record[told]),
            "rule": _fits(heard, by_rule[told]),
        }
        if fits["rule"] > fits["record"] and fits["rule"][0]:
            case.findings.append(_record_wrong(case, finding, strands, fits["rule"][0]))
            continue
        words = "confirms it" if fits["record"] > fits["rule"] else "does not tell"
        case.findings.append(
            replace(
                finding,
                evidence={"light": words, "seen": fits["record"][0]},
                owners=case.owners(path.tolist()),
                looks=_proof(case, finding, told if words == "confirms it" else []),
            )
        )
        case.explain(path)


def without_awaited(case: Case, plant: Recorded) -> Intended:
    """The rule without cables of open orders that are not there yet."""
    return not_awaited(case.intended, plant, case.pictures.awaited, case.pictures.now)


def not_awaited(
    intended: Intended, plant: Recorded, awaited: Mapping[int, float], now: float
) -> Intended:
    """The same, where nobody looked at the fabric; `awaited` is as in `Pictures`."""
    due = [port for port, until in awaited.items() if now < until]
    if not due:
        return intended
    there = np.zeros(len(intended.mate), np.bool_)
    for ends in (plant.a, plant.b):
        there[ends[ends >= 0]] = True
    late = np.isin(intended.a, due) | np.isin(intended.b, due)
    return narrowed(intended, ~(late & ~there[intended.a] & ~there[intended.b]))


def wrong_ends(intended: Intended, judged: Intended, plant: Recorded, report: Report) -> set[End]:
    """Ends that the record has otherwise than the rule; also of cables that are awaited."""
    if judged is not intended:
        report = audit_cabling(intended, plant)
    return {end for finding in report.findings for end in finding.ports}


def recorded_ends(case: Case, plant: Recorded) -> Column:
    """By strand: the port that its cable is recorded to lead to; NO_PORT without a cable."""
    layout = case.intended.names.layout
    end = np.full(case.cubes_end, NO_PORT, np.int32)
    crossed = np.zeros(len(plant.a), np.bool_)
    crossed[list(plant.crossed)] = True
    for near, far in ((plant.a, plant.b), (plant.b, plant.a)):
        rows = (near >= 0) & (near < layout.cube_ports)
        hanging = rows & (far == NOT_KNOWN)
        rows &= far >= (layout.cube_ports if case.is_switched else 0)
        for number in range(case.strands):
            end[near[hanging] * case.strands + number] = NOT_KNOWN
            for turned in (False, True):
                some_rows = rows & (crossed == turned)
                there = far[some_rows]
                if case.strands > 1:
                    there = strand_of(layout, there, number ^ turned)
                end[near[some_rows] * case.strands + number] = there
    if plant.loose:
        loose = recorded_plant(case.plant.names, *zip(*plant.loose, strict=True))
        for near, far in ((loose.a, loose.b), (loose.b, loose.a)):
            rows = (near >= 0) & (near < case.cubes_end) & (far >= case.cubes_end)
            end[near[rows]] = far[rows]
    return end


def expected(case: Case, end: Column) -> Column:
    """By strand: whom it should hear if strands are in these ports; NO_PORT for nobody."""
    if not case.is_switched:
        return end
    holder = holders(case, end)
    inside = end >= 0
    at = np.where(inside, end, 0)
    to = case.meets[at]
    heard = np.where(inside & (to >= 0), holder[np.where(to >= 0, to, 0)], NO_PORT)
    heard[inside & ~case.observed_switch[at]] = NOT_KNOWN
    heard[end == NOT_KNOWN] = NOT_KNOWN
    return heard.astype(np.int32)


def holders(case: Case, end: Column) -> Column:
    """By simplex port: the strand that is in it."""
    holder = np.full(len(case.explained), NO_PORT, np.int32)
    inside = np.flatnonzero(end >= 0)
    holder[end[inside]] = inside
    return holder


def _hear_others(heard: Column, *wanted: Column) -> bool:
    """Whether somebody is heard whom neither the record nor the rule wants there."""
    return bool(((heard >= 0) & (heard != wanted[0]) & (heard != wanted[1])).any())


def _fits(heard: Column, wanted: Column) -> tuple[int, int]:
    """How many hear whom they should, and how many rightly hear nobody: light weighs more."""
    same = heard == wanted
    lit: Mask = wanted >= 0
    return int((same & lit).sum()), int((same & ~lit).sum())


def _strands_at(case: Case, finding: Finding, end: Column) -> Column:
    """Strands that a finding of cabling is about: in its ports by the rule, or by the record."""
    whole = case.plugs_of(finding)
    mine = np.zeros(len(case.intended.mate), np.bool_)
    mine[whole[whole >= 0]] = True
    every = np.arange(case.cubes_end)
    touched = mine[every // case.strands]
    for column in (case.home, end):
        inside = column >= 0
        touched |= inside & mine[case.whole(np.where(inside, column, 0))]
    return np.flatnonzero(touched).astype(np.int32)


def _proof(case: Case, finding: Finding, shown: Column | list[int]) -> tuple[Proof, ...]:
    """The record is right; and light as well, where it showed that the record was not alone."""
    return (*finding.proof, *case.cables_seen(Look.LIGHT, shown))


def _record_wrong(case: Case, finding: Finding, strands: Column, seen: int) -> Finding:
    steps = []
    for stray in finding.strays:
        cable = stray.cable or "cable"
        if stray.stands is None:
            steps.append(
                CorrectRecord(cable, "ends", "", f"{_said(stray.stays)} - {_said(stray.wanted)}")
            )
        elif stray.wanted is None:
            steps.append(CorrectRecord(cable, "ends", _both(stray.stays, stray.stands), ""))
        elif finding.code == "crossed-pair":
            steps.append(CorrectRecord(cable, "strands", "crossed", "straight"))
        else:
            steps.append(CorrectRecord(cable, "end", _said(stray.stands), _said(stray.wanted)))
    cables = finding.cables
    what = f"{some(cables, 'cables')} {'is' if len(cables) == 1 else 'are'}"
    return Finding(
        id=finding_id([f"record-wrong {finding.id}"]),
        code="record-wrong",
        cause=f"{what} as the rule wants by light, and the record is wrong ({finding.code})",
        strays=finding.strays,
        remedy=tuple(steps),
        evidence={"light": "shows the rule", "seen": seen, "recorded": finding.code},
        owners=case.owners(strands.tolist()),
    )


def _said(end: End | None) -> str:
    return " ".join(end) if end else ""


def _both(one: End, other: End) -> str:
    return f"{_said(one)} - {_said(other)}"
