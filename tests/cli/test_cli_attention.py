"""`pulse attention` and `pulse dnd`: how the day stands, what was said, and changing it."""

import json
import re
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.contract.attention import AttentionStatus
from tests.cli.conftest import Pulse
from tests.cli.running_config import running_config
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import status


def test_attention_is_told_and_changed(pulse: Pulse, hub: SmallHub) -> None:
    day = replace(status(), attention=AttentionStatus(spent=3, per_day=16, held=1))
    hub.answer("GET /api/v1/crosspoll/config", running_config(day))
    said = pulse("attention").out
    assert "needless interruption      bad\n" in said
    assert not re.search(r"^today", said, re.MULTILINE), "the line says the word itself"
    assert "3 of 16 interruptions today · 1 suggestion waiting for a good moment" in said
    assert "at 09:00, 13:00 and when you come back" in said
    hub.answer("PATCH /api/v1/crosspoll/config", running_config(day))
    pulse("attention", "--needless", "awful", "--digests", "17:30, 9:00", "--no-on-return", "--per-day", "0")
    assert json.loads(hub.asked[-1][2]) == {
        "needlessInterruption": "awful",
        "digestTimes": ["09:00", "17:30"],
        "digestOnReturn": False,
        "interruptionsPerDay": 0,
    }
    pulse("attention", "--digests", "none")
    assert json.loads(hub.asked[-1][2]) == {"digestTimes": []}
    for wrong in ("25:00", "9", "9:5", ""):
        assert "bad-times" in pulse("attention", "--digests", wrong).err


def test_do_not_disturb(pulse: Pulse, hub: SmallHub) -> None:
    soon = datetime.now(UTC) + timedelta(hours=2)
    hub.answer("PATCH /api/v1/crosspoll/config", running_config(status(), soon))
    hub.answer("GET /api/v1/crosspoll/config", running_config(status()))
    said = pulse("dnd", "2h")
    assert said.out.startswith("Do not disturb until ")
    assert list(json.loads(hub.asked[-1][2])) == ["dndUntil"]
    assert abs(datetime.fromisoformat(json.loads(hub.asked[-1][2])["dndUntil"]) - soon) < timedelta(minutes=1)
    pulse("dnd", "off")
    assert json.loads(hub.asked[-1][2]) == {"dndOff": True}
    assert pulse("dnd").out == "Do not disturb is off. `pulse dnd 2h` switches it on.\n"
    assert "# Do not disturb is off." in pulse("config", "show").out
    assert "[bad-time-text]" in pulse("dnd", "whenever").err
