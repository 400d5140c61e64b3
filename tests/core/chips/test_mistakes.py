"""Any one mistake in a netlist is one finding, which names it; none is none."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.chips.audit import audit_netlist
from fabric_twin.core.chips.chip import Chip
from fabric_twin.core.chips.design import chip_design
from fabric_twin.core.chips.hearing import sending
from fabric_twin.core.chips.netlist import designed
from fabric_twin.inventory.chips.netlist import read_netlist, write_netlist
from tests.core.chips.by_hand import hears, parts, written

DESIGN = chip_design("small", "Small", Chip((4, 3), (3, 2), data=4, metadata=2, memory=1))
RING = DESIGN.chip.ring("a0-05")
GUIDES = {"d01..ck": "d01..d04 pw ck"}
ENDPOINTS, BITS = [str(n) for n in range(1, 13)], ["1", "2", "3", "4"]
AS_DESIGNED = io.StringIO()
write_netlist(DESIGN.chip, [RING], AS_DESIGNED)
WHOLE = parts(AS_DESIGNED.getvalue(), GUIDES)

endpoints, bits = st.sampled_from(ENDPOINTS), st.sampled_from(BITS)
pairs = st.lists(endpoints, min_size=2, max_size=2, unique=True)
some_bits = st.lists(bits, min_size=1, unique=True)
waveguides = st.sampled_from(sorted(RING.waveguides))


def findings(found):
    netlists = read_netlist(written(found).encode(), "x.csv", DESIGN.chip.rings)
    ours = [one for one in netlists if one.ring == RING]
    return audit_netlist(DESIGN, ours).findings


def without(is_lost):
    return {key: held for key, held in WHOLE.items() if not is_lost(*key[1:])}


def changed(new):
    return WHOLE | {("a0-05", *key): held for key, held in new.items()}


@st.composite
def lost_filters(draw):
    who, sender = draw(pairs)
    of = draw(some_bits)
    case = draw(st.sampled_from(["pair", "receiver", "sender", "bit", "bit of a receiver"]))
    if case == "pair":
        return "filter-missing", without(lambda *k: k[:3] == ("filter", who, sender) and k[3] in of)
    fixed = {
        "receiver": lambda *k: k[:2] == ("filter", who),
        "sender": lambda *k: k[0] == "filter" and k[2] == sender,
        "bit": lambda *k: k[0] == "filter" and k[3] == of[0],
        "bit of a receiver": lambda *k: k[:2] == ("filter", who) and k[3] == of[0],
    }
    return "filter-missing", without(fixed[case])


@st.composite
def lost_modulators(draw):
    who, of = draw(endpoints), draw(some_bits)
    case = draw(st.sampled_from(["one", "sender", "bit"]))
    fixed = {
        "one": lambda *k: k[:2] == ("modulator", who) and k[3] in of,
        "sender": lambda *k: k[:2] == ("modulator", who),
        "bit": lambda *k: k[0] == "modulator" and k[3] == of[0],
    }
    return "modulator-missing", without(fixed[case])


@st.composite
def lost_fifos(draw):
    who, sender = draw(pairs)
    case = draw(st.sampled_from([("fifo", who, sender), ("fifo", who), ("fifo", ..., sender)]))
    return "fifo-missing", without(
        lambda *k: k[0] == "fifo" and all(a in (b, ...) for a, b in zip(case, k, strict=False))
    )


@st.composite
def wavelengths(draw):
    who, other = draw(pairs)
    of = draw(some_bits)
    case = draw(st.sampled_from(["twice", "exchanged", "filter"]))
    if case == "filter":
        sender = draw(st.sampled_from([one for one in ENDPOINTS if one != who]))
        wave = draw(st.sampled_from([one for one in ENDPOINTS if one != sender]))
        return "wrong-wavelength", changed(
            {("filter", who, sender, bit): (f"d0{bit}", wave) for bit in of}
        )
    new = {("modulator", who, "", bit): (f"d0{bit}", other) for bit in of}
    if case == "twice":
        return "wavelength-twice", changed(new)
    back = {("modulator", other, "", bit): (f"d0{bit}", who) for bit in of}
    return "wrong-wavelength", changed(new | back)


@st.composite
def wrong_waveguides(draw):
    who, sender = draw(pairs)
    one, other = draw(st.lists(bits, min_size=2, max_size=2, unique=True))
    guide = draw(st.sampled_from([name for name in RING.waveguides if name != f"d0{one}"]))
    case = draw(st.sampled_from(["modulator", "filter", "exchanged", "all exchanged"]))
    if case == "modulator":
        new = {("modulator", who, "", one): (guide, who)}
    elif case == "filter":
        new = {("filter", who, sender, one): (guide, sender)}
    else:
        them = [who] if case == "exchanged" else ENDPOINTS
        new = {
            ("modulator", at, "", bit): (f"d0{to}", at)
            for at in them
            for bit, to in ((one, other), (other, one))
        }
    return "wrong-waveguide", changed(new)


@st.composite
def wrong_loops(draw):
    guides = draw(st.lists(waveguides, min_size=1, unique=True))
    guides = [guide for guide in guides if guide != "fc"] or ["fc"]
    loop = WHOLE["a0-05", "loop", guides[0]]
    case = draw(st.sampled_from(["loop-open", "endpoint-skipped", "wrong-order", "missing"]))
    if case == "missing":
        return "waveguide-missing", without(lambda *k: k[0] == "loop" and k[1] in guides)
    at = draw(st.integers(1, 11))
    if case == "loop-open":
        bent = loop[at:-1] + loop[:at]
    elif case == "endpoint-skipped":
        bent = loop[:at] + loop[at + 1 :]
    else:
        to = at % 11 + 1
        bent = list(loop)
        bent[at], bent[to] = bent[to], bent[at]
    return case, changed({("loop", guide): tuple(bent) for guide in guides})


@st.composite
def lost_endpoints(draw):
    who = draw(endpoints)
    left = without(lambda *k: k[0] != "loop" and who in k[1:3])
    for key, loop in left.items():
        if key[1] == "loop":
            bent = [at for at in loop[:-1] if at != who]
            left[key] = (*bent, bent[0])
    return "endpoint-missing", left


@st.composite
def not_needed(draw):
    who = draw(endpoints)
    if draw(st.booleans()):
        return "unexpected", changed({("fifo", who, who): ()})
    of = draw(some_bits)
    return "unexpected", changed({("filter", who, who, bit): (f"d0{bit}", who) for bit in of})


any_one = st.one_of(
    *(lost_filters(), lost_modulators(), lost_fifos(), wavelengths(), wrong_waveguides()),
    *(wrong_loops(), lost_endpoints(), not_needed()),
)


def test_a_ring_as_designed_is_clean():
    assert findings(WHOLE) == ()


@given(any_one)
def test_any_one_mistake_is_one_finding_of_its_code(mistake):
    code, netlist = mistake
    [finding] = findings(netlist)
    assert (finding.code, finding.evidence["rings"]) == (code, ["a0-05"])
    assert finding.severity == ("warning" if code == "unexpected" else "error")


@given(any_one, st.randoms(use_true_random=False))
def test_a_finding_is_the_same_whatever_the_order_of_rows(mistake, random):
    _, netlist = mistake
    rows = list(netlist.items())
    random.shuffle(rows)
    assert findings(dict(rows)) == findings(netlist)


@given(any_one, endpoints, bits)
def test_who_hears_is_followed_part_by_part(mistake, sender, bit):
    _, netlist = mistake
    read = read_netlist(written(netlist).encode(), "x.csv", DESIGN.chip.rings)
    ours = next(one for one in read if one.ring == RING)
    sent = sending(ours, int(sender), int(bit))
    assert set(map(str, sent.heard_by)) == hears(netlist, "a0-05", sender, bit)


@given(any_one)
def test_what_takes_something_away_is_found_and_what_is_clean_takes_nothing(mistake):
    code, netlist = mistake
    lost = any(
        hears(netlist, "a0-05", sender, bit) != set(ENDPOINTS) - {sender}
        for sender in ENDPOINTS
        for bit in BITS
    )
    beside_data = ("loop-open", "waveguide-missing", "endpoint-skipped", "wrong-order")
    moved_together = ("wrong-waveguide", "wrong-wavelength")
    assert lost or code in (*beside_data, *moved_together, "unexpected")


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (
            lambda *k: k == ("filter", "3", "12", "2"),
            "a0-05: endpoint 3 has no filter for endpoint 12 on d02; it is deaf to endpoint 12",
        ),
        (
            lambda *k: k == ("modulator", "12", "", "2"),
            "a0-05: endpoint 12 has no modulator on d02; its words lack bit 2: a word goes over "
            "the 3 waveguides left, in 11 cycles",
        ),
        (
            lambda *k: k == ("loop", "d02"),
            "a0-05: d02 is missing; the ring lacks bit 2: a word goes over the 3 waveguides left, "
            "in 11 cycles",
        ),
        (
            lambda *k: k == ("loop", "fc"),
            "a0-05: fc is missing; the ring lacks its flow control",
        ),
        (
            lambda *k: k == ("fifo", "3", "12"),
            "a0-05: endpoint 3 has no FIFO for endpoint 12; it loses the words of endpoint 12",
        ),
        (
            lambda *_: True,
            "a0-05: nothing is there; its 12 endpoints have the mesh alone",
        ),
    ],
)
def test_a_finding_says_where_it_is_and_what_it_costs(lost, said):
    [finding] = findings(without(lost))
    assert finding.cause == said


def test_two_mistakes_are_two_findings():
    both = without(lambda *k: k in {("fifo", "3", "12"), ("modulator", "7", "", "1")})
    assert sorted(one.code for one in findings(both)) == ["fifo-missing", "modulator-missing"]


def test_rings_have_a_finding_together_only_if_just_the_same_is_wrong():
    rings = [DESIGN.chip.ring(name) for name in ("a0-01", "a0-02", "a0-03")]
    netlists = [designed(ring) for ring in rings]
    for netlist, bits_lost in zip(netlists, ([0, 1, 2], [0, 1, 2], [0, 1, 3]), strict=True):
        netlist.fifos[2, [0, 1, 3, *(bit + 4 for bit in bits_lost)]] = False
    found = audit_netlist(DESIGN, netlists).findings
    assert sorted(tuple(one.evidence["rings"]) for one in found) == [
        ("a0-01", "a0-02"),
        ("a0-03",),
    ]
    assert len({one.cause.partition(":")[2] for one in found}) == 1, "a sentence is cut short"
    assert {one.evidence["exactly"][0] for one in found} == {"3/1,2,4,5,6,7", "3/1,2,4,5,6,8"}
    assert len({one.id for one in found}) == 2
