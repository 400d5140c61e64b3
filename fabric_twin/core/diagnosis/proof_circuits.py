"""Test circuits that would show what is left to be seen of findings: on ports that nothing uses.

    7A  where a fault may be  --- 3B  an idle cube's         light passes, or shows what is wrong

Each port is in one circuit at most: what finds no port across its switch waits for another time.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import circuit_ends
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis.pictures import Mask
from fabric_twin.core.discovery.rounds import circuits_of
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.findings.proof import Look, Proof

#: What a circuit can show of a cable, and of a mirror.
_OF_CABLES = frozenset(
    {
        *(Look.LIGHT, Look.BESIDE, Look.LOSS, Look.REFLECTION, Look.BER),
        *(Look.AS_BEFORE, Look.SENT_BEFORE, Look.RATE, Look.PLACE),
    }
)
_OF_MIRRORS = frozenset({Look.AIM, Look.AIM_BEFORE, Look.STEERED, Look.CARRIES})


def proof_circuits(
    plant: Intended, proof: Iterable[Proof], idle: Collection[int], busy: Mask, turn: int = 0
) -> Circuits:
    """Join what is to be seen to ports of idle cubes, or to each other.

    The plant is one by strand; `idle` are slots of cubes that stand and do nothing; `busy` says of
    each port whether it is to be left alone. Another `turn` takes other partners: one may be bad.
    """
    layout = plant.names.layout
    wanted = dict.fromkeys(port for port in _ports(plant, proof) if not busy[port])
    home = plant.want[: layout.cube_ports]
    of_idle = home[np.isin(layout.slot[: layout.cube_ports], list(idle)) & (home >= 0)]
    free: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for port in of_idle[~busy[of_idle]].tolist():
        if port not in wanted:
            free[_side(plant, port)].append(port)
    lonely: dict[tuple[int, bool], list[int]] = defaultdict(list)
    pairs: list[tuple[int, int]] = []
    for port in wanted:
        switch, on_b = _side(plant, port)
        across = free[switch, not on_b] or lonely[switch, not on_b]
        if across:
            other = across.pop(turn % len(across))
            pairs.append((other, port) if on_b else (port, other))
        else:
            lonely[switch, on_b].append(port)
    a, b = np.array(pairs, np.int32).reshape(-1, 2).T
    return circuits_of(layout, a, b)


def _ports(plant: Intended, proof: Iterable[Proof]) -> Iterator[int]:
    """The switch ports at which a circuit would show something."""
    names, layout, called = plant.names, plant.names.layout, circuit_ends(plant.names)
    tails = [f":{n}" for n in range(1, layout.strands + 1)] if layout.strands > 1 else [""]
    for one in proof:
        if one.look in _OF_CABLES:
            found = names.find([one.device] * len(tails), [one.port + tail for tail in tails])
            ends = (
                int(plant.want[p]) if p < layout.cube_ports else int(p) for p in found if p >= 0
            )
            yield from (end for end in ends if end >= 0)
        elif one.look in _OF_MIRRORS:
            mirrors = one.port.split(" ") if one.look is Look.CARRIES else [one.port]
            found = names.find([one.device] * len(mirrors), mirrors)
            known = found.tolist()
            for name, port in zip(mirrors, known, strict=True):
                end = port if port >= 0 else called.get((one.device, name), NO_PORT)
                if end >= layout.cube_ports:
                    yield end


def _side(plant: Intended, port: int) -> tuple[int, bool]:
    """The switch of a port, and whether it is on the B side."""
    layout = plant.names.layout
    switch, place = divmod(port - layout.cube_ports, layout.ports_per_switch)
    return switch, place >= layout.radix
