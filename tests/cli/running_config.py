"""A configuration as a running hub tells it."""

from datetime import datetime

from hub.contract.api import CrossPollStatus
from hub.contract.control import ConfigAnswer


def running_config(of: CrossPollStatus, dnd_until: datetime | None = None) -> ConfigAnswer:
    return ConfigAnswer(
        enabled=of.enabled,
        autonomous=False,
        interval_ms=1,
        cost_cap_per_hour=1,
        cost_cap_per_day=1,
        cost_cap_per_month=1,
        auto_execute_threshold=1,
        quiet_hours_start=1,
        quiet_hours_end=1,
        suggest_threshold=1,
        show_threshold=1,
        zone="UTC",
        channels=(),
        channel_views=(),
        status=of,
        needless_interruption="bad",
        missed_help="mild",
        wrong_act="awful",
        interruptions_per_day=16,
        digest_times=("09:00", "13:00"),
        digest_on_return=True,
        dnd_until=dnd_until,
    )
