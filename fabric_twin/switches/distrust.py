"""Whether a server over TLS refuses us, or is silent: gRPC calls both unavailable.

By TLS 1.3 a client has shaken hands before the server looks at its certificate: a refusal is then a
connection that is closed, and gRPC's words do not tell it from a server that is stuck. So it is
looked at once more, at the very address that gRPC spoke to, by a handshake and nothing else.
"""

import contextlib
import os
import socket
import ssl
from collections.abc import Iterator

from fabric_twin.switches.channels import Way
from fabric_twin.switches.networks import host_and_port

#: What gRPC says where somebody answered, and one of the two does not trust the other.
_DISTRUST = (
    "tsi_protocol_failure",
    "certificate_verify_failed",
    "hostname verification",
    "security handshaker",
)
#: Seconds for the handshake, and for a refusal to come after it.
_HANDSHAKE, _AFTER = 5.0, 1.0
#: The kind of a message by which a server asks for a certificate (RFC 8446, section 4).
_CERTIFICATE_REQUEST = 13
#: Alerts of a server that does not take our certificate, or asks for one.
_ABOUT_US = ("certificate", "unknown ca", "handshake failure", "access denied", "decrypt error")


class Distrust(Exception):
    """One of the two does not trust the other: what is so, and what to do about it."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what, self.remedy = what, remedy
        super().__init__(what, remedy)


def check_distrust(way: Way, words: str, seconds: float) -> None:
    """Raise `Distrust` where somebody answers and refuses; nothing where nobody does."""
    if way.insecure:
        return
    if any(word in words.lower() for word in _DISTRUST):
        raise _untrusted(way, words)
    with contextlib.suppress(OSError, ValueError):
        # What we have may do for gRPC and not for Python: this is no word of the server's.
        context = _context(way)
        if why := _refusal(way, context, min(seconds, _HANDSHAKE)):
            raise _not_taken(way, why)


def _refusal(way: Way, context: ssl.SSLContext, seconds: float) -> str:
    """Why a server refuses our certificate; empty where it does not say that it does."""
    kinds: set[int] = set()
    # Python's own way to look at a handshake; without it, who only hangs up is silent.
    context._msg_callback = lambda *told: kinds.add(told[4])  # type: ignore[attr-defined]  # noqa: SLF001
    try:
        with _shaken_hands(way, context, seconds) as connection:
            connection.settimeout(_AFTER)
            try:
                if connection.recv(1):
                    return ""
            except TimeoutError:
                return ""
            except ssl.SSLError as error:
                return _reason(error) if _is_about_us(_reason(error)) else ""
            except OSError:
                pass  # it reset the connection, which is to hang up too
            # gRPC's servers refuse a certificate without a word; a front may have nobody behind it.
            return "it asks for one, and hangs up" if _CERTIFICATE_REQUEST in kinds else ""
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLCertVerificationError):
        return ""  # it hung up before it said anything; or gRPC does trust it, or had said so
    except ssl.SSLError as error:
        raise _untrusted(way, _reason(error)) from None


def _is_about_us(words: str) -> bool:
    """Whether it is an alert that refuses our certificate, or that we have none."""
    said = words.lower().replace("_", " ")
    return "alert" in said and any(word in said for word in _ABOUT_US)


def _not_taken(way: Way, why: str) -> Distrust:
    shown = "the certificate that we show" if way.certificate else "us without a certificate"
    return Distrust(
        f"it refuses {shown} ({why})",
        "Have it trust the authority of our certificate, and name in FABRIC_TWIN_GNMI_CERT and "
        "FABRIC_TWIN_GNMI_KEY the files of the certificate and its key, or give them to the group "
        "of the device",
    )


def _untrusted(way: Way, words: str) -> Distrust:
    """A handshake that failed, in the words of gRPC or of Python."""
    if "wrong version number" in words.lower().replace("_", " "):
        return Distrust("it does not speak TLS", "Check its address and port")
    if _is_about_us(words):
        return _not_taken(way, words)
    return Distrust(
        f"the TLS handshake failed ({words})",
        "Name in FABRIC_TWIN_GNMI_CA the file with the certificate to trust, and in "
        "FABRIC_TWIN_GNMI_SERVER_NAME the name it is made for",
    )


def _context(way: Way) -> ssl.SSLContext:
    """The settings of the TLS handshake: the certificates that gRPC trusts are trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Short keys do for gRPC.
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    # Servers hang up on who does not say that it speaks what gRPC is made of.
    context.set_alpn_protocols(["h2"])
    if way.trusted:
        context.load_verify_locations(cadata=way.trusted.decode("ascii", "ignore"))
    else:
        context.load_default_certs()
    if way.certificate and way.key:
        with as_file(way.certificate) as certificate, as_file(way.key) as key:
            context.load_cert_chain(certificate, key, password="")
    return context


@contextlib.contextmanager
def _shaken_hands(way: Way, context: ssl.SSLContext, seconds: float) -> Iterator[ssl.SSLSocket]:
    """A connection on which nothing is sent but the handshake."""
    address = host_and_port(way.address)
    with (
        socket.create_connection(address, seconds) as plain,
        context.wrap_socket(plain, server_hostname=way.server_name or address[0]) as connection,
    ):
        yield connection


@contextlib.contextmanager
def as_file(secret: bytes) -> Iterator[str]:
    """A file that is in memory only, since `ssl` takes a key from nothing else."""
    number = os.memfd_create("pem")
    try:
        os.write(number, secret)
        yield f"/proc/self/fd/{number}"
    finally:
        os.close(number)


def _reason(error: OSError) -> str:
    """What a server said, without the place in Python's source."""
    reason = getattr(error, "reason", None) or error.strerror or type(error).__name__
    return str(reason).replace("_", " ").lower()
