"""Loading a network: validate everything, then write it as sets, in one transaction.

    block file, circuit file  -  what is there  =  what is missing  ->  checked  ->  written

What is there is never touched: a second loading finds nothing missing and writes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Model
from nautobot.dcim.models import Cable, Device, Location, Rack
from nautobot.users.models import User

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import check_pod_name
from fabric_twin.core.topology.by_rule import end_of_port
from fabric_twin.core.topology.design import network_design
from fabric_twin.core.topology.joined import Joined, all_joined
from fabric_twin.core.topology.network import Block as CoreBlock
from fabric_twin.core.topology.network import Network, SwitchEnd
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.inventory.addresses import check_address
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.networks.blocks import BlocksRead, read_blocks
from fabric_twin.models import Block, OpticalCircuit, Pod, Substitution, Switch
from fabric_twin.operations.calls.progress import counting, tell
from fabric_twin.operations.networks.buildings import find_locations
from fabric_twin.operations.networks.write_blocks import (
    check_no_interfaces,
    rows_of_blocks,
    rows_of_strands,
    write_blocks,
    write_strands,
)
from fabric_twin.operations.pods.load import (
    check_free,
    check_names,
    made_pod,
    missing_cables,
    pod_to_fill,
)
from fabric_twin.operations.pods.wanted_cables import WantedCable, cables_of_rule
from fabric_twin.operations.pods.write_cables import rows_of_cables, write_cables
from fabric_twin.operations.pods.write_hardware import rows_of_switches, write_switches
from fabric_twin.repositories.bulk_insert import Progress, Writer
from fabric_twin.repositories.change_log import CREATE, UPDATE, record_change
from fabric_twin.repositories.hardware_types import find_parts
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_lock import PodRefused, pods_locked
from fabric_twin.repositories.pod_record import PLANNED, TO_COME, PodRecord

#: No permission of one network speaks of what the first one makes for all.
_OF_ONE: tuple[type[Model], ...] = (Pod, Block, Switch, Rack, Device, Cable, OpticalCircuit)
_OTHER_NAME = "Give the network or its new blocks another name"


@dataclass(frozen=True)
class NetworkLoaded:
    """What a loading wrote, or would write."""

    network: str
    #: How many rows, by what they are.
    added: Mapping[str, int]
    #: The blocks that are new.
    blocks: tuple[str, ...]
    dry_run: bool

    def __str__(self) -> str:
        """The whole in a sentence."""
        if not self.added:
            return f"Network {self.network}: nothing to load, all of it is there."
        parts = ", ".join(f"{count:,} {what}" for what, count in self.added.items())
        blocks = f" Blocks {', '.join(self.blocks)}." if self.blocks else ""
        return (
            f"Network {self.network}: {'would load' if self.dry_run else 'loaded'} {parts}.{blocks}"
        )


def load_network(
    name: str,
    blocks: bytes,
    location: Location,
    *,
    circuits: bytes | None = None,
    block_status: str = "Active",
    address: str = "",
    user: User | None = None,
    dry_run: bool = False,
    progress: Progress = lambda _what, _rows: None,
) -> NetworkLoaded:
    """Load a network, or what it lacks, from a block file and the circuits that it has.

    Cables are the rule's. `address` is where a gateway answers for every new switch and block,
    each by its own name. A user needs the permission to add what is added, and to connect what
    gets an address; nobody is the system.
    """
    check_pod_name(name, "network")
    if address:
        check_address(address, "address")
        require_kinds(user, "connect", [Switch, Block])
    require(user, "view", Location, [location.pk])
    with pods_locked(keep=not dry_run):
        there = Pod.objects.filter(name=name).first()
        first_ports = dict(there.blocks.values_list("name", "first_port")) if there else {}
        read = read_blocks(blocks, "block file", name, recorded=first_ports)
        if read.draining:
            raise UnusableInput(
                f"{min(read.draining)} is draining, which is for plans on files",
                where="block file",
                remedy="Leave it out, and set the block to Draining on its page",
            )
        loading = _Loading(read, location, address, user, progress)
        return loading.run(circuits, block_status, dry_run=dry_run)


class _Loading:
    """One loading, in its transaction."""

    def __init__(
        self,
        read: BlocksRead,
        location: Location,
        address: str,
        user: User | None,
        progress: Progress,
    ) -> None:
        self.given, self.user, self.progress = read.network, user, progress
        self.address = address
        self.owner = {name: owner for owner, names in read.owners.items() for name in names}
        self.cable_m = read.cable_m
        self.locations = read.locations
        self.design = network_design(read.network.switches)
        self.writer = Writer(self._say_written)
        self.written = lambda _rows: None
        self.pod, self.fresh = pod_to_fill(read.network.name, self.design, location, user)
        self.record = PodRecord(self.pod)

    def run(self, circuits: bytes | None, block_status: str, *, dry_run: bool) -> NetworkLoaded:
        tell("Compares what is there with what is to be loaded")
        new = self._new_blocks()
        network = Network(self.given.name, self.given.switches, (*self._there, *new))
        wanted = self._new_circuits(network, circuits, block_status)
        self._write(network, new, wanted, block_status)
        tell("Checks what was written")
        for model in _OF_ONE:
            require(self.user, "add", model, self.writer.added.get(model, ()))
        if self.address:
            for model in (Switch, Block):
                require(self.user, "connect", model, self.writer.added.get(model, ()))
        names = tuple(block.name for block in new)
        loaded = NetworkLoaded(network.name, self.writer.counts, names, dry_run)
        if loaded.added:
            record_change(self.pod, CREATE if self.fresh else UPDATE, str(loaded), self.user)
            self.writer.analyze()
        return loaded

    @property
    def _there(self) -> Sequence[CoreBlock]:
        return [] if self.fresh else [block.to_core() for block in self.pod.blocks.all()]

    def _new_blocks(self) -> tuple[CoreBlock, ...]:
        """The blocks that are not there yet; one that is there as another is refused."""
        there = {block.name: block for block in self._there}
        for block in self.given.blocks:
            if block.name in there and there[block.name] != block:
                raise PodRefused(
                    f"{block.name} is recorded with {_told(there[block.name])}, and the file has "
                    f"{_told(block)}",
                    where=f"network {self.pod.name}",
                    remedy="Loading adds and never changes: write the file as the block is "
                    "recorded, or give a new block another name",
                )
        return tuple(block for block in self.given.blocks if block.name not in there)

    def _new_circuits(self, network: Network, data: bytes | None, status: str) -> Sequence[Circuit]:
        """The circuits of a file, if there are none yet; the same again are none."""
        if data is None:
            return ()
        given = read_circuits(data, "circuit file")
        self._check_cabled(network, all_joined(network, given, self._stands_in()), status)
        rows = OpticalCircuit.objects.filter(switch__pod=self.pod if not self.fresh else None)
        there = set(rows.values_list("switch__number", "a", "b"))
        wanted = {(_number(network, one), int(one.a[:-1]), int(one.b[:-1])) for one in given}
        if there and there != wanted:
            raise PodRefused(
                f"the network has {len(there):,} circuits, which are not those of the file",
                where=f"network {self.pod.name}",
                remedy="Leave the file out: circuits are loaded once, with the network",
            )
        return () if there else given

    def _check_cabled(self, network: Network, joined: Iterable[Joined], status: str) -> None:
        """Refuse circuits of blocks whose cables are still to come; new blocks get this status."""
        rows = () if self.fresh else self.pod.blocks.values_list("name", "status__name")
        known = dict(rows)
        coming = {
            number
            for number, block in enumerate(network.blocks)
            if known.get(block.name, status) in TO_COME
        }
        for one in joined:
            for place in (one.a, one.b):
                if (number := int(network.block_at[place])) in coming:
                    raise PodRefused(
                        f"a circuit joins {network.blocks[number].name}, whose cables are to come",
                        where="circuit file",
                        remedy="Leave its circuits out: once the block is active, a topology "
                        "gives it links",
                    )

    def _stands_in(self) -> dict[SwitchEnd, SwitchEnd]:
        """By spare, the port whose place it takes."""
        rows = Substitution.objects.filter(port__pod=None if self.fresh else self.pod)
        layout = self.design.layout
        return {
            end_of_port(layout, spare): end_of_port(layout, port)
            for spare, port in rows.values_list("spare__number", "port__number")
        }

    def _write(
        self,
        network: Network,
        new: Sequence[CoreBlock],
        circuits: Sequence[Circuit],
        block_status: str,
    ) -> None:
        bare = self._bare(network)
        has_switches = not self.fresh and self._has_switches(network)
        if has_switches and not (new or bare or circuits):
            return
        require_kinds(self.user, "add", self._kinds(new, circuits))
        spares = () if self.fresh else self.record.substitutions
        intended = intended_network(network, spares, self.cable_m)
        # What is planned has no cables yet: an order lays them.
        cabled = [*(() if block_status in PLANNED else new), *self._without_planned(bare)]
        cables = self._missing_cables(network, intended, cabled)
        names = [network.device_name(block) for block in new]
        stands = self._stands(new)
        check_names(self.pod, names, names, _OTHER_NAME, stands.values())
        rows = rows_of_blocks(new) + rows_of_strands((*new, *bare)) + rows_of_cables(cables)
        rows += len(circuits) + (0 if has_switches else 1 + rows_of_switches(intended.names))
        self.written = counting("rows written", rows)
        parts = find_parts(self.design, self.writer)
        if self.fresh:
            self.pod = made_pod(self.pod, self.writer)
        if not has_switches:
            check_names(self.pod, intended.names.switches, (), _OTHER_NAME)
            write_switches(self.pod, intended.names, parts, self.writer, self.address)
        keys = write_blocks(
            self.pod,
            network,
            new,
            self.owner,
            block_status,
            parts,
            self.writer,
            self.address,
            stands,
        )
        for block in self.pod.blocks.filter(name__in=[one.name for one in bare]):
            check_no_interfaces(block)
            keys[block.name] = block.pk, block.device_id
        write_strands(self.pod, network, (*new, *bare), keys, parts, self.writer)
        if cables:
            write_cables(self.pod, intended.names, cables, self._free(), parts, self.writer)
        self._write_circuits(network, circuits)

    def _missing_cables(
        self, network: Network, intended: Intended, blocks: Sequence[CoreBlock]
    ) -> list[WantedCable]:
        """The cables of some blocks that are not recorded; a port that holds another is refused."""
        places = [place for block in blocks for place in network.places_of(block)]
        wanted = cables_of_rule(intended, places)
        if self.fresh:
            return wanted
        there = {cable.name: cable for cable in self.record.cables}
        missing = missing_cables(self.record.names, wanted, there)
        check_free(self.record.names, missing, list(there.values()))
        return missing

    def _write_circuits(self, network: Network, circuits: Sequence[Circuit]) -> None:
        if not circuits:
            return
        switches = dict(self.pod.switches.values_list("number", "pk"))
        self.writer.insert(
            OpticalCircuit(wanted=True),
            switch_id=[switches[_number(network, circuit)] for circuit in circuits],
            a=[int(circuit.a[:-1]) for circuit in circuits],
            b=[int(circuit.b[:-1]) for circuit in circuits],
        )

    def _bare(self, network: Network) -> tuple[CoreBlock, ...]:
        """Blocks of the file that are recorded without ports: somebody entered them by hand."""
        if self.fresh:
            return ()
        rows = self.pod.blocks.filter(ports__isnull=True).values_list("name", flat=True)
        given = self.given.by_name.keys() & {*rows}
        return tuple(block for block in network.blocks if block.name in given)

    def _without_planned(self, bare: Sequence[CoreBlock]) -> list[CoreBlock]:
        """Those of some recorded blocks whose cables are there."""
        rows = self.pod.blocks.filter(status__name__in=PLANNED) if bare else self.pod.blocks.none()
        planned = set(rows.values_list("name", flat=True))
        return [block for block in bare if block.name not in planned]

    def _has_switches(self, network: Network) -> bool:
        """Whether it has all of its switches; with some of them it is refused."""
        layout, there = self.design.layout, self.pod.switches.count()
        ports = self.pod.ports.filter(switch__isnull=False).count()
        whole = network.switches * layout.ports_per_switch
        if there and (there, ports) != (network.switches, whole):
            raise PodRefused(
                f"{there} of its {network.switches} switches are recorded, with {ports:,} of "
                f"{whole:,} ports",
                where=f"network {self.pod.name}",
                remedy="Remove the network with its hardware, and load it anew",
            )
        return bool(there)

    def _kinds(self, new: Sequence[CoreBlock], circuits: Sequence[Circuit]) -> list[type[Model]]:
        """What comes, by its kind."""
        kinds: list[type[Model]] = [Pod, Switch] if self.fresh else []
        kinds += [Block, Rack, Device, Cable] if new else []
        return kinds + [OpticalCircuit] * bool(circuits)

    def _stands(self, new: Sequence[CoreBlock]) -> dict[str, Location]:
        """New blocks that are elsewhere than their switches."""
        named = {block.name: self.locations.get(block.name) for block in new}
        found = find_locations(filter(None, named.values()), self.user)
        return {block: found[name] for block, name in named.items() if name}

    def _free(self) -> dict[int, UUID]:
        """The interfaces of ports that hold no cable."""
        self.writer.analyze()
        ports = self.pod.ports.order_by().filter(interface__cable_termination__isnull=True)
        return dict(ports.values_list("number", "interface_id"))

    def _say_written(self, what: str, rows: int) -> None:
        self.written(rows)
        self.progress(what, rows)


def _number(network: Network, circuit: Circuit) -> int:
    """The number of its switch in the design's layout, from 0."""
    return int(circuit.switch.removeprefix(f"{network.name}-ocs-")) - 1


def _told(block: CoreBlock) -> str:
    return f"{block.strands} strands of {block.rate_gbps:g} Gbit/s from port {block.first_port}"
