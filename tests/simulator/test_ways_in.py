"""Who gets in, what is too large, and what a server says that it speaks."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from fabric_twin.dialects import gnmi as pb

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

SWITCH = "iw-ocs-x-1-1"
PORTS, LOSSES = "OCS_PORT", "OCS_FACTORY_INSERTION_LOSS"


class Authority:
    """Makes certificates of clients."""

    def __init__(self, name: str) -> None:
        self.key, self.name = ec.generate_private_key(ec.SECP256R1()), _named(name)
        self.certificate = self._signed(self.name, self.key.public_key(), is_ca=True)

    def client(self) -> tuple[bytes, bytes]:
        """A client's key, and its certificate."""
        key = ec.generate_private_key(ec.SECP256R1())
        return _private(key), self._signed(_named("twin"), key.public_key(), is_ca=False)

    def _signed(self, subject: x509.Name, key: Any, *, is_ca: bool) -> bytes:
        now = datetime.now(UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
            .sign(self.key, hashes.SHA256())
        )
        return made.public_bytes(serialization.Encoding.PEM)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def _private(key: Any) -> bytes:
    written: bytes = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return written


def asking_for(table: str) -> Any:
    """A request for a table of STATE_DB."""
    elem = [pb.PathElem(name=name) for name in ("STATE_DB", "localhost", table)]
    prefix = pb.Path(target=SWITCH, origin="sonic-db")
    return pb.GetRequest(prefix=prefix, path=[pb.Path(elem=elem)], encoding=pb.Encoding.JSON_IETF)


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority("our own")


@pytest.fixture(scope="module")
def guarded(
    simulate: Callable[..., Any], authority: Authority, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, bytes]:
    """Where a simulator answers that wants certificates, and its own one."""
    folder = tmp_path_factory.mktemp("tls")
    (folder / "clients.pem").write_bytes(authority.certificate)
    options = ("--tls", str(folder), "--client-ca", str(folder / "clients.pem"))
    simulator = simulate(*options, slots="1")
    return simulator.said["gnmi"], (folder / "fabric-twin.pem").read_bytes()


def test_a_certificate_of_the_authority_is_enough(
    guarded: tuple[str, bytes], authority: Authority
) -> None:
    address, server = guarded
    known = grpc.ssl_channel_credentials(server, *authority.client())
    with grpc.secure_channel(address, known) as channel:
        answer = pb.calls_on(channel).Get(asking_for(PORTS), timeout=10)
    assert len(answer.notification) == 1


@pytest.mark.parametrize("who", ["nobody", "a stranger"])
def test_who_has_none_of_it_is_hung_up_on(guarded: tuple[str, bytes], who: str) -> None:
    address, server = guarded
    shown = Authority("a stranger").client() if who == "a stranger" else ()
    with (
        grpc.secure_channel(address, grpc.ssl_channel_credentials(server, *shown)) as channel,
        pytest.raises(grpc.RpcError) as refused,
    ):
        pb.calls_on(channel).Get(asking_for(PORTS), timeout=10)
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


def test_a_certificate_needs_tls(run: Callable[..., Any], tmp_path: Path) -> None:
    pod = ("--design", "ironwood", "--pod", "iw", "--insecure")
    refused = run("simulate", *pod, "--client-ca", str(tmp_path / "ca.pem"))
    assert refused.exit_code == 2
    assert "A client's certificate needs TLS: give --tls DIR." in refused.stderr


def test_what_is_too_large_is_refused_and_the_rest_is_told(simulate: Callable[..., Any]) -> None:
    simulator = simulate("--largest-answer", "1", slots="1")
    with grpc.insecure_channel(simulator.said["gnmi"]) as channel:
        stub = pb.calls_on(channel)
        assert len(stub.Get(asking_for(PORTS), timeout=10).notification) == 1
        with pytest.raises(grpc.RpcError) as refused:
            stub.Get(asking_for(LOSSES), timeout=10)
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "larger than max" in refused.value.details()


def test_reflection_tells_what_it_speaks(simulate: Callable[..., Any]) -> None:
    simulator = simulate(slots="1")
    with grpc.insecure_channel(simulator.said["gnmi"]) as channel:
        known = ProtoReflectionDescriptorDatabase(channel)
        assert set(known.get_services()) == {
            "gnmi.gNMI",
            "grpc.reflection.v1alpha.ServerReflection",
        }
        assert known.FindFileContainingSymbol("gnmi.gNMI").name == "gnmi.proto"
