"""RFC 8291 byte for byte, and our messages read by a receiver that was written from the RFCs."""

import http_ece  # type: ignore[import-untyped]  # it has no types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from surfaces.web.render import PLAIN_BYTES_MAX
from surfaces.web.send import encrypt
from tests.surfaces.web.receiver import Browser, b64, point, private_key, unb64

# RFC 8291, Appendix A
PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl"
    "95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
OVERHEAD_BYTES = 103


def test_appendix_a_byte_for_byte() -> None:
    """What pywebpush calls, with the RFC's salt and key in place of random ones."""
    body = http_ece.encrypt(
        PLAIN,
        salt=unb64(SALT),
        private_key=private_key(SENDER),
        dh=unb64(RECEIVER_PUBLIC),
        auth_secret=unb64(AUTH),
        version="aes128gcm",
    )
    assert b64(body) == BODY
    assert len(body) == 144


def test_the_receiver_of_these_tests_reads_appendix_a() -> None:
    browser = Browser(private_key(RECEIVER), unb64(AUTH))
    assert b64(point(browser.key.public_key())) == RECEIVER_PUBLIC
    assert browser.decrypt(unb64(BODY)) == PLAIN


@pytest.mark.slow
@given(st.binary(min_size=1, max_size=PLAIN_BYTES_MAX))
def test_what_we_encrypt_is_read(plain: bytes) -> None:
    browser = Browser()
    body = encrypt(browser.address("https://push.example.org/1"), plain)
    assert browser.decrypt(body) == plain
    assert len(body) == len(plain) + OVERHEAD_BYTES


def test_the_largest_message_is_the_largest_body() -> None:
    assert len(encrypt(Browser().address("https://push.example.org/1"), b"x" * PLAIN_BYTES_MAX)) == 4096


@pytest.mark.parametrize("p256dh", ["A" * 87, "B" * 90, "BA" + "A" * 85, "A" * 81])
def test_broken_keys_are_one_kind_of_error(p256dh: str) -> None:
    address = replace(Browser().address("https://push.example.org/1"), p256dh=p256dh)
    with pytest.raises(ValueError):  # noqa: PT011  the kind is the contract, the words are the library's
        encrypt(address, b"x")
