"""TLS, and a certificate of the client's: the ways into a real switch, and who refuses in them."""

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from fabric_twin.core.errors import NoAnswer, NotAsAsked, UnusableInput
from fabric_twin.switches import channels, networks
from fabric_twin.switches.distrust import as_file
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.finding import open_switch
from tests.upstream.asking import STATE, read
from tests.upstream.certificates import own_certificate
from tests.upstream.driven import NAME
from tests.upstream.server import Gnmi, Served, serve

KEY, CERTIFICATE = own_certificate()
OTHER_KEY, OTHER = own_certificate()
SHOWN = {
    "none": {},
    "of another authority": {"key": OTHER_KEY, "certificate": OTHER},
}


@contextlib.contextmanager
def asking_for_a_certificate() -> Iterator[Served]:
    asking = grpc.ssl_server_credentials(
        [(KEY, CERTIFICATE)], root_certificates=CERTIFICATE, require_client_auth=True
    )
    with serve(radix=1, credentials=asking) as served:
        yield served


def driver_reads(address: str, access: Access, request: float = 5) -> Any:
    patience = Patience(request=request, tries=2, pause=0.01)
    switch = open_switch(Target(NAME, address), access, patience)
    try:
        return switch.read()
    finally:
        switch.close()


def test_who_has_no_certificate_does_not_get_in() -> None:
    with asking_for_a_certificate() as served:
        known = grpc.ssl_channel_credentials(CERTIFICATE, KEY, CERTIFICATE)
        with grpc.secure_channel(served.address, known) as channel:
            assert read(channel, f"{STATE}/OCS_PORT/1A/status") == "blocked"
        unknown = grpc.ssl_channel_credentials(CERTIFICATE)
        with (
            grpc.secure_channel(served.address, unknown) as channel,
            pytest.raises(grpc.RpcError) as refusal,
        ):
            read(channel, f"{STATE}/OCS_PORT/1A/status")
        assert refusal.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("shown", SHOWN)
def test_who_refuses_our_certificate_answers(shown: str) -> None:
    """To gRPC it is a connection that was closed, as by a server that is gone."""
    with asking_for_a_certificate() as served:
        with pytest.raises(NotAsAsked, match="it refuses") as refusal:
            driver_reads(served.address, Access(trusted=CERTIFICATE, **SHOWN[shown]))
        assert "FABRIC_TWIN_GNMI_CERT" in refusal.value.remedy
        right = Access(trusted=CERTIFICATE, key=KEY, certificate=CERTIFICATE)
        assert driver_reads(served.address, right).ports


def test_a_watch_of_who_refuses_our_certificate_says_so() -> None:
    with asking_for_a_certificate() as served:
        patience = Patience(request=5, tries=2, pause=0.01)
        switch = open_switch(Target(NAME, served.address), Access(trusted=CERTIFICATE), patience)
        with contextlib.closing(switch), pytest.raises(NotAsAsked, match="it refuses us"):
            next(switch.watch())


def test_whom_we_do_not_trust_answers() -> None:
    tls = grpc.ssl_server_credentials([(KEY, CERTIFICATE)])
    with serve(radix=1, credentials=tls) as served:
        for access in (Access(trusted=OTHER), Access(trusted=CERTIFICATE, server_name="nobody")):
            with pytest.raises(NotAsAsked, match="the TLS handshake failed") as refusal:
                driver_reads(served.address, access)
            assert "FABRIC_TWIN_GNMI_CA" in refusal.value.remedy


def test_a_key_that_is_too_short_for_python_is_no_verdict_on_the_switch() -> None:
    key, short = own_certificate(short=True)
    other_key, _ = own_certificate()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        dead = f"127.0.0.1:{nobody.getsockname()[1]}"
        for shown in (key, other_key):  # the other one does not fit: Python refuses the two
            access = Access(trusted=CERTIFICATE, key=shown, certificate=short)
            with pytest.raises(NoAnswer, match="it did not answer") as silence:
                driver_reads(dead, access)
            assert not isinstance(silence.value, NotAsAsked)


def test_a_busy_switch_with_a_short_key_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    key, short = own_certificate(short=True)

    def loading(_self: Gnmi, _request: Any, context: grpc.ServicerContext) -> None:
        context.abort(grpc.StatusCode.UNAVAILABLE, "the database is loading")

    monkeypatch.setattr(Gnmi, "Get", loading)
    with serve(radix=1, credentials=grpc.ssl_server_credentials([(key, short)])) as served:
        with pytest.raises(NoAnswer, match="the database is loading") as silence:
            driver_reads(served.address, Access(trusted=short))
        assert not isinstance(silence.value, NotAsAsked)


def test_a_refusal_is_looked_for_where_the_name_led_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    look_up = socket.getaddrinfo

    def once(host: str, *how: Any, **more: Any) -> Any:
        asked.append(host)
        return look_up("127.0.0.1" if host == "ocs-1" else host, *how, **more)

    monkeypatch.setattr(socket, "getaddrinfo", once)
    with asking_for_a_certificate() as served:
        access = Access(trusted=CERTIFICATE, networks=networks.networks_of(["127.0.0.0/8"]))
        with pytest.raises(NotAsAsked, match="it refuses us without a certificate"):
            driver_reads(f"ocs-1:{served.address.rpartition(':')[2]}", access)
    assert asked == ["ocs-1", "127.0.0.1"]


PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))


@pytest.mark.parametrize("word", [f"{PRINTABLE} x", "pässwörd", "two\nlines", "a\tb", "end\n"])
def test_a_login_is_sent_as_it_is_or_refused_in_words(word: str) -> None:
    tls = grpc.ssl_server_credentials([(KEY, CERTIFICATE)])
    for login in (("reader", word), (word, "secret")):
        with serve(radix=1, credentials=tls, login=login) as served:
            access = Access(*login, trusted=CERTIFICATE)
            if word.startswith(PRINTABLE):
                assert driver_reads(served.address, access).ports
                continue
            with pytest.raises(UnusableInput, match="has a character that cannot") as refusal:
                driver_reads(served.address, access)
            assert word not in str(refusal.value)
            assert served.switch.gets == []


def test_a_password_without_a_user_is_not_sent_and_not_looked_at() -> None:
    tls = grpc.ssl_server_credentials([(KEY, CERTIFICATE)])
    with serve(radix=1, credentials=tls) as served:
        assert driver_reads(served.address, Access("", "pässwörd", trusted=CERTIFICATE)).ports


def _hangs(connection: socket.socket) -> None:
    connection.recv(65536)
    threading.Event().wait(10)


def _closes(connection: socket.socket) -> None:
    connection.recv(65536)


def _resets(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.parametrize("does", [_hangs, _closes, _resets])
def test_who_takes_a_connection_and_says_nothing_is_silent(
    does: Callable[[socket.socket], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Also where gRPC is tired of the handshake before we are of the request.
    quick = {**dict(channels.OPTIONS), "grpc.min_reconnect_backoff_ms": 200}
    monkeypatch.setattr(channels, "OPTIONS", list(quick.items()))
    with listening(does) as address, pytest.raises(NoAnswer) as refusal:
        driver_reads(address, Access(trusted=CERTIFICATE), request=1)
    assert not isinstance(refusal.value, NotAsAsked), refusal.value
    assert "it did not answer (" in refusal.value.what


def _shakes_hands(
    then: Callable[[socket.socket], None] = lambda _: None,
    *,
    asks: bool = False,
    newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
) -> Callable[[socket.socket], None]:
    """A front that speaks TLS, and has nothing behind it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with as_file(KEY) as key, as_file(CERTIFICATE) as certificate:
        context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    context.maximum_version = newest
    if asks:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=CERTIFICATE.decode())

    def does(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as shaken:
            then(shaken)

    return does


@pytest.mark.parametrize("then", [lambda _: None, _resets])
def test_who_hangs_up_after_the_handshake_is_silent(then: Callable[[socket.socket], None]) -> None:
    with listening(_shakes_hands(then)) as address, pytest.raises(NoAnswer) as refusal:
        driver_reads(address, Access(trusted=CERTIFICATE))
    assert not isinstance(refusal.value, NotAsAsked), refusal.value


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.parametrize("shown", SHOWN)
def test_an_alert_about_our_certificate_is_a_refusal(shown: str, newest: ssl.TLSVersion) -> None:
    with listening(_shakes_hands(asks=True, newest=newest)) as address:
        with pytest.raises(NotAsAsked, match=r"(?i)it refuses .*[ _]alert[ _]") as refusal:
            driver_reads(address, Access(trusted=CERTIFICATE, **SHOWN[shown]))
        assert "FABRIC_TWIN_GNMI_CERT" in refusal.value.remedy


def test_who_does_not_speak_tls_is_told_so() -> None:
    with serve(radix=1) as served, pytest.raises(NotAsAsked, match="not speak TLS") as refusal:
        driver_reads(served.address, Access(trusted=CERTIFICATE))
    assert "FABRIC_TWIN_GNMI_CA" not in refusal.value.remedy


@contextlib.contextmanager
def listening(does: Callable[[socket.socket], None]) -> Iterator[str]:
    """A port at which something else is done with each connection, which is closed then."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer(connection: socket.socket) -> None:
            with connection, contextlib.suppress(OSError):
                does(connection)

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    threading.Thread(target=answer, args=(connection,), daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)
