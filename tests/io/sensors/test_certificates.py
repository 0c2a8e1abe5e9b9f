"""Certificates read from real files; what is there to be tried with is left out."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from hub.domain.readings import CertificateReading
from hub.io.sensors.certificates import CertificateSensor
from tests.fakes.plain_words import plain

NOW = datetime(2030, 1, 7, 14, tzinfo=UTC)
ENDS = NOW + timedelta(days=9)


def certificate(encoding: Encoding) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "shop.example")])
    made = x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=7)
    dated = made.not_valid_before(NOW - timedelta(days=1)).not_valid_after(ENDS)
    return dated.sign(key, hashes.SHA256()).public_bytes(encoding)


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


async def test_what_is_named_and_what_lies_there_is_read_once_an_hour(tmp_path: Path) -> None:
    work = tmp_path / "work"
    named = put(tmp_path / "site.bin", certificate(Encoding.DER))
    put(work / "deploy/shop.pem", certificate(Encoding.PEM))
    put(work / "tests/old.pem", certificate(Encoding.PEM))
    put(work / "key.pem", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    sensor = CertificateSensor([named, tmp_path / "gone.pem"], [work])
    reading = (await sensor.read(NOW)).body
    assert isinstance(reading, CertificateReading)
    found = {(plain(each.name), each.workspace, each.ends_at) for each in reading.certificates}
    assert found == {("site.bin", None, ENDS), ("shop.pem", str(work), ENDS)}
    named.unlink()
    assert (await sensor.read(NOW + timedelta(minutes=59))).body == reading
    later = (await sensor.read(NOW + timedelta(hours=1))).body
    assert isinstance(later, CertificateReading)
    assert len(later.certificates) == 1
