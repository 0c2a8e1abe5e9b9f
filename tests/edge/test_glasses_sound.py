"""Glasses on a real broker and a virtual sound card, where sound comes and goes; and the doctor beside them."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paho.mqtt.client import MQTTMessage

from edge.link import Kept
from hub.contract import topics
from hub.contract.envelope import Envelope, decode, encode
from hub.contract.surface import CardDelivery, Decision, DeliveredCard, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, Verb
from tests.edge.cards import NOW, delivery
from tests.edge.sound_card import SoundCard, person, sound_card
from tests.edge.test_edge_link import Heard, has
from tests.edge.worn_glasses import BRISK, YES, Glasses, running
from tests.fakes.broker import hub_side, plain_broker
from tests.house.source import ROOT
from tests.web.live_hub import live_hub

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_flite,
    pytest.mark.needs_mosquitto,
    pytest.mark.needs_pulseaudio,
]
ECHO_CANCELLED = 'microphone = "cancelled"\nspeaker = "cancelling"\necho_cancelled = true\n'
STORY = "this is a long story about somebody who walks home and talks to a friend about the weather of tomorrow"


def handed(card: CardDelivery) -> tuple[str, bytes]:
    """Return a card as the hub publishes it, and where."""
    body = DeliveredCard(card=card)
    envelope = Envelope(id=card.delivery_id, source="pulse/hub", type="deliver", time=NOW, data=body)
    return topics.deliver("me", DeviceAddress(surface="glasses", device="pi")), encode(envelope)


def is_receipt(state: DeliveryState, message: MQTTMessage) -> bool:
    return "/receipt/" in message.topic and decode(bytes(message.payload), Receipt).data.state is state


async def test_a_microphone_that_vanishes_in_the_middle_of_a_word_approves_nothing(tmp_path: Path) -> None:
    heard = Heard()
    with sound_card() as card, plain_broker(tmp_path) as broker, hub_side(broker, heard) as hub:
        Kept(tmp_path / "edge").keep_login(broker.login)
        async with running(tmp_path, card, {}, BRISK) as worn:
            await heard.until(has(online=True))
            hub.publish(*handed(delivery()), qos=1)
            await heard.until(lambda message: is_receipt(DeliveryState.ACCEPTED, message))
            await worn.until("→ listening")
            await cut_off(worn, card, tmp_path)
            await heard.until(has(online=False))
            card.start()
            await worn.until("sound")
            await heard.until(has(online=True))
            await worn.answered(YES)  # it is read again from its beginning
            message = await heard.until(lambda message: "/decision/" in message.topic)
    answer = decode(bytes(message.payload), Decision).data
    assert (answer.verb, answer.card_id) == (Verb.APPROVE, "one")
    assert "Traceback" not in worn.complaints()


async def test_with_an_open_ear_our_own_voice_is_no_answer(tmp_path: Path) -> None:
    heard = Heard()
    with (
        sound_card(echo=True, canceller=True) as card,
        plain_broker(tmp_path) as broker,
        hub_side(broker, heard) as hub,
    ):
        Kept(tmp_path / "edge").keep_login(broker.login)
        async with running(tmp_path, card, {}, ECHO_CANCELLED) as worn:
            await heard.until(has(online=True))
            hub.publish(*handed(delivery()), qos=1)
            await worn.until("→ listening")
            assert not any("sending" in line for line in worn.seen)
            await worn.answered({"listening": ("skip", "skip this one")})
            message = await heard.until(lambda message: "/decision/" in message.topic)
    assert decode(bytes(message.payload), Decision).data.verb is Verb.REJECT


async def cut_off(worn: Glasses, card: SoundCard, folder: Path) -> None:
    """Let somebody speak, and end the sound server meanwhile; the glasses say so on their screen and rest."""
    playing = card.begin_to_speak(await asyncio.to_thread(person, STORY, folder / "story.wav"))
    await worn.until("someone is speaking")
    await asyncio.to_thread(card.stop)
    while not (await worn.line()).startswith("no sound: "):
        pass
    assert not any("sending" in line for line in worn.seen)
    await asyncio.to_thread(playing.wait)


def doctor(card: SoundCard | None, home: Path) -> dict[str, dict[str, str]]:
    """Run the doctor; return its findings by part."""
    own = card.own_environment if card is not None else {}
    done = subprocess.run(
        [sys.executable, "-m", "hub", "edge", "doctor", "--json"],
        cwd=ROOT,
        env={**os.environ, **own, "PULSE_EDGE_HOME": str(home)},
        capture_output=True,
        check=False,
        timeout=120,
    )
    found = {one["part"]: one for one in json.loads(done.stdout)}
    assert done.returncode == any(one["status"] == "bad" for one in found.values()), done.stderr
    return found


async def test_the_doctor_hears_its_tone_and_has_the_hub_answer(tmp_path: Path) -> None:
    home = tmp_path / "edge"
    with sound_card(echo=True) as card, live_hub(tmp_path / "hub") as hub:
        body = {"surface": "glasses", "device": "glasses", "profile": "glasses"}
        login = await hub.call("POST", "/api/v1/devices", body)
        home.mkdir()
        (home / "login.json").write_text(json.dumps(login))  # as `pulse devices pair glasses glasses --json` prints it
        (home / "edge.toml").write_text('microphone = "virtmic"\nspeaker = "speaker"\n')
        found = await asyncio.to_thread(doctor, card, home)
    assert {part: one["status"] for part, one in found.items() if one["status"] == "bad"} == {}
    assert "heard its test tone" in found["speaker"]["detail"]
    assert "answers in" in found["hub"]["detail"]


async def test_glasses_that_were_shut_out_say_so(tmp_path: Path) -> None:
    with sound_card() as card, live_hub(tmp_path / "hub") as hub:
        body = {"surface": "glasses", "device": "glasses", "profile": "glasses"}
        login = await hub.call("POST", "/api/v1/devices", body)
        (tmp_path / "edge").mkdir()
        (tmp_path / "edge" / "login.json").write_text(json.dumps({**login, "password": "an older one"}))
        async with running(tmp_path, card, {}) as worn:
            while not (line := await worn.line()).startswith("no link: "):
                assert line != "link up"
    assert "does not let this device in" in line
    assert "pulse edge doctor" in line


def test_the_doctor_says_what_to_do_without_sound_and_hub(tmp_path: Path) -> None:
    with plain_broker(tmp_path) as broker:
        login = broker.login
    Kept(tmp_path / "edge").keep_login(login)  # nobody is there any more
    wrong = ("wear_sensor", "microphone", "speaker", "piper_voice", "vosk_model")
    settings = "".join(f'{name} = "/nowhere"\n' for name in wrong)
    (tmp_path / "edge" / "edge.toml").write_text(f'{settings}ear = "vosk"\nmouth = "piper"\n')
    found = doctor(None, tmp_path / "edge")
    assert {part for part, one in found.items() if one["status"] == "bad"} == set(found)
    assert all(one["fix"] for one in found.values())


def test_the_doctor_hears_no_tone_where_none_comes_back(tmp_path: Path) -> None:
    home = tmp_path / "edge"
    home.mkdir()
    (home / "edge.toml").write_text('microphone = "virtmic"\nspeaker = "speaker"\n')
    with sound_card() as card:
        found = doctor(card, home)
    assert "heard" not in found["speaker"]["detail"]
    assert "muted" in found["microphone"]["fix"]
    assert found["hub"]["detail"] == "not paired"
