"""More mistakes: wrong ports, exchanged bundles, cables too few and too many, bad records."""

from collections.abc import Callable, Sequence

from . import words
from .mistakes import (
    Codes,
    Hand,
    Impossible,
    Spot,
    cycle,
    reversal,
    shift,
    shift_around,
    swap_anywhere,
    swap_at_a_cube,
    swap_between_switches,
    swap_on_a_switch,
)
from .words import Place, Port


def codes_of_a_move(hand: Hand, cable: str, port: Port) -> Codes:
    """What the contract calls a cable whose switch end stands alone on this port."""
    kind, home = hand.kind, words.homes(hand.kind, hand.plant.slots)[cable]
    number = words.number_of(port)
    there = next(at for at in words.places(kind, 1) if words.switch_of(kind, at) == port[0])
    spare = number in kind.spares
    same_index = (home.i, home.j) == (there.i, there.j)
    if kind.shared:
        half = (home.i, (home.j + 1) // 2) == (there.i, (there.j + 1) // 2)
        same_index = half and (spare or (home.j % 2 == 1) == (number <= 64))
    if home.axis != there.axis:
        return frozenset({"wrong-axis"})
    if not same_index:
        return frozenset({"wrong-index"})
    if home.lane != there.lane:
        return frozenset({"wrong-lane"})
    if kind.paired and not spare and (home.sign == "+") != (number <= 64):
        return frozenset({"wrong-side", "wrong-port"})  # a paired switch has no sides
    if not kind.paired and port[1][-1] != ("A" if home.sign == "+" else "B"):
        return frozenset({"wrong-side"})
    return frozenset({"spare-in-use" if spare else "wrong-port"})


def _move(hand: Hand, spot: Spot, ports: Sequence[Port], what: str) -> Codes:
    port = hand.pick(ports)
    hand.put([spot], [port], what)
    return codes_of_a_move(hand, spot[0], port) if spot[0] in hand.plant.right else None


def move_to_any_switch(hand: Hand) -> Codes:
    """A cable on a port of an empty slot or a spare, of any switch."""
    spot = hand.pick(hand.spots(at_switch=True))
    ports = hand.free_on(hand.pick(words.switches(hand.kind)), spare=hand.pick((False, True)))
    return _move(hand, spot, ports, "move")


def move_to_free(hand: Hand) -> Codes:
    """A cable on a free port of its own switch."""
    spot = hand.pick(hand.spots(at_switch=True))
    return _move(hand, spot, hand.free_on(hand.end(spot)[0]), "move")


def move_to_spare(hand: Hand) -> Codes:
    """A cable on a spare of its own switch."""
    spot = hand.pick(hand.spots(at_switch=True))
    return _move(hand, spot, hand.free_on(hand.end(spot)[0], spare=True), "move to spare")


def move_to_other_side(hand: Hand) -> Codes:
    """A cable on the other side of its switch."""
    switch, port = hand.end(spot := hand.pick(hand.spots(at_switch=True)))
    free = [other for other in hand.free_on(switch) if other[1][-1] != port[-1]]
    if hand.kind.paired:
        raise Impossible
    return _move(hand, spot, free, "move to the other side")


def wrong_lane(hand: Hand) -> Codes:
    """A cable on the switch of the other lane group."""
    if hand.kind.lanes == 1:
        raise Impossible
    switch, _ = hand.end(spot := hand.pick(hand.spots(at_switch=True)))
    twin = switch[:-1] + ("1" if switch[-1] == "2" else "2")
    return _move(hand, spot, hand.free_on(twin), "move to the other lane")


def move_at_the_cube(hand: Hand) -> Codes:
    """A cable's cube end on a port of a cube that is not there, or on one left free."""
    spot = hand.pick(hand.spots(at_switch=False))
    absent = [slot for slot in range(1, 9) if slot not in hand.plant.slots][:1]
    faces = [words.face_panels(hand.kind, slot) for slot in (*absent, *hand.plant.slots)]
    ports = [port for face in faces for panel in face.values() for port in panel]
    taken = hand.plant.standing()
    hand.put([spot], [hand.pick(p for p in ports if p not in taken and hand.fresh(p))], "move")
    return None


def _exchange(hand: Hand, some: Sequence[Port], others: Sequence[Port], what: str) -> Codes:
    """Exchange what stands on two lists of ports, one by one."""
    there = hand.on([*some, *others])
    if hand.apart and any(port not in there for port in (*some, *others)):
        raise Impossible
    pairs = [*zip(some, others, strict=True), *zip(others, some, strict=True)]
    moves = [(there[a], b) for a, b in pairs if a in there]
    if len(moves) < 2:
        raise Impossible
    hand.put([spot for spot, _ in moves], [port for _, port in moves], what)
    return frozenset({"bundle-swapped"})


def _far_ends(hand: Hand, at: Callable[[Place], bool]) -> list[Port]:
    right, homes = hand.plant.right, words.homes(hand.kind, hand.plant.slots)
    return [right[cable][1] for cable, place in homes.items() if at(place)]


def exchange_faces(hand: Hand) -> Codes:
    """All cables of one face of a cube, exchanged with another face's."""
    slots, faces = hand.plant.slots, [(axis, sign) for axis in "XYZ" for sign in "+-"]
    one, other = hand.several([(slot, *face) for slot in slots for face in faces], 2, 2)
    some, others = (
        _far_ends(hand, lambda p, f=face: (p.slot, p.axis, p.sign) == f) for face in (one, other)
    )
    return _exchange(hand, some, others, f"faces {one} {other}")


def exchange_cubes(hand: Hand) -> Codes:
    """All cables of a cube, exchanged with another cube's."""
    one, other = hand.several(hand.plant.slots, 2, 2)
    some, others = (_far_ends(hand, lambda p, s=slot: p.slot == s) for slot in (one, other))
    return _exchange(hand, some, others, f"cubes {one} {other}")


def exchange_switches(hand: Hand) -> Codes:
    """All cables of a switch, exchanged with another switch's."""
    one, other = hand.several(words.switches(hand.kind), 2, 2)
    ends = [ends[1] for ends in hand.plant.right.values()]
    some, others = ([port for port in ends if port[0] == switch] for switch in (one, other))
    if [port for _, port in some] != [port for _, port in others]:  # a substitution on one
        raise Impossible
    return _exchange(hand, some, others, f"switches {one} {other}")


def missing(hand: Hand) -> Codes:
    """A cable that is not there."""
    cable, side = hand.pick(hand.spots())
    hand.put([(cable, side)], [None], "missing")
    del hand.plant.rows[cable]
    return frozenset({"missing"})


def unexpected(hand: Hand) -> Codes:
    """A cable too many, between two ports that should be free."""
    free = [hand.free_on(hand.pick(words.switches(hand.kind)), spare=n) for n in (False, True)]
    ends = hand.several(free[0] + free[1], 2, 2)
    return _new(hand, ends, frozenset({"unexpected", "spare-in-use"}))


def _new(hand: Hand, ends: Sequence[Port | None], codes: Codes) -> Codes:
    name = f"{hand.pick('az')}-extra-{len(hand.plant.rows)}-{len(hand.plant.log)}"
    hand.plant.rows[name] = [None, None]
    hand.near.append(name)
    hand.put([(name, 0), (name, 1)], ends, "new")
    return codes


def double(hand: Hand) -> Codes:
    """A cable on a port that another cable has."""
    at_switch = hand.pick((True, False))
    one, other = hand.several(hand.spots(at_switch=at_switch), 2, 2)
    if one[0] == other[0] or hand.end(one) == hand.end(other):
        raise Impossible
    hand.touched |= set(hand.plant.rows[other[0]]) | {other[0]}
    hand.put([one], [hand.end(other)], "double")
    return frozenset({"doubled-port"})


def recorded_twice(hand: Hand) -> Codes:
    """A cable that stands in the record twice, under two names."""
    cable, _ = hand.pick(hand.spots())
    hand.touched.add(cable)
    return _new(hand, hand.plant.rows[cable], frozenset({"doubled-port"}))


def unknown_port(hand: Hand) -> Codes:
    """A cable on a port or a device that the design does not have."""
    spot = hand.pick(hand.spots())
    device, port = hand.end(spot)
    odd = hand.pick([(device, "999A"), (device, "9.9.9/W+"), ("patch panel", "4"), ("x", port)])
    hand.put([spot], [odd], "unknown")
    return frozenset({"unknown-port"})


def unknown_end(hand: Hand) -> Codes:
    """A cable whose one end nobody knows."""
    hand.put([hand.pick(hand.spots())], [None], "not known")
    return None


def turned(hand: Hand) -> Codes:
    """No mistake at all: a row written from its other end."""
    cable, _ = hand.pick(hand.spots())
    hand.plant.rows[cable].reverse()
    hand.plant.log.append(f"turned {cable}")
    return frozenset()


#: All of them, the simplest first.
MISTAKES = (
    *(turned, missing, swap_on_a_switch, swap_between_switches, swap_at_a_cube, swap_anywhere),
    *(move_to_free, move_to_spare, move_to_other_side, wrong_lane, move_to_any_switch),
    *(move_at_the_cube, double, unexpected, recorded_twice, unknown_end, unknown_port),
    *(cycle, shift, shift_around, reversal, exchange_faces, exchange_switches, exchange_cubes),
)
