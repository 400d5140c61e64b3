"""Whether workers can get into switches, cubes and blocks: networks, certificates, secrets."""

import ssl
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.models import Block, Cube, Pod, Switch
from fabric_twin.operations.doctor.checked import Checked, bad, good, look
from fabric_twin.operations.doctor.in_time import all_in_time, in_words
from fabric_twin.repositories.addresses import flow_targets, targets_of
from fabric_twin.repositories.credentials import (
    Way,
    environment_access,
    pod_accesses,
    site_networks,
    switch_accesses,
)
from fabric_twin.repositories.pod_record import IN_SERVICE
from fabric_twin.switches.channels import check_login, check_trust
from fabric_twin.switches.driver import Access, Target
from fabric_twin.switches.networks import SETTING, resolved

#: A certificate that ends within this is to be renewed now.
SOON = timedelta(days=30)
#: How many devices of a pod are named for one reason.
NAMED = 3


def check_ways_in() -> Iterator[Checked]:
    """What every pod needs, and then pod by pod."""
    pods = list(Pod.objects.order_by("name"))
    asked = any(one.objects.exclude(address="").exists() for one in (Switch, Cube, Block))
    asked = asked or Switch.objects.exclude(flow_address="").exists()
    yield _networks(asked)
    yield _environment(environment_access(), asked)
    for pod in pods:
        yield from _pod(pod)


def _networks(asked: bool) -> Checked:
    named = site_networks()
    if named:
        return good("networks", ", ".join(map(str, named)))
    remedy = f"Name those of switches, cubes and blocks in {SETTING}"
    found = "none is named, so no device is contacted"
    return bad("networks", found, remedy) if asked else look("networks", found, remedy)


def _environment(way: Way, asked: bool) -> Checked:
    """What devices without a secrets group are spoken to with."""
    what = "FABRIC_TWIN_GNMI_*"
    if not isinstance(way, Access):
        return bad(what, way.what, way.remedy)
    if way.trusted:
        return _certificates(what, way.trusted)
    found = "no certificate to trust: only devices get in whose own secrets group has one"
    if not asked:
        return good(what, found)
    remedy = "Name the file in FABRIC_TWIN_GNMI_CA, for workers and watch_fabric alike"
    return look(what, found, remedy)


def _certificates(what: str, pem: bytes) -> Checked:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cadata=pem.decode())
    except (ssl.SSLError, UnicodeDecodeError, ValueError) as error:
        return bad(what, f"the file is not a certificate ({error})", "Give a PEM file")
    ends = sorted(ssl.cert_time_to_seconds(str(c["notAfter"])) for c in context.get_ca_certs())
    if not ends:
        return bad(what, "the file has no certificate of a CA", "Give a PEM file")
    first, last = (datetime.fromtimestamp(at, UTC) for at in (ends[0], ends[-1]))
    if last < datetime.now(UTC):
        return bad(what, f"the certificate to trust expired on {last:%Y-%m-%d}", "Renew it")
    if first < datetime.now(UTC) + SOON:
        told = f"a certificate to trust expires, or expired, on {first:%Y-%m-%d}"
        return look(what, told, "Renew it, or take it out")
    return good(what, f"the certificates to trust are valid until {first:%Y-%m-%d}")


def _pod(pod: Pod) -> Iterator[Checked]:
    """Where its devices tell of themselves, and where packet switches take flow entries."""
    what = f"pod {pod.name}"
    try:
        found = targets_of(pod, IN_SERVICE)
    except FabricTwinError as refusal:
        yield bad(what, refusal.what, refusal.remedy)
    else:
        asked = (*found.switches, *found.cubes)
        if not asked:
            yield look(what, "no device has an address, so it is not read", "Give them addresses")
        else:
            told = f"{counted(len(found.names), 'device')}, each with an address and a way in"
            yield from _entered(what, asked, pod_accesses(pod), _check_way, told)
    if pod.is_cluster:
        yield from _flows(pod)


def _flows(pod: Pod) -> Iterator[Checked]:
    """Of whatever status they are: a ticket that returns a switch to service sends to it too."""
    what = f"OpenFlow of pod {pod.name}"
    try:
        asked = flow_targets(pod)
    except FabricTwinError as refusal:
        yield bad(what, refusal.what, refusal.remedy)
        return
    if not asked:
        found = "no switch has an OpenFlow address, so no flow entry is read or sent"
        yield look(what, found, "Give them OpenFlow addresses and their datapath ids")
        return
    switches = counted(pod.switches.count(), "switch")
    told = f"{len(asked):,} of {switches}, each with an address, a datapath id and a way in"
    yield from _entered(what, asked, switch_accesses(pod), check_trust, told)


def _entered(
    what: str,
    asked: Collection[Target],
    accesses: Mapping[str, Way],
    check: Callable[[Target, Access], None],
    told: str,
) -> Iterator[Checked]:
    """Each reason why some would not be spoken to; what is told where there is none."""
    refusals = list(_refusals(asked, accesses, check))
    for why in dict.fromkeys((refusal.what, refusal.remedy) for refusal in refusals):
        names = [r.where for r in refusals if (r.what, r.remedy) == why]
        yield bad(what, f"{why[0]} ({_named(names)})", why[1])
    if not refusals:
        yield good(what, told)


def _refusals(
    asked: Collection[Target],
    accesses: Mapping[str, Way],
    check: Callable[[Target, Access], None],
) -> Iterator[FabricTwinError]:
    """Why devices would not be spoken to."""
    networks = site_networks()
    addresses = list(dict.fromkeys(target.address for target in asked))
    found = all_in_time([partial(resolved, address, networks, "") for address in addresses])
    known = dict(zip(addresses, found, strict=True))
    for target in asked:
        way, address = accesses[target.name], known[target.address]
        why = way if isinstance(way, FabricTwinError) else _refusal(address)
        if why is None and isinstance(way, Access):
            why = _why_not(partial(check, target, way))
        if why:
            yield type(why)(why.what, where=target.name, remedy=why.remedy)


def _refusal(address: object) -> FabricTwinError | None:
    """Why an address is not spoken to."""
    if isinstance(address, FabricTwinError):
        return address
    if isinstance(address, Exception):
        told = f"its name was not looked up ({in_words(address)})"
        return NotPossible(told, remedy="Check the name server that this machine asks")
    return None


def _check_way(target: Target, way: Access) -> None:
    """Refuse what gNMI would refuse before anything is sent; OpenFlow has no user to log in."""
    check_trust(target, way)
    check_login(target, way)


def _why_not(check: Callable[[], object]) -> FabricTwinError | None:
    try:
        check()
    except FabricTwinError as refusal:
        return refusal
    return None


def _named(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f", and {more:,} more" if more > 0 else "")
