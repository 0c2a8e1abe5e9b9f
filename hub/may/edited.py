"""What of an edited settings file holds at once: all that loosens no rail. The rest waits for a restart.

Theory: an agent runs as the person, so it could write their settings file; a start is theirs alone. An edit may thus
quieten, tighten, or change when Pulse thinks and tells, at any moment; what lets it do more begins with a start.
"""

from msgspec.structs import replace

from hub.domain.attention import Attention
from hub.domain.drives import DriveRules
from hub.domain.policy import Bands, Caps, Policy, Timing

DAY_H = 24
WAKING = ("off", "card", "alone")
CHANGING = ("off", "card", "tighten")
"""What may be done of one's own accord, from the least to the most."""


def taken_over(running: Policy, written: Policy) -> Policy:
    """Return the policy once the file says `written`, for as long as Pulse runs on; agents and channels stay."""
    return replace(
        running,
        enabled=running.enabled and written.enabled,
        autonomous=running.autonomous and written.autonomous,
        dpo_export=running.dpo_export and written.dpo_export,
        timing=_timing(running.timing, written.timing),
        bands=_bands(running.bands, written.bands),
        caps=_caps(running.caps, written.caps),
        attention=_attention(running.attention, written.attention),
        drives=_drives(running.drives, written.drives),
        pending_max=written.pending_max,
        rejections_to_pause=min(running.rejections_to_pause, written.rejections_to_pause),
    )


def without_silencing(running: Policy, written: Policy) -> Policy:
    """Return what a file says, but for what would keep agents' questions from the person; that waits for a start.

    An agent that is connected could have written it, and is refused the same by the API.
    """
    mine, other = running.timing, written.timing
    return replace(
        written,
        attention=running.attention,
        pending_max=max(running.pending_max, written.pending_max),
        timing=replace(
            other,
            quiet_start_hour=mine.quiet_start_hour,
            quiet_end_hour=mine.quiet_end_hour,
            dialog_first_s=min(mine.dialog_first_s, other.dialog_first_s),
            card_ttl_s=max(mine.card_ttl_s, other.card_ttl_s),
            snooze_s=min(mine.snooze_s, other.snooze_s),
            undo_window_s=min(mine.undo_window_s, other.undo_window_s),
        ),
    )


def _timing(running: Timing, written: Timing) -> Timing:
    """Quiet hours and silence hold back what runs alone, the interval what comes unasked: they only grow."""
    quiet = written if _hours(running) <= _hours(written) else running
    return replace(
        written,
        interval_s=max(running.interval_s, written.interval_s),
        silence_s=max(running.silence_s, written.silence_s),
        quiet_start_hour=quiet.quiet_start_hour,
        quiet_end_hour=quiet.quiet_end_hour,
    )


def _attention(running: Attention, written: Attention) -> Attention:
    """How to tell is the person's own affair; from which odds something may run alone only rises."""
    return written if written.alone_from >= running.alone_from else replace(written, wrong_act=running.wrong_act)


def _drives(running: DriveRules, written: DriveRules) -> DriveRules:
    """What wakes oftener, or lets an agent be woken or change more, waits for a start."""
    outside = written if WAKING.index(written.wakes) <= WAKING.index(running.wakes) else running
    changing = written if CHANGING.index(written.mutations) <= CHANGING.index(running.mutations) else running
    return replace(
        written,
        enabled=running.enabled and written.enabled,
        rate_per_min=min(running.rate_per_min, written.rate_per_min),
        pressure_max=min(running.pressure_max, written.pressure_max),
        threshold=max(running.threshold, written.threshold),
        single_threshold=max(running.single_threshold, written.single_threshold),
        alert_strength=max(running.alert_strength, written.alert_strength),
        spike=min(running.spike, written.spike),
        success_decay=max(running.success_decay, written.success_decay),
        partial_decay=max(running.partial_decay, written.partial_decay),
        cooldown_s=max(running.cooldown_s, written.cooldown_s),
        turns_per_hour_max=min(running.turns_per_hour_max, written.turns_per_hour_max),
        conversation_s=max(running.conversation_s, written.conversation_s),
        conversation_wait_s_max=max(running.conversation_wait_s_max, written.conversation_wait_s_max),
        again_s=max(running.again_s, written.again_s),
        mode=running.mode,
        model=running.model,
        agent=running.agent,
        wakes=outside.wakes,
        mutations=changing.mutations,
        weights=running.weights,
    )


def _hours(timing: Timing) -> frozenset[int]:
    """Return the hours that are quiet; the first is, the last named is not."""
    length = (timing.quiet_end_hour - timing.quiet_start_hour) % DAY_H
    return frozenset((timing.quiet_start_hour + hour) % DAY_H for hour in range(length))


def _bands(running: Bands, written: Bands) -> Bands:
    return replace(written, auto_execute=max(running.auto_execute, written.auto_execute))


def _caps(running: Caps, written: Caps) -> Caps:
    return Caps(
        hour_microusd=min(running.hour_microusd, written.hour_microusd),
        day_microusd=min(running.day_microusd, written.day_microusd),
        month_microusd=min(running.month_microusd, written.month_microusd),
        ask_above_microusd=min(running.ask_above_microusd, written.ask_above_microusd),
        warn_share=written.warn_share,
    )
