"""Parts on a wrong waveguide, or tuned to a wrong wavelength."""

from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from fabric_twin.core.audit.places import some
from fabric_twin.core.chips.boxes import Box, boxes
from fabric_twin.core.chips.mistake import Mistake, listed, on_waveguides, places
from fabric_twin.core.chips.netlist import Mask, Numbers, RingNetlist, Tuned
from fabric_twin.core.chips.ring import Ring

#: So many numbers of waveguides or wavelengths are told to programs; of more, a digest.
MOST_TOLD = 64


def misplaced(netlist: RingNetlist) -> Iterator[Mistake]:
    """Every cause; those that stand in each other's places are one."""
    ring, sends, listens = netlist.ring, netlist.modulators, netlist.filters
    number = np.arange(1, max(ring.endpoints, ring.data) + 1)
    bit, endpoint = number[: ring.data], number[: ring.endpoints]
    hears = listens.there & ~np.eye(ring.endpoints, dtype=np.bool_)[:, :, None]

    wrong = sends.there & (sends.waveguide != bit)
    for together in _together(boxes(wrong, sends.there, [(), (1,)]), 1, sends.waveguide):
        who = together[0].one(0)
        said = f"endpoint {who} sends " if who else "all endpoints send "
        said += _bits_on(ring, together, sends.waveguide, 1)
        cost = "nobody hears that right, and what these waveguides carry is disturbed"
        at, exactly = places(who), _exactly(together, sends.waveguide)
        yield Mistake("wrong-waveguide", said, cost, at, _parts(together, wrong), exactly)

    wrong = hears & (listens.waveguide != bit)
    for together in _together(boxes(wrong, hears, [(), (2,), (0, 2)]), 2, listens.waveguide):
        who, sender = together[0].one(0), together[0].one(1)
        said = f"endpoint {who} listens for " if who else "all endpoints listen for "
        said += _bits_on(ring, together, listens.waveguide, 2)
        said += f", of endpoint {sender}" if sender else ""
        cost = f"{'it hears' if who else 'they hear'} another bit, or nothing"
        at, exactly = places(who), _exactly(together, listens.waveguide)
        yield Mistake("wrong-waveguide", said, cost, at, _parts(together, wrong), exactly)

    yield from _senders(ring, sends, sends.there & (sends.wavelength != endpoint[:, None]))
    wrong = hears & (listens.wavelength != endpoint[None, :, None])
    yield from _listeners(listens, wrong, hears)


def _senders(ring: Ring, has: Tuned, wrong: Mask) -> Iterator[Mistake]:
    """Modulators tuned to the wavelength of another endpoint, whose own is there or not."""
    place = has.waveguide.astype(np.int64) * (ring.endpoints + 1) + has.wavelength
    many = np.bincount(place[has.there], minlength=int(place.max()) + 1)
    shared = wrong & (many[place] > 1)
    alone = []
    for box in boxes(wrong, has.there, [()]):
        if not shared[box.cells].any():
            alone.append(box)
            continue
        who, waves = box.one(0), box.held(has.wavelength)
        others = f"endpoint{'s' * (len(waves) > 1)} {listed(waves)}"
        said = f"{_sends(box, has)}, as {others} {'do' if len(waves) > 1 else 'does'}"
        cost = f"nobody can tell them apart, and nobody hears {f'endpoint {who}' if who else 'any'}"
        at = places(who, box.some(1))
        exactly = _exactly([box], has.wavelength)
        yield Mistake("wavelength-twice", said, cost, at, box.size(wrong), exactly)
    for together in _together(alone, 0, has.wavelength):
        said = some([_sends(box, has) for box in together], "endpoints")
        cost = "others take its words for those of another endpoint, or hear none"
        at = tuple(place for box in together for place in places(box.one(0)))
        exactly = _exactly(together, has.wavelength)
        yield Mistake("wrong-wavelength", said, cost, at, _parts(together, wrong), exactly)


def _sends(box: Box, has: Tuned) -> str:
    who, bits = box.one(0), box.some(1)
    what = f"bit {listed(bits)}" if bits else "all bits"
    waves = listed(box.held(has.wavelength))
    return f"{f'endpoint {who} sends' if who else 'endpoints send'} {what} on wavelength {waves}"


def _listeners(has: Tuned, wrong: Mask, hears: Mask) -> Iterator[Mistake]:
    """Filters tuned to the wavelength of another sender."""
    for together in _together(boxes(wrong, hears, [(), (0,), (1,)]), 1, has.wavelength):
        who, told = together[0].one(0), []
        for box in together:
            sender, waves = box.one(1), listed(box.held(has.wavelength))
            whose = f"for endpoint {sender}" if sender else "for all others"
            told.append(f"{whose}{on_waveguides(box.some(2))} to wavelength {waves}")
        said = f"{f'endpoint {who} tunes' if who else 'all endpoints tune'} filters "
        said += some(told, "senders")
        cost = f"{'it takes' if who else 'they take'} the words of one sender for those of another"
        at, exactly = places(who), _exactly(together, has.wavelength)
        yield Mistake("wrong-wavelength", said, cost, at, _parts(together, wrong), exactly)


def _exactly(together: Sequence[Box], held: Numbers) -> tuple[str, ...]:
    """Each box and the numbers that its parts hold, shortened where they are many."""
    told = []
    for box in together:
        numbers = held[box.cells]
        if numbers.size <= MOST_TOLD:
            said = ",".join(map(str, numbers.ravel().tolist()))
        else:
            said = blake2b(numbers.tobytes(), digest_size=6).hexdigest()
        told.append(f"{box} on {said}")
    return tuple(told)


def _parts(together: Sequence[Box], wrong: Mask) -> int:
    return sum(box.size(wrong) for box in together)


def _together(found: Iterator[Box] | list[Box], axis: int, held: Numbers) -> Iterator[list[Box]]:
    """Boxes that stand in each other's places, each group once: exchanged, or turned around."""
    groups: dict[tuple[object, ...], list[tuple[set[int], list[Box]]]] = {}
    for box in found:
        beside = tuple(along for at, along in enumerate(box.along) if at != axis)
        reach, merged, others = {*(box.some(axis) or ()), *box.held(held)}, [box], []
        for group in groups.get(beside, ()):
            if group[0] & reach:
                reach, merged = reach | group[0], [*group[1], *merged]
            else:
                others.append(group)
        groups[beside] = [*others, (reach, merged)]
    return (sorted(one[1], key=str) for alike in groups.values() for one in alike)


def _bits_on(ring: Ring, together: Sequence[Box], held: Numbers, axis: int) -> str:
    """`bit 5 on d06 and bit 6 on d05`."""
    told = []
    for box in together:
        for bit in box.some(axis) or range(1, ring.data + 1):
            one = Box((*box.along[:axis], (bit - 1,), *box.along[axis + 1 :]))
            at = [ring.waveguides[number - 1] for number in one.held(held)]
            told.append(f"bit {bit} on {some(at, 'waveguides')}")
    return some(told, "bits")
