"""Cabling by light: the observed plant is built from what cubes hear, and audited like a record."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.audit.places import some
from fabric_twin.core.diagnosis.cabling.alternatives import MOST, all_home, apart, joint, told
from fabric_twin.core.diagnosis.cabling.explanations import Moves
from fabric_twin.core.diagnosis.cabling.sightings import Explained, explain_sightings
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.recorded import expected
from fabric_twin.core.diagnosis.steps import Disconnect, Reseat
from fabric_twin.core.discovery.rounds import agreed_sightings
from fabric_twin.core.fabric.columns import NOT_KNOWN
from fabric_twin.core.fabric.plant import Recorded, Row
from fabric_twin.core.findings.proof import Look, Proof


def observed_mistakes(case: Case) -> None:
    """Find cables that are not where the rule and the record want them."""
    met = agreed_sightings(case.heard)
    found, nowhere = explain_sightings(case, expected(case, case.home), met)
    if found:
        _explain(case, found)
    _untold_circuits(case, nowhere)


#: What another explanation makes: findings that are there together.
Rival = tuple[Finding, ...]


@dataclass(frozen=True)
class _Audited:
    finding: Finding
    #: The parts of the sightings that it explains.
    of: frozenset[int]


def _explain(case: Case, found: Sequence[Explained]) -> None:
    many = min(MOST, max(len(part.explanations) for part in found))
    first, *others = (_audited(case, found, number) for number in range(many))
    for likely in first:
        also = {
            tuple(other.finding for other in audited if other.of & likely.of): None
            for audited in others
        }
        mine = [found[number] for number in sorted(likely.of)]
        rivals = [each for each in also if likely.finding not in each]
        case.findings.append(_by_light(case, likely.finding, rivals, mine))
    for part in found:
        end = case.home.copy()
        for explanation in (*part.ruled_out, *part.explanations):
            for strand, port in explanation.moves.items():
                end[strand] = port
        case.explain(case.path_of(np.array(sorted(part.strands)), end))


def _by_light(
    case: Case, finding: Finding, rivals: Sequence[Rival], mine: Sequence[Explained]
) -> Finding:
    also = list(dict.fromkeys(other for rival in rivals for other in rival))
    strands = sorted({strand for part in mine for strand in part.strands})
    whole = joint([part.explanations for part in mine])
    unseen = sorted({strand for one in whole for strand in one.moves if one.moves[strand] < 0})
    moved = sorted({strand for one in whole for strand in one.moves})
    sure = len(whole) == 1
    cause = f"By light: {finding.cause}"
    if sure and unseen:
        cables = list(dict.fromkeys(case.cable(strand) for strand in unseen))
        cause += f"; light does not show where {some(cables)} {'is' if len(cables) == 1 else 'are'}"
    if also:
        cables = sorted({cable for other in also for cable in other.cables})
        cause += (
            f"; or else {some(cables, 'cables')} {'is' if len(cables) == 1 else 'are'} "
            "misplaced: through these circuits light does not show which"
        )
    return replace(
        finding,
        cause=cause,
        concerned=tuple(
            sorted({cable for other in also for cable in other.cables} - set(finding.cables))
        ),
        places=tuple(sorted({port for other in also for port in other.ports})),
        remedy=finding.remedy if sure and not unseen else tuple(all_home(case, whole, moved)),
        evidence={
            "light": "shows it",
            "sure": sure and all(part.searched and not part.ruled_out for part in mine),
            "explanations": [told(case, one) for one in whole],
            "or": [
                {
                    "cause": "; and ".join(other.cause for other in rival),
                    "cables": [cable for other in rival for cable in other.cables],
                }
                for rival in rivals
            ],
            "apart": apart(case, whole),
            "heard": _sightings(case, strands),
        },
        owners=case.owners(strands),
        looks=_looks(case, mine, _plugged(case, finding, also)),
    )


def _looks(case: Case, parts: Sequence[Explained], plugged: Sequence[int]) -> tuple[Proof, ...]:
    """Each cable that may be elsewhere has to be seen, and each that earlier looks cleared."""
    cleared = {strand for part in parts for strand in part.cleared}
    moved = {strand for part in parts for strand in part.strands} - cleared
    blamed = case.cables_seen(Look.LIGHT, [*sorted(moved), *plugged])
    beside = case.cables_seen(Look.BESIDE, sorted(cleared))
    there = {one.thing for one in blamed}
    return (*blamed, *(one for one in beside if one.thing not in there))


def _plugged(case: Case, finding: Finding, also: Sequence[Finding]) -> list[int]:
    """The ports that a finding and what it may be instead are at, strand by strand."""
    whole = np.concatenate([case.plugs_of(one) for one in (finding, *also)])
    names = case.intended.names.layout
    near = np.where(whole >= names.cube_ports, case.intended.mate[whole], whole)
    return [int(port) * case.strands for port in near if port >= 0]


def _sightings(case: Case, strands: Sequence[int]) -> list[list[str]]:
    """Who hears whom, of the first few."""
    names, heard = case.plant.names, case.heard
    return [
        [" ".join(names.port(strand)), " ".join(names.port(int(heard[strand])))]
        for strand in strands
        if heard[strand] >= 0
    ][:8]


def _audited(case: Case, found: Sequence[Explained], number: int) -> list[_Audited]:
    """The findings of the plant that the n-th explanation of every part makes."""
    moves: Moves = {}
    of: dict[int, set[int]] = {}
    for which, part in enumerate(found):
        explained = part.explanations[min(number, len(part.explanations) - 1)]
        moves |= explained.places
        for strand in explained.moves:
            of.setdefault(strand // case.strands, set()).add(which)
    report = audit_cabling(case.intended, _plant(case, moves))
    audited = []
    for finding in report.findings:
        whole = case.plugs_of(finding)
        near = np.where(
            whole >= case.intended.names.layout.cube_ports, case.intended.mate[whole], whole
        )
        about = {n for port in near.tolist() for n in of.get(port, ())}
        audited.append(_Audited(_worded(finding), frozenset(about)))
    return audited


def _worded(finding: Finding) -> Finding:
    """A finding as light shows it: there is no record that lacks an end."""
    if finding.code != "dark":
        return finding
    gives = "gives" if len(finding.cables) == 1 else "give"
    return replace(finding, cause=f"{some(finding.cables, 'cables')} {gives} no light")


def _plant(case: Case, moves: Moves) -> Recorded:
    """The plant of the rule with some strands elsewhere."""
    intended, names = case.intended, case.intended.names
    cables = names.cables(intended.a)
    row_of = {port: row for row, port in enumerate(intended.a.tolist())}
    b = intended.b.copy()
    crossed: list[int] = []
    loose: list[Row] = []
    gone = np.zeros(len(b), np.bool_)
    touched = sorted({strand // case.strands for strand in moves})
    for port in touched:
        row = row_of.get(port)
        if row is None:
            continue
        cables[row] = case.cable(port * case.strands)
        ends = _ends(case, port, moves)
        if case.strands == 1 or ends == [NOT_KNOWN, NOT_KNOWN]:
            b[row] = ends[0]
            continue
        plugs = case.whole(np.array([end if end >= 0 else case.cubes_end for end in ends]))
        if min(ends) >= 0 and plugs[0] == plugs[1]:
            b[row] = plugs[0]
            if ends[0] > ends[1]:
                crossed.append(row)
            continue
        gone[row] = True
        for number, end in enumerate(ends):
            near = case.plant.names.port(port * 2 + number)
            far = case.plant.names.port(end) if end >= 0 else ("", "")
            loose.append((f"{cables[row]}:{number + 1}", *near, *far))
    whole = Recorded(cables, intended.a, b, crossed=tuple(crossed))
    return replace(whole.only(~gone) if gone.any() else whole, loose=loose)


def _ends(case: Case, port: int, moves: Moves) -> list[int]:
    """Where the strands of a cable are; one that no light tells of went along with the other."""
    strands = range(port * case.strands, (port + 1) * case.strands)
    ends = [moves.get(strand, int(case.home[strand])) for strand in strands]
    if case.strands == 1:
        return ends
    for number, strand in enumerate(strands):
        other = ends[1 - number]
        untold = strand not in moves and case.heard[strand] < 0
        if untold and other == NOT_KNOWN:
            ends[number] = NOT_KNOWN
        elif untold:
            half = case.layout.radix
            on_b = (other - case.cubes_end) % case.layout.ports_per_switch >= half
            ends[number] = other - half if on_b else other + half
    return ends


def _untold_circuits(case: Case, pairs: Sequence[tuple[int, int]]) -> None:
    """Light passes a switch that tells of no circuit there."""
    by_switch: dict[int, list[tuple[str, str]]] = {}
    for pair in pairs:
        ends = sorted(int(case.home[strand]) for strand in pair)
        one, other = case.switch_of(np.array(ends)).tolist()
        if one == other and one not in case.confused:
            a, b = (case.mirror(end)[1] for end in ends)
            by_switch.setdefault(one, []).append((a, b))
            case.explain([*pair, *ends])
    for switch, circuits in by_switch.items():
        name = case.switch_names[switch]
        said = some([f"{a} and {b}" for a, b in circuits])
        case.found(
            "circuit-unexpected",
            f"{name} untold",
            f"{name} lets light pass between {said}, and tells of no circuit there",
            [Reseat(name), *(Disconnect(name, a, b) for a, b in circuits)],
            places=[(name, port) for pair in circuits for port in pair],
            proof=[Proof(Look.UNTOLD, name, f"{a} {b}") for a, b in circuits],
        )
