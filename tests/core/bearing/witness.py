"""Count the links of a slice from its JSON alone, by what the facts say of each design.

Nothing of our code is used here: where a cube port is plugged in is written down once more.
"""

import json
from itertools import product

PAIRED = {"tpu-v4", "tpu-v4-duplex"}
LANES = {"tpu-v4-duplex": 2}
INDICES = list(product(range(1, 5), repeat=2))


def plugged(design, slot, axis, sign, index, lane):
    """The switch and the port number that a cube port's cable is on; sign 0 is `+`."""
    i, j = index
    if design == "tpu-v4-cwdm8":
        port, j = slot + (0 if j % 2 else 64), (j + 1) // 2
    elif design in PAIRED:
        port = slot + 64 * sign
    else:
        port = slot
    group = f"-{lane}" if design == "tpu-v4-duplex" else ""
    return f"p-ocs-{'xyz'[axis]}-{i}-{j}{group}", port


def joins(made):
    """Axis, slot and next slot of every join of a torus that is not twisted."""
    slot_at = {tuple(cube["at"]): cube["slot"] for cube in made["cubes"]}
    sides = [max(at[axis] for at in slot_at) + 1 for axis in range(3)]
    for at, slot in slot_at.items():
        for axis in range(3):
            after = tuple((c + (a == axis)) % sides[a] for a, c in enumerate(at))
            yield axis, slot, slot_at[after]


def circuits_of_a_link(design, axis, slot, after, index, lane):
    """The circuits of a link: switch, A and B."""
    switch, near = plugged(design, slot, axis, 0, index, lane)
    other, far = plugged(design, after, axis, 1, index, lane)
    assert switch == other
    both = [(switch, f"{near}A", f"{far}B"), (switch, f"{far}A", f"{near}B")]
    return both if design in PAIRED else both[:1]


def lanes_of(design):
    """The lanes of a port, from 1."""
    return range(1, LANES.get(design, 1) + 1)


def links_made(design, made):
    """For each join, the links (index and lane) that its circuits make; half a link is refused."""
    there = {(c["switch"], c["a"], c["b"]) for c in made["circuits"]}
    assert len(there) == len(made["circuits"])
    found, used = {}, set()
    for axis, slot, after in joins(made):
        links = set()
        for index, lane in product(INDICES, lanes_of(design)):
            circuits = circuits_of_a_link(design, axis, slot, after, index, lane)
            lit = [circuit in there for circuit in circuits]
            assert all(lit) == any(lit)
            if all(lit):
                links.add((index, lane))
                used.update(circuits)
        found[axis, slot, after] = links
    assert used == there  # no circuit is anything but a link of the torus
    return found


def wanted_links(design):
    """Every link of a join."""
    return set(product(INDICES, lanes_of(design)))


def made_by(run, design, shape, *options, unhealthy, slices=()):
    """The slice that `fabric-twin slice --json` makes where something is unhealthy."""
    in_use = json.dumps({"slices": list(slices), "unhealthy": unhealthy})
    pod = ("--design", design, "--pod", "p", "--shape", shape, "--in-use", "-")
    done = run("slice", *pod, "--json", *options, stdin=in_use)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)
