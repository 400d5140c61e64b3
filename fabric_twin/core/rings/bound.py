"""The fewest entries that any plan changes once a group or a switch is lost.

An entry that takes from the lost device, or gives to it, goes. Of a ring that goes on, as many come
in their place; where it passed the lost device between two switches, no fewer than the shortest
way between these needs, in a cluster without any ring.
"""

from fabric_twin.core.rings.ring import Ring
from fabric_twin.core.rings.state import State


def fewest_changes(before: State, after: State, device: int) -> int:
    """Entries to remove from switches that are there, and to add."""
    found = 0
    for job in before.jobs:
        now = after.job(job.name)
        if now is job:
            continue
        goes_on = now.by_number
        for number, ring in job.by_number.items():
            touched, way = _at(after, ring, device)
            found += touched + (max(touched, way) if number in goes_on else 0)
    return found


def _at(state: State, ring: Ring, device: int) -> tuple[int, int]:
    """How many entries of a ring are next to a device, and how many a way past it needs."""
    wiring, touched, way = state.wiring, 0, 0
    if device < wiring.cluster.groups:
        hops = [hop for hop in ring.hops if device in hop]
        return len(hops), 0
    for (start, end), path in ring.paths(wiring):
        one, other = (wiring.switch_of(group, ring.plane) for group in (start, end))
        if device in (one, other):
            # Its groups are on the lost switch: nothing but the far end of a way is left to remove.
            touched += bool(path) and (one != device) + (other != device)
            continue
        passed = [wiring.far(exit_) for exit_ in path]
        if any(far and far.switch == device for far in passed):
            touched += 2
            shortest = wiring.path(one, other, lambda _: True, state.lost) or ()
            direct = len(path) == 2
            way += len(shortest) + 1 if direct else 2
    return touched, way
