"""The network that hears phones, how likely spellings are, and the belief in a text, on small generated sounds."""

import io
import math
from collections.abc import Callable
from importlib import resources

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from edge.engines.belief import (
    GAP_MIN,
    NOISY_DB,
    NOISY_MARGIN_MIN,
    NUMBERS_COUNT,
    SPHINX_FIT_MAX,
    UNLIKE_SOUNDS_MIN,
    Evidence,
    Weights,
    numbers,
)
from edge.engines.ear import RATE, Samples
from edge.engines.net_opinion import KnownTexts, NetOpinion
from edge.engines.phone_net import BANDS, HOP, PHONES, STRIDE, WEIGHTS, WINDOW, PhoneNet, features
from edge.engines.pronunciation import Phones
from edge.engines.quiet import EDGE, filled, quiet_db
from edge.engines.spelled import NEVER, NUMBERS, Spellings, freely
from edge.phrase_files import phrasebook

CHANCE = np.random.default_rng(3)
SECOND = np.arange(RATE)
NOISE: Samples = (CHANCE.normal(size=RATE) * 3_000).astype(np.int16)
WORDS: dict[str, list[Phones]] = {
    "approve": [("AH", "P", "R", "UW", "V")],
    "prove": [("P", "R", "UW", "V")],
    "skip": [("S", "K", "IH", "P")],
}


@pytest.fixture(scope="module")
def net() -> PhoneNet:
    return PhoneNet()


WHOLE = (resources.files("edge.engines") / WEIGHTS).read_bytes()


def _shares(*phones: str, sure: float = 0.9) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return what the network would say of these phones, two frames each with `nothing` between."""
    rows = [number for phone in phones for number in (NUMBERS[phone], NUMBERS[phone], 0)]
    shares = np.full((len(rows), len(PHONES) + 1), (1 - sure) / len(PHONES), np.float32)
    shares[np.arange(len(rows)), rows] = sure
    return shares


def test_features_have_a_row_for_every_ten_milliseconds() -> None:
    found = features(NOISE)
    assert found.shape == (1 + (RATE - WINDOW) // HOP, BANDS)
    assert np.isfinite(found).all()


def test_features_do_not_know_how_loud_it_was() -> None:
    quiet = NOISE.astype(np.float32) / 8
    assert np.allclose(features(NOISE), features(quiet), atol=1e-3)


@pytest.mark.parametrize("count", [0, 1, WINDOW - 1, WINDOW, WINDOW + HOP])
def test_too_little_sound_is_nothing_heard(net: PhoneNet, count: int) -> None:
    assert len(net.hear(NOISE[:count])) == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda sound: sound * 0,
        lambda sound: np.where(sound > 0, 32_767, -32_768),
        lambda sound: np.full_like(sound, 32_767),
        lambda sound: sound,
    ],
    ids=["silence", "clipping", "one level", "noise"],
)
def test_the_network_always_answers_with_shares(net: PhoneNet, spoil: Callable[[Samples], Samples]) -> None:
    shares = net.hear(spoil(NOISE).astype(np.int16))
    assert shares.shape[1] == len(PHONES) + 1
    assert len(shares) == -(-len(features(NOISE)) // STRIDE)
    assert np.isfinite(shares).all()
    assert np.allclose(shares.sum(axis=1), 1.0, atol=1e-3)


def test_the_network_is_the_same_each_time(net: PhoneNet) -> None:
    assert np.array_equal(net.hear(NOISE), net.hear(NOISE))
    assert np.array_equal(PhoneNet().hear(NOISE), net.hear(NOISE))


def _spoilt(**parts: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> bytes:
    """Return the weights with some of their parts exchanged."""
    with np.load(io.BytesIO(WHOLE), allow_pickle=False) as file:
        whole = {name: file[name] for name in file.files}
    packed = io.BytesIO()
    np.savez(packed, **(whole | parts))
    return packed.getvalue()


@pytest.mark.parametrize(
    "weights",
    [
        b"",
        b"nothing of a network",
        WHOLE[:-1_000],
        WHOLE[:1_000] + bytes(1_000) + WHOLE[2_000:],
        _spoilt(w_out=np.full((96, len(PHONES) + 1), np.nan, np.float32)),
        _spoilt(w_out=np.zeros((96, 3), np.float32), b_out=np.zeros(3, np.float32)),
        _spoilt(w0=np.zeros((3, 3, 3), np.float32)),
        _spoilt(w0=np.zeros(0, np.float32)),
    ],
    ids=["empty", "text", "cut off", "overwritten", "no numbers", "too few phones", "another shape", "nothing in it"],
)
def test_weights_that_are_none_are_refused(weights: bytes) -> None:
    with pytest.raises(ValueError, match="holds no network"):
        PhoneNet(weights)


def test_what_was_heard_is_the_likeliest() -> None:
    spellings = Spellings([one[0] for one in WORDS.values()])
    for at, ways in enumerate(WORDS.values()):
        shares = _shares(*ways[0])
        assert int(np.argmax(spellings.log_likelihoods(shares))) == at
        assert freely(shares) == ways[0]


def test_likelihoods_of_all_spellings_sum_to_one() -> None:
    """Over all sequences of at most two phones of three, in two frames: a frame each, or one for both."""
    shares = CHANCE.dirichlet(np.ones(len(PHONES) + 1), size=2).astype(np.float32)
    every = [(), *((one,) for one in PHONES), *((one, two) for one in PHONES for two in PHONES if one != two)]
    assert np.exp(Spellings(every).log_likelihoods(shares)).sum() == pytest.approx(1.0, abs=1e-4)


def test_a_phone_twice_needs_a_frame_between() -> None:
    shares = _shares("S", sure=0.99)[:2]
    assert Spellings([("S", "S")]).log_likelihoods(shares)[0] == NEVER


@pytest.mark.slow
def test_nothing_heard_is_nothing_likely() -> None:
    none = np.zeros((0, len(PHONES) + 1), np.float32)
    assert freely(none) == ()
    assert Spellings([("S",)]).log_likelihoods(none)[0] == NEVER
    assert NetOpinion(KnownTexts(phrasebook("en"), [], WORDS), none).best() is None


def test_long_sounds_stay_within_what_numbers_can_hold() -> None:
    shares = np.full((3_000, len(PHONES) + 1), 1e-6, np.float32)
    assert np.isfinite(Spellings([WORDS["approve"][0]]).log_likelihoods(shares)).all()


@pytest.mark.slow
def test_a_rival_is_named_instead_of_the_command() -> None:
    texts = KnownTexts(phrasebook("en"), ["prove"], WORDS)
    said = NetOpinion(texts, _shares(*WORDS["approve"][0])).best()
    other = NetOpinion(texts, _shares(*WORDS["prove"][0])).best()
    assert said is not None
    assert said.text == "approve"
    assert said.margin > 0
    assert other is not None
    assert other.text == "prove"


@pytest.mark.slow
def test_a_text_that_is_not_known_has_no_opinion() -> None:
    assert NetOpinion(KnownTexts(phrasebook("en"), [], WORDS), _shares("S")).of("improve") is None


STRONG = Evidence(
    net_gap=0.0,
    net_fit=0.0,
    net_margin=10.0,
    phones_s=0.14,
    named=True,
    agreed=True,
    contrary=False,
    sphinx_fit=0.0,
    coverage=1.0,
    sounds=0.8,
)
EVEN = Weights(
    granting=[9.0, *[0.0] * 11], other=[9.0, *[0.0] * 11], asking=[9.0, *[0.0] * 11], agreeing=[9.0, *[0.0] * 11]
)
"""Sure of everything that is not ruled out."""


def test_more_evidence_is_more_belief() -> None:
    weak = Evidence(
        net_gap=-10.0,
        net_fit=-2.0,
        net_margin=-5.0,
        phones_s=0.5,
        named=False,
        agreed=False,
        contrary=True,
        sphinx_fit=0.0,
        coverage=0.0,
        sounds=0.1,
    )
    weights = Weights(granting=[0.0, 1.0, 1.0, *[0.0] * 9], other=[0.0] * 12, asking=[0.0] * 12, agreeing=[0.0] * 12)
    assert weights.believe(STRONG, granting=True) > weights.believe(weak, granting=True)
    assert weights.believe(STRONG, granting=False) == 0.5
    assert np.isfinite(numbers(weak)).all()


@pytest.mark.parametrize(
    ("evidence", "is_at_once"),
    [
        pytest.param(STRONG, True, id="nothing speaks against it"),
        pytest.param(
            msgspec.structs.replace(STRONG, contrary=True, agreed=False), False, id="another command was heard"
        ),
        pytest.param(
            msgspec.structs.replace(STRONG, net_margin=1.5), False, id="a rival is nearly as likely, in quiet"
        ),
        pytest.param(msgspec.structs.replace(STRONG, net_margin=1.5, net_gap=-5.0), True, id="no rival explains it"),
    ],
)
def test_an_approval_counts_at_once_where_nothing_speaks_against_it(evidence: Evidence, *, is_at_once: bool) -> None:
    assert (EVEN.approve(evidence) > 0) is is_at_once
    assert EVEN.believe(evidence, granting=True) > 0, "it is still believed enough for other words"


def test_an_approval_that_is_believed_less_is_asked_about() -> None:
    unsure = Weights(granting=[2.5, *[0.0] * 11], other=[0.0] * 12, asking=[0.0] * 12, agreeing=[0.0] * 12)
    assert unsure.believe(STRONG, granting=True) > 0.9
    assert unsure.approve(STRONG) == 0.0


@pytest.mark.parametrize("name", ["net_gap", "net_fit", "net_margin", "phones_s", "sphinx_fit", "coverage", "sounds"])
@pytest.mark.parametrize("granting", [True, False])
def test_what_is_no_number_is_never_believed(name: str, granting: bool) -> None:  # noqa: FBT001  a parameter of the test
    weights = Weights(
        granting=[1.0] * NUMBERS_COUNT,
        other=[1.0] * NUMBERS_COUNT,
        asking=[1.0] * NUMBERS_COUNT,
        agreeing=[1.0] * NUMBERS_COUNT,
    )
    spoilt = msgspec.structs.replace(STRONG, **{name: math.nan})
    assert weights.believe(spoilt, granting=granting) <= weights.believe(STRONG, granting=granting)
    if name not in {"net_gap", "net_fit", "sphinx_fit"}:  # these count as the worst there is
        assert weights.believe(spoilt, granting=granting) == 0.0


@pytest.mark.parametrize("name", ["granting", "other", "asking", "agreeing"])
@pytest.mark.parametrize(
    "wrong", [[1.0] * (NUMBERS_COUNT - 1), [1.0] * (NUMBERS_COUNT + 1), [math.nan] * NUMBERS_COUNT, []]
)
def test_weights_of_a_belief_that_are_none_are_refused(wrong: list[float], name: str) -> None:
    with pytest.raises(ValueError, match="12 numbers"):
        Weights(**{**msgspec.structs.asdict(EVEN), name: wrong})


def test_words_that_free_phones_do_not_explain_at_all_are_no_better_for_it() -> None:
    beyond, at = (numbers(replace(STRONG, sphinx_fit=SPHINX_FIT_MAX * times)) for times in (3, 1))
    assert beyond == at != numbers(STRONG)


def test_in_noise_an_approval_needs_more_than_to_be_a_little_ahead_of_a_rival() -> None:
    noisy = replace(STRONG, quiet_db=NOISY_DB - 1)
    narrow = replace(noisy, net_margin=NOISY_MARGIN_MIN - 0.1)
    assert EVEN.believe(noisy, granting=True) > 0.9
    assert EVEN.believe(narrow, granting=True) == 0.0
    assert EVEN.believe(narrow, granting=False) > 0.9
    assert EVEN.believe(replace(narrow, quiet_db=NOISY_DB), granting=True) > 0.9


def test_what_is_only_asked_about_or_answers_has_no_veto() -> None:
    rivalled = replace(STRONG, quiet_db=0.0, net_margin=-1.0, net_gap=-2.0)
    assert EVEN.believe(rivalled, granting=True) == 0.0
    assert EVEN.suspect(rivalled) > 0.9
    assert EVEN.agree(rivalled) > 0.9


def test_a_rival_that_explains_nothing_rules_nothing_out() -> None:
    unlike = replace(STRONG, quiet_db=0.0, net_margin=-1.0, net_gap=-10.0)
    assert EVEN.believe(unlike, granting=True) > 0.9
    assert EVEN.believe(replace(unlike, net_gap=-2.0), granting=True) == 0.0


def test_babble_in_which_only_the_grammar_finds_an_approval_is_none() -> None:
    babble = replace(STRONG, net_gap=GAP_MIN - 1, sounds=UNLIKE_SOUNDS_MIN - 0.1)
    assert EVEN.believe(babble, granting=True) == 0.0
    assert EVEN.believe(babble, granting=False) > 0.9
    assert EVEN.believe(replace(babble, sounds=UNLIKE_SOUNDS_MIN), granting=True) > 0.9
    assert EVEN.believe(replace(babble, net_gap=GAP_MIN + 1), granting=True) > 0.9


@pytest.mark.parametrize("under_db", [10, 20, 30])
def test_how_noisy_it_is(under_db: int) -> None:
    speech = np.concatenate([np.zeros(RATE // 2), np.sin(SECOND * 0.3) * 8_000])
    noise = CHANCE.normal(size=len(speech)) * 8_000 / 2**0.5 / 10 ** (under_db / 20)
    assert quiet_db((speech + noise).astype(np.int16)) == pytest.approx(under_db, abs=1.5)


def test_a_still_recording_has_no_noise() -> None:
    hushed = np.concatenate([np.zeros(RATE, np.int16), (np.sin(SECOND * 0.3) * SECOND / 4).astype(np.int16)])
    assert quiet_db(hushed) == np.inf


def test_digital_silence_is_filled_with_the_noise_around_it() -> None:
    hushed = np.concatenate([NOISE, np.zeros(RATE, np.int16)])
    sound = filled(hushed)
    assert len(sound) == len(hushed) + 2 * EDGE
    inside, outside = sound[EDGE : EDGE + RATE], sound[EDGE + RATE :]
    assert 0.4 < np.std(outside) / np.std(inside) < 1.1
    assert np.array_equal(sound, filled(hushed))


def test_a_quiet_room_stays_quiet() -> None:
    speech = (np.sin(SECOND * 0.1) * np.sin(SECOND * 0.0005) ** 2 * 10_000).astype(np.int16)
    recorded = np.concatenate([speech, np.zeros(RATE, np.int16)])
    sound = filled(recorded)
    assert np.std(sound[-RATE:]) < np.std(sound[:RATE]) / 20
    assert np.std(filled(recorded, 18.0)[-RATE:]) > 5 * np.std(sound[-RATE:]), "a lone yes is heard with more noise"


@pytest.mark.parametrize("count", [0, 1, HOP, RATE])
def test_nothing_is_filled_with_nothing(count: int) -> None:
    assert not filled(np.zeros(count, np.int16)).any()
