"""The autonomous mode: status, metrics, configuration, pause and resume."""

from datetime import timedelta

import msgspec
from msgspec.structs import replace

from hub.contract.api import ConfigPatch, CrossPollStatus, MessageBody
from hub.contract.control import ChannelView, ConfigAnswer, OverrideView, PauseRequest
from hub.contract.insight import MetricsAnswer
from hub.domain.mind import Overrides
from hub.domain.policy import USD
from hub.domain.requests import Configure, Noted, Pause, Refused, Request, ResetConfig, Resume, Spoke
from hub.domain.specialties import wording_of
from hub.domain.storage import CardsSince, Client, MindOf
from hub.io.access.claims import place_of
from hub.io.access.confirming import only_stops
from hub.io.access.in_person import is_program
from hub.io.access.tokens import LOCAL_ID, NO_MORE, is_surface
from hub.io.api.call import Call, Nothing
from hub.io.http.bodies import sane_time
from hub.io.http.errors import OutOfScopeError
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.kit.foreign_names import words_in_quotes
from hub.learn import metrics as metrics_of
from hub.may import changed

SETTINGS = {
    "enabled": "crosspoll.enabled",
    "autonomous": "autonomous.enabled",
    "interval_ms": "crosspoll.interval_s",
    "cost_cap_per_hour": "costs.hour_usd",
    "cost_cap_per_day": "costs.day_usd",
    "cost_cap_per_month": "costs.month_usd",
    "auto_execute_threshold": "crosspoll.auto_execute_threshold",
    "suggest_threshold": "crosspoll.suggest_threshold",
    "show_threshold": "crosspoll.show_threshold",
    "disabled_channels": "channels",
    "quiet_hours_start": "quiet.start_hour",
    "quiet_hours_end": "quiet.end_hour",
    "needless_interruption": "attention.needless_interruption",
    "missed_help": "attention.missed_help",
    "wrong_act": "attention.wrong_act",
    "interruptions_per_day": "attention.interruptions_per_day",
    "digest_times": "attention.digest_times",
    "digest_on_return": "attention.digest_on_return",
    "twin_model": "twin.model",
    "twin_model_enabled": "twin.enabled",
}
"""What can be changed and kept, by its field in the patch, with the setting in the file that it stands before."""
_FIELDS = {one.encode_name: one.name for one in msgspec.structs.fields(ConfigPatch)}
"""Its fields by their names on the wire."""
PERIOD = "last_7_days"
PERIOD_SPAN = timedelta(days=7)
PERIOD_CARDS_MAX = 5_000
PAUSED_BY_YOU = "paused by you"
API_SOURCE = "api"
ME = "you"


async def status(call: Call[Nothing, Nothing]) -> CrossPollStatus:
    """Return the autonomous state and its budgets."""
    return call.parts.hub_api.status()


async def metrics(call: Call[Nothing, Nothing]) -> MetricsAnswer:
    """Return accuracy and calibration of the last seven days (CROSSPOLL 7.6)."""
    parts = call.parts
    since = parts.clock.now() - PERIOD_SPAN
    cards = await parts.store.read(CardsSince(user=parts.user, since=since, limit=PERIOD_CARDS_MAX))
    mind = await parts.store.read(MindOf(user=parts.user))
    last = None if mind is None else mind.training.last
    return metrics_of(cards, PERIOD, None if last is None else last.at)


async def config(call: Call[Nothing, Nothing]) -> ConfigAnswer:
    """Return the configuration as it runs."""
    return await config_of(call.parts)


async def configure(call: Call[ConfigPatch, Nothing]) -> ConfigAnswer | Refused:
    """Change the running configuration (CROSSPOLL 8.1), until it is reset; a surface's process only stops."""
    if call.client is not None and is_surface(call.client) and not only_stops(call.body):
        raise OutOfScopeError("A surface process may stop Pulse, and change nothing else.", fix=NO_MORE)
    by = _name_of(call.client)
    patch = replace(call.body, dnd_until=sane_time(call.body.dnd_until, call.parts.clock.now()))
    reply = await ask_loop(call.parts.hub_api, Configure(patch=patch, by=by, place=place_of(call.client)), Noted)
    return reply if isinstance(reply, Refused) else await config_of(call.parts)


async def reset_config(call: Call[Nothing, Nothing]) -> ConfigAnswer | Refused:
    """Let the settings file hold again for everything that was changed while Pulse ran, or for one setting."""
    name = _FIELDS.get(call.path.get("name", ""), call.path.get("name", ""))
    reply = await ask_loop(call.parts.hub_api, ResetConfig(name=name, by=_name_of(call.client)), Noted)
    return reply if isinstance(reply, Refused) else await config_of(call.parts)


async def pause(call: Call[PauseRequest, Nothing]) -> CrossPollStatus | Refused:
    """Stop acting autonomously, until somebody resumes or two hours have passed.

    What a program gives as its reason is told as that program's words.
    """
    reason = call.body.reason
    if call.client is not None and is_program(call.client):
        reason = f"paused by {call.client.name}{f': {words_in_quotes(reason)}' if reason else ''}"
    return await _noted(call.parts, Pause(reason=reason or PAUSED_BY_YOU))


async def resume(call: Call[Nothing, Nothing]) -> CrossPollStatus | Refused:
    """Go on after a pause.

    Raises:
        OutOfScopeError: it is asked for where a connected agent could have asked for it.
    """
    profile = None if call.client is None else call.parts.profiles.get(call.client.surface)
    if profile is not None and profile.login_in_files and call.to.terminals.are_needed:
        raise OutOfScopeError("A connected agent could ask for this there, too.", fix="Resume Pulse on the page.")
    return await _noted(call.parts, Resume())


async def message(call: Call[MessageBody, Nothing]) -> CrossPollStatus | Refused:
    """Note that a person said something to an agent: silence ends. What was said is not kept."""
    now = call.parts.clock.now()
    at = min(sane_time(call.body.at, now) or now, now)
    return await _noted(call.parts, Spoke(at=at, source=call.body.channel or API_SOURCE))


def _name_of(client: Client | None) -> str:
    return ME if client is None or client.id == LOCAL_ID else client.name


async def config_of(parts: ApiParts) -> ConfigAnswer:
    """Return the configuration as it runs."""
    policy, state = parts.hub_api.policy(), parts.hub_api.status()
    mind = await parts.store.read(MindOf(user=parts.user))
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
        **msgspec.structs.asdict(policy.attention),
        twin_model=policy.twins[0].model if policy.twins else "",
        twin_model_enabled=policy.twin,
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
                specialty_worded=wording_of(channel.specialty),
            )
            for channel in policy.channels
        ),
        status=state,
        overrides=() if mind is None else _overrides(mind.overrides),
        silence_s=policy.timing.silence_s,
        session_s_max=policy.bounds.duration_s_max,
        allowed_tools=policy.bounds.allowed_tools,
    )


def _overrides(overrides: Overrides) -> tuple[OverrideView, ...]:
    wire = {field: name for name, field in _FIELDS.items()}
    return tuple(
        OverrideView(
            name=wire[field],
            setting=SETTINGS[field],
            value=_written(getattr(overrides.patch, field)),
            file_value=_written(getattr(overrides.over, field)),
        )
        for field in changed(overrides)
    )


def _written(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def _noted(parts: ApiParts, request: Request) -> CrossPollStatus | Refused:
    reply = await ask_loop(parts.hub_api, request, Noted)
    return reply if isinstance(reply, Refused) else reply.status
