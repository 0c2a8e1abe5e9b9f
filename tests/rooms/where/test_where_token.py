"""The action token: what was signed comes back, and nothing else is taken."""

from datetime import UTC

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.words import Verb
from hub.where import Grant, TokenError, check, mint
from hub.where.token import TOKEN_CHARS_MAX
from tests.fakes.world import utc

SECRET = b"k" * 32
GRANT = Grant(
    card_id="pred_1",
    card_hash="0" * 32,
    surface="phone",
    device="mine",
    verbs=(Verb.APPROVE, Verb.REJECT),
    expires_at=utc(2026, 3, 10, 12, 0),
)
TOKEN = mint(SECRET, GRANT)
WORDS = st.text(min_size=1, max_size=60)
GRANTS = st.builds(
    Grant,
    card_id=WORDS,
    card_hash=WORDS,
    surface=WORDS,
    device=WORDS,
    verbs=st.lists(st.sampled_from(Verb), max_size=6).map(tuple),
    expires_at=st.datetimes(timezones=st.just(UTC)),
)


@pytest.mark.slow
@given(GRANTS, st.binary(min_size=1, max_size=64))
def test_what_was_signed_comes_back(grant: Grant, secret: bytes) -> None:
    token = mint(secret, grant)
    if len(token) <= TOKEN_CHARS_MAX:
        assert check(secret, token) == grant


def test_real_grants_fit() -> None:
    longest = replace(GRANT, card_id="p" * 64, surface="s" * 64, device="d" * 64, verbs=tuple(Verb))
    assert len(mint(SECRET, longest)) <= TOKEN_CHARS_MAX


@pytest.mark.slow
@given(st.integers(0, len(TOKEN) - 1), st.characters())
def test_no_character_can_be_changed(place: int, character: str) -> None:
    changed = TOKEN[:place] + character + TOKEN[place + 1 :]
    assume(changed != TOKEN)
    with pytest.raises(TokenError):
        check(SECRET, changed)


@given(st.integers(0, len(TOKEN)), st.text(min_size=1, max_size=5))
def test_nothing_can_be_slipped_in(place: int, more: str) -> None:
    with pytest.raises(TokenError):
        check(SECRET, TOKEN[:place] + more + TOKEN[place:])


@given(st.integers(0, len(TOKEN) - 1), st.integers(1, 20))
def test_nothing_can_be_left_out(place: int, count: int) -> None:
    with pytest.raises(TokenError):
        check(SECRET, TOKEN[:place] + TOKEN[place + count :])


@given(st.text(max_size=80))
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(TokenError):
        check(SECRET, text)


@pytest.mark.slow
@given(st.binary(min_size=1, max_size=64))
def test_another_secret_does_not_do(secret: bytes) -> None:
    assume(secret != SECRET)
    with pytest.raises(TokenError):
        check(secret, TOKEN)


def test_the_body_of_one_and_the_signature_of_another_do_not_do() -> None:
    other = mint(SECRET, replace(GRANT, verbs=(Verb.STOP,)))
    with pytest.raises(TokenError):
        check(SECRET, f"{other.partition('.')[0]}.{TOKEN.partition('.')[2]}")


def test_a_token_is_not_too_long() -> None:
    with pytest.raises(TokenError):
        check(SECRET, TOKEN + "A" * TOKEN_CHARS_MAX)


def test_it_says_nothing_of_the_secret_and_has_a_stable_code() -> None:
    assert (TokenError.code, TokenError.status) == ("bad-token", 403)
    assert b"k" * 8 not in TOKEN.encode()


def test_a_token_is_spelled_in_one_way_only() -> None:
    """Base64 can be written in many ways; whoever compares tokens must be able to rely on one."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    others = [TOKEN[:-1] + last for last in alphabet if last != TOKEN[-1]]
    slipped_in = [TOKEN[:place] + "!!!!" + TOKEN[place:] for place in range(len(TOKEN) + 1)]
    for changed in (*others, *slipped_in, f"{TOKEN}==", f"{TOKEN}\n"):
        with pytest.raises(TokenError):
            check(SECRET, changed)
