"""Live through a year of two pods, and keep what the pictures show: by hand, for it takes minutes.

PYTHONPATH=. .venv/bin/python docs/images/make_year.py
"""

# ruff: noqa: INP001 - a script, not a package

import json
from pathlib import Path

import numpy as np

from fabric_twin.core.designs import find_design
from tests.simulator.year import live_through

YEAR = Path(__file__).with_name("year.json")
SEED = 1


def figures(name: str) -> dict[str, object]:
    """One pod's year, in few numbers."""
    year = live_through(find_design(name), SEED)
    errors, error_edges = np.histogram(year.errors, bins=np.arange(-6.0, -2.9, 0.1))
    losses, loss_edges = np.histogram(year.losses, bins=np.arange(0.8, 3.25, 0.1))
    weeks = year.down[: 52 * 28].reshape(52, 28)
    return {
        "seed": SEED,
        "ports": year.ports,
        "came": {kind: year.came.get(kind, 0) for kind in year.expected},
        "expected": {kind: round(many, 1) for kind, many in year.expected.items()},
        "down_mean": round(float(year.down.mean()), 2),
        "down_by_week": {
            "median": np.median(weeks, axis=1).astype(int).tolist(),
            "most": weeks.max(axis=1).tolist(),
        },
        "errors": {
            "edges": error_edges.round(1).tolist(),
            "many": errors.tolist(),
            "median": round(float(np.median(year.errors)), 2),
            "over": int((year.errors > np.log10(2e-4)).sum()),
            "sampled": len(year.errors),
        },
        "losses": {
            "edges": loss_edges.round(1).tolist(),
            "many": losses.tolist(),
            "under_2": round(float((year.losses < 2).mean()), 4),
            "most": round(float(year.losses.max()), 2),
        },
    }


def main() -> None:
    """Write the file."""
    content = {name: figures(name) for name in ("tpu-v4", "ironwood")}
    YEAR.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
