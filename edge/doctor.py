"""Checks each part of the glasses, in the order in which sound and answers travel; says what to do about a failure."""

import asyncio
import math
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np

from edge.app import PAIR_FIX, only_one
from edge.audio.hearback import is_heard, tone
from edge.audio.samples import level_db
from edge.audio.sound import Microphone, Speaker, choose, devices
from edge.body import find_battery, look
from edge.engines.choice import make_ear, make_mouth
from edge.engines.ear import RATE, Samples, missing_words
from edge.link import GlassesLink, Kept
from edge.settings import EdgeSettings
from edge.speaker_files import read_template
from hub.contract.base import Value
from hub.contract.errors import PulseError
from hub.contract.surface import Decision, DeliveredVerdict
from hub.contract.words import HumanInput, Verb
from hub.kit.called import as_called
from hub.kit.mqtt.device import Heard, LinkChanged
from hub.kit.mqtt.reading import read_delivered

LISTEN_S, ROUND_TRIP_S_MAX = 1.0, 10.0
HEARBACK_S = 0.6
"""A tone is on its way for no longer than this, through both devices and the room."""
LOOK_S = 0.02
QUIET_DB, LOUD_DB = -75.0, -6.0
LOW_PERCENT = 15
TRIED = "doctor"
"""The name of no card: the hub refuses an answer to it, and that is the round trip."""
Status = Literal["ok", "warn", "bad"]


class Finding(Value, rename="camel"):
    """How one part is; `fix` says what to do next."""

    part: str
    status: Status
    detail: str
    fix: str = ""


async def examine(settings: EdgeSettings, folder: Path) -> list[Finding]:
    """Return how every part is.

    Raises:
        RunningError: these glasses run, and hold the microphone and the login.
    """
    checks: tuple[tuple[str, Callable[[], Awaitable[Finding]]], ...] = (
        ("microphone", lambda: _microphone(settings)),
        ("speaker", lambda: _speaker(settings)),
        ("ear", lambda: asyncio.to_thread(_ear, settings)),
        ("mouth", lambda: asyncio.to_thread(_mouth, settings)),
        ("body", lambda: asyncio.to_thread(_body, settings)),
        ("hub", lambda: _hub(folder)),
    )
    if settings.speaker_lock:
        checks = (*checks, ("speaker lock", lambda: asyncio.to_thread(_lock, folder)))
    with only_one(folder):
        return [await _checked(part, check) for part, check in checks]


async def _checked(part: str, check: Callable[[], Awaitable[Finding]]) -> Finding:
    try:
        return await check()
    except PulseError as error:
        return Finding(part=part, status="bad", detail=error.detail, fix=error.fix)


async def _microphone(settings: EdgeSettings) -> Finding:
    if settings.ear == "null":
        return Finding(part="microphone", status="ok", detail="none: answered by the button")
    device = choose(devices(), settings.microphone, is_input=True)
    microphone = Microphone(device, asyncio.get_running_loop())
    try:
        sound = await _recorded(microphone, LISTEN_S)
    finally:
        microphone.close()
    level = level_db(sound)
    said = "silence" if math.isinf(level) else f"{level:.0f} dB"
    detail = f"{device.name} at {microphone.rate} Hz, {said}"
    if not len(sound):
        return Finding(part="microphone", status="bad", detail=detail, fix="It brings no sound: plug it in again.")
    if level <= QUIET_DB:
        return Finding(part="microphone", status="warn", detail=detail, fix="It hears almost nothing: is it muted?")
    if level >= LOUD_DB:
        return Finding(part="microphone", status="warn", detail=detail, fix="It is too loud: turn its level down.")
    return Finding(part="microphone", status="ok", detail=detail)


async def _recorded(microphone: Microphone, seconds: float) -> Samples:
    """Return so much sound at 16 kHz; less where the device vanishes."""
    blocks, held = [np.zeros(0, np.int16)], 0
    async for block in microphone.blocks():
        blocks.append(block)
        held += len(block)
        if held >= seconds * RATE:
            break
    return np.concatenate(blocks)


async def _speaker(settings: EdgeSettings) -> Finding:
    """Play a test tone, and listen for it where there is a microphone."""
    device, speaker = choose(devices(), settings.speaker, is_input=False), Speaker(RATE)
    speaker.volume = settings.volume
    speaker.open(device)
    try:
        heard = await _heard_back(settings, speaker)
    finally:
        speaker.close()
    detail = f"{device.name} at {speaker.rate} Hz"
    if heard is None:
        return Finding(part="speaker", status="bad", detail=f"{detail} plays nothing", fix="Is it switched on?")
    if heard:
        return Finding(part="speaker", status="ok", detail=f"{detail}; the microphone heard its test tone")
    fix = "Did you hear a long tone? Then it works: earbuds do not reach the microphone. If not, turn it up."
    return Finding(part="speaker", status="ok", detail=f"{detail} played a test tone", fix=fix)


async def _heard_back(settings: EdgeSettings, speaker: Speaker) -> bool | None:
    """Say whether the microphone heard the tone; None when the speaker did not even play it."""
    if settings.ear == "null":
        return False if await _played(speaker) else None
    chosen = choose(devices(), settings.microphone, is_input=True)
    microphone = Microphone(chosen, asyncio.get_running_loop())
    try:
        listening = asyncio.create_task(_recorded(microphone, len(tone()) / RATE + HEARBACK_S))
        played, sound = await _played(speaker), await listening
    finally:
        microphone.close()
    return is_heard(sound) if played else None


async def _played(speaker: Speaker) -> bool:
    speaker.play(tone(), RATE)
    try:
        async with asyncio.timeout(ROUND_TRIP_S_MAX):
            while speaker.left_s > 0:  # noqa: ASYNC110  PortAudio tells of no moment when it has played
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        return False
    return True


def _ear(settings: EdgeSettings) -> Finding:
    ear = make_ear(settings)
    hearing = ear.hear(np.zeros(RATE, np.int16))
    if hearing.text:
        fix = "Choose another ear, or fetch its model again: `pulse edge setup`."
        return Finding(part="ear", status="bad", detail=f"{ear.name} hears words in silence", fix=fix)
    if ear.missing:
        fix = "Fetch another model: `pulse edge setup`. Where a word that forbids is missing, approvals are asked back."
        return Finding(part="ear", status="bad", detail=missing_words(ear.missing), fix=fix)
    return Finding(part="ear", status="ok", detail=f"{ear.name} is loaded, and hears nothing in silence")


def _lock(folder: Path) -> Finding:
    read_template(folder)
    return Finding(part="speaker lock", status="ok", detail="knows a voice; only that one approves")


def _mouth(settings: EdgeSettings) -> Finding:
    mouth = make_mouth(settings)
    try:
        count = sum(len(block) for block in mouth.speak("Pulse."))
    finally:
        mouth.close()
    if not count:
        return Finding(part="mouth", status="bad", detail=f"{mouth.name} makes no sound", fix="Install it again.")
    return Finding(part="mouth", status="ok", detail=f"{mouth.name} makes {count / mouth.rate:.1f} s of speech")


def _body(settings: EdgeSettings) -> Finding:
    battery = find_battery() if settings.battery is None else settings.battery
    body = look(settings.wear_sensor, battery, has_sound=True)
    worn = {None: "cannot tell whether they are worn", True: "worn", False: "not worn"}[body.worn]
    charge = "no battery" if body.battery_percent is None else f"{body.battery_percent} % charged"
    if settings.wear_sensor and body.worn is None:
        fix = f"{settings.wear_sensor} must hold 1 or 0."
        return Finding(part="body", status="bad", detail=f"{worn}, {charge}", fix=fix)
    if body.battery_percent is not None and body.battery_percent < LOW_PERCENT:
        return Finding(part="body", status="warn", detail=f"{worn}, {charge}", fix="Charge them.")
    return Finding(part="body", status="ok", detail=f"{worn}, {charge}")


async def _hub(folder: Path) -> Finding:
    kept = Kept(folder)
    login = kept.login()
    if login is None:
        return Finding(part="hub", status="bad", detail="not paired", fix=PAIR_FIX)
    loop, waiting, stage = asyncio.get_running_loop(), len(kept.answers()), "broker"
    began = loop.time()
    try:
        async with asyncio.timeout(ROUND_TRIP_S_MAX), GlassesLink(login, kept) as link:
            await _up(link)
            connected_ms, stage, began = (loop.time() - began) * 1_000, "hub", loop.time()
            await _judged(link)
    except ConnectionRefusedError as error:
        return Finding(part="hub", status="bad", detail=str(error), fix=f"Pair them again. {PAIR_FIX}")
    except TimeoutError:
        fix = "Is there a network, and is Pulse running there? Start it with `pulse up`."
        return Finding(part="hub", status="bad", detail=f"the {stage} at {login.url} does not answer", fix=fix)
    trip_ms = (loop.time() - began) * 1_000
    detail = f"connected in {connected_ms:.0f} ms, answers in {trip_ms:.0f} ms; {waiting} of your answers waited"
    return Finding(part="hub", status="ok", detail=detail)


async def _up(link: GlassesLink) -> None:
    """Wait until the link is up.

    Raises:
        ConnectionRefusedError: the broker does not let us in.
    """
    async for item in link.items():
        if not isinstance(item, LinkChanged):
            continue
        if item.state == "up":
            return
        if item.state == "refused":
            raise ConnectionRefusedError(item.note)


async def _judged(link: GlassesLink) -> None:
    """Hand in an answer to no card, and wait for the hub to refuse it."""
    asked = Decision(
        decision_id=uuid.uuid4().hex,
        card_id=TRIED,
        verb=Verb.REJECT,
        card_hash=TRIED,
        token="",
        human_input=HumanInput.KEY,
        at=datetime.now(UTC),
    )
    link.send_decision(asked)
    async for item in link.items():
        if isinstance(item, Heard) and _is_verdict_on(item.payload, asked):
            return


def _is_verdict_on(payload: bytes, asked: Decision) -> bool:
    envelope = read_delivered(payload)
    delivered = None if envelope is None else envelope.data
    return isinstance(delivered, DeliveredVerdict) and delivered.verdict.decision_id == asked.decision_id


def table(findings: list[Finding]) -> str:
    """Return the findings as lines."""
    lines = []
    for one in findings:
        lines.append(f"{one.status:<4} {one.part:<10} {one.detail}")
        if one.fix:
            lines.append(f"{'':15} → {as_called(one.fix)}")
    return "\n".join(lines)
