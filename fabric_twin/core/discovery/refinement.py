"""Telling ports apart when every one of them is lit: both worlds are one graph, drawn twice.

Ports are points, and a line of colour r joins those that met in round r. If as many cube ports were
seen as switch ports were joined, then no port is dark, every circuit shows, and the graph of the
cube ports is the graph of the switch ports under other names. A point that differs from all others
by what can be reached from it, along which colours, is then known in both.

Each point gets a number made from its neighbours' numbers, again and again, until no more points
are told apart. Equal points get equal numbers in both graphs, so a number that one point of each
has alone belongs to the same point: should two different points ever get the same number, less is
told, and nothing wrongly.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column

Numbers = NDArray[np.uint64]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MORE = np.uint64(0xBF58476D1CE4E5B9)


def told_apart(rounds: Sequence[Column], cube_ports: int) -> tuple[Column, Column]:
    """Cube ports and the switch ports that they are in, if nothing is dark; else none."""
    table = np.stack(rounds)
    met: Mask = np.asarray((table >= 0).any(axis=0))
    cubes = np.flatnonzero(met[:cube_ports]).astype(np.int32)
    switches = (cube_ports + np.flatnonzero(met[cube_ports:])).astype(np.int32)
    none = cubes[:0]
    unclear = (table[:, cubes] == NOT_KNOWN).any() or (table == NOT_OF_DESIGN).any()
    if not len(cubes) or len(cubes) != len(switches) or unclear:
        return none, none
    numbers = _numbers(table, np.concatenate([cubes, switches]))
    near, far = numbers[cubes], numbers[switches]
    order, other = np.argsort(near), np.argsort(far)
    if (near[order] != far[other]).any():
        return none, none  # not the same graph: what was seen is not what was set
    ordered = near[order]
    alone = np.ones(len(ordered), dtype=np.bool_)
    same = ordered[1:] == ordered[:-1]
    alone[1:][same] = alone[:-1][same] = False
    return cubes[order[alone]], switches[other[alone]]


def _numbers(table: NDArray[np.int32], points: Column) -> Numbers:
    """Numbers by port that tell as many points apart as their surroundings can."""
    # The last number is that of nobody; the walk is over those alone that met somebody.
    place = np.full(table.shape[1] + 1, len(points))
    place[points] = np.arange(len(points))
    near = place[np.where(table[:, points] == NO_PORT, -1, table[:, points])]
    numbers = np.zeros(len(points) + 1, dtype=np.uint64)
    classes, steps = 0, 4
    while True:
        for _ in range(steps):
            grown = _mixed(numbers)
            for salt, others in zip(_salts(len(near)), near, strict=True):
                grown[:-1] += _mixed(numbers[others] ^ salt)
            grown[-1] = 1
            numbers = grown
        more = len(np.unique(numbers))
        # Each step tells more apart, or none ever will. All are apart when each number is that of
        # one point of each graph, and one is nobody's.
        if more in {classes, len(points) // 2 + 1}:
            break
        classes, steps = more, 2 * steps
    by_port = np.zeros(table.shape[1], dtype=np.uint64)
    by_port[points] = numbers[:-1]
    return by_port


def _mixed(numbers: Numbers) -> Numbers:
    numbers = (numbers ^ (numbers >> np.uint64(31))) * _MORE + _ODD
    return numbers ^ (numbers >> np.uint64(29))


def _salts(rounds: int) -> Numbers:
    """A number by round, so that colours are told apart."""
    return np.arange(1, rounds + 1, dtype=np.uint64) * _ODD
