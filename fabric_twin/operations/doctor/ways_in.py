"""Whether workers can get into switches and cubes: networks, certificates, secrets."""

import ssl
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, partial

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Pod
from fabric_twin.operations.doctor.checked import Checked, bad, good, look
from fabric_twin.repositories.addresses import Targets, targets_of
from fabric_twin.repositories.credentials import (
    Way,
    environment_access,
    pod_accesses,
    site_networks,
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
    asked = any(targets_of(pod, IN_SERVICE) for pod in pods)
    yield _networks(asked)
    yield _environment(environment_access(), asked)
    for pod in pods:
        yield from _pod(pod)


def _networks(asked: bool) -> Checked:
    named = site_networks()
    if named:
        return good("networks", ", ".join(map(str, named)))
    remedy = f"Name those of switches and cubes in {SETTING}"
    found = "none is named: no device is spoken to"
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
        return bad(what, f"what is to be trusted is no certificate ({error})", "Give a PEM file")
    ends = [ssl.cert_time_to_seconds(str(one["notAfter"])) for one in context.get_ca_certs()]
    if not ends:
        return bad(what, "what is to be trusted has no certificate of a CA", "Give a PEM file")
    last = datetime.fromtimestamp(min(ends), UTC)
    if last < datetime.now(UTC):
        return bad(what, f"the certificate to trust ended on {last:%Y-%m-%d}", "Renew it")
    if last < datetime.now(UTC) + SOON:
        return look(what, f"the certificate to trust ends on {last:%Y-%m-%d}", "Renew it")
    return good(what, f"the certificate to trust holds until {last:%Y-%m-%d}")


def _pod(pod: Pod) -> Iterator[Checked]:
    what = f"pod {pod.name}"
    try:
        targets = targets_of(pod, IN_SERVICE)
    except FabricTwinError as refusal:
        yield bad(what, refusal.what, refusal.remedy)
        return
    if not targets:
        yield look(
            what, "no device has an address, so nothing of it is read", "Give them addresses"
        )
        return
    refusals = list(_refusals(targets, pod))
    for why in dict.fromkeys((refusal.what, refusal.remedy) for refusal in refusals):
        names = [r.where for r in refusals if (r.what, r.remedy) == why]
        yield bad(what, f"{why[0]} ({_named(names)})", why[1])
    if not refusals:
        yield good(what, f"{len(targets.names):,} devices, each with an address and a way in")


def _refusals(targets: Targets, pod: Pod) -> Iterator[FabricTwinError]:
    """Why devices would not be spoken to."""
    accesses, networks = pod_accesses(pod), site_networks()
    lookup = cache(lambda address: _why_not(lambda: resolved(address, networks, "")))
    for target in (*targets.switches, *targets.cubes):
        way = accesses[target.name]
        why = way if isinstance(way, FabricTwinError) else lookup(target.address)
        if why is None and isinstance(way, Access):
            why = _why_not(partial(_check_way, target, way))
        if why:
            yield type(why)(why.what, where=target.name, remedy=why.remedy)


def _check_way(target: Target, way: Access) -> None:
    """Refuse what would be refused before anything is sent."""
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
