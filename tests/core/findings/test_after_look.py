"""What becomes of findings by a look: told again, told by an older one, mended, or not seen."""

from collections.abc import Callable

import pytest

from fabric_twin.core.findings.after_look import Known, Seen, after_look
from fabric_twin.core.findings.proof import Look, Proof, told

IsWell = Callable[[Proof], bool]


def light(port: str) -> Proof:
    """Light that passes a cable."""
    return Proof(Look.LIGHT, "cube", port)


def well(*ports: str) -> IsWell:
    """A look that saw light pass these cables, and no others."""
    return lambda proof: proof.port in ports


NOTHING_WELL, ALL_WELL = well(), well(*"abcd")
A, B, C = light("a"), light("b"), light("c")


# Who tells of what


def test_what_nobody_knows_is_a_finding_of_its_own() -> None:
    after = after_look([Seen("new", (A, B))], [], NOTHING_WELL)
    assert after.told_by == {"new": "new"}
    assert after.proof == {"new": (A, B)}


def test_a_fault_that_is_found_again_is_told_by_the_finding_that_has_its_name() -> None:
    known = [Known("old", (A,)), Known("same", (A,))]
    assert after_look([Seen("same", (A,))], known, NOTHING_WELL).told_by == {"same": "same"}


def test_a_fault_that_got_another_name_is_told_by_the_oldest_that_is_of_the_same_thing() -> None:
    known = [Known("elsewhere", (C,)), Known("oldest", (A,)), Known("younger", (A,))]
    after = after_look([Seen("renamed", (A,))], known, NOTHING_WELL)
    assert after.told_by == {"renamed": "oldest"}
    assert after.unseen == ["elsewhere"]
    assert after.joined == {"younger": "oldest"}


def test_another_look_at_the_same_thing_tells_of_the_same_fault() -> None:
    dark = Known("dark", (A,))
    dim = Seen("dim", (Proof(Look.LOSS, "cube", "a"),))
    assert after_look([dim], [dark], NOTHING_WELL).told_by == {"dim": "dark"}


def test_circuits_that_come_and_go_are_of_one_switch() -> None:
    lacks = Known("lacks", (Proof(Look.CIRCUIT, "switch", "1A 2B"),))
    has = Seen("has", (Proof(Look.CIRCUIT, "switch", "3A 4B"),))
    elsewhere = Seen("elsewhere", (Proof(Look.CIRCUIT, "other", "1A 2B"),))
    assert after_look([has, elsewhere], [lacks], NOTHING_WELL).told_by == {
        "has": "lacks",
        "elsewhere": "elsewhere",
    }


def test_a_module_and_its_cable_are_two_things() -> None:
    serial = Known("serial", (Proof(Look.SERIAL, "cube", "a"),))
    assert after_look([Seen("dark", (A,))], [serial], NOTHING_WELL).told_by == {"dark": "dark"}


# Which of several it is


def beside(port: str) -> Proof:
    """Light that passes a cable that was only beside the one to blame."""
    return Proof(Look.BESIDE, "cube", port)


def test_a_look_that_tells_which_it_is_clears_the_others_also_where_they_are_not_seen() -> None:
    seen = Seen("which", (A, beside("c")))
    after = after_look([seen], [Known("either", (A, B))], NOTHING_WELL)
    assert after.proof == {"either": (A, beside("b"), beside("c"))}


def test_a_look_at_other_cables_too_clears_none() -> None:
    after = after_look([Seen("more", (A, C))], [Known("either", (A, B))], NOTHING_WELL)
    assert after.proof == {"either": (A, B, C)}


# Joined, and parted again


def test_two_that_come_to_be_one_are_told_by_the_older_and_the_younger_keeps_what_it_had() -> None:
    known = [Known("older", (A,)), Known("younger", (B,))]
    after = after_look([Seen("both", (A, B))], known, NOTHING_WELL)
    assert after.told_by == {"both": "older"}
    assert (after.unseen, after.joined) == ([], {"younger": "older"})
    assert after.proof == {"older": (A, B), "younger": (B,)}


def test_what_is_told_in_part_only_is_not_joined() -> None:
    known = [Known("older", (A,)), Known("younger", (A, B))]
    after = after_look([Seen("one", (A,))], known, NOTHING_WELL)
    assert (after.unseen, after.joined) == (["younger"], {})


def test_circuits_of_one_switch_are_not_joined_unless_they_are_the_same() -> None:
    one, two = (Proof(Look.CARRIES, "switch", circuit) for circuit in ("1A 2B", "3A 4B"))
    known = [Known("older", (one,)), Known("younger", (two,))]
    after = after_look([Seen("older", (one,))], known, NOTHING_WELL)
    assert (after.unseen, after.joined) == (["younger"], {})


def test_what_is_joined_stays_so_while_nobody_sees_the_other() -> None:
    known = [Known("older", (A, B)), Known("younger", (B,), "older")]
    after = after_look([], known, NOTHING_WELL)
    assert (after.unseen, after.joined) == (["older"], {"younger": "older"})
    # All of them are joined with the one that tells.
    known = [Known("first", (A, B, C)), Known("older", (A, B)), Known("younger", (B,), "older")]
    after = after_look([Seen("all", (A, B, C))], known, NOTHING_WELL)
    assert after.joined == {"older": "first", "younger": "first"}
    known = [
        Known("first", (A, B, C)),
        Known("older", (A, B), "first"),
        Known("younger", (B,), "older"),
    ]
    after = after_look([], known, NOTHING_WELL)
    assert after.joined == {"older": "first", "younger": "first"}


def test_what_is_joined_is_open_again_once_the_other_tells_of_it_no_more() -> None:
    known = [Known("older", (A, B)), Known("younger", (B,), "older")]
    assert after_look([], known[1:], NOTHING_WELL).unseen == ["younger"]
    after = after_look([], [Known("older", (A,)), known[1]], NOTHING_WELL)
    assert (after.unseen, after.joined) == (["older", "younger"], {})
    after = after_look([Seen("other", (B,))], known[1:], NOTHING_WELL)
    assert (after.told_by, after.joined) == ({"other": "younger"}, {})


def test_both_are_mended_when_all_was_seen_well() -> None:
    known = [Known("older", (A, B)), Known("younger", (B,), "older")]
    assert after_look([], known, ALL_WELL).mended == ["older", "younger"]
    after = after_look([], known, well("b"))
    assert (after.mended, after.unseen) == (["younger"], ["older"])


def test_when_they_part_each_takes_back_its_own() -> None:
    known = [Known("older", (A, B)), Known("younger", (B,))]
    after = after_look([Seen("one", (A,)), Seen("two", (B,))], known, NOTHING_WELL)
    assert after.told_by == {"one": "older", "two": "younger"}
    found = [Seen("two", (B,)), Seen("one", (A,))]
    assert after_look(found, known, NOTHING_WELL).told_by == after.told_by


def test_when_one_has_parted_it_is_mended_without_what_the_other_tells_of() -> None:
    parted = after_look(
        [Seen("one", (A, C)), Seen("two", (B,))], [Known("old", (A, B))], NOTHING_WELL
    )
    assert (parted.told_by, parted.proof) == (
        {"one": "old", "two": "two"},
        {"old": (A, C), "two": (B,)},
    )
    known = [Known("old", parted.proof["old"]), Known("two", parted.proof["two"])]
    after = after_look([Seen("two again", (B,))], known, well("a", "c"))
    assert (after.mended, after.told_by, after.joined) == (["old"], {"two again": "two"}, {})


def test_as_many_keep_an_id_as_can() -> None:
    """The oldest could tell of either; the two others have no choice but one of them."""
    known = [Known("1", (A, B)), Known("2", (A,)), Known("3", (C, B)), Known("4", (C,))]
    found = [Seen("x", (A,)), Seen("y", (B,)), Seen("z", (C,))]
    after = after_look(found, known, NOTHING_WELL)
    assert {*after.told_by.values()} == {"1", "2", "3"}
    assert after.joined == {"4": "3"}


# Crossed off


def test_what_was_seen_well_is_crossed_off_and_the_rest_is_not_seen() -> None:
    after = after_look([], [Known("old", (A, B))], well("a"))
    assert (after.mended, after.unseen, after.proof) == ([], ["old"], {"old": (B,)})


def test_what_is_crossed_off_stays_so_until_the_last_of_it_is_seen_well() -> None:
    known = [Known("old", (A, B))]
    for ports, mended in (("a", []), ("", []), ("b", ["old"])):
        after = after_look([], known, well(*ports))
        assert after.mended == mended
        known = [Known(name, proof) for name, proof in after.proof.items()]


def test_it_is_mended_only_when_nothing_is_left() -> None:
    after = after_look([], [Known("old", (A, B))], ALL_WELL)
    assert (after.mended, after.unseen, after.proof) == (["old"], [], {})


def test_nothing_that_was_seen_well_proves_nothing() -> None:
    after = after_look([], [Known("old", (A, B))], NOTHING_WELL)
    assert (after.mended, after.unseen, after.proof) == ([], ["old"], {"old": (A, B)})


def test_a_finding_that_is_told_again_elsewhere_keeps_what_it_has_still_to_show() -> None:
    after = after_look([Seen("found", (B, C))], [Known("old", (A, B))], NOTHING_WELL)
    assert after.proof == {"old": (A, B, C)}
    after = after_look([Seen("found", (B, C))], [Known("old", (A, B))], well("a"))
    assert after.proof == {"old": (B, C)}


def test_a_finding_of_which_all_was_seen_well_tells_of_no_other_fault_at_its_place() -> None:
    lossy = Proof(Look.LOSS, "cube", "a")
    after = after_look([Seen("found", (lossy,))], [Known("old", (A,))], lambda p: p == A)
    assert (after.mended, after.told_by) == (["old"], {"found": "found"})


def test_of_a_finding_before_there_were_proofs_the_first_look_that_finds_it_tells_all() -> None:
    before = Proof(Look.PLACE, "cube", "a")
    assert after_look([Seen("found", (A,))], [Known("old", (before,))], NOTHING_WELL).proof == {
        "old": (A,)
    }


# In words


@pytest.mark.parametrize("look", Look)
@pytest.mark.parametrize(("device", "port"), [("sw", "1A 2B"), ("sw", ""), ("", "cubes"), ("", "")])
def test_every_look_is_a_sentence(look: Look, device: str, port: str) -> None:
    said = Proof(look, device, port).told()
    assert len(said.split()) > 1
    assert not {"{", "}"} & {*said}
    assert len(look.value) <= 12


@pytest.mark.parametrize(
    ("side", "entries"),
    [
        ("2A", "entries for what comes in at port 2 that jobs need"),
        ("64B", "entries for what goes out at port 64 that jobs need"),
        ("", "entries that jobs need"),
    ],
)
def test_a_port_of_a_packet_switch_has_a_number_and_no_side(side: str, entries: str) -> None:
    said = Proof(Look.ENTRIES, "g-row-01-1-1", side).told()
    assert said == f"g-row-01-1-1 is read, and has the {entries}, and no others"


def test_what_has_to_be_seen_is_said_once() -> None:
    assert told([A, B, A]) == [A.told(), B.told()]
    assert A.told() == "a circuit is made, and cube port a hears whom it should"
