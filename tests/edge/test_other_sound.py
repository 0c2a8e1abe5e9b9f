"""Other programs' sound: lowered while we speak and put back, or waited for, on a sound server of the test's own."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from edge.audio.ducking import Ducker
from edge.link import Kept
from edge.speech.commands import Command, Word
from edge.speech.turn import AnyAct, AnyHappened, CardCame, Heard, OtherSound, Outcome, Speak, Spoken, Turn
from edge.speech.turns import step
from hub.contract.surface import Loudness
from tests.edge.cards import delivery, manner
from tests.edge.sound_card import SoundCard, sound_card
from tests.edge.test_edge_link import Heard as HeardByHub
from tests.edge.test_edge_link import has
from tests.edge.test_glasses_sound import handed
from tests.edge.worn_glasses import SOUND, running
from tests.fakes.broker import hub_side, plain_broker

WAIT_S_MAX = 60
FULL = 65_536
HOW = manner()


def volumes(card: SoundCard) -> list[int]:
    said = card.ask("list", "sink-inputs").stdout
    lines = [line for line in said.splitlines() if "Volume:" in line]
    return [int(line.split("/")[0].split()[-1]) for line in lines]


def playing(card: SoundCard) -> subprocess.Popen[bytes]:
    """Begin to play music on the speaker, and return when the server knows it."""
    before = len(volumes(card))
    music = subprocess.Popen(["pacat", "--device=speaker", "--volume=65536", "/dev/zero"], env=card.environment)
    while len(volumes(card)) == before:
        assert music.poll() is None
    return music


@pytest.fixture
def found_by_us(monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundCard]:
    """A sound card that this process itself finds; its server cancels echo, and passes sound on by itself."""
    with sound_card(echo=True, canceller=True) as card:
        for name, value in card.own_environment.items():
            monkeypatch.setenv(name, value)
        yield card


@pytest.mark.slow
@pytest.mark.needs_pulseaudio
def test_other_sound_is_lowered_and_put_back_but_not_the_servers_own_pipes(found_by_us: SoundCard) -> None:
    ducker, pipes = Ducker(), volumes(found_by_us)
    assert len(pipes) == 2
    music = playing(found_by_us)
    ducker.lower()
    *others, lowered = volumes(found_by_us)
    assert others == pipes
    assert lowered < FULL
    ducker.lower()  # once is enough
    ducker.restore()
    assert volumes(found_by_us) == [*pipes, FULL]
    music.terminate()
    music.wait(WAIT_S_MAX)
    ducker.lower()  # nothing plays any more
    assert volumes(found_by_us) == pipes
    ducker.restore()


def test_without_a_sound_server_nothing_is_lowered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    Ducker().lower()
    (tmp_path / "pactl").write_text("#!/bin/sh\necho nonsense\n")
    (tmp_path / "pactl").chmod(0o755)
    ducker = Ducker()
    ducker.lower()
    ducker.restore()
    assert not ducker.others_play()


def told(turn: Turn, *events: AnyHappened) -> tuple[Turn, tuple[AnyAct, ...]]:
    acts: tuple[AnyAct, ...] = ()
    for event in events:
        turn, acts = step(turn, HOW, event)
    return turn, acts


def texts(acts: tuple[AnyAct, ...]) -> list[str]:
    return [act.text for act in acts if isinstance(act, Speak)]


def test_while_another_sound_plays_only_what_is_urgent_is_said() -> None:
    turn, acts = told(Turn(), OtherSound(on=True), CardCame(delivery=delivery()))
    assert (turn.phase, acts) == ("idle", ())
    turn, acts = told(turn, Outcome(text="Done.", delivery_id="d"))
    assert (turn.phase, texts(acts)) == ("idle", [])
    turn, _ = told(turn, CardCame(delivery=delivery("urgent", loudness="alert")))
    assert turn.card == delivery("urgent", loudness="alert")
    turn, acts = told(turn, Spoken(number=turn.number), Heard(command=Command(word=Word.CANCEL)))
    turn, acts = told(turn, Spoken(number=turn.number))  # that it is left open
    assert (turn.phase, texts(acts)) == ("idle", [])
    turn, acts = told(turn, OtherSound(on=False))
    assert texts(acts) == ["Done."]
    turn, acts = told(turn, Spoken(number=turn.number))
    assert turn.card == delivery()


def test_asked_what_is_waiting_it_waits_for_no_other_sound() -> None:
    turn, _ = told(Turn(), OtherSound(on=True), CardCame(delivery=delivery()))
    turn, acts = told(turn, Heard(command=Command(word=Word.WAITING)))
    assert texts(acts) == ["Waiting: 1."]
    turn, _ = told(turn, Spoken(number=turn.number))
    assert turn.card == delivery()


@pytest.mark.slow
@pytest.mark.needs_mosquitto
@pytest.mark.needs_pulseaudio
@pytest.mark.parametrize(
    ("loudness", "wait_s_max", "music_ends"),
    [("notify", 3_600, True), ("notify", 1, False), ("alert", 3_600, False)],
    ids=["until it ends", "no longer than it may", "not when urgent"],
)
async def test_a_card_waits_for_music(
    tmp_path: Path,
    loudness: Loudness,
    wait_s_max: int,
    music_ends: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    heard = HeardByHub()
    settings = f'{SOUND}other_sound = "wait"\nwait_s_max = {wait_s_max}\n'
    with sound_card() as card, plain_broker(tmp_path) as broker, hub_side(broker, heard) as hub:
        Kept(tmp_path / "edge").keep_login(broker.login)
        music = await asyncio.to_thread(playing, card)
        async with running(tmp_path, card, {}, settings) as worn:
            await heard.until(has(online=True))
            hub.publish(*handed(delivery(loudness=loudness)), qos=1)
            await worn.until("another sound plays")
            if music_ends:
                music.terminate()
            await worn.until("→ speaking")
            assert ("no other sound is waited for" in worn.seen) == (loudness == "notify")
            await worn.until("→ listening")
        music.terminate()
        await asyncio.to_thread(music.wait)
