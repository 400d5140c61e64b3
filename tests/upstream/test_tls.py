"""TLS, and a certificate of the client's: the ways into a real switch."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.upstream.asking import STATE, read
from tests.upstream.server import serve


def test_who_has_no_certificate_does_not_get_in() -> None:
    key, certificate = _own_certificate()
    asking = grpc.ssl_server_credentials(
        [(key, certificate)], root_certificates=certificate, require_client_auth=True
    )
    with serve(radix=1, credentials=asking) as served:
        known = grpc.ssl_channel_credentials(certificate, key, certificate)
        with grpc.secure_channel(served.address, known) as channel:
            assert read(channel, f"{STATE}/OCS_PORT/1A/status") == "blocked"
        unknown = grpc.ssl_channel_credentials(certificate)
        with (
            grpc.secure_channel(served.address, unknown) as channel,
            pytest.raises(grpc.RpcError) as refusal,
        ):
            read(channel, f"{STATE}/OCS_PORT/1A/status")
        assert refusal.value.code() is grpc.StatusCode.UNAVAILABLE


def _own_certificate() -> tuple[bytes, bytes]:
    """One that is its own authority, for server and client alike."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "ocs-1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private, certificate.public_bytes(serialization.Encoding.PEM)
