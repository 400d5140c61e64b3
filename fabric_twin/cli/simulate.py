"""`fabric-twin simulate`."""

import asyncio
import gc
import json
import os
import secrets
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric_twin.cli.files import read_file, writing
from fabric_twin.cli.options import json_option, pods_options, which_design
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.extras import require_extra
from fabric_twin.core.garbage import spare_what_is_loaded
from fabric_twin.core.kinds import Verb
from fabric_twin.core.slots import parse_slots

if TYPE_CHECKING:
    from fabric_twin.simulator.simulation import Addresses, Simulation

USER, PASSWORD = "FABRIC_TWIN_GNMI_USER", "FABRIC_TWIN_GNMI_PASSWORD"  # names
_SHAPE = '{"version": 1, "mistakes": 12, "rates": {}, "faults": []}'


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin simulate --design ironwood --pod iw1 --insecure\n"
    "  fabric-twin simulate --design tpu-v4 --pod v4 --tls certificates --state v4.npz\n"
    "  fabric-twin simulate --design ironwood --pod iw1 --pod iw2 --faults night.json --speed 60\n"
    "  fabric-twin simulate --design groups-a --pod pg1 --openflow switches.csv --insecure\n"
    "  fabric-twin simulate --network dc1 --blocks blocks.json --circuits now.json --insecure"
)
@pods_options
@click.option("--network", metavar="NAME", help="A network of blocks, like dc1.")
@click.option("--blocks", metavar="FILE", help="Its blocks and switches, as JSON.")
@click.option("--circuits", metavar="FILE", help="What switches carry at first, as JSON.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Of gNMI.")
@click.option(
    "--control-port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Of faults."
)
@click.option(
    "--own-addresses",
    metavar="FILE",
    help="Let each device also answer at an address of its own; FILE says where, as JSON.",
)
@click.option(
    "--openflow",
    metavar="FILE",
    help="Let packet switches answer OpenFlow; FILE says where, for `rings send --targets`.",
)
@click.option(
    "--openflow-port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Of the first packet switch; each has the next. Without it, free ones.",
)
@click.option(
    "--polatis",
    multiple=True,
    metavar="SWITCH",
    help="A switch that also answers RESTCONF, as a Polatis would; may be given again.",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=1, help="Another fabric.")
@click.option("--faults", metavar="FILE", help="Mistakes, faults and their rates, as JSON.")
@click.option(
    "--dialect",
    type=click.Choice(["upstream", "kvm", "mixed"]),
    default="upstream",
    help="Which SONiC table names the switches use.",
)
@click.option(
    "--identity",
    type=click.Choice(["both", "hostname", "serial", "none"]),
    default="both",
    help="How switches identify themselves.",
)
@click.option(
    "--shape",
    type=click.Choice(["asked", "shuffled", "by-row", "by-leaf"]),
    default="asked",
    help="How switches answer where the protocol leaves it to them.",
)
@click.option("--bare", is_flag=True, help="Switches come without a row for any port.")
@click.option(
    "--old-release", is_flag=True, help="Switches refuse the first row of a table without rows."
)
@click.option(
    "--saving",
    type=click.FloatRange(0, 3600),
    default=0.0,
    metavar="SECONDS",
    help="How long a switch takes to save a change; until then it reports its old configuration.",
)
@click.option("--tuning-ms", type=click.FloatRange(0, 60_000), default=20.0, metavar="MS")
@click.option("--speed", type=click.FloatRange(0.001, 1e7), default=1.0, help="Times real time.")
@click.option("--step", is_flag=True, help="Let time stand until the control port steps it.")
@click.option("--state", metavar="FILE", help="Where the fabric survives a restart.")
@click.option("--tls", metavar="DIR", help="Key and certificate; made there if there are none.")
@click.option(
    "--client-ca",
    metavar="FILE",
    help="Accept only clients with a certificate of this authority; PEM.",
)
@click.option(
    "--largest-answer",
    type=click.IntRange(1, 64),
    default=64,
    metavar="MB",
    help="Larger answers are refused.",
)
@click.option("--sets", metavar="FILE", help="Where to log every Set, one a line.")
@click.option("--insecure", is_flag=True, help="No TLS, and any user: for this machine alone.")
@json_option
def simulate(
    design: str | None,
    pod: tuple[str, ...],
    slots: str | None,
    network: str | None,
    blocks: str | None,
    circuits: str | None,
    port: int,
    control_port: int,
    own_addresses: str | None,
    openflow: str | None,
    openflow_port: int,
    polatis: tuple[str, ...],
    seed: int,
    faults: str | None,
    dialect: str,
    identity: str,
    shape: str,
    bare: bool,
    old_release: bool,
    saving: float,
    tuning_ms: float,
    speed: float,
    step: bool,
    state: str | None,
    tls: str | None,
    client_ca: str | None,
    largest_answer: int,
    sets: str | None,
    insecure: bool,
    as_json: bool,
) -> None:
    """Simulate pods, clusters or a network, and answer for them over gNMI until stopped.

    It answers on 127.0.0.1 only. Without --insecure it needs --tls, and a user:
    FABRIC_TWIN_GNMI_USER and FABRIC_TWIN_GNMI_PASSWORD say who; a password that is not given is
    made and shown. With --client-ca a certificate is enough, unless a user is named.
    """
    require_extra("simulator", "grpc", "grpc_reflection", "cryptography", where="simulate")
    from fabric_twin.core.pods.names import check_pod_name
    from fabric_twin.core.topology.wiring import intended_network
    from fabric_twin.inventory.circuits import read_circuits
    from fabric_twin.inventory.json_files import read_object
    from fabric_twin.inventory.networks.blocks import read_blocks
    from fabric_twin.simulator.faults.script import Script, read_script
    from fabric_twin.simulator.simulation import Simulation, Wanted

    if bool(design) != bool(pod) or bool(network) != bool(blocks) or not (design or blocks):
        raise click.UsageError("Give --design and --pod, or --network and --blocks.")
    if openflow_port and not openflow:
        raise click.UsageError("--openflow-port needs --openflow FILE.")
    if slots and not design:
        raise click.UsageError("--slots is of pods; the block file says which blocks there are.")
    kind = which_design(design, Verb.SIMULATE) if design else None
    script = Script()
    if faults:
        data, source = read_file(faults)
        script = read_script(read_object(data, source, _SHAPE), source)
    if polatis and not insecure:
        raise click.UsageError("RESTCONF is simulated without TLS: it needs --insecure.")
    named = (*pod, network)
    if len({*named}) < len(named):
        raise click.UsageError("Each pod needs a name of its own.")
    if client_ca and insecure:
        raise click.UsageError("A client's certificate needs TLS: give --tls DIR.")
    networks = []
    if network and blocks:
        read = read_blocks(*read_file(blocks), network, in_use=bool(circuits))
        networks = [intended_network(read.network, cable_m=read.cable_m)]
    addresses = _addresses(port, control_port, own_addresses is not None, tls, client_ca, insecure)
    log = Path(sets) if sets else None
    addresses = replace(addresses, openflow=bool(openflow), openflow_port=openflow_port)
    addresses = replace(addresses, polatis=polatis, largest=largest_answer * 2**20, sets=log)
    simulation = Simulation.begin(
        Wanted(
            design=kind,
            pods=[check_pod_name(name) for name in pod],
            slots=parse_slots(slots, kind.slots) if kind and slots is not None else None,
            networks=networks,
            circuits=read_circuits(*read_file(circuits)) if circuits else [],
            seed=seed,
            script=script,
            dialect=dialect,
            identity=identity,
            shape=shape,
            bare=bare,
            makes_tables=not old_release,
            saving=saving,
            tuning=tuning_ms / 1000,
            speed=0.0 if step else speed,
            state=Path(state) if state else None,
        )
    )
    if openflow and not any(pod.packet_switches for pod in simulation.pods):
        raise click.UsageError("--openflow is of packet switches: simulate a cluster of groups.")
    asyncio.run(_serve(simulation, addresses, own_addresses, openflow, as_json))


def _addresses(
    port: int,
    control_port: int,
    own: bool,
    tls: str | None,
    client_ca: str | None,
    insecure: bool,
) -> "Addresses":
    from fabric_twin.simulator.certificates import CERTIFICATE, find_or_make
    from fabric_twin.simulator.simulation import Addresses

    if insecure == (tls is not None):
        raise click.UsageError("Give either --tls DIR or --insecure.")
    if tls is None:
        return Addresses(port=port, control_port=control_port, own_addresses=own)
    authority = read_file(client_ca)[0] if client_ca else None
    try:
        pair = find_or_make(Path(tls))
    except OSError as error:
        raise UnusableInput(
            f"no key and certificate can be kept there ({(error.strerror or '?').lower()})",
            where=tls,
            remedy="Name a folder that may be written to",
        ) from None
    click.echo(f"trust {Path(tls) / CERTIFICATE}", err=True)
    return Addresses(
        port=port,
        control_port=control_port,
        own_addresses=own,
        users=_users(needed=authority is None),
        tls=pair,
        client_ca=authority,
    )


def _users(*, needed: bool) -> dict[str, str]:
    """Who may call; a password that is not given is made and shown."""
    user, password = os.environ.get(USER), os.environ.get(PASSWORD)
    if not needed and not user:
        return {}
    if not password:
        password = secrets.token_urlsafe(16)
        click.echo(f"user {user or 'admin'}, password {password}", err=True)
    return {user or "admin": password}


async def _serve(
    simulation: "Simulation",
    addresses: "Addresses",
    own: str | None,
    openflow: str | None,
    as_json: bool,
) -> None:
    spare_what_is_loaded()
    # Nor at answers, one by one.
    gc.set_threshold(50_000, 50, 50)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with simulation.serving(addresses) as served:
        said = served.as_json()
        if own:
            with writing(own) as out:
                out.write(json.dumps(said, indent=2) + "\n")
        if openflow:
            with writing(openflow) as out:
                out.write("device,address,datapath\n")
                for name, switch in served.openflow.items():
                    out.write(f"{name},{switch.address},{switch.datapath}\n")
        with writing("-") as out:
            if as_json:
                out.write(json.dumps(said) + "\n")
            else:
                devices = sum(len(pod.devices) for pod in simulation.pods)
                out.write(f"{devices:,} devices answer gNMI at {said['gnmi']}\n")
                if openflow:
                    many = counted(len(served.openflow), "packet switch")
                    out.write(f"{many} answer OpenFlow at the addresses in {openflow}\n")
                out.write(f"faults are made at {said['control']}\n")
            out.flush()
        await stop.wait()
