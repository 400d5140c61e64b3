"""What of a pod no slice and no circuit should be put on."""

from dataclasses import dataclass

from fabric_twin.core.pods.names import Names

Port = tuple[str, str]


@dataclass(frozen=True)
class Unhealthy:
    """Slots, and ports of switches or cubes."""

    slots: frozenset[int] = frozenset()
    #: Device and port, as circuits name ports (`7A`) or as cables do (`7`).
    ports: frozenset[Port] = frozenset()


def numbers_of(names: Names, port: Port) -> list[int]:
    """The numbers of a port by either of its names; `7` of a split plant is 7A and 7B."""
    device, name = port
    spelled = [name, name[:-1]] if name[-1:] in {"A", "B"} else [name, f"{name}A", f"{name}B"]
    found = names.find([device] * len(spelled), spelled).tolist()
    return [number for number in found if number >= 0]
