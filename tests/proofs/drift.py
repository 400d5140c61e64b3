"""10,000 switchings of all circuits with drift alone: nothing is named as worse than before.

    .venv/bin/python -m tests.proofs.drift --switchings 10000

Half of them with modules whose errors hang on every tenth of a decibel.
"""

import argparse
import sys
import time

from fabric_twin.simulator import optics
from tests.diagnosis.remembering import KEEN, Drift


def main() -> int:
    """Switch, and print what was named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--switchings", type=int, default=10_000)
    given, named = parser.parse_args(), 0
    for seed, modules in enumerate(({}, KEEN)):
        for name, value in modules.items():
            setattr(optics, name, value)
        began, drift = time.process_time(), Drift(seed)
        for _ in range(given.switchings // 2):
            drift.switch()
        what = "keen" if modules else "usual"
        print(
            f"{what} modules: {drift.switched:,} circuits switched in {given.switchings // 2:,} "
            f"times, {len(drift.named):,} named, {time.process_time() - began:.0f} s of CPU"
        )
        for words in drift.named[:20]:
            print(f"  {words}")
        named += len(drift.named)
    return int(named > 0)


if __name__ == "__main__":
    sys.exit(main())
