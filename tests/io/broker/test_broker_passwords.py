from hypothesis import given, settings
from hypothesis import strategies as st

from hub.io.broker.acl import BrokerUser
from hub.io.broker.passwords import hash_password, new_password, password_file_for
from tests.io.broker.hashed import is_hash_of

MADE_BY_MOSQUITTO_PASSWD = (
    "$7$101$NfGXdXAG5e7rrm8z$fn4SV8tRkkuvJVaF9uN1xB0FfUM+0xVkhBtaSi3fwrxLTlp+Oe5FkKX7MNAFsZ1hK3hGkoEe5PfroAwIPPivJw=="
)


@settings(max_examples=20)
@given(password=st.text(max_size=40), other=st.text(max_size=40))
def test_a_password_opens_its_own_hash_only(password: str, other: str) -> None:
    stored = hash_password(password)
    assert is_hash_of(password, stored)
    assert is_hash_of(other, stored) is (other == password)


def test_the_format_is_the_one_of_mosquitto_passwd() -> None:
    assert is_hash_of("pässword", MADE_BY_MOSQUITTO_PASSWD)
    assert not is_hash_of("password", MADE_BY_MOSQUITTO_PASSWD)


def test_new_passwords_differ_and_are_long() -> None:
    assert len({new_password() for _ in range(100)}) == 100
    assert len(new_password()) >= 43


def test_a_user_without_hash_is_left_out_of_the_file() -> None:
    can = BrokerUser(name="can", user="me", role="hub", password_hash=hash_password("x", b"salt"))
    cannot = BrokerUser(name="cannot", user="me", role="hub")
    assert password_file_for([can, cannot]) == f"can:{can.password_hash}\n"
