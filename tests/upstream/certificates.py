"""Certificates of servers and clients, each its own authority."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa


def own_certificate(name: str = "ocs-1", *, short: bool = False) -> tuple[bytes, bytes]:
    """A key and its certificate, for server and client alike; a short key is an old one."""
    key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey = ec.generate_private_key(ec.SECP256R1())
    if short:
        key = rsa.generate_private_key(65537, 1024)  # noqa: S505  # it is what is tried
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.DNSName(name), x509.IPAddress(ip_address("127.0.0.1"))]
            ),
            critical=False,
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
