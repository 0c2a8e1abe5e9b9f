"""A certificate authority, a server certificate for loopback, and a key like those that Apple hands out."""

import datetime as dt
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOSTS = ("localhost", "api.push.apple.com", "api.sandbox.push.apple.com")
LIFE = dt.timedelta(days=2)


class Certificates:
    """Files in a folder: `ca.pem`, `server.pem`, `AuthKey.p8`."""

    def __init__(self, folder: Path) -> None:
        self.ca_file = folder / "ca.pem"
        self.server_file = folder / "server.pem"
        self.key_file = folder / "AuthKey.p8"
        self.team_key = ec.generate_private_key(ec.SECP256R1())
        self.key_file.write_bytes(pkcs8(self.team_key))
        authority, name = ec.generate_private_key(ec.SECP256R1()), _name("test authority")
        root = _builder(name, name, authority).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        own = ec.generate_private_key(ec.SECP256R1())
        names = [*(x509.DNSName(host) for host in HOSTS), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        leaf = _builder(_name("localhost"), name, own).add_extension(x509.SubjectAlternativeName(names), critical=False)
        self.ca_file.write_bytes(_pem(root.sign(authority, hashes.SHA256())))
        self.server_file.write_bytes(pkcs8(own) + _pem(leaf.sign(authority, hashes.SHA256())))

    def server_context(self) -> ssl.SSLContext:
        """TLS as APNs offers it."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.server_file)
        context.set_alpn_protocols(["h2"])
        return context


def pkcs8(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Write a private key as a .p8 file has it."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    return builder.serial_number(x509.random_serial_number()).not_valid_before(now - LIFE).not_valid_after(now + LIFE)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
