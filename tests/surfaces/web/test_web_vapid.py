"""The signature that push services check: made anew in time, one for each of them, from a key in either form."""

from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from surfaces.web.settings import DEFAULT_CONTACT
from surfaces.web.vapid import ORIGINS_MAX, BadPushKeyError, Signer, contact_trouble, read_key
from tests.surfaces.web.receiver import Browser, b64, check_vapid, point

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
KEY = Browser().key
RAW = b64(KEY.private_numbers().private_value.to_bytes(32))
PEM = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
MOZILLA, APPLE = "https://updates.push.services.mozilla.com", "https://web.push.apple.com"


def test_a_push_service_reads_it() -> None:
    claims, public = check_vapid(Signer(KEY, DEFAULT_CONTACT).header(APPLE, NOW))
    assert claims == {"aud": APPLE, "exp": int((NOW + timedelta(hours=12)).timestamp()), "sub": DEFAULT_CONTACT}
    assert public == b64(point(KEY.public_key()))


def test_each_service_has_its_own_and_keeps_it() -> None:
    signer = Signer(KEY, DEFAULT_CONTACT)
    first = signer.header(MOZILLA, NOW)
    assert check_vapid(signer.header(APPLE, NOW))[0]["aud"] == APPLE
    assert signer.header(MOZILLA, NOW + timedelta(hours=5)) == first
    assert check_vapid(first)[0]["aud"] == MOZILLA


def test_it_is_never_used_close_to_its_end_nor_good_for_more_than_a_day() -> None:
    signer = Signer(KEY, DEFAULT_CONTACT)
    for hours in range(48):
        moment = NOW + timedelta(hours=hours)
        left_s = float(str(check_vapid(signer.header(APPLE, moment))[0]["exp"])) - moment.timestamp()
        assert 6 * 3600 <= left_s <= 12 * 3600


def test_a_clock_that_was_set_back_makes_a_new_one() -> None:
    signer = Signer(KEY, DEFAULT_CONTACT)
    signer.header(APPLE, NOW + timedelta(days=30))
    exp = float(str(check_vapid(signer.header(APPLE, NOW))[0]["exp"]))
    assert exp <= (NOW + timedelta(hours=12)).timestamp()


def test_one_that_was_refused_is_forgotten() -> None:
    signer = Signer(KEY, DEFAULT_CONTACT)
    first = signer.header(APPLE, NOW)
    signer.forget(APPLE)
    assert signer.header(APPLE, NOW + timedelta(seconds=1)) != first


def test_the_memory_is_bounded() -> None:
    signer = Signer(KEY, DEFAULT_CONTACT)
    first = signer.header("https://a.example", NOW)
    for number in range(ORIGINS_MAX):
        signer.header(f"https://n{number}.example", NOW)
    assert signer.header("https://a.example", NOW) != first


@pytest.mark.parametrize("text", [RAW, RAW + "=", f" {RAW}\n", PEM], ids=["raw", "padded", "with space", "pem"])
def test_a_key_is_read_in_either_form(text: str) -> None:
    assert read_key(text).private_numbers() == KEY.private_numbers()


@pytest.mark.parametrize(
    "text", ["", "abc", "A" * 43, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "é" * 43]
)
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(BadPushKeyError):
        read_key(text)


@pytest.mark.parametrize(
    ("contact", "fine"),
    [
        (DEFAULT_CONTACT, True),
        ("mailto:me@example.org", True),
        ("https://pulse.example.org", True),
        ("https://pulse.example.org:8443/contact", True),
        ("mailto:pulse@localhost", False),
        ("https://localhost:8420", False),
        ("https://127.0.0.1", False),
        ("mailto:pulse@hub.local", False),
        ("mailto:pulse@hub.invalid", False),
        ("mailto: me@example.org", False),
        ("mailto:<me@example.org>", False),
        ("me@example.org", False),
    ],
)
def test_contacts_that_apple_takes(contact: str, fine: bool) -> None:  # noqa: FBT001  a table
    assert (contact_trouble(contact) == "") is fine


def test_a_contact_that_is_no_address_is_refused() -> None:
    with pytest.raises(BadPushKeyError):
        Signer(KEY, "mailto:<me@example.org>")


@pytest.mark.parametrize("contact", ["https://pulse.example.org:8443/contact", "mailto:pulse@localhost"])
def test_a_contact_of_the_right_form_is_sent_as_it_is(contact: str) -> None:
    assert check_vapid(Signer(KEY, contact).header(APPLE, NOW))[0]["sub"] == contact
