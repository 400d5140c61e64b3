"""Test a bundle by light: join it to a known cube for a moment, and read who hears whom."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from time import monotonic, sleep

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import CubesShown
from fabric_twin.core.errors import NoAnswer
from fabric_twin.core.orders.checking import Look, Verdict
from fabric_twin.core.tickets.course import by_switch
from fabric_twin.services.audits.observe import observed_cubes
from fabric_twin.services.tickets.light import Light
from fabric_twin.switches.changes import Change
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import Pair

#: Seconds in which neighbours announce themselves, and between two times of listening.
SETTLE, PAUSE = 2.0, 0.25
_POOR = "too much light comes back, or too many bits are wrong"


@dataclass(frozen=True, eq=False)
class Looked:
    """Who is asked, and what is told, to see a bundle."""

    look: Look
    #: Circuits by switch, as it calls them.
    circuits: Mapping[str, frozenset[Pair]]
    #: The cubes that hear, and those that are heard.
    cubes: tuple[str, ...]

    @classmethod
    def at(cls, intended: Intended, look: Look) -> "Looked":
        """Name what a look is about."""
        names, layout = intended.names, intended.names.layout
        strands = layout.strands
        ports = np.concatenate([look.hears, look.near]) // strands
        slots = np.unique(layout.slot[ports[ports >= 0]]).tolist()
        return cls(
            look,
            by_switch(look.circuits.named(names)),
            tuple(names.cube(slot) for slot in slots),
        )


def check_bundle(
    intended: Intended,
    fabric: Fabric,
    looked: Looked,
    stale: Mapping[str, Collection[Pair]],
    settle: float = SETTLE,
    light: Light | None = None,
    *,
    limits: Limits | None = None,
) -> Verdict:
    """Make the circuits of a look, listen, take them away again, and say what light says.

    `stale` are circuits that an earlier look left behind when it was ended: they go first. With
    `light` the loss of each path is held against its switch's own value and the budget as well.
    """
    switches = sorted(looked.circuits)
    if deaf := [name for name in switches if name not in fabric.switches]:
        raise NoAnswer(
            "it has no address", where=deaf[0], remedy="Give it the one where it answers gNMI"
        )
    if mute := [name for name in looked.cubes if name not in fabric.cubes]:
        raise NoAnswer(
            "it has no address", where=mute[0], remedy="Give it the one where it answers gNMI"
        )
    add = {
        name: Change(frozenset(stale.get(name, ())) - looked.circuits[name], looked.circuits[name])
        for name in switches
    }
    try:
        fabric.apply(add).all()
        verdict = _listen(intended, fabric, looked, settle, light, limits or Limits())
    finally:
        part(fabric, looked.circuits)
    return verdict


def _listen(
    intended: Intended,
    fabric: Fabric,
    looked: Looked,
    settle: float,
    light: Light | None,
    limits: Limits,
) -> Verdict:
    """What the cubes hear, once everybody has had the time to say who he is."""
    names, until = by_strand(intended).names, monotonic() + settle
    while True:
        cubes = observed_cubes(names, fabric.read_cubes(looked.cubes).all())
        verdict = looked.look.verdict(cubes.heard, weak(looked.look, cubes, limits))
        if light:
            verdict = _measured(intended, looked, verdict, light)
            verdict = replace(verdict, measured=_all_told(looked.look, cubes))
        # A neighbor may be heard before all levels are told; then the fault is not shown mended.
        is_seen = verdict.agrees and (verdict.measured or not light)
        if is_seen or monotonic() >= until:
            return verdict
        sleep(PAUSE)


def _all_told(look: Look, cubes: CubesShown) -> bool:
    """Whether modules at both ends told all that is held against limits."""
    ends = np.concatenate([look.near, look.hears])
    ports = ends // look.strands
    told = [cubes.reflection[ports], cubes.ber[ports], cubes.sent[ends], cubes.received[ends]]
    return all(bool(np.isfinite(levels).all()) for levels in told)


def _measured(intended: Intended, looked: Looked, verdict: Verdict, light: Light) -> Verdict:
    """The same verdict, with paths that lose too much, and what is worse than before, in words."""
    rows = [Circuit(name, a, b) for name, pairs in looked.circuits.items() for a, b in pairs]
    told = light.look(rows, {})
    bad = {port: one.why for one in told.bad for port in one.circuit.ports}
    plant, near = by_strand(intended), looked.look.near
    at = [plant.names.port(port) for port in plant.want[near].tolist()]
    cables = looked.look.bundle.cables
    whys = {
        cables[row // looked.look.strands]: bad[port] for row, port in enumerate(at) if port in bad
    }
    poor = tuple(one for one in dict.fromkeys((*whys, *verdict.weak)) if one not in verdict.wrong)
    why = next(iter(whys.values()), _POOR if poor else "")
    return replace(verdict, weak=poor, why=why, worse=tuple(map(str, told.worse)))


def part(fabric: Fabric, circuits: Mapping[str, Iterable[Pair]]) -> None:
    """Take circuits away; a switch that does not answer keeps them until it is asked again."""
    fabric.apply({name: Change(delete=frozenset(pairs)) for name, pairs in circuits.items()})


def weak(look: Look, cubes: CubesShown, limits: Limits) -> set[str]:
    """Cables in whose light too many bits are wrong, or of which too much comes back."""
    near = look.near // look.strands
    with np.errstate(invalid="ignore"):
        poor = (cubes.reflection > limits.reflection) | (cubes.up & (cubes.ber > limits.ber))
    bad = np.flatnonzero(np.asarray(poor)[near].reshape(-1, look.strands).any(axis=1))
    return {look.bundle.cables[row] for row in bad.tolist()}
