"""The certificate for phones: good for this machine in its own network, and for nothing else."""

import ipaddress
import ssl
import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from hub.io.home.certificate import SERVER_FILE, Authority, CertificateError, authority_at
from hub.io.home.networks import host_is_private


def vouched(authority: Authority, host: str, folder: Path) -> bool:
    """Say whether a client that trusts the authority takes a server at `host`."""
    root = x509.load_der_x509_certificate(authority.told().der)
    chain = x509.load_pem_x509_certificates(authority.server_for(host)[1])
    subject = x509.IPAddress(ipaddress.ip_address(host)) if host[0].isdigit() else x509.DNSName(host)
    assert chain[1].public_bytes(Encoding.DER) == authority.told().der
    try:
        PolicyBuilder().store(Store([root])).build_server_verifier(subject).verify(chain[0], [])
    except VerificationError:
        return False
    assert folder.exists()
    return True


def test_it_is_made_once_for_its_owner_and_vouches_for_this_machine_alone(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    made = authority_at(folder, "laptop", "192.168.1.5")
    kept = authority_at(folder, "laptop", "10.0.0.7")
    assert kept.told() == made.told()
    assert stat.S_IMODE((folder / "phone-ca.pem").stat().st_mode) == 0o600
    assert vouched(made, "192.168.1.5", folder)
    assert vouched(kept, "10.0.0.7", folder)
    for foreign in ("8.8.8.8", "example.org", "laptop.example.org"):
        assert not made.is_good_for(foreign)
        assert not vouched(made, foreign, folder), "a thief of the key could be somebody else"
    assert made.is_good_for("laptop.local")


def test_an_address_outside_private_networks_needs_an_authority_of_its_own(tmp_path: Path) -> None:
    before = authority_at(tmp_path, "laptop", "192.168.1.5").told()
    public = authority_at(tmp_path, "laptop", "192.0.2.2")
    assert public.told() != before
    assert vouched(public, "192.0.2.2", tmp_path)
    assert not vouched(public, "192.0.2.3", tmp_path)


def test_a_server_is_kept_for_its_address_so_that_a_browser_knows_it_again(tmp_path: Path) -> None:
    authority = authority_at(tmp_path, "laptop", "192.168.1.5")
    made = authority.server_at("192.168.1.5", tmp_path)
    assert made.context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert stat.S_IMODE((tmp_path / SERVER_FILE).stat().st_mode) == 0o600
    assert authority.server_at("192.168.1.5", tmp_path).fingerprint == made.fingerprint
    assert authority.server_at("192.168.1.6", tmp_path).fingerprint != made.fingerprint


def test_a_kept_server_of_another_authority_or_a_damaged_one_is_made_again(tmp_path: Path) -> None:
    host, folder = "192.168.1.5", tmp_path / "secrets"
    foreign = authority_at(tmp_path / "other", "laptop", host).server_for(host)
    authority = authority_at(folder, "laptop", host)
    for content in (b"".join(foreign), b"no certificate"):
        (folder / SERVER_FILE).write_bytes(content)
        made = authority.server_at(host, folder)
        assert made.fingerprint == authority.server_at(host, folder).fingerprint
        assert (folder / SERVER_FILE).read_bytes() != content


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "phone-ca.pem").write_bytes(b"no key")
    with pytest.raises(CertificateError, match=r"phone-ca\.pem"):
        authority_at(tmp_path, "laptop", "192.168.1.5")


@pytest.mark.parametrize(
    ("host", "private"), [("192.168.1.5", True), ("fd00::2", True), ("8.8.8.8", False), ("x", False)]
)
def test_which_addresses_are_private(host: str, *, private: bool) -> None:
    assert host_is_private(host) is private
