"""The policy in force: the file's, with what a person changed while Pulse ran.

Theory: the later word counts. A change is kept with what the file said at the time; once the file says something else,
its word is the later one, and the change is over. A change to what the file says anyway is none.
"""

from msgspec.structs import asdict, replace

from hub.contract.api import ConfigPatch
from hub.domain.attention import Attention
from hub.domain.mind import Overrides
from hub.domain.policy import USD, Bands, Caps, Channel, Policy, Timing, TwinService

_MS_PER_S = 1_000
THRESHOLDS = ("show_threshold", "suggest_threshold", "auto_execute_threshold")


def effective(file_policy: Policy, patch: ConfigPatch) -> Policy:
    """Apply a run-time change. What the file switched off stays off; the values were checked by their types.

    The emergency stop, do-not-disturb and the month's re-enabling are no policy: they live in the mind and its ledger.
    """
    return replace(
        file_policy,
        enabled=file_policy.enabled and patch.enabled is not False,
        autonomous=file_policy.autonomous if patch.autonomous is None else patch.autonomous,
        twin=file_policy.twin and patch.twin_model_enabled is not False,
        timing=_timing(file_policy.timing, patch),
        caps=_caps(file_policy.caps, patch),
        bands=_bands(file_policy.bands, patch),
        channels=_channels(file_policy.channels, patch),
        twins=_twins(file_policy.twins, patch),
        attention=_attention(file_policy.attention, patch),
    )


def values_of(policy: Policy) -> ConfigPatch:
    """Return what a policy says of everything that can be changed and kept."""
    timing, caps, bands = policy.timing, policy.caps, policy.bands
    return ConfigPatch(
        enabled=policy.enabled,
        autonomous=policy.autonomous,
        interval_ms=round(timing.interval_s * _MS_PER_S),
        cost_cap_per_hour=caps.hour_microusd / USD,
        cost_cap_per_day=caps.day_microusd / USD,
        cost_cap_per_month=caps.month_microusd / USD,
        auto_execute_threshold=bands.auto_execute,
        suggest_threshold=bands.suggest,
        show_threshold=bands.show,
        disabled_channels=tuple(channel.name for channel in policy.channels if not channel.enabled),
        quiet_hours_start=timing.quiet_start_hour,
        quiet_hours_end=timing.quiet_end_hour,
        **asdict(policy.attention),
        twin_model=policy.twins[0].model if policy.twins else None,
        twin_model_enabled=policy.twin,
    )


def overridden(before: Overrides, said: ConfigPatch, file_policy: Policy) -> Overrides:
    """Return what is changed once a person has said something more; what happens once (a stop) is not among it."""
    file, patch, over = values_of(file_policy), before.patch, before.over
    for name, value in asdict(said).items():
        says = getattr(file, name)
        if value is None or says is None:
            continue
        same = value == says
        patch = replace(patch, **{name: None if same else value})
        over = replace(over, **{name: None if same else says})
    return Overrides(patch=patch, over=over)


def without(before: Overrides, names: tuple[str, ...]) -> Overrides:
    """Return what is changed once these are reset."""
    gone = dict.fromkeys(names)
    return Overrides(patch=replace(before.patch, **gone), over=replace(before.over, **gone))


def still_holding(before: Overrides, file_policy: Policy) -> Overrides:
    """Return what still holds after a start: not where the file says something else now, nor what no longer fits it.

    Switching Pulse off at run time is for that run; what is to outlast it is the emergency stop, or the file.
    """
    file = values_of(file_policy)
    stale = tuple(name for name, value in asdict(before.over).items() if value not in {None, getattr(file, name)})
    kept = without(before, (*stale, "enabled"))
    bands = effective(file_policy, kept.patch).bands
    return kept if bands.show <= bands.suggest <= bands.auto_execute else without(kept, THRESHOLDS)


def after_start(overrides: Overrides, file_policy: Policy) -> Policy:
    """Return the policy that a start with this file takes on."""
    return effective(file_policy, still_holding(overrides, file_policy).patch)


def changed(overrides: Overrides) -> tuple[str, ...]:
    """Return the names of what is changed."""
    return tuple(name for name, value in asdict(overrides.patch).items() if value is not None)


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


def _attention(attention: Attention, patch: ConfigPatch) -> Attention:
    said = {name: getattr(patch, name) for name in attention.__struct_fields__}
    return replace(attention, **{name: value for name, value in said.items() if value is not None})


def _given(value: float | None, before: float) -> float:
    return before if value is None else value


def _twins(twins: tuple[TwinService, ...], patch: ConfigPatch) -> tuple[TwinService, ...]:
    if patch.twin_model is None or not twins:
        return twins
    return (replace(twins[0], model=patch.twin_model), *twins[1:])


def _microusd(before: int, dollars: float | None) -> int:
    return before if dollars is None else round(dollars * USD)
