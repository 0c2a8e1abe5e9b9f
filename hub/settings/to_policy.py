"""From settings to the policy that the rooms read."""

from hub.domain.policy import USD, Agent, Bands, Bounds, Caps, Channel, Loops, Policy, Timing
from hub.settings.schema import Settings


def policy_of(settings: Settings, zone: str) -> Policy:
    """Return the policy that these settings mean, for a person in `zone`."""
    poll, auto, costs = settings.crosspoll, settings.autonomous, settings.costs
    return Policy(
        enabled=poll.enabled,
        autonomous=auto.enabled,
        twin=settings.twin.enabled,
        zone=zone,
        channels=_channels(settings),
        agents=_agents(settings),
        timing=_timing(settings),
        bands=Bands(
            show=poll.show_threshold,
            suggest=poll.suggest_threshold,
            auto_execute=poll.auto_execute_threshold,
        ),
        caps=Caps(
            hour_microusd=microusd(costs.hour_usd),
            day_microusd=microusd(costs.day_usd),
            month_microusd=microusd(costs.month_usd),
            ask_above_microusd=microusd(costs.ask_above_usd),
            warn_share=costs.warn_share,
        ),
        bounds=Bounds(
            tokens_max=settings.session.tokens_max,
            duration_s_max=settings.session.duration_s_max,
            output_bytes_max=settings.session.output_bytes_max,
            allowed_tools=settings.session.allowed_tools,
            blocked_tools=settings.session.blocked_tools,
        ),
        loops=Loops(
            depth_max=settings.loops.depth_max,
            window_s=settings.loops.window_s,
            duplicate_window_s=settings.loops.duplicate_window_s,
            duplicates_max=settings.loops.duplicates_max,
        ),
        rejections_to_pause=auto.rejections_to_pause,
        pending_max=poll.pending_max,
        production_words=poll.production_words,
    )


def microusd(usd: float) -> int:
    """Return dollars as whole micro-dollars."""
    return round(usd * USD)


def _channels(settings: Settings) -> tuple[Channel, ...]:
    price = settings.costs.per_run_usd
    return tuple(
        Channel(
            name=name,
            specialty=channel.specialty,
            agent=channel.agent,
            cost_per_run_microusd=microusd(price if channel.cost_per_run_usd is None else channel.cost_per_run_usd),
            risk=channel.risk,
            affinities=channel.affinities,
        )
        for name, channel in settings.channels.items()
    )


def _agents(settings: Settings) -> tuple[Agent, ...]:
    return tuple(
        Agent(
            name=name,
            kind=agent.kind,
            argv=agent.argv,
            stdin=agent.stdin,
            url=agent.url,
            token_env=agent.token_env,
            environment=agent.environment,
            idempotent=agent.idempotent,
            contain=agent.contain,
            network=agent.network,
            read_only=agent.read_only,
            folders=agent.folders,
            memory_mb_max=agent.memory_mb_max,
        )
        for name, agent in settings.agents.items()
    )


def _timing(settings: Settings) -> Timing:
    poll, auto = settings.crosspoll, settings.autonomous
    return Timing(
        interval_s=poll.interval_s,
        cycle_s=auto.cycle_s,
        silence_s=auto.silence_s,
        resume_after_s=auto.resume_after_s,
        quiet_start_hour=settings.quiet.start_hour,
        quiet_end_hour=settings.quiet.end_hour,
        card_ttl_s=poll.card_ttl_s,
        snooze_s=poll.snooze_s,
        snoozes_max=poll.snoozes_max,
        undo_window_s=poll.undo_window_s,
    )
