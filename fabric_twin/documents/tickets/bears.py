"""What a slice keeps that bears maintenance, in words: for a terminal and a ticket alike."""

from collections.abc import Mapping
from typing import Any


def what_it_keeps(bears: Mapping[str, Any]) -> str:
    """The capacity of each axis, before where it was more, the slowest link and the detours."""
    before = bears["capacity_before"]
    axes = ", ".join(
        f"{axis.upper()} {share:.4g}" + (f" (before: {before[axis]:.4g})" * (share != before[axis]))
        for axis, share in bears["capacity_after"].items()
    )
    many = bears["detours"]
    detours = f"{many:,} detour{'s' * (many != 1)}"
    return f"Capacity left: {axes}. Slowest link: 1/{round(1 / bears['slowest_link'])}. {detours}"
