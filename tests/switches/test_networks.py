"""Where devices may be: by the address that a name means when it is asked for."""

import socket
from typing import Any

import pytest

from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.finding import open_switch
from fabric_twin.switches.networks import networks_of, resolved
from tests.upstream.manner import STRICT
from tests.upstream.server import serve

HALL = networks_of(["10.7.0.0/16", "2001:db8:7::/48"])


def names(monkeypatch: pytest.MonkeyPatch, **known: list[str]) -> list[str]:
    """A name server that knows these names; what was asked."""
    asked: list[str] = []

    def look_up(host: str, port: int, **_how: Any) -> list[tuple[Any, ...]]:
        asked.append(host)
        if host[0].isdigit() or ":" in host:
            return [(0, 0, 0, "", (host, port))]
        if host not in known:
            raise socket.gaierror
        return [(0, 0, 0, "", (ip, port)) for ip in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("10.7.3.9:9339", ("10.7.3.9", 9339)),
        ("[2001:db8:7::9]:9339", ("2001:db8:7::9", 9339)),
        ("inside:9339", ("10.7.0.1", 9339)),
        ("both:9339", ("10.7.0.2", 9339)),
        ("mapped:9339", ("10.7.0.3", 9339)),
    ],
)
def test_what_lies_in_a_network_is_spoken_to_by_its_address(
    monkeypatch: pytest.MonkeyPatch, address: str, there: tuple[str, int]
) -> None:
    names(
        monkeypatch,
        inside=["10.7.0.1"],
        both=["203.0.113.9", "10.7.0.2"],
        mapped=["::ffff:10.7.0.3"],
    )
    assert resolved(address, HALL, "ocs-1") == there


@pytest.mark.parametrize(
    ("address", "kind", "words"),
    [
        ("169.254.169.254:80", NotPossible, "its address 169.254.169.254 (169.254.169.254) lies"),
        ("localhost:22", NotPossible, "its address localhost (127.0.0.1) lies in no network"),
        ("evil:443", NotPossible, "its address evil (203.0.113.9) lies in no network"),
        ("nobody:443", NotPossible, "nobody knows the name nobody"),
    ],
)
def test_all_else_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str, kind: type[FabricTwinError], words: str
) -> None:
    names(monkeypatch, localhost=["127.0.0.1"], evil=["203.0.113.9"])
    with pytest.raises(kind) as refused:
        resolved(address, HALL, "ocs-1")
    assert words in refused.value.what
    with pytest.raises(FabricTwinError):
        resolved(address, (), "ocs-1")


def test_a_name_that_means_another_place_later_leads_nobody_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serve(STRICT) as served:
        port = served.address.rpartition(":")[2]
        known = {"ocs": ["127.0.0.1"]}
        asked = names(monkeypatch, **known)
        access = Access(insecure=True, networks=networks_of(["127.0.0.0/8"]))
        # Without TLS only this machine is spoken to, whatever it is called.
        with pytest.raises(UnusableInput, match="is not this machine"):
            open_switch(Target("ocs-1", f"ocs:{port}"), access, Patience())
        switch = open_switch(Target("ocs-1", f"localhost:{port}"), access, Patience(tries=1))
        monkeypatch.setitem(known, "localhost", ["127.0.0.1"])
        names(monkeypatch, localhost=["127.0.0.1"])
        assert switch.read().ports
        asked = names(monkeypatch, localhost=["203.0.113.9"])
        assert switch.read().ports
        assert asked == []
        switch.close()
        again = open_switch(Target("ocs-1", f"localhost:{port}"), access, Patience(tries=1))
        with pytest.raises(NotPossible, match=r"localhost \(203.0.113.9\) lies in no network"):
            again.read()
        again.close()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("10.0.0.0/8", "it is not a list"),
        (7, "it is not a list"),
        (["10.0.0.1/8"], "'10.0.0.1/8' is not a network (10.0.0.1/8 has host bits set)"),
        (["hall"], "'hall' is not a network"),
    ],
)
def test_a_setting_that_means_nothing_is_refused(given: object, words: str) -> None:
    with pytest.raises(UnusableInput) as refused:
        networks_of(given)
    assert words in str(refused.value)
