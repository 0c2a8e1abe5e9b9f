"""The spirit of the world log: how all sessions are, as one mood that every surface shows in its own way. Pure.

What needs somebody comes before everything else, and a session that was just verified is worth a moment before the
rest; that it was is never told late, so a surface which comes back says how things are, not how they have been.
"""

from datetime import datetime, timedelta
from typing import Literal

from hub.contract.world_api import WorldStatus
from hub.kit.phrasebook import Phrases

Spirit = Literal["idle", "working", "verified", "failed"]

VERIFIED_SHOWN = timedelta(minutes=1)


def spirit_of(world: WorldStatus | None, now: datetime) -> Spirit:
    """Return the mood at a moment; without a log it is idle."""
    if world is None:
        return "idle"
    if world.failed:
        return "failed"
    if world.verified_at is not None and timedelta() <= now - world.verified_at < VERIFIED_SHOWN:
        return "verified"
    return "working" if world.active or world.pending else "idle"


def spirit_said(world: WorldStatus | None, now: datetime, words: Phrases) -> str:
    """Say the mood in a few words; nothing while it is idle."""
    mood = spirit_of(world, now)
    if world is None or mood == "idle":
        return ""
    if mood == "verified":
        return words.say("spirit.verified")
    count = world.failed if mood == "failed" else world.active + world.pending
    return words.say(f"spirit.{mood}_one" if count == 1 else f"spirit.{mood}", number=str(count))
