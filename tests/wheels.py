"""Wheels of this tree, and environments that they are put into; as `make wheel` does."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def uv(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "uv", *arguments, "--quiet"], cwd=ROOT, check=True)


def build(source: Path, out: Path, kind: str) -> Path:
    uv("build", source, f"--{kind}", "--no-build-isolation", "--python", sys.executable, "-o", out)
    [built] = out.glob("fabric_twin-*")
    return built
