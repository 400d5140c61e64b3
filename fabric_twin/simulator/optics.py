"""The link budget: whom each strand hears, how loud, and with how many bit errors.

    launch --- connector, cable, connector --- mirrors --- connector, cable, connector --- receiver
           dirt eats light, and throws some of it back into the sender's own receiver

The model is a signal-to-noise ratio with three terms: what a lane has whatever the light (a floor
of errors), what a weak signal adds, and what reflections add. Its figures are our own [A], chosen
so that a healthy pod has the published margin: about two orders of magnitude under 2e-4.
"""

from dataclasses import dataclass
from math import erfc

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import Column
from fabric_twin.simulator.mirrors import Mirrors
from fabric_twin.simulator.parts import AGEING, LANES, OWN, YEAR, Parts
from fabric_twin.simulator.plant import Plant
from fabric_twin.simulator.points import NOWHERE

Levels = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: dBm that a receiver shows in the dark, and under which it hears nothing.
DARKNESS, HEARD = -40.0, -9.0
#: Error correction copes with this many errors; the link goes down at the second figure [A].
CORRECTED, LINK_DOWN = 2e-4, 1e-3
#: How often light may change cables on its way: a cable between two switches is a mistake.
HOPS = 4
#: Signal-to-noise ratio at which 50G PAM4 has 2e-4 errors, and that of a lane in full light.
_SNR_LIMIT, _SNR_FLOOR = 60.0, 118.0
#: dBm at which noise of the receiver alone leaves 2e-4 errors.
_SENSITIVITY = -7.2
#: How much harder a reflection hits than noise, after digital compensation [A].
_BEATING = 4.0
#: log10 of the error ratio by signal-to-noise ratio: `erfc` is scalar, a table is a column.
_SNR = np.geomspace(0.5, 400.0, 600)
_LOG_BER = np.array([np.log10(0.375 * erfc(np.sqrt(snr / 10.0)) + 1e-18) for snr in _SNR.tolist()])


@dataclass(frozen=True, eq=False)
class Light:
    """What receivers see; columns by cube port, `heard` and `far` by strand of a cube port."""

    #: The strand at the other end of each strand's lit path, or NOWHERE.
    far: Column
    #: Whether frames get through to each strand.
    heard: Mask
    up: Mask
    temperature: Levels
    transmitted: Levels
    received: Levels
    reflection: Levels
    ber: Levels


def ratio_of_errors(received: Levels, interference: Levels) -> Levels:
    """Errors before correction, of lanes with so much light (dBm) and interference (dB)."""
    weak = _SNR_LIMIT * 10 ** (2 * (received - _SENSITIVITY) / 10)
    stray = 10 ** (-interference / 10) / _BEATING
    snr = 1 / (1 / _SNR_FLOOR + 1 / weak + 1 / stray)
    return np.asarray(10 ** np.interp(snr, _SNR, _LOG_BER))


def paths(plant: Plant, mirrors: Mirrors, now: float) -> tuple[Column, Levels, Levels]:
    """For each strand of a cube port: the strand it is joined to, dB on the way, dB thrown back.

    What is thrown back counts against what is sent, at the near end of the first cable and at the
    first switch; what lies behind is weakened twice.
    """
    points = plant.points
    across, through = plant.across, mirrors.through(now)
    at = across[: points.of_cubes].copy()
    near = np.arange(points.of_cubes, dtype=np.int32)
    loss, thrown = _segment(plant, near, at)
    for _ in range(HOPS):
        inside = np.flatnonzero(at >= points.of_cubes)
        if not inside.size:
            break
        enter = at[inside]
        leave = through[enter]
        lit = leave != NOWHERE
        at[inside[~lit]] = NOWHERE
        inside, enter, leave = inside[lit], enter[lit], leave[lit]
        loss[inside] += _switch_loss(mirrors, enter, leave)
        landed = across[leave]
        lost, back = _segment(plant, leave, landed)
        thrown[inside] += back * 10 ** (-2 * loss[inside] / 10)
        loss[inside] += lost
        at[inside] = landed
    at[at >= points.of_cubes] = NOWHERE
    return at, loss, 10 * np.log10(thrown + 1e-12)


def _segment(plant: Plant, near: Column, far: Column) -> tuple[Levels, Levels]:
    """dB along the cables between points, and the part of the light they throw back."""
    a, b = plant.points.port_of(near), plant.points.port_of(np.where(far == NOWHERE, near, far))
    loss = plant.cable_loss[a] + plant.dirt[a] + np.where(far == NOWHERE, 0.0, plant.dirt[b])
    back = 10 ** (plant.glare[a] / 10)
    back += np.where(far == NOWHERE, 0.0, 10 ** ((plant.glare[b] - 2 * loss) / 10))
    return loss, back


def _switch_loss(mirrors: Mirrors, enter: Column, leave: Column) -> Levels:
    points = mirrors.points
    switch, one = np.divmod(enter - points.of_cubes, points.per_switch)
    other = (leave - points.of_cubes) % points.per_switch
    return mirrors.live_loss(switch, np.minimum(one, other), np.maximum(one, other))


def light(plant: Plant, mirrors: Mirrors, parts: Parts, now: float) -> Light:
    """What every receiver of the pod sees now."""
    points = plant.points
    far, loss, reflection = paths(plant, mirrors, now)
    ports, strands = points.layout.cube_ports, points.strands
    running = parts.running
    # A slow swing of the aisle's air, the same for neighbours.
    swing = np.sin(now / 86400 * 2 * np.pi + np.arange(ports) * 1e-3)
    temperature = np.where(running, 47.0 + 1.5 * swing + parts.warm, np.nan)
    sent = parts.launch - AGEING * now / YEAR - 0.01 * swing[:, None] - parts.faded[:, None]
    sent = np.where(running[:, None], sent, DARKNESS)
    per_strand = sent.reshape(ports * strands, LANES // strands)
    lit = far != NOWHERE
    # A lane is told with two digits: so is its noise.
    got = np.where(lit[:, None], per_strand[np.where(lit, far, 0)] - loss[:, None], DARKNESS)
    got = np.maximum(got, DARKNESS)
    stray = reflection[:, None] + per_strand - got
    errors = np.where(got > DARKNESS + 1, ratio_of_errors(got, stray), 0.5)
    worst = errors.max(axis=1)
    at = np.where(lit, far // strands, 0)
    alike = (parts.grid[np.arange(ports * strands) // strands] == OWN) & (parts.grid[at] == OWN)
    alike &= running[np.arange(ports * strands) // strands] & running[at]
    hears = lit & alike & (got.min(axis=1) > HEARD) & (worst < LINK_DOWN)
    heard = hears & hears[np.where(lit, far, 0)]
    return Light(
        far,
        heard,
        up=heard.reshape(ports, strands).all(axis=1),
        temperature=temperature,
        transmitted=sent,
        received=got.reshape(ports, LANES),
        reflection=np.where(running, reflection.reshape(ports, strands).max(axis=1), np.nan),
        ber=worst.reshape(ports, strands).max(axis=1),
    )
