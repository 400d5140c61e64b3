"""What a phone says: of what the fabric does, and of what is to be done again."""

import pytest

from fabric_twin.core.orders.in_the_aisle import Fault, StillWrong, fabric_does, still_wrong
from fabric_twin.core.orders.steps import Do, Step

SWITCH = Step(do=Do.BLOCK, rack="iw1-ocs-r02", device="iw1-ocs-x-3-2", port="12A")
DIRTY = Fault("dirty", ("iw1-c046-t06", "4.1.2/X+"))
FAN = Fault("fan-lost", ("iw1-ocs-z-2-4", ""))


def check(bundle: str) -> Step:
    return Step(do=Do.CHECK, rack="iw1-c046", bundle=bundle)


@pytest.mark.parametrize(
    ("step", "fault", "words"),
    [
        (SWITCH, None, "the fabric keeps iw1-ocs-x-3-2 port 12A dark"),
        (
            Step(do=Do.RELEASE, rack="iw1-ocs-r02", device="iw1-ocs-x-3-2", port="12A"),
            None,
            "the fabric releases iw1-ocs-x-3-2 port 12A",
        ),
        (check("iw1-c066/X+"), None, "light is tested: iw1-c066/X+"),
        (check("ff55339ee370"), DIRTY, "light is tested: dirty at iw1-c046-t06 port 4.1.2/X+"),
        (
            check("ff55339ee370"),
            FAN,
            "the fabric asks iw1-ocs-z-2-4 whether it is mended: fan-lost",
        ),
    ],
)
def test_what_the_fabric_does_names_the_fault_and_its_place_and_no_key(
    step: Step, fault: Fault | None, words: str
) -> None:
    assert fabric_does(step, fault) == words


ELSE = "If that does not help, say so under Cannot be done."


@pytest.mark.parametrize(
    ("why", "left", "seen", "try_"),
    [
        (
            "iw1-ocs-z-2-4 has lost FAN 1",
            [Step(do=Do.REPLACE, rack="r", device="iw1-ocs-z-2-4", part="FAN 1")],
            "iw1-ocs-z-2-4 has lost FAN 1",
            "Check that the new FAN 1 is the right type and sits all the way in. "
            f"If it does, fit another one. {ELSE}",
        ),
        (
            "ff55339ee370: reflection is high at iw1-c046-t06 port 4.1.2/X+",
            [Step(do=do, rack="r", device="t", port="p") for do in (Do.INSPECT, Do.CLEAN)],
            "reflection is high at iw1-c046-t06 port 4.1.2/X+",
            f"Look at the end face, clean it again, and look once more. {ELSE}",
        ),
        (
            "ff55339ee370: iw1-c046 and iw1-c047 are exchanged",
            [Step(do=do, rack="r", device="t", port="p") for do in (Do.SCAN, Do.CLEAN, Do.PLUG)],
            "iw1-c046 and iw1-c047 are exchanged",
            "Read the label again. Clean the plug, and push it into the port that is named "
            f"until it clicks. {ELSE}",
        ),
        (
            "ff55339ee370: no light",
            [],
            "no light",
            "Nothing for you to do: it is tested again by itself.",
        ),
    ],
)
def test_what_comes_again_says_what_was_seen_and_what_to_try(
    why: str, left: list[Step], seen: str, try_: str
) -> None:
    assert still_wrong("ff55339ee370", why, left) == StillWrong(seen, try_)
