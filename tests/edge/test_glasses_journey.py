"""The dialogue of CROSSPOLL 6.5, spoken: a real hub, a real broker, a real task, and real streams of sound.

The person is a synthetic voice played into a virtual microphone. What the glasses said is recorded from the virtual
speaker and read back by pocketsphinx with another grammar than the glasses', which knows only what they may say and
has to find out which of many suggestions it was.
"""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pocketsphinx import Config, Decoder, get_model_path  # type: ignore[import-untyped]  # it has no types

from edge.engines.ear import RATE, Samples
from edge.link import Kept
from tests.edge.sound_card import read, sound_card
from tests.edge.worn_glasses import BRISK, ENDED_WELL, LOOK_S, WAIT_S_MAX, YES, glasses, online
from tests.web.live_hub import LiveHub, live_hub

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_flite,
    pytest.mark.needs_mosquitto,
    pytest.mark.needs_pulseaudio,
]
AUDIBLE = 300
PAUSE_S, EDGE_S, GAP_S = 1.0, 0.15, 0.01
SUGGESTIONS = (
    "list the stale branches",
    "run tests on recently changed modules",
    "update the documentation of the project",
    "push the branch to the other server",
    "check the calendar for tomorrow morning",
    "delete every backup of last year",
    "send the report about costs to the board",
    "check the inventory of the shop",
    "brainstorm new meditation categories",
)
SENTENCES = f"""#JSGF V1.0;
grammar heard;
public <heard> = a suggestion for repository ({" | ".join(SUGGESTIONS)})
  say approve it or skip;
"""
WIDE = {"beam": 1e-80, "wbeam": 1e-60, "pbeam": 1e-80}
SURE_ENOUGH = {"suggestThreshold": 0.35, "showThreshold": 0.2}
"""Glasses are told only what the hub is sure of; a fresh hub is not sure of anything yet."""
BY_NUMBER = ("the second", "second")
"""Of what names the second choice, what is understood of this person's voice with gaps, cuts and noise in it, too."""


async def test_a_spoken_suggestion_is_approved_by_voice_and_executed(tmp_path: Path) -> None:
    recorded = tmp_path / "recorded.wav"
    with sound_card() as card, live_hub(tmp_path / "hub") as hub:
        await hub.call("POST", "/api/v1/crosspoll/trigger", {"force": True})  # its own ideas come before
        await hub.call("PATCH", "/api/v1/crosspoll/config", SURE_ENOUGH)
        async with glasses(tmp_path, card, hub) as worn:
            with card.recording(recorded):
                shown = await hub.suggest("List the stale branches")
                await worn.answered(YES)
                await worn.until("sending → speaking")
                await worn.said(2)  # that it runs, and that it is done
        settled = await hub.card(shown["id"])
    assert settled["status"] == "executed"
    assert (settled["settled"]["surface"], settled["settled"]["humanInput"]) == ("glasses", "speech")
    assert "Traceback" not in worn.complaints()
    sentence = f"a suggestion for repository {SUGGESTIONS[0]}"
    *before, _after_the_answer = stretches(read(recorded))
    scripts = [transcript(closed(one)) for one in in_a_row(before)]
    assert any(sentence in one for one in scripts), f"it was not said, or nothing after the answer: {scripts}"


async def test_an_agents_question_is_answered_by_the_number_of_a_choice(tmp_path: Path) -> None:
    labels = ("Postgres", "A file", "Memory")
    question = {"id": "q1", "text": "Where shall it be kept?", "choices": [{"label": one} for one in labels]}
    asking = {"agent": "claude-code", "tool": "AskUserQuestion", "act": "question", "questions": [question]}
    with sound_card() as card, live_hub(tmp_path / "hub") as hub:
        async with glasses(tmp_path, card, hub, BRISK) as worn:
            asked = (await hub.call("POST", "/api/v1/permissions", asking))["prediction"]
            await worn.answered({"listening": BY_NUMBER, "confirming": ("confirm",)})
            await worn.until("sending → speaking")
            await worn.said(1)
        settled = (await hub.card(asked["id"]))["settled"]
    assert (settled["surface"], settled["humanInput"], settled["verb"]) == ("glasses", "speech", "approve")
    assert settled["permission"]["answers"] == {"q1": ["A file"]}
    assert "Traceback" not in worn.complaints()


async def test_an_answer_without_a_network_is_kept_and_counts_when_the_hub_judges_it(tmp_path: Path) -> None:
    with sound_card() as card, live_hub(tmp_path / "hub") as hub:
        async with glasses(tmp_path, card, hub, BRISK) as worn:
            asked = await hub.ask("May I go on?", risk="low")
            await worn.until("→ speaking")  # what it holds is said and answered, with a hub or without
            assert await asyncio.to_thread(hub.stop) == ENDED_WELL
            await worn.answered(YES, end="idle")
            [kept] = Kept(tmp_path / "edge").answers()
            await asyncio.to_thread(hub.start)
            await worn.until("link up")
            settled = await answered(hub, asked["id"])
            assert "link lost" in worn.seen
            assert settled["settled"]["humanInput"] == "speech"
            assert kept.card_id == asked["id"]
            await online(hub)
            other = await hub.ask("And now?", risk="low")  # everything goes on, and nothing is asked twice
            await worn.answered(YES)
            await answered(hub, other["id"])
            assert sum(line == "idle → speaking" for line in worn.seen) == 2
            await nothing_waits(Kept(tmp_path / "edge"))


async def answered(hub: LiveHub, card_id: str) -> dict[str, Any]:
    """Wait until a question is answered, with yes."""
    async with asyncio.timeout(WAIT_S_MAX):
        while (card := await hub.card(card_id))["status"] == "pending":  # noqa: ASYNC110  the hub is asked over HTTP
            await asyncio.sleep(LOOK_S)
    assert card["status"] in {"confirmed", "executed"}, card
    return card


async def test_silence_and_a_no_approve_nothing(tmp_path: Path) -> None:
    with sound_card() as card, live_hub(tmp_path / "hub") as hub:
        async with glasses(tmp_path, card, hub, BRISK) as worn:
            asked = await hub.ask("May I go on?", risk="low")
            await worn.until("→ listening")
            await worn.hear("no, don't approve")
            await worn.until("→ listening")  # it asks again, once; then nobody says anything
            await worn.until("→ idle")
            assert not any("sending" in line for line in worn.seen)
            assert (await hub.card(asked["id"]))["status"] == "pending"


def stretches(sound: Samples) -> list[Samples]:
    """Return what was said between pauses."""
    loud = np.nonzero(np.abs(sound.astype(np.int32)) > AUDIBLE)[0]
    assert len(loud), "nothing was audible"
    pauses = np.nonzero(np.diff(loud) > PAUSE_S * RATE)[0]
    begins, ends = [loud[0], *loud[pauses + 1]], [*loud[pauses], loud[-1]]
    edge = int(EDGE_S * RATE)
    return [sound[max(0, at - edge) : to + edge] for at, to in zip(begins, ends, strict=True)]


def in_a_row(parts: list[Samples]) -> list[Samples]:
    """Return each stretch, and those that follow each other as one: a busy machine may pause in a sentence."""
    places = range(len(parts))
    return [np.concatenate(parts[begin : end + 1]) for begin in places for end in places[begin:]]


def closed(sound: Samples) -> Samples:
    """Close the gaps of exact silence that a busy machine leaves in what it plays."""
    ends = np.nonzero(sound)[0]
    behind = np.arange(len(sound)) - ends[np.searchsorted(ends, np.arange(len(sound)), side="right") - 1]
    return sound[behind <= GAP_S * RATE]


def transcript(sound: Samples) -> str:
    """Return what another ear hears, whose grammar is not the glasses'."""
    model, dictionary = get_model_path("en-us/en-us"), get_model_path("en-us/cmudict-en-us.dict")
    decoder = Decoder(Config(hmm=model, dict=dictionary, lm=None, loglevel="FATAL", **WIDE))
    decoder.add_jsgf_string("heard", SENTENCES)
    decoder.activate_search("heard")
    decoder.start_utt()
    decoder.process_raw(sound.tobytes(), full_utt=True)
    decoder.end_utt()
    best = decoder.hyp()
    return "" if best is None else str(best.hypstr)


async def nothing_waits(kept: Kept) -> None:
    """Wait until the glasses have heard the hub's verdict on all that they handed in."""
    async with asyncio.timeout(WAIT_S_MAX):
        while kept.answers():  # noqa: ASYNC110  another process writes a file; there is no signal of it
            await asyncio.sleep(LOOK_S)
