"""Glasses that know another voice: on a real broker and a virtual sound card, a stranger can skip but not approve."""

import asyncio
from pathlib import Path

import pytest

from edge.enrolling import recorded, template_of
from edge.link import Kept
from edge.phrase_files import phrasebook
from edge.speaker_files import keep_template
from edge.speech.enrolment import enrolment_lines
from hub.contract.envelope import decode
from hub.contract.surface import Decision
from hub.contract.words import Verb
from tests.edge.cards import delivery
from tests.edge.sound_card import person, sound_card
from tests.edge.test_edge_link import Heard, has
from tests.edge.test_glasses_sound import handed
from tests.edge.worn_glasses import SOUND, running
from tests.fakes.broker import hub_side, plain_broker

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_flite,
    pytest.mark.needs_mosquitto,
    pytest.mark.needs_pulseaudio,
]
WEARER = "slt"
"""The person who speaks to them has another of flite's voices."""
APPROVAL = "yes, approve it"
SKIPS = {"listening": ("skip", "skip this one")}


async def test_a_stranger_is_told_and_can_only_skip(tmp_path: Path) -> None:
    home, heard = tmp_path / "edge", Heard()
    lines = enrolment_lines(phrasebook("en"))
    waves = [person(line, tmp_path / f"{number}.wav", WEARER) for number, line in enumerate(lines)]
    keep_template(home, await asyncio.to_thread(template_of, recorded(waves)))
    with sound_card() as card, plain_broker(tmp_path) as broker, hub_side(broker, heard) as hub:
        Kept(home).keep_login(broker.login)
        async with running(tmp_path, card, {}, f"{SOUND}speaker_lock = true\n") as worn:
            await heard.until(has(online=True))
            hub.publish(*handed(delivery()), qos=1)
            await worn.until("→ listening")
            await worn.hear(APPROVAL)
            await worn.until("voice not recognised: stranger")
            await worn.answered(SKIPS)
            message = await heard.until(lambda message: "/decision/" in message.topic)
    assert decode(bytes(message.payload), Decision).data.verb is Verb.REJECT
    assert not any(word in line for line in worn.seen for word in ("approve", "skip"))  # never what was said
