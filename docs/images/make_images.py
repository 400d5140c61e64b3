"""Draw the pictures of the documentation; those of chips are the product's own."""

# ruff: noqa: INP001 - a script, not a package

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
# Beside this script, which is loaded by its path as well.
import group_pictures  # noqa: E402
import system_pictures  # noqa: E402
import ticket_pictures  # noqa: E402
import wiring_pictures  # noqa: E402
from picture import Picture  # noqa: E402
from year_pictures import pictures as year_pictures  # noqa: E402

from fabric_twin.core.designs.atac import DESIGN as ATAC  # noqa: E402
from fabric_twin.documents.chips.chip_drawing import draw_chip, draw_ring  # noqa: E402

sys.path.remove(str(HERE))


def files() -> dict[Path, str]:
    """Every file that is made here, and what is in it."""
    drawings = (
        *wiring_pictures.PICTURES,
        *system_pictures.PICTURES,
        *ticket_pictures.PICTURES,
        *group_pictures.PICTURES,
    )
    drawn = [*(draw() for draw in drawings), *year_pictures(Picture)]
    made = {picture.path: picture.svg() for picture in drawn}
    chips = {"chip.svg": draw_chip(ATAC), "ring.svg": draw_ring(ATAC, ATAC.chip.ring("a0-07"))}
    return made | {HERE / name: drawing for name, drawing in chips.items()}


def main() -> None:
    """Write them."""
    for path, content in files().items():
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
