"""Mistakes of hands, and faults, made in a hidden plant at random."""

import random

from .plants import HiddenPlant


def swap(plant: HiddenPlant, chance: random.Random) -> None:
    """Two fibres in each other's port, anywhere in the pod."""
    one, other = chance.sample(list(plant.plugged), 2)
    plant.plugged[one], plant.plugged[other] = plant.plugged[other], plant.plugged[one]


def wrong_side(plant: HiddenPlant, chance: random.Random) -> None:
    """A `+` and a `-` of one cube exchanged at their switch."""
    ports = _by_switch(plant, chance)
    one, other = chance.sample(ports, 2)
    plant.plugged[one], plant.plugged[other] = plant.plugged[other], plant.plugged[one]


def wrong_switch(plant: HiddenPlant, chance: random.Random) -> None:
    """All fibres of one cube on two switches exchanged, if it has both."""
    cube = chance.choice(list(plant.plugged))
    slot = plant.layout.slot[cube]
    mine = [port for port in list(plant.plugged) if plant.layout.slot[port] == slot]
    one, other = chance.sample(mine, 2) if len(mine) > 1 else (cube, cube)
    plant.plugged[one], plant.plugged[other] = plant.plugged[other], plant.plugged[one]


def move(plant: HiddenPlant, chance: random.Random) -> None:
    """A fibre in a port that was free."""
    first, last = plant.layout.cube_ports, len(plant.layout.mate)
    free = sorted(set(range(first, last)) - set(plant.plugged.values()))
    if free:
        plant.plugged[chance.choice(list(plant.plugged))] = chance.choice(free)


def missing(plant: HiddenPlant, chance: random.Random) -> None:
    """A fibre that is not there."""
    del plant.plugged[chance.choice(list(plant.plugged))]


def dark(plant: HiddenPlant, chance: random.Random) -> None:
    """A fibre, or a transceiver, that is broken."""
    plant.dark.add(chance.choice(list(plant.plugged)))


def exchanged_addresses(plant: HiddenPlant, chance: random.Random) -> None:
    """Two switches that answer to each other's address."""
    one, other = chance.sample(range(len(plant.addresses)), 2)
    addresses = plant.addresses
    addresses[one], addresses[other] = addresses[other], addresses[one]


def mirrored(plant: HiddenPlant, chance: random.Random) -> None:
    """The two sides of a switch exchanged."""
    radix, first = plant.layout.radix, plant.layout.cube_ports
    number = chance.randrange(len(plant.addresses))
    start = first + number * plant.layout.ports_per_switch
    for cube, port in plant.plugged.items():
        if start <= port < start + 2 * radix:
            plant.plugged[cube] = port + radix if port < start + radix else port - radix


def _by_switch(plant: HiddenPlant, chance: random.Random) -> list[int]:
    per, first = plant.layout.ports_per_switch, plant.layout.cube_ports
    port = plant.plugged[chance.choice(list(plant.plugged))]
    start = port - (port - first) % per
    ports = [c for c, p in plant.plugged.items() if start <= p < start + per]
    return ports if len(ports) > 1 else list(plant.plugged)


MISTAKES = (*(swap, wrong_side, wrong_switch, move, missing, dark, exchanged_addresses, mirrored),)


def break_it(plant: HiddenPlant, seed: int, most: int = 40) -> HiddenPlant:
    """Make some mistakes of some kinds."""
    chance = random.Random(seed)
    kinds = chance.sample(MISTAKES, chance.randint(1, len(MISTAKES)))
    for _ in range(chance.randint(0, most)):
        if len(plant.plugged) > 2:
            chance.choice(kinds)(plant, chance)
    return plant
