"""From settings to the policy that the rooms read: fields of the same name are taken over, the others are said here."""

from typing import TypeVar

import msgspec

from hub.contract.base import Value
from hub.domain.attention import Attention
from hub.domain.drives import DriveRules
from hub.domain.policy import USD, Agent, Bands, Bounds, Caps, Channel, Earning, Loops, Policy, Timing, TwinService
from hub.domain.world_rules import WorldRules
from hub.settings.schema import FIRST_TWIN, Settings

V = TypeVar("V", bound=Value)


def policy_of(settings: Settings, zone: str) -> Policy:
    """Return the policy that these settings mean, for a person in `zone`."""
    poll, auto, costs, quiet = settings.crosspoll, settings.autonomous, settings.costs, settings.quiet
    return _filled(
        Policy,
        poll,
        auto,
        enabled=poll.enabled,
        autonomous=auto.enabled,
        twin=settings.twin.enabled,
        twins=_twins(settings),
        dpo_export=settings.training.export,
        zone=zone,
        channels=_channels(settings),
        agents=tuple(_filled(Agent, agent, name=name) for name, agent in settings.agents.items()),
        timing=_filled(Timing, poll, auto, quiet_start_hour=quiet.start_hour, quiet_end_hour=quiet.end_hour),
        bands=Bands(
            show=poll.show_threshold,
            suggest=poll.suggest_threshold,
            auto_execute=poll.auto_execute_threshold,
        ),
        caps=_filled(
            Caps,
            costs,
            hour_microusd=microusd(costs.hour_usd),
            day_microusd=microusd(costs.day_usd),
            month_microusd=microusd(costs.month_usd),
            ask_above_microusd=microusd(costs.ask_above_usd),
        ),
        bounds=_filled(Bounds, settings.session),
        loops=_filled(Loops, settings.loops),
        earning=_filled(Earning, auto),
        attention=_filled(Attention, settings.attention),
        drives=_filled(DriveRules, settings.drives, weights=tuple(sorted(settings.drives.weights.items()))),
        world=_filled(WorldRules, settings.world),
    )


def microusd(usd: float) -> int:
    """Return dollars as whole micro-dollars."""
    return round(usd * USD)


def _channels(settings: Settings) -> tuple[Channel, ...]:
    price = settings.costs.per_run_usd
    return tuple(
        _filled(
            Channel,
            channel,
            name=name,
            cost_per_run_microusd=microusd(price if channel.cost_per_run_usd is None else channel.cost_per_run_usd),
        )
        for name, channel in settings.channels.items()
    )


def _twins(settings: Settings) -> tuple[TwinService, ...]:
    """Return the models in the order in which they are asked: that of `[twin]`, then the others as they are written."""
    first = {FIRST_TWIN: settings.twin} if settings.twin.url and settings.twin.model else {}
    return tuple(
        _filled(
            TwinService,
            service,
            name=name,
            input_microusd=microusd(service.input_usd_per_million),
            output_microusd=microusd(service.output_usd_per_million),
        )
        for name, service in {**first, **settings.twins}.items()
        if service.url and service.model
    )


def _filled(kind: type[V], *tables: Value, **said: object) -> V:
    """Return a value of the fields that are said, and of those that one of the tables has by the same name."""
    found = {field: value for table in tables for field, value in msgspec.structs.asdict(table).items()} | said
    return msgspec.convert({name: found[name] for name in kind.__struct_fields__ if name in found}, kind)
