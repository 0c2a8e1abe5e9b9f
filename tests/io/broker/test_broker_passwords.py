import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.io.broker.acl import BrokerUser
from hub.io.broker.passwords import (
    hash_password,
    new_password,
    password_file_for,
    verify_password,
)

MADE_BY_MOSQUITTO_PASSWD = (
    "$7$101$NfGXdXAG5e7rrm8z$fn4SV8tRkkuvJVaF9uN1xB0FfUM+0xVkhBtaSi3fwrxLTlp+Oe5FkKX7MNAFsZ1hK3hGkoEe5PfroAwIPPivJw=="
)


@settings(max_examples=20)
@given(password=st.text(max_size=40), other=st.text(max_size=40))
def test_a_password_opens_its_own_hash_only(password: str, other: str) -> None:
    stored = hash_password(password)
    assert verify_password(password, stored)
    assert verify_password(other, stored) is (other == password)


def test_the_format_is_the_one_of_mosquitto_passwd() -> None:
    assert verify_password("pässword", MADE_BY_MOSQUITTO_PASSWD)
    assert not verify_password("password", MADE_BY_MOSQUITTO_PASSWD)


@pytest.mark.slow
@given(stored=st.text(max_size=60) | st.text("$7abc=01", max_size=30).map("$7$".__add__))
def test_an_unreadable_hash_opens_for_nobody(stored: str) -> None:
    assert not verify_password("x", stored)


def test_absurd_iterations_are_not_computed() -> None:
    assert not verify_password("x", "$7$99999999999$AAAA$AAAA")


def test_new_passwords_differ_and_are_long() -> None:
    assert len({new_password() for _ in range(100)}) == 100
    assert len(new_password()) >= 43


def test_a_user_without_hash_is_left_out_of_the_file() -> None:
    can = BrokerUser(name="can", user="me", role="hub", password_hash=hash_password("x", b"salt"))
    cannot = BrokerUser(name="cannot", user="me", role="hub")
    assert password_file_for([can, cannot]) == f"can:{can.password_hash}\n"
