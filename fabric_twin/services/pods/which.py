"""What documents are wanted of, and which kinds are of that."""

from dataclasses import dataclass

from fabric_twin.core.errors import DocumentRefused
from fabric_twin.core.pods.names import Names
from fabric_twin.documents.formats import KINDS

#: What a document of a whole pod may be a part of.
_PARTS = {"labels": {"cube", "switch"}, "cut-list": {"cube", "switch"}}
#: What a document of a network or a cluster may be of, by what there is one of for each.
_OF_DEVICES: dict[str, tuple[str, ...]] = {
    "block": ("block",),
    "group": ("group",),
    "switch": ("switch",),
    "network": (),
}


@dataclass(frozen=True)
class Which:
    """What documents are wanted of; nothing named means all there is."""

    cube: int | None = None
    switch: str | None = None
    port: str | None = None
    every: bool = False
    #: The device of a block: networks have some.
    block: str | None = None
    #: A group: clusters have some.
    group: str | None = None

    @property
    def named(self) -> list[str]:
        """What is named, in the order in which it is told."""
        parts = ("cube", "switch", "port", "block", "group")
        return [name for name in parts if getattr(self, name) is not None]


def check_whole(kind: str, which: Which) -> None:
    """Refuse a part of a document that is whole."""
    if KINDS[kind].of not in {"pod", "slice", "plan"}:
        return
    for name in which.named:
        if name not in _PARTS.get(kind, ()):
            raise _not_of(kind, name)


def check_only(kind: str, which: Which, of: str) -> None:
    """Refuse a document of one thing when another, or nothing, is named."""
    others = [f"a {name}" for name in which.named if name != of]
    all_of = "" if of == "port" else ", or ask for all"
    if others or (not which.named and not (which.every and all_of)):
        what = f"is of a {of}, not of {' and '.join(others)}" if others else f"is of a {of}"
        raise DocumentRefused(f"a {kind} {what}", where=kind, remedy=f"Name a {of}{all_of}")


def device_of(kind: str, which: Which, names: Names) -> str | None:
    """The block, group or switch that documents of a network or cluster are of; None for all."""
    noun, part = names.noun, names.part
    fits = _OF_DEVICES.get(KINDS[kind].of, (part, "switch"))
    for name in which.named:
        if name not in (part, "switch"):
            raise _not_of(kind, name, f"document of a {noun}")
        if name not in fits:
            raise _not_of(kind, name)
    if len(which.named) > 1:
        raise DocumentRefused(
            f"a {part} and a switch are named", where=kind, remedy="Leave one of them out"
        )
    return which.block or which.group or which.switch


def _not_of(kind: str, name: str, what: str = "") -> DocumentRefused:
    return DocumentRefused(
        f"a {what or kind} is not of a {name}", where=kind, remedy=f"Leave the {name} out"
    )
