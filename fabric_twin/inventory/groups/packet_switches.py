"""Where the packet switches of a cluster answer over OpenFlow: `device,address,datapath`.

device,address,datapath
pg1-row-01-1-1,10.0.0.7:6653,00000000000000a1
"""

from typing import NamedTuple

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.rings.state import State
from fabric_twin.inventory.addresses import DATAPATH, canonical_datapath, read_addresses
from fabric_twin.inventory.groups.state import device_numbers


class PacketSwitch(NamedTuple):
    """Where a switch answers, and the datapath id that it shows there."""

    address: str
    #: 16 digits.
    datapath: str


def read_packet_switches(data: bytes, source: str, state: State) -> dict[int, PacketSwitch]:
    """Read where switches of a cluster answer, by device number; or refuse the file."""
    numbers = device_numbers(state)
    found: dict[int, PacketSwitch] = {}
    whose: dict[str, str] = {}
    for device, address in read_addresses(data, source).items():
        where = f"{source}, {device[:60]}"
        number = numbers.get(device, -1)
        if number < state.wiring.cluster.groups:
            raise UnusableInput(
                "it is no switch of the cluster",
                where=where,
                remedy="Name switches of the cluster, like row-01-1-1",
            )
        if address.driver or address.target:
            raise UnusableInput(
                "it has a driver or a target, and flow entries go to its own address by OpenFlow",
                where=where,
                remedy="Leave driver and target empty",
            )
        if not address.datapath:
            raise UnusableInput(
                "it has no datapath id",
                where=where,
                remedy=f"Write it in the column {DATAPATH}, as the switch shows it",
            )
        datapath = canonical_datapath(address.datapath, f"{where}, column {DATAPATH}")
        if number in found or datapath in whose:
            raise UnusableInput(
                f"{whose.get(datapath, device)} has the same datapath id, or is the same switch",
                where=where,
                remedy="Give each switch once, with a datapath id of its own",
            )
        found[number], whose[datapath] = PacketSwitch(address.address, datapath), device
    return found
