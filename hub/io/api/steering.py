"""The autonomous mode: status, metrics, configuration, pause and resume."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.api import ConfigPatch, CrossPollStatus, MessageBody, MetricsAnswer
from hub.contract.control import ChannelView, ConfigAnswer, PauseRequest
from hub.domain.policy import USD
from hub.domain.requests import Configure, Noted, Pause, Refused, Request, Resume, Spoke
from hub.domain.storage import CardsSince
from hub.io.access.confirming import for_config
from hub.io.access.tokens import LOCAL_ID, NO_MORE, is_surface
from hub.io.api.call import Call, Nothing
from hub.io.http.bodies import sane_time
from hub.io.http.errors import OutOfScopeError
from hub.io.http.loop_requests import ask_desk
from hub.io.http.parts import ApiParts
from hub.learn import metrics as metrics_of

PERIOD = "last_7_days"
PERIOD_SPAN = timedelta(days=7)
PERIOD_CARDS_MAX = 5_000
PAUSED_BY_YOU = "paused by you"
API_SOURCE = "api"
ME = "you"


async def status(call: Call[Nothing, Nothing]) -> CrossPollStatus:
    """Return the autonomous state and its budgets."""
    return call.parts.desk.status()


async def metrics(call: Call[Nothing, Nothing]) -> MetricsAnswer:
    """Return accuracy and calibration of the last seven days (CROSSPOLL 7.6)."""
    parts = call.parts
    since = parts.clock.now() - PERIOD_SPAN
    cards = await parts.store.read(CardsSince(user=parts.user, since=since, limit=PERIOD_CARDS_MAX))
    return metrics_of(cards, PERIOD)


async def config(call: Call[Nothing, Nothing]) -> ConfigAnswer:
    """Return the configuration as it runs."""
    return config_of(call.parts)


async def configure(call: Call[ConfigPatch, Nothing]) -> ConfigAnswer | Refused:
    """Change the running configuration until the next restart (CROSSPOLL 8.1); a surface's process only stops."""
    if call.client is not None and is_surface(call.client) and for_config(call.body) != "nobody":
        raise OutOfScopeError("The process of a surface may stop Pulse, and change nothing else.", fix=NO_MORE)
    by = ME if call.client is None or call.client.id == LOCAL_ID else call.client.name
    patch = replace(call.body, dnd_until=sane_time(call.body.dnd_until, call.parts.clock.now()))
    reply = await ask_desk(call.parts.desk, Configure(patch=patch, by=by), Noted)
    return reply if isinstance(reply, Refused) else config_of(call.parts)


async def pause(call: Call[PauseRequest, Nothing]) -> CrossPollStatus | Refused:
    """Stop acting autonomously, until somebody resumes or two hours have passed."""
    return await _noted(call.parts, Pause(reason=call.body.reason or PAUSED_BY_YOU))


async def resume(call: Call[Nothing, Nothing]) -> CrossPollStatus | Refused:
    """Go on after a pause."""
    return await _noted(call.parts, Resume())


async def message(call: Call[MessageBody, Nothing]) -> CrossPollStatus | Refused:
    """Note that a person said something to an agent: silence ends. What was said is not kept."""
    now = call.parts.clock.now()
    at = min(sane_time(call.body.at, now) or now, now)
    return await _noted(call.parts, Spoke(at=at, source=call.body.channel or API_SOURCE))


def config_of(parts: ApiParts) -> ConfigAnswer:
    """Return the configuration as it runs."""
    policy, state = parts.desk.policy(), parts.desk.status()
    return ConfigAnswer(
        enabled=state.enabled,
        autonomous=policy.autonomous,
        interval_ms=round(policy.timing.interval_s * 1_000),
        cost_cap_per_hour=policy.caps.hour_microusd / USD,
        cost_cap_per_day=policy.caps.day_microusd / USD,
        cost_cap_per_month=policy.caps.month_microusd / USD,
        auto_execute_threshold=policy.bands.auto_execute,
        quiet_hours_start=policy.timing.quiet_start_hour,
        quiet_hours_end=policy.timing.quiet_end_hour,
        suggest_threshold=policy.bands.suggest,
        show_threshold=policy.bands.show,
        dnd_until=state.dnd_until,
        zone=policy.zone,
        channels=tuple(channel.name for channel in policy.channels),
        channel_views=tuple(
            ChannelView(
                name=channel.name,
                specialty=channel.specialty,
                agent=channel.agent,
                risk=channel.risk,
                cost_per_run_usd=channel.cost_per_run_microusd / USD,
                enabled=channel.enabled,
            )
            for channel in policy.channels
        ),
        status=state,
    )


async def _noted(parts: ApiParts, request: Request) -> CrossPollStatus | Refused:
    reply = await ask_desk(parts.desk, request, Noted)
    return reply if isinstance(reply, Refused) else reply.status
