"""How many examples the laws take: HYPOTHESIS_PROFILE=quick (the default) or thousands."""

import os

from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
# In CI the same examples every time: a rare one is looked for here and by `thousands`.
_CI = bool(os.environ.get("CI"))
settings.register_profile("quick", max_examples=100, derandomize=_CI, **_COMMON)
settings.register_profile("thousands", max_examples=5000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
