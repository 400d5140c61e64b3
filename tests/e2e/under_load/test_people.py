"""People and phones at once, a small crowd for a short time: nobody meets an error.

Figures are `make bench`'s: how long pages take beside Nautobot's own, and what memory grows by.
"""

from tests.e2e.conftest import Running
from tests.e2e.under_load.people import crowd_of, failures


def test_nobody_meets_an_error(stack: Running) -> None:
    crowd, before, after = crowd_of(people=4, phones=2, seconds=15, stack=stack)
    assert crowd.counted.errors == [], "\n".join(failures(stack))
    assert min(map(len, (crowd.counted.ours, crowd.counted.nautobots, crowd.counted.reports))) > 1
    assert before.keys() == after.keys()
