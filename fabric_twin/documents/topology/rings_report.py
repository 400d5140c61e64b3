"""The rings of jobs over several pods, as text: their order, and what each pair of pods has."""

from collections.abc import Sequence
from typing import TextIO

from fabric_twin.core.counted import counted
from fabric_twin.core.superpods.standing import RingsStand


def write_rings(stand: Sequence[RingsStand], tried: Sequence[int], out: TextIO) -> None:
    """For a terminal, under a topology."""
    for rings, many in zip(stand, tried, strict=True):
        pods = [pod.pod for pod in rings.multislice.pods]
        found = f" The order is the best of {counted(many, 'order')}." if many > 1 else ""
        out.write(
            f"\nMultislice {rings.multislice.name}: red {' > '.join([*pods, pods[0]])}, blue the "
            f"other way round.{found}\n\n"
        )
        wide = max(len(f"{pair.one} {pair.other}") for pair in rings.pairs)
        out.write(f"{'pods'.ljust(wide)}  wished  links     asks  carries  Gbit/s each way\n")
        for pair in rings.pairs:
            name = f"{pair.one} {pair.other}".ljust(wide)
            out.write(
                f"{name}  {pair.wished:6,}  {pair.left:5,}  {pair.asked:7,.0f}  "
                f"{pair.carried:7,.0f}\n"
            )
        _write_time(rings, out)


def _write_time(rings: RingsStand, out: TextIO) -> None:
    if rings.collective is None or rings.between_s is None:
        return
    within, between = rings.collective.within_s, rings.between_s
    volume = f"A collective of {rings.collective.bytes / 1e9:,.6g} GB"
    if not rings.ring_gbps:
        out.write(f"{volume} has no way between pods: a ring is open.\n")
        return
    share = between / (within + between)
    out.write(
        f"{volume} takes {within:.4f} s within pods and {between:.4f} s between them "
        f"({share:.2%} of both).\n"
    )
