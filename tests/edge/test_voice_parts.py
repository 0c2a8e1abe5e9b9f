"""Segmenter, decision, sound arithmetic, deliveries, kept answers and model archives."""

import asyncio
import hashlib
import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from edge import setup
from edge.app import now
from edge.audio.samples import EARCONS, Converter, convert, earcon, from_floats, level_db, one_channel
from edge.audio.sound import DeviceSeen, NoSoundError, choose
from edge.deliveries import happenings, verdict_text
from edge.engines.ear import RATE, NullEar, Samples
from edge.hearing import FRAME, Hearer, stretches
from edge.link import KEPT_ANSWERS_MAX, Kept
from edge.phrase_files import phrasebook, sentences
from edge.settings import BadEdgeSettingsError, EdgeSettings, read_settings
from edge.speech.commands import Command, Refused, Word
from edge.speech.decision import Bars, Hearing, judge
from edge.speech.phrasebook import Phrasebook
from edge.speech.segmenter import Segmenter, Ways, feed
from edge.speech.turn import Answer, AnyHappened, CardCame, CardGone, Ended, Heard, Passed, Unclear, VoiceBegan
from edge.voice import until
from hub.contract.access import Login
from hub.contract.events import AnyEvent, PredictionExecuted, PredictionExpired, Resumed
from hub.contract.phrasing import Phrasing
from hub.contract.surface import CardDelivery, Decision, Verdict
from hub.contract.words import HumanInput, Verb
from hub.kit.cards import CardProjection, expire
from hub.kit.phrasebook import sentence_code
from hub.kit.setup_faults import SetupMalformedError
from tests.edge.cards import NOW, delivery, prediction

BOOK, EN = phrasebook("en"), sentences("en")
BARS = Bars(
    coverage_min=0.5,
    fit_min=-5.0,
    second_min=0.2,
    granting_coverage_min=0.8,
    granting_fit_min=-2.0,
    granting_second_min=0.5,
)
LOUD, QUIET = -20.0, -70.0


@pytest.mark.parametrize(
    ("hearing", "word"),
    [
        (Hearing(text="approve", second=0.6), Word.APPROVE),
        (Hearing(text="approve", second=0.4), None),
        (Hearing(text="approve", second=None), None),
        (Hearing(text="approve", second=0.6, coverage=0.7), None),
        (Hearing(text="approve", second=0.6, fit=-3.0), None),
        (Hearing(text="approve", second=0.6, seconds=3.0), None),
        (Hearing(text="skip", second=0.6, seconds=7.0), None),
        (Hearing(text="skip", second=0.3, coverage=0.6, fit=-3.0), Word.SKIP),
        (Hearing(text="skip", second=None), Word.SKIP),
        (Hearing(text="skip", second=0.1), None),
        (Hearing(text="don't approve", second=1.0), None),
        (Hearing(text="approve", second=math.nan), None),
    ],
)
def test_what_evidence_is_enough(hearing: Hearing, word: Word | None) -> None:
    understood = judge(hearing, BOOK, BARS)
    assert (understood.word if isinstance(understood, Command) else None) == word


def fed(levels: list[tuple[float, float]]) -> list[tuple[str, float]]:
    """Feed levels for seconds each; return the edges and when they came."""
    state = Segmenter()
    found: list[tuple[str, float]] = []
    for level, seconds in levels:
        for _ in range(round(seconds / 0.03)):
            state, edge = feed(state, level, 0.03, Ways())
            if edge:
                found.append((edge, state.fed_s))
    return found


def test_speech_is_found_in_quiet_and_over_noise() -> None:
    for floor in (QUIET, -45.0):
        edges = fed([(floor, 6.0), (LOUD, 0.5), (floor, 1.0)])
        assert [edge for edge, _ in edges] == ["began", "ended"]
        assert edges[0][1] == pytest.approx(6.06, abs=0.05)
        assert edges[1][1] == pytest.approx(6.95, abs=0.06)


def test_a_click_is_no_speech_and_endless_sound_ends() -> None:
    assert fed([(QUIET, 1.0), (LOUD, 0.03), (QUIET, 1.0)]) == []
    assert [edge for edge, _ in fed([(QUIET, 1.0), (LOUD, 9.0)])][:2] == ["began", "ended"]


@pytest.mark.slow
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=200))
def test_edges_alternate_whatever_the_level(levels: list[float]) -> None:
    state, speaking = Segmenter(), False
    for level in levels:
        state, edge = feed(state, level, 0.03, Ways())
        assert edge != ("began" if speaking else "ended")
        speaking = state.speaking
        assert math.isfinite(state.floor_db)


@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 44_100, 48_000, 96_000])
def test_every_rate_keeps_a_tone(rate: int) -> None:
    tone = (np.sin(np.arange(rate) * 440 * 2 * np.pi / rate) * 10_000).astype(np.int16)
    converted = convert(tone, rate)
    assert len(converted) == RATE
    assert int(np.abs(np.fft.rfft(converted.astype(float))).argmax()) == 440
    assert np.abs(converted[1_000:-1_000]).max() == pytest.approx(10_000, rel=0.02)


@pytest.mark.parametrize("to", [8_000, RATE, 44_100, 48_000])
@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 44_100, 48_000, 96_000])
def test_blocks_become_what_the_whole_sound_becomes(rate: int, to: int) -> None:
    sound = (np.random.default_rng(2).normal(size=rate // 4) * 5_000).astype(np.int16)
    converter, parts = Converter(rate, to), []
    for size in (0, 1, 7, rate // 33, 0, rate // 50, rate):  # blocks of any length, also of none
        parts.append(converter.take(sound[:size]))
        sound = sound[size:]
    whole = convert((np.random.default_rng(2).normal(size=rate // 4) * 5_000).astype(np.int16), rate, to)
    assert np.array_equal(np.concatenate([*parts, converter.rest()])[: len(whole)], whole)


def test_what_would_fold_back_is_filtered() -> None:
    high = (np.sin(np.arange(48_000) * 15_000 * 2 * np.pi / 48_000) * 10_000).astype(np.int16)
    assert level_db(convert(high, 48_000)[1_000:-1_000]) < -40


def test_strange_sound_is_made_plain() -> None:
    assert from_floats(np.array([math.nan, math.inf, 2.0, -2.0, 0.5])).tolist() == [0, 0, 32_767, -32_767, 16_383]
    assert one_channel(np.array([[2, 4], [6, 8]], np.int16)).tolist() == [3, 7]
    assert level_db(np.zeros(0, np.int16)) == -math.inf
    with pytest.raises(ValueError, match="cannot convert"):
        convert(np.zeros(4, np.int16), 200_000)
    assert all(len(earcon(name, 22_050)) for name in EARCONS)


DEVICES = (
    DeviceSeen(index=0, name="default", inputs=2, outputs=2, rate=48_000),
    DeviceSeen(index=1, name="USB Headset: Mono", inputs=1, outputs=0, rate=16_000),
    DeviceSeen(index=2, name="HDMI", inputs=0, outputs=8, rate=48_000),
)


def test_devices_are_chosen_by_name() -> None:
    assert choose(DEVICES, "", is_input=True).index == 0
    assert choose(DEVICES, "headset", is_input=True).index == 1
    with pytest.raises(NoSoundError, match="no speaker called 'headset'"):
        choose(DEVICES, "headset", is_input=False)
    with pytest.raises(NoSoundError, match="are: none"):
        choose((), "", is_input=True)


class OneWordEar(NullEar):
    """Hears the same word in everything."""

    name = "one word"
    bars = BARS

    def hear(self, samples: Samples, _book: Phrasebook | None = None) -> Hearing:
        return Hearing(text="skip", second=1.0, seconds=len(samples) / RATE)


def burst(before_s: float, loud_s: float, after_s: float) -> Samples:
    noise = np.random.default_rng(1).normal(size=int(loud_s * RATE)) * 3_000
    parts = [np.zeros(int(before_s * RATE)), noise, np.zeros(int(after_s * RATE))]
    return np.concatenate(parts).astype(np.int16)


async def heard_in(sound: Samples, *, is_open: bool, close_before_end: bool = False) -> list[AnyHappened]:
    events: list[AnyHappened] = []
    hearer = Hearer(OneWordEar(), BOOK, events.append)
    hearer.listen(on=is_open)
    hearer.hear(sound)
    if close_before_end:
        hearer.listen(on=False)
    await hearer.settled()
    return [event for event in events if not isinstance(event, Passed)]


async def test_speech_becomes_a_command_and_time_passes() -> None:
    events: list[AnyHappened] = []
    hearer = Hearer(OneWordEar(), BOOK, events.append)
    hearer.listen(on=True)
    for block in np.array_split(burst(0.5, 0.5, 1.0), 37):
        hearer.hear(block)
        await asyncio.sleep(0)
    await hearer.settled()
    assert sum(isinstance(event, VoiceBegan) for event in events) == 1
    assert [event for event in events if isinstance(event, Heard)] == [Heard(command=Command(word=Word.SKIP))]
    assert sum(event.seconds for event in events if isinstance(event, Passed)) > 0.3


class CountingEar(OneWordEar):
    """Knows how much it was given to hear, in seconds."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def hear(self, samples: Samples, _book: Phrasebook | None = None) -> Hearing:
        self.seconds.append(len(samples) / RATE)
        return super().hear(samples)


async def test_decoding_begins_before_the_quiet_is_over_and_counts_only_after_it() -> None:
    ear, events = CountingEar(), list[AnyHappened]()
    hearer = Hearer(ear, BOOK, events.append)
    hearer.listen(on=True)
    hearer.hear(burst(0.5, 0.5, 0.2))
    await hearer.settled()
    assert len(ear.seconds) == 1
    assert [event for event in events if not isinstance(event, Passed)] == [VoiceBegan()]
    hearer.hear(burst(0.5, 0.0, 0.0))
    await hearer.settled()
    assert len(ear.seconds) == 1
    assert [event for event in events if isinstance(event, Heard)] == [Heard(command=Command(word=Word.SKIP))]


async def test_what_was_decoded_too_early_is_not_told_when_speech_goes_on() -> None:
    ear, events = CountingEar(), list[AnyHappened]()
    hearer = Hearer(ear, BOOK, events.append)
    hearer.listen(on=True)
    for sound in (burst(0.5, 0.5, 0.2), burst(0.0, 0.5, 0.7)):
        hearer.hear(sound)
        await hearer.settled()
    part, whole = ear.seconds
    assert whole == pytest.approx(part + 0.7, abs=0.07)
    assert sum(isinstance(event, Heard) for event in events) == 1


async def test_a_closed_ear_hears_nothing_and_a_late_answer_is_dropped() -> None:
    assert await heard_in(burst(0.5, 0.5, 1.0), is_open=False) == []
    events = await heard_in(burst(0.5, 0.5, 1.0), is_open=True, close_before_end=True)
    assert not any(isinstance(event, Heard | Unclear) for event in events)


def test_stretches_of_a_recording() -> None:
    sound = np.concatenate([burst(0.5, 0.5, 1.0), burst(0.2, 0.4, 0.1)])
    assert [round(len(one) / RATE, 1) for one in stretches(sound)] == pytest.approx([0.9, 0.8], abs=0.15)
    assert stretches(np.zeros(FRAME * 10, np.int16)) == []


def test_deliveries_become_happenings() -> None:
    known = CardProjection(prediction=prediction(), opened_at=NOW)
    assert happenings(delivery(), known, EN) == (CardCame(delivery=delivery()),)
    expired = told(PredictionExpired(card_id="one"))
    assert happenings(expired, expire(known), EN) == (CardGone(card_id="one", text="It has expired."),)
    assert happenings(told(Resumed()), None, EN) == ()
    ended = PredictionExecuted(card_id="one", task_id="t", result="all green", prediction=prediction())
    over = replace(known, phase="settled", run_end="done", result="all green")
    assert happenings(told(ended), over, EN)[0] == Ended(card_id="one")
    passed = Phrasing(code=sentence_code("{count} passed"), values={"count": "3"})
    done = replace(prediction(), outcome="3 passed", outcome_worded=passed)
    said = happenings(
        told(replace(ended, result="3 passed", prediction=done)),
        replace(over, prediction=done, result="3 passed"),
        sentences("de"),
    )
    assert "bestanden" in str(said)


def told(event: AnyEvent) -> CardDelivery:
    return CardDelivery(delivery_id="d", event=event, loudness="notify", verbs=(), token="", expires_at=NOW)


def test_verdicts_are_said() -> None:
    yes = Verdict(decision_id="d", accepted=True, code="ok", message="")
    no = Verdict(decision_id="d", accepted=False, code="conflict", message="It was approved on the phone.")
    assert verdict_text(yes, Verb.APPROVE, EN) == "Running. I'll update you when done."
    assert verdict_text(yes, Verb.SNOOZE, EN, minutes=10) == "I'll ask again in ten minutes."
    assert verdict_text(no, Verb.APPROVE, EN) == "That did not count. It was approved on the phone"


def test_until_when() -> None:
    later = Answer(number=1, verb=Verb.SNOOZE, delivery=delivery())
    assert (until(later, NOW) - NOW).total_seconds() == 600
    tonight = Answer(number=1, verb=Verb.SNOOZE, delivery=delivery(), moment="tonight")
    assert until(tonight, NOW).hour == 19
    tomorrow = Answer(number=1, verb=Verb.SNOOZE, delivery=delivery(), moment="tomorrow")
    assert until(tomorrow, NOW).day == NOW.day + 1
    assert now().tzinfo is not None


def decision(number: int) -> Decision:
    return Decision(
        decision_id=f"id{number}",
        card_id="one",
        verb=Verb.APPROVE,
        card_hash="hash",
        token="token",
        human_input=HumanInput.SPEECH,
        at=NOW,
    )


def test_answers_and_login_outlive_the_process_for_their_owner_only(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "edge")
    login = Login(
        url="mqtt://x", username="u", password="secret", client_id="c", user="me", surface="glasses", device="d"
    )
    kept.keep_login(login)
    kept.keep_answers(tuple(decision(number) for number in range(KEPT_ANSWERS_MAX + 5)))
    again = Kept(tmp_path / "edge")
    assert again.login() == login
    assert again.answers()[0].decision_id == "id5"
    assert "secret" not in repr(login)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "edge").iterdir()} == {0o600}
    (tmp_path / "edge" / "answers.json").write_text("garbage")
    assert again.answers() == ()


def archive(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return buffer.getvalue()


def test_a_model_is_checked_and_swapped_in(tmp_path: Path) -> None:
    packed = archive({"vosk-model-small/am/final.mdl": b"x", "vosk-model-small/README": b"y"})
    source = tmp_path / "model.zip"
    source.write_bytes(packed)
    checksum = hashlib.sha256(packed).hexdigest()
    said: list[str] = []
    for _ in range(2):
        folder = setup.fetch(tmp_path / "home", "en", str(source), checksum, said.append)
    assert (folder / "am" / "final.mdl").read_bytes() == b"x"
    assert any(checksum in line for line in said)


@pytest.mark.parametrize(
    ("content", "checksum"),
    [
        (b"no archive", ""),
        (archive({"a/am/x": b"x"}), "0" * 64),
        (archive({"../am/x": b"x"}), ""),
        (archive({"a/other": b"x"}), ""),
    ],
)
def test_a_bad_archive_leaves_nothing(tmp_path: Path, content: bytes, checksum: str) -> None:
    source = tmp_path / "model.zip"
    source.write_bytes(content)
    with pytest.raises(setup.BadModelError):
        setup.fetch(tmp_path / "home", "en", str(source), checksum, lambda _line: None)
    assert not (tmp_path / "home" / "models" / "en").exists()
    assert not list((tmp_path / "home" / "models").glob("*.part"))


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    for nothing in (str(tmp_path / "gone.zip"), "http://example.org/x.zip"):
        with pytest.raises(SetupMalformedError, match="an https address or a file that is there"):
            setup.fetch(tmp_path, "en", nothing, "", lambda _line: None)


def test_settings_are_optional_and_strict(tmp_path: Path) -> None:
    path = tmp_path / "edge.toml"
    assert read_settings(path) == EdgeSettings()
    path.write_text('language = "de"\nverbosity = "terse"\n')
    assert read_settings(path).language == "de"
    for wrong in ("langauge = 'de'", "volume = 3.0", "device = 'no spaces'", "= broken"):
        path.write_text(wrong)
        with pytest.raises(BadEdgeSettingsError):
            read_settings(path)


def test_a_refusal_is_never_a_command() -> None:
    assert isinstance(judge(Hearing(text=""), BOOK, BARS), Refused)
