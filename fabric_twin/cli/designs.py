"""`fabric-twin designs`."""

import json
from typing import Any

import click

from fabric_twin.cli.messages import tell
from fabric_twin.cli.options import json_option, look_in_folder, read_design_file
from fabric_twin.core.chips.chip import ACROSS
from fabric_twin.core.chips.design import ChipDesign
from fabric_twin.core.counted import counted
from fabric_twin.core.design import Design
from fabric_twin.core.designs import design_names, find_design, installed_names
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.groups.design import GroupsDesign


@click.command(
    epilog="\b\nExamples:\n  fabric-twin designs --json\n  fabric-twin designs --check pod-150.yaml"
)
@click.option("--check", "path", metavar="FILE", help="Check a design file, and sum it up.")
@json_option
@click.pass_context
def designs(ctx: click.Context, path: str | None, as_json: bool) -> None:
    """List the designs that there are, each with its kind.

    With --check, say what a design file amounts to, or all that is wrong with it.

    A package of yours adds one by an entry point of the group fabric_twin.designs. A design file is
    used by its path, wherever --design is asked for, or by its name from a folder that
    FABRIC_TWIN_DESIGNS names.
    """
    if path is not None:
        _check(path, as_json)
        return
    folder = look_in_folder()
    wrong = list(folder.refusals()) if folder else []
    facts = [design.as_json() for design in map(_usable, design_names()) if design]
    if as_json:
        click.echo(json.dumps({"version": 1, "designs": facts}, indent=2))
    else:
        _list(facts)
    for refusal in wrong:
        for line in (str(refusal), *(f"  {told}" for told in refusal.details)):
            tell(line)
    if wrong:
        ctx.exit(wrong[0].exit_code)


def _usable(name: str) -> Design | None:
    """A design; none of a file that is wrong, which is told on its own."""
    try:
        return find_design(name)
    except FabricTwinError:
        if name in installed_names():
            raise
        return None


def _list(facts: list[dict[str, Any]]) -> None:
    wide = max(len(str(fact["name"])) for fact in facts)
    head = f"{'design':{wide}}  kind    slots   chips  cables  switches  what it is"
    click.secho(head, bold=True)
    for fact in facts:
        click.echo(
            f"{fact['name']:{wide}}  {fact['kind']:6}  {fact['slots']:>5}  {fact['chips']:>6,}"
            f"  {fact['cables']:>6,}  {fact['switches']:>8}  {fact['title']}"
        )


def _check(path: str, as_json: bool) -> None:
    """Say what a file amounts to; what is wrong with it is refused, with its lines."""
    design = read_design_file(path)
    if as_json:
        click.echo(json.dumps({"version": 1, "designs": [design.as_json()]}, indent=2))
        return
    tell(f"{path}: {design.kind.noun}s can be built of this design.")
    if design.name in installed_names():
        tell(f"{path}: from a folder it is not used: a package brings a design of this name.")
    elif path.endswith(".yml"):
        tell(f"{path}: a folder reads only files that end in .yaml.")
    for what, found in _summed_up(design).items():
        click.echo(f"{what:10}  {found}")


def _summed_up(design: Design) -> dict[str, str]:
    if isinstance(design, ChipDesign):
        return _chip_summed_up(design)
    if isinstance(design, GroupsDesign):
        return _cluster_summed_up(design)
    layout, cube = design.layout, design.cube
    chips, tray = ("x".join(map(str, sides)) for sides in (cube.chips, cube.tray))
    trays = counted(cube.trays, "tray")
    cables = counted(design.lanes, "cable")
    switches = "none: cables join cubes"
    if layout.switches:
        sides = f"{design.plant.sides} sides of " if design.plant.sides > 1 else ""
        spares = counted(len(design.spares), "spare")
        switches = f"{len(layout.switches):,}, each of {sides}{design.radix:,} ports, {spares}"
    return {
        "design": f"{design.name}: {design.title}",
        "plant": design.plant.value,
        "cubes": f"{design.slots:,}, each of {chips} chips on {trays} of {tray}",
        "chips": f"{design.chips:,}",
        "ports": f"{layout.cube_ports // design.lanes:,} on cubes, {cables} each",
        "switches": switches,
        "cables": f"{design.cables:,}",
        "layout": f"{design.digest[:8]}, which a pod keeps to know it by",
    }


def _cluster_summed_up(design: GroupsDesign) -> dict[str, str]:
    cluster, group, layout = design.cluster, design.cluster.group, design.layout
    tier_1 = cluster.dimensions * cluster.planes * cluster.tier_1
    of_groups = layout.cube_ports
    each = f"{'x'.join(map(str, group.chips))} processors"
    return {
        "design": f"{design.name}: {design.title}",
        "plant": design.plant.value,
        "groups": f"{counted(cluster.rows, 'row')} of {cluster.columns}, each of {each}",
        "processors": f"{cluster.processors:,}",
        "ports": f"{of_groups:,} on groups",
        "switches": f"{len(layout.switches) - tier_1:,} on tier 0 and {tier_1:,} on tier 1, each "
        f"of {design.radix} ports",
        "cables": f"{of_groups:,} of groups and {design.cables - of_groups:,} between switches",
        "copper": f"{cluster.groups * len(group.copper_links):,} inside groups",
        "layout": f"{design.digest[:8]}, which a cluster keeps to know it by",
    }


def _chip_summed_up(design: ChipDesign) -> dict[str, str]:
    chip = design.chip
    region, regions, mesh = (
        "x".join(map(str, grid)) for grid in (chip.region, chip.regions, chip.mesh)
    )
    ring = chip.rings[0]
    memory = chip.memory * chip.many_regions
    special = len(ring.waveguides) - chip.data - chip.metadata
    computing, cache = (f"{area:,.0f} mm2" for area in chip.areas_mm2)
    each, whole = chip.controller_gbyte_s, chip.memory_gbyte_s
    return {
        "design": f"{design.name}: {design.title}",
        "plant": design.plant.value,
        "cores": f"{chip.cores:,}: {regions} regions of {region}, {memory:,} of them for memory",
        "rings": f"{chip.many_regions} of {counted(ring.endpoints, 'core')} on level 0, and one of "
        f"{counted(chip.many_regions, 'region')} on level 1",
        "waveguides": f"{len(ring.waveguides)} a ring: {chip.data} for data, {chip.metadata} for "
        f"metadata, and {special} for light, clock and flow control",
        "modulators": f"{ring.modulators:,} a ring of level 0",
        "filters": f"{ring.filters // ring.endpoints:,} a core, {ring.filters:,} a ring of level 0",
        "FIFOs": f"{ring.endpoints - 1} a core",
        "a word": f"{counted(chip.cycles, 'cycle')}: a core sends {chip.rate_gbps} Gb/s",
        "at once": f"{ring.endpoints} broadcasts within each region, {ACROSS} over all",
        "mesh": f"{mesh}, {chip.mesh_links:,} links, without wrap",
        "memory": f"{each:g} GB/s a controller, {whole:,g} in all; "
        f"{chip.bytes_per_flop:.3g} B/FLOP",
        "chip": f"{computing} for computing, {cache} for cache, {chip.cache_mib:g} MiB a core",
        "layout": f"{design.digest[:8]}, which a chip keeps to know it by",
    }
