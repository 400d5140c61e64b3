"""Connections made and parted: scan, inspect, clean, plug; every open port capped."""

from collections.abc import Sequence

from fabric_twin.core.orders.steps import Do, End, Step

#: Steps that name the cable they are done with.
_WITH_CABLE = frozenset({Do.SCAN, Do.PLUG, Do.UNPLUG, Do.FLIP})
#: The steps that make a connection, and that part one: what is open then is capped.
PLUG_IN, PULL_OUT = (Do.SCAN, Do.INSPECT, Do.CLEAN, Do.PLUG), (Do.UNPLUG, Do.CAP)
#: A cable, and the port that one end of it is in, or goes into.
At = tuple[str, End]


def done(
    plugs: Sequence[At],
    end: str,
    hands: Sequence[Do],
    *,
    guarded: bool,
    bundle: str = "",
    finding: str = "",
    perhaps: Sequence[End] = (),
    said: str = "",
) -> list[Step]:
    """The same at each port; ports of a switch are dark meanwhile. Racks are written later.

    `perhaps` are other ports where the plug may be that comes out, and `said` is that in words.
    """

    def step(do: Do, cable: str, port: End) -> Step:
        holds = bool(cable) and do in _WITH_CABLE
        return Step(
            do=do,
            rack="",
            device=port[0],
            port=port[1],
            cable=cable if holds else "",
            end=end if holds else "",
            bundle=bundle,
            finding=finding,
            guarded=guarded,
            perhaps=said if do == Do.UNPLUG else "",
        )

    dark = [*plugs, *(("", port) for port in perhaps)]
    steps = [step(Do.BLOCK, *plug) for plug in dark if guarded]
    steps += [step(do, *plug) for plug in plugs for do in hands]
    return steps + [step(Do.RELEASE, *plug) for plug in dark if guarded]
