"""SONiC's names for an optical circuit switch: paths, tables, fields and words.

Upstream had not merged its design when this was written, and the forks differ from it: what differs
is a `Dialect`, and nothing outside this module knows a name that does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

ORIGIN = "sonic-db"
CONFIG, STATE, HOST = "CONFIG_DB", "STATE_DB", "localhost"

#: Tables that all dialects name alike.
CROSS_CONNECT, PORT = "OCS_CROSS_CONNECT", "OCS_PORT"
PHYSICAL_PATH, FACTORY_LOSS = "OCS_CROSS_CONNECT_PHYSICAL_PATH", "OCS_FACTORY_INSERTION_LOSS"
METADATA, CHASSIS, MODULES = "DEVICE_METADATA", "CHASSIS_INFO", "CHASSIS_MODULE_TABLE"
POWER, FANS = "PSU_INFO", "FAN_INFO"
HOSTNAME, SERIAL = "hostname", "serial"

A_SIDE, B_SIDE, LABEL, TARGET = "a_side", "b_side", "label", "target_simplex_port_id"
NORMAL, FORCE_BLOCKED = "normal", "force_blocked"
ONLINE = "Online"


@dataclass(frozen=True)
class Dialect:
    """What one kind of SONiC calls things."""

    name: str
    #: Tables of the state database.
    ports: str
    circuits: str
    #: A port's field that says normal or force_blocked, and the one that says how it is.
    forced: str
    status: str
    #: This dialect's word for blocked, tuning, tuned, failed and powered-off.
    words: Mapping[str, str]
    #: Whether a circuit's row tells the status of both its ports, or one of its own and its loss.
    status_by_side: bool


UPSTREAM = Dialect(
    "upstream",
    ports="OCS_PORT",
    circuits="OCS_CROSS_CONNECT",
    forced="state",
    status="status",
    words={
        "blocked": "blocked",
        "tuning": "tuning",
        "tuned": "tuned",
        "failed": "failed",
        "powered-off": "powered_off",
    },
    status_by_side=True,
)
KVM = Dialect(
    "kvm",
    ports="OCS_PORT_TABLE",
    circuits="OCS_CROSS_CONNECT_TABLE",
    forced="config_status",
    status="oper_status",
    words={**UPSTREAM.words, "tuned": "connected"},
    status_by_side=False,
)
DIALECTS = {dialect.name: dialect for dialect in (UPSTREAM, KVM)}

#: A circuit's own status and loss, where its row does not tell both sides.
CIRCUIT_STATUS, LIVE_LOSS = "status", "insertion_loss_dB"
ENABLED, DISABLED = "enabled", "disabled"
#: What a switch lost in the factory, and the frequency (THz) and temperature (C) of the rows that
#: the design shows. Rows are asked for by their whole key: paths have no wildcards in a key.
FACTORY_DB, FACTORY_ACCURACY = "loss_dB", "accuracy_dB"
MEASURED_AT = (("229.100", "25.00"), ("228.850", "28.00"))
A_STATUS, B_STATUS = "a_side_status", "b_side_status"


def factory_key(a: str, b: str, at: tuple[str, str]) -> str:
    """The key of a row of factory losses.

    >>> factory_key("1A", "2B", ("229.100", "25.00"))
    '1A-2B|229.100|25.00'
    """
    return "|".join((circuit_key(a, b), *at))


def circuit_key(a: str, b: str) -> str:
    """The key of a circuit's row.

    >>> circuit_key("1A", "2B")
    '1A-2B'
    """
    return f"{a}-{b}"
