"""OpenConfig's names for what a cube tells of its ports."""

#: Modules that the names of a tree's nodes are prefixed with, where they change.
INTERFACES = "openconfig-interfaces:interfaces"
LLDP = "openconfig-lldp:lldp"
ETHERNET = "openconfig-if-ethernet:ethernet"
COMPONENTS = "openconfig-platform:components"
SYSTEM = "openconfig-system:system"
TRANSCEIVER = "openconfig-platform-transceiver:transceiver"
#: Light that is thrown back is no leaf of OpenConfig: its own augmentation, in dB [A].
REFLECTION = "fabric-twin-optics:reflection"
MODELS = (
    ("openconfig-interfaces", "3.7.0"),
    ("openconfig-if-ethernet", "2.14.0"),
    ("openconfig-lldp", "0.2.1"),
    ("openconfig-platform", "0.24.0"),
    ("openconfig-platform-transceiver", "0.14.0"),
    ("openconfig-system", "0.17.1"),
)
ORGANIZATION = "OpenConfig working group"
UP, DOWN = "UP", "DOWN"
#: What an interface can carry is named in Gbit/s; a rate that has no name is not known.
SPEEDS = {
    float(gbps): f"openconfig-if-ethernet:SPEED_{gbps}GB"
    for gbps in (1, 5, 10, 25, 40, 50, 100, 200, 400, 600, 800, 1600)
}
SPEED_UNKNOWN = "openconfig-if-ethernet:SPEED_UNKNOWN"
ACTIVE, DISABLED = "openconfig-platform-types:ACTIVE", "openconfig-platform-types:DISABLED"
