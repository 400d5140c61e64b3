"""What SONiC's gNMI server makes of the paths of a request, and which of them it refuses.

CONFIG_DB / localhost / OCS_CROSS_CONNECT / 1A-2B / a_side
database    host        table               key     field
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import sonic
from fabric_twin.simulator.gnmi.refusals import invalid, not_found, unimplemented
from fabric_twin.simulator.shape import Names

#: Databases that there are; all but two of them are empty here.
DATABASES = (sonic.CONFIG, sonic.STATE, "APPL_DB", "ASIC_DB", "COUNTERS_DB")
#: Names after database and host at most: table, key, field.
DEEPEST = 3


@dataclass(frozen=True)
class Asked:
    """The paths of a request, which are all of one database."""

    database: str
    #: Table, key and field of each path, as far as it goes.
    names: Sequence[Names]


def asked(prefix: Any, paths: Sequence[Any]) -> Asked:
    """What the paths of a request name, or a refusal: they are looked at before who asks."""
    above = pb.Path(elem=prefix.elem).SerializeToString()
    whole = [_names(above, path.SerializeToString()) if path.elem else () for path in paths]
    there = [names for names in whole if names]
    if any(len(names) < 2 for names in there):
        raise _no_target("Invalid elem length")
    if not there:
        raise _no_target("No target specified in path" if paths else "No valid path")
    for names in there:
        if names[0] != there[0][0]:
            raise _no_target("Target conflict in path")
        if names[1] != there[0][1]:
            raise _no_target("Namespace/container conflict in path")
    database, host = there[0][:2]
    if database not in DATABASES or host != sonic.HOST:
        namespace = "" if host == sonic.HOST else host[:40]
        raise _no_target(f"Invalid target: {database[:40]} ns {namespace}, container ")
    return Asked(database, [names[2:] for names in whole])


def check_origin(prefix: Any, paths: Sequence[Any]) -> None:
    """Refuse any origin but SONiC's own; that of the prefix decides."""
    origins = {path.origin for path in paths}
    if not prefix.origin and len(origins) > 1:
        raise unimplemented("Origin conflict in path")
    origin = prefix.origin or next(iter(origins), "")
    if origin != sonic.ORIGIN:
        raise unimplemented(f"Unsupported origin: {origin[:40]}")


def check_subscribed_origin(prefix: Any, paths: Sequence[Any]) -> None:
    """The same of a subscription, whose paths may not contradict the prefix."""
    origins = {path.origin for path in paths}
    if len(origins) > 1:
        raise unimplemented("Origin conflict in path")
    [origin] = origins
    if origin and prefix.origin and origin != prefix.origin:
        raise invalid("Origin conflict between prefix and paths")
    if not origin and not prefix.origin:
        raise unimplemented("Empty target data not supported")
    check_origin(prefix, paths)


@lru_cache(2**15)
def _names(above: bytes, path: bytes) -> Names:
    """The names of a path after those of a prefix; of an entry `[key=1A]` of a list, its key."""
    names: list[str] = []
    for elem in (*pb.Path.FromString(above).elem, *pb.Path.FromString(path).elem):
        names += [elem.name, elem.key["key"]] if "key" in elem.key else [elem.name]
    return tuple(names)


def _no_target(words: str) -> Exception:
    """SONiC hands on a status within a status."""
    return not_found(f"rpc error: code = Unimplemented desc = {words}")
