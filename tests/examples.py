"""How many examples a law takes: few in every run, thousands under `make proof`."""

import os

#: HYPOTHESIS_PROFILE=quick (the default) or thousands.
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
#: What a law takes that says nothing else.
FEW = 50
_TIMES = {"quick": 1, "thousands": 100}[PROFILE]


def examples(few: int) -> int:
    """So many in every run, and a hundred times as many when thousands are asked for."""
    return few * _TIMES
