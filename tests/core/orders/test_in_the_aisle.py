"""What a phone says: of what the fabric does."""

import pytest

from fabric_twin.core.orders.in_the_aisle import Fault, fabric_does
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
        (check("ff55339ee370"), FAN, "iw1-ocs-z-2-4 is asked whether it is mended: fan-lost"),
    ],
)
def test_what_the_fabric_does_names_the_fault_and_its_place_and_no_key(
    step: Step, fault: Fault | None, words: str
) -> None:
    assert fabric_does(step, fault) == words
