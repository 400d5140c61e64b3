"""The light-path sheet: one link end to end.

port ---- cable ---- switch port (switch, circuit) switch port ---- cable ---- port

A port whose circuit its slice does without is shown by its detour: copper, the path of a
neighbour, and copper.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from fabric_twin.core.findings.noted import Noted, only_unseen
from fabric_twin.documents.pods.detours import PortDetour
from fabric_twin.documents.pods.fabric import NOWHERE, REMOVING, Fabric
from fabric_twin.documents.pods.legend import Owner
from fabric_twin.documents.pods.ports import SwitchPort, switch_port
from fabric_twin.documents.sheet import Document, table


@dataclass(frozen=True)
class Station:
    """A thing the light passes."""

    what: str
    name: str
    more: str
    #: Something is the matter with it.
    marked: bool = False
    #: Nothing but findings that are not seen since.
    unseen: bool = False


@dataclass(frozen=True)
class LightPath:
    """The drawing's facts."""

    stations: tuple[Station, ...]
    owner: Owner | None
    #: Why the light does not arrive, or should not.
    wrong: str
    #: What it waits for, where nothing is wrong.
    waits: str = ""
    #: Why the traffic goes by another port, where it does.
    detour: str = ""

    @property
    def arrives(self) -> bool:
        """Whether it ends at another port as it should."""
        return not self.wrong and len(self.stations) > 1 and self.stations[-1].what == "port"


def light_path(fabric: Fabric, port: int) -> Document:
    """Follow the light from a cube port as far as it goes."""
    path = _around(fabric, port, fabric.detours[port]) if port in fabric.detours else None
    path = path or _follow(fabric, port)
    stations, owner = path.stations, path.owner
    device, name = fabric.names.port(port)
    return Document(
        kind="light-path",
        name=f"{device}-{name.replace('/', '-').replace('.', '-')}",
        title=f"Light path of {device} {name}",
        lines=(
            f"{fabric.intended.noun} {fabric.pod} ({fabric.intended.design.name})",
            f"Owner: {owner.name if owner else 'none'}",
            _ends(path),
            *fabric.gaps,
        ),
        tables=(table("Path", "what,name,more", ((s.what, s.name, s.more) for s in stations)),),
        drawing=path,
        gaps=fabric.gaps,
    )


def _around(fabric: Fabric, port: int, detour: PortDetour) -> LightPath | None:
    """The detour of a port without a circuit; nothing where its circuit is there all the same."""
    far = fabric.far_end(port)
    if fabric.circuits_at.get(far):
        return None
    path = _follow(fabric, detour.by)
    stations = [_port(fabric, port), Station("copper", detour.out, "detour"), *path.stations]
    if path.arrives:
        stations += [Station("copper", detour.back, "detour"), _port(fabric, detour.end)]
    return replace(path, stations=tuple(stations), detour=detour.why or "it has no circuit")


def _follow(fabric: Fabric, port: int) -> LightPath:
    """Follow the light from a port as far as it goes."""
    ports, stations = [port], [_port(fabric, port)]
    owner, wrong, waits = None, "", ""
    far = fabric.far_end(port)
    half_in = fabric.half_in(port)
    if coming := fabric.coming(port):
        bare = "the cable is out" if coming == REMOVING else "the cable is still to come"
        what = f"one end of {half_in} is in" if half_in else bare
        waits = f"{what}: {coming}"
    elif far == NOWHERE:
        wrong = f"only one end of {half_in} is in" if half_in else "there is no cable on the port"
    else:
        ports.append(far)
        stations += [_cable(fabric, port), _port(fabric, far)]
        if far >= fabric.layout.cube_ports:
            end = switch_port(fabric, far)
            owner, wrong = end.owner, end.mismatch
            joined = fabric.circuits_at.get(far, [])
            if not joined:
                wrong = wrong or "no circuit begins here"
            else:
                other = joined[0][1]
                ports.append(other)
                stations += [_circuit(fabric, end, far), _port(fabric, other)]
                last = fabric.far_end(other)
                if last != NOWHERE:
                    ports.append(last)
                    stations += [_cable(fabric, other), _port(fabric, last)]
    noted = [*fabric.noted(*ports), *(one for port in ports for one in _of_switch(fabric, port))]
    found = [str(one) for one in sorted(noted, key=lambda one: not one.seen) if one.is_error]
    return LightPath(tuple(stations), owner, next(iter(found), wrong), waits)


def _ends(path: LightPath) -> str:
    """Whether the light arrives, and why not."""
    if path.wrong:
        return f"Wrong: {path.wrong}"
    if path.detour:
        return f"Detour: {path.detour}, and the traffic goes by a neighbour"
    return f"Waits: {path.waits}" if path.waits else "The light arrives"


def mark(document: Document, names: Collection[str], why: str) -> Document:
    """The same light path, on which stations of these names are marked, with a word why."""
    path: LightPath = document.drawing
    stations = tuple(
        replace(one, more=why, marked=True, unseen=False) if one.name in names else one
        for one in path.stations
    )
    return replace(document, drawing=replace(path, stations=stations))


def _port(fabric: Fabric, port: int) -> Station:
    device, name = fabric.names.port(port)
    what = "port" if port < fabric.layout.cube_ports else "switch port"
    noted = fabric.noted(port)
    unseen = only_unseen(noted)
    said = ["unhealthy"] * fabric.is_unhealthy(port) + [one.called for one in noted]
    marked = bool(said)
    if held := fabric.held.get(port):
        said.append(f"held by {held}")
    return Station(what, f"{device} {name}", ", ".join(said), marked=marked, unseen=unseen)


def _cable(fabric: Fabric, port: int) -> Station:
    row = fabric.cable_at[port]
    length = fabric.cables.length_m[row]
    return Station("cable", fabric.cables.name[row], f"{length} m" if length else "")


def _circuit(fabric: Fabric, end: SwitchPort, port: int) -> Station:
    noted = _of_switch(fabric, port)
    said = [one.called for one in noted]
    more = ", ".join([*said, *([end.owner.name] if end.owner else [])])
    return Station(
        "circuit", f"{end.name} to {end.to}", more, marked=bool(said), unseen=only_unseen(noted)
    )


def _of_switch(fabric: Fabric, port: int) -> Sequence[Noted]:
    """What audits found of the switch that a port is on."""
    if port < fabric.layout.cube_ports:
        return ()
    return fabric.switch_findings.get(fabric.on_switch(port)[0], ())
