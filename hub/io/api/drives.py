"""What presses: the bars, their history, and what whoever did the work reports (DRIVES 5)."""

from datetime import timedelta
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from hub.contract.base import Message
from hub.contract.drives import DriveDecay, DrivesHistory, DrivesView, FeedbackAnswer, FeedbackRequest
from hub.domain.drive_requests import DrivesShown, LookAtDrives
from hub.domain.drives import DriveSample, Feedback
from hub.domain.reports import DriveSamples, Wakes
from hub.domain.requests import FeedbackTaken, Refused, TakeFeedback
from hub.domain.storage import Client
from hub.io.access.tokens import LOCAL_ID
from hub.io.access.wake_passes import drive_of
from hub.io.api.asks import safe_key
from hub.io.api.call import Call, Nothing
from hub.io.http.errors import OutOfScopeError
from hub.io.http.loop_requests import ask_loop
from hub.io.store.limits import DRIVE_SAMPLES_MAX
from hub.loop.drive_views import view_of_sample, view_of_wake

DAYS_MAX = 90
SAMPLES_SHOWN_MAX = 2_000
WAKES_SHOWN_MAX = 1_000
PLACES = 6
ONCE = "report"
"""The key of a woken agent's report: a second one is the same."""


class HistoryQuery(Message):
    """Query of `GET /api/v1/drives/history`: how many days back."""

    days: Annotated[int, Meta(ge=1, le=DAYS_MAX)] = 7


async def drives(call: Call[Nothing, Nothing]) -> DrivesView | Refused:
    """Return what presses now, and why Pulse wakes or does not; to an agent that was woken, its own drive alone."""
    reply = await ask_loop(call.parts.hub_api, LookAtDrives(), DrivesShown)
    if isinstance(reply, Refused):
        return reply
    if woken_for := drive_of(call.client):
        own = tuple(one for one in reply.view.drives if one.name == woken_for)
        return replace(reply.view, drives=own, idle=())
    last = await call.parts.store.read(Wakes(user=call.parts.user, limit=1))
    return replace(reply.view, last_wake=view_of_wake(last[0]) if last else None)


async def history(call: Call[Nothing, HistoryQuery]) -> DrivesHistory:
    """Return the lines of the drives over some days, and the wakes on them."""
    parts, now = call.parts, call.parts.clock.now()
    since = now - timedelta(days=call.query.days)
    found = await parts.store.read(DriveSamples(user=parts.user, limit=DRIVE_SAMPLES_MAX, since=since))
    wakes = await parts.store.read(Wakes(user=parts.user, limit=WAKES_SHOWN_MAX, since=since))
    rules, shown = parts.hub_api.policy().drives, thinned(found)
    return DrivesHistory(
        since=since,
        until=now,
        samples=tuple(view_of_sample(one) for one in reversed(shown)),
        wakes=tuple(view_of_wake(one) for one in reversed(wakes)),
        pressure_max=rules.pressure_max,
        threshold=rules.threshold,
        thinned=len(shown) < len(found),
    )


async def feedback(call: Call[FeedbackRequest, Nothing]) -> FeedbackAnswer | Refused:
    """Take a report of what was done: the drives that it names decay by the outcome.

    An agent that was woken reports once, and on the drive that it was woken for.

    Raises:
        OutOfScopeError: it names another one.
    """
    said, woken_for = call.body, drive_of(call.client)
    if woken_for and set(said.drives_addressed) != {woken_for}:
        raise OutOfScopeError("This token reports on the drive that its agent was woken for, and on no other.")
    reported = Feedback(
        drives=said.drives_addressed,
        outcome="blocked" if said.outcome == "failure" else said.outcome,
        summary=said.summary,
        key=key_of(call.client, ONCE if woken_for else call.key or said.idempotency_key),
    )
    reply = await ask_loop(call.parts.hub_api, TakeFeedback(feedback=reported), FeedbackTaken)
    if isinstance(reply, Refused):
        return reply
    moved = {name: _decay(before, after) for name, before, after in reply.decayed}
    return FeedbackAnswer(decayed=moved, repeated=reply.repeated)


def thinned(found: tuple[DriveSample, ...]) -> tuple[DriveSample, ...]:
    """Return so many samples as are shown at once, evenly out of all, the first of them for sure."""
    step = -(-len(found) // SAMPLES_SHOWN_MAX) or 1
    return found[::step]


def _decay(before: float, after: float) -> DriveDecay:
    gone = max(0.0, before - after)
    return DriveDecay(before=round(before, PLACES), after=round(after, PLACES), decay_amount=round(gone, PLACES))


def key_of(client: Client | None, key: str | None, kind: str = "feedback") -> str:
    """Return the key of what a client sends: each client has its own; what has none counts each time."""
    return "" if key is None else f"{kind}/{LOCAL_ID if client is None else client.id}/{safe_key(key)}"
