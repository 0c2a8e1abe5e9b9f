"""The policy in force: the file's, with what the API changed at run time."""

from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.domain.policy import USD, Bands, Caps, Channel, Policy, Timing

_MS_PER_S = 1_000


def effective(file_policy: Policy, patch: ConfigPatch) -> Policy:
    """Apply a run-time change. What the file switched off stays off; the values were checked by their types.

    The emergency stop, do-not-disturb and the month's re-enabling are no policy: they live in the mind and its ledger.
    """
    return replace(
        file_policy,
        enabled=file_policy.enabled and patch.enabled is not False,
        autonomous=file_policy.autonomous if patch.autonomous is None else patch.autonomous,
        timing=_timing(file_policy.timing, patch),
        caps=_caps(file_policy.caps, patch),
        bands=_bands(file_policy.bands, patch),
        channels=_channels(file_policy.channels, patch),
    )


def _timing(timing: Timing, patch: ConfigPatch) -> Timing:
    start, end, interval_ms = patch.quiet_hours_start, patch.quiet_hours_end, patch.interval_ms
    return replace(
        timing,
        interval_s=timing.interval_s if interval_ms is None else interval_ms / _MS_PER_S,
        quiet_start_hour=timing.quiet_start_hour if start is None else start,
        quiet_end_hour=timing.quiet_end_hour if end is None else end,
    )


def _caps(caps: Caps, patch: ConfigPatch) -> Caps:
    return replace(
        caps,
        hour_microusd=_microusd(caps.hour_microusd, patch.cost_cap_per_hour),
        day_microusd=_microusd(caps.day_microusd, patch.cost_cap_per_day),
        month_microusd=_microusd(caps.month_microusd, patch.cost_cap_per_month),
    )


def _bands(bands: Bands, patch: ConfigPatch) -> Bands:
    return replace(
        bands,
        show=_given(patch.show_threshold, bands.show),
        suggest=_given(patch.suggest_threshold, bands.suggest),
        auto_execute=_given(patch.auto_execute_threshold, bands.auto_execute),
    )


def _channels(channels: tuple[Channel, ...], patch: ConfigPatch) -> tuple[Channel, ...]:
    off = patch.disabled_channels or ()
    return tuple(replace(channel, enabled=channel.name not in off) for channel in channels)


def _given(value: float | None, before: float) -> float:
    return before if value is None else value


def _microusd(before: int, dollars: float | None) -> int:
    return before if dollars is None else round(dollars * USD)
