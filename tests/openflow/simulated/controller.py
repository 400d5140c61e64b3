"""Open vSwitch's `ovs-ofctl`, as a controller that is not ours."""

import re
import subprocess
from typing import NamedTuple


class Said(NamedTuple):
    """What a switch refuses with, or what it tells."""

    refusal: str
    lines: list[str]


def ask(address: str, act: str, *given: str) -> Said:
    """Let a controller that is not ours ask."""
    command = ["ovs-ofctl", "-O", "OpenFlow13", act, f"tcp:{address}", *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    refusal = re.search(r": (OFP[A-Z]+_[A-Z_]+)$", done.stderr + done.stdout, re.MULTILINE)
    assert refusal or done.returncode == 0, done.stderr
    return Said(refusal[1] if refusal else "", done.stdout.splitlines())


def rows(address: str, *asked: str) -> list[str]:
    """Rows without what passes and how long they are there."""
    lines = ask(address, "dump-flows", *asked).lines
    told = (re.sub(r"(duration|n_packets|n_bytes)=[^ ]+ ?", "", line) for line in lines)
    return sorted(line.strip() for line in told if "actions=" in line)
