"""A certificate of our own, for a phone in the same network: an authority that is kept, and a server's for each start.

The phone is asked to trust the authority, so it is made to be worth little to whoever gets hold of its key: it is good
for private addresses and for this machine's `.local` name alone (name constraints, RFC 5280, marked critical), never
for a name on the internet. A server's certificate is kept as well, as long as its address stays: a browser that was
told to go on in spite of its warning remembers that for this very certificate (docs/adr/0208), so a later warning means
that it is another. To be imported by who needs it: the libraries take 10 MB.
"""

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from hub.contract.base import Value
from hub.contract.errors import WorldError
from hub.io.home.networks import PRIVATE_NETWORKS, address_of, host_is_private
from hub.io.home.phone_profile import profile_of
from hub.io.home.private_files import private_folder
from hub.kit.files import replace_file

FILE = "phone-ca.pem"
SERVER_FILE = "phone-server.pem"
AUTHORITY_DAYS = 3_650
SERVER_DAYS = 397
"""Apple takes no more than 825 days from an authority that a person added; browsers want less and less."""
SERVER_RENEWED = timedelta(days=30)
"""So long before its end another is made."""
CLOCKS_APART = timedelta(days=1)


class CertificateError(WorldError):
    """The certificate for phones cannot be read or created. Check that the disk is writable, or delete its file."""

    code = "certificate-unusable"


class Certificate(Value):
    """What is told of the authority: itself as phones and as iPhones install it, and the fingerprint they then show."""

    der: bytes
    profile: bytes
    fingerprint: str


class TlsServer(Value):
    """What a TLS server needs, and the SHA-256 of its certificate as browsers show it."""

    context: ssl.SSLContext
    fingerprint: str


class Authority:
    """The authority in `$PULSE_HOME/secrets`; whoever may read its key is the person who runs the hub."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self._key = key
        self._certificate = certificate

    def told(self) -> Certificate:
        """Return what a phone is given."""
        der = self._certificate.public_bytes(Encoding.DER)
        return Certificate(der=der, profile=profile_of(der), fingerprint=_fingerprint(self._certificate))

    def is_good_for(self, host: str) -> bool:
        """Return True if the authority may vouch for this address or name."""
        found = self._certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        address = address_of(host)
        permitted = [one.value for one in found.permitted_subtrees or ()]
        if address is None:
            return host in permitted
        networks = [one for one in permitted if not isinstance(one, str)]
        return any(one.version == address.version and address in one for one in networks)

    def server_for(self, host: str) -> tuple[bytes, bytes]:
        """Return a new key for a server at this address or name, and its certificate with ours behind it; both PEM."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = _server(host, key, self._key, self._certificate)
        return _pem_of(key), made.public_bytes(Encoding.PEM) + self._certificate.public_bytes(Encoding.PEM)

    def server_at(self, host: str, folder: Path) -> "TlsServer":
        """Return what a server at this address or name needs; it is kept in `folder`, or made.

        Raises:
            CertificateError: it can be neither read nor kept.
        """
        path = folder / SERVER_FILE
        try:
            if not path.exists() or not self._is_for(path.read_bytes(), host):
                replace_file(path, b"".join(self.server_for(host)), lasting=True)
            content = path.read_bytes()
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.load_cert_chain(path)
        except (OSError, ValueError) as error:
            raise CertificateError(f"{path}: {error}.", fix=CertificateError.__doc__ or "") from error
        return TlsServer(context=context, fingerprint=_fingerprint(x509.load_pem_x509_certificate(content)))

    def _is_for(self, content: bytes, host: str) -> bool:
        """Return True if a kept server's certificate is ours, for this host, and good for a while."""
        try:
            found = x509.load_pem_x509_certificate(content)
            names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            found.verify_directly_issued_by(self._certificate)
        except (ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
            return False
        is_fresh = found.not_valid_after_utc - datetime.now(UTC) > SERVER_RENEWED
        return is_fresh and list(names) == [_subject(host)]


def authority_at(folder: Path, name: str, host: str) -> Authority:
    """Return the authority kept in `folder`; a missing one, or one not good for `host`, is made for this machine.

    Raises:
        CertificateError: it can be neither read nor made.
    """
    path = folder / FILE
    try:
        private_folder(folder)
        if path.exists() and (kept := _read(path.read_bytes())).is_good_for(host):
            return kept
        content = _new(name, host)
        replace_file(path, content, lasting=True)
        return _read(content)
    except (OSError, ValueError) as error:
        raise CertificateError(f"{path}: {error}.", fix=CertificateError.__doc__ or "") from error


def _read(content: bytes) -> Authority:

    key = load_pem_private_key(content, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("not the key that Pulse makes")  # noqa: TRY004  what is in a file is a value
    return Authority(key, x509.load_pem_x509_certificate(content))


def _new(name: str, host: str) -> bytes:

    key = ec.generate_private_key(ec.SECP256R1())
    address = address_of(host)
    networks = [*PRIVATE_NETWORKS, *([] if address is None or host_is_private(host) else [f"{address}"])]
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(one)) for one in networks]
    permitted.append(x509.DNSName(f"{name}.local"))
    titled = _named(f"Pulse on {name}")
    made = (
        _builder(titled, titled, AUTHORITY_DAYS)
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return _pem_of(key) + made.public_bytes(Encoding.PEM)


def _server(
    host: str, key: ec.EllipticCurvePrivateKey, authority_key: ec.EllipticCurvePrivateKey, authority: x509.Certificate
) -> x509.Certificate:

    issuer_id = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return (
        _builder(_named("Pulse"), authority.subject, SERVER_DAYS)
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.OID_SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_subject(host)]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer_id), critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def _subject(host: str) -> x509.GeneralName:
    address = address_of(host)
    return x509.DNSName(host) if address is None else x509.IPAddress(address)


def _fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _builder(subject: x509.Name, issuer: x509.Name, days: int) -> x509.CertificateBuilder:

    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_APART)
        .not_valid_after(now + timedelta(days=days))
    )


def _named(name: str) -> x509.Name:

    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def _usage(*, signs: bool) -> x509.KeyUsage:

    names = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign")
    never = dict.fromkeys((*names, "encipher_only", "decipher_only"), False)
    return x509.KeyUsage(digital_signature=not signs, key_cert_sign=signs, **never)


def _pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
