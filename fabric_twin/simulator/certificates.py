"""A certificate for this machine, made when there is none: a simulator needs no authority."""

import datetime as dt
import ipaddress
import os
from pathlib import Path

KEY, CERTIFICATE = "fabric-twin.key", "fabric-twin.pem"
_DAYS = 365


def find_or_make(folder: Path) -> tuple[bytes, bytes]:
    """The key and the certificate in a folder; made there, the key for the owner's eyes only."""
    key, certificate = folder / KEY, folder / CERTIFICATE
    if not (key.exists() and certificate.exists()):
        folder.mkdir(parents=True, exist_ok=True)
        made = _make()
        with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(made[0])
        certificate.write_bytes(made[1])
    return key.read_bytes(), certificate.read_bytes()


def _make() -> tuple[bytes, bytes]:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    addresses = [x509.IPAddress(ipaddress.ip_address(ip)) for ip in ("127.0.0.1", "::1")]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=_DAYS))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName("localhost"), *addresses]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    return (
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
        certificate.public_bytes(serialization.Encoding.PEM),
    )
