"""`fabric-twin chip hears`."""

import click

from fabric_twin.cli.chip.options import chip_design_of, design_option
from fabric_twin.core.chips.hearing import Sending, from_core
from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.chips.runs import Runs


@click.command
@design_option
@click.option(
    "--core",
    "cores",
    required=True,
    multiple=True,
    metavar="REGION.CORE",
    help="Who sends, like 7.12; may be given again for who sends at once.",
)
@click.option(
    "--bit", default=1, metavar="N", help="Which bit of what it sends at once; 1 by default."
)
@click.option("--across", is_flag=True, help="To all cores of the chip, over level 1.")
def hears(design: str, cores: tuple[str, ...], bit: int, across: bool) -> None:
    """Say on which waveguide and wavelength a core sends a bit, and who hears it.

    Exits 1 when so many cannot send at once.
    """
    chip = chip_design_of(design).chip
    senders = [chip.core(core) for core in cores]
    if not 1 <= bit <= chip.data:
        raise UnusableInput(
            f"there is no bit {bit}", where="--bit", remedy=f"Give 1 to {chip.data}"
        )
    chip.check_broadcasts(senders, across=across)
    for core in senders:
        local, region = from_core(chip, core, bit)
        click.echo(f"core {core}, bit {bit}:")
        _tell(local, "cores")
        if across:
            _tell(region, "interface tiles of regions")


def _tell(sent: Sending, noun: str) -> None:
    numbers = Runs("endpoint", [str(at + 1) for at in range(sent.ring.endpoints)])
    heard = numbers.written(at - 1 for at in sent.heard_by)
    where = f"{sent.ring.name}-{sent.waveguide}, wavelength {sent.wavelength}"
    click.echo(f"  {where}: heard by {len(sent.heard_by)} {noun}, {heard}")
