"""How Pulse is: health for people and watchdogs, metrics for Prometheus."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from starlette.responses import Response

from hub.contract.api import HealthAnswer, HealthPart
from hub.contract.control import HealthBrief
from hub.contract.words import Autonomy
from hub.domain.storage import Client, OutboxDepth
from hub.io.access.in_person import is_in_person
from hub.io.api.call import Call, Nothing
from hub.io.api.unread_hooks import unread_of

PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Health = Literal["ok", "degraded", "down"]


async def health(call: Call[Nothing, Nothing]) -> HealthAnswer | HealthBrief:
    """Return how every part is (CROSSPOLL 10.3); without the right to read, only whether all is well."""
    settings = call.parts.settings
    file = () if settings is None else (settings.health(),)
    handed_in = (health() for health in call.parts.handed_in)
    own = (_own(call), *unread_of(call.to).health())
    files = call.parts.own_files
    kept = () if files is None else files.health()
    parts = (*call.parts.hub_api.health(), *call.parts.surfaces.health(), *own, *file, *kept, *handed_in)
    if not _may_read(call.client):
        return HealthBrief(status=overall(parts))
    if files is not None and is_in_person(call.client):
        files.seen()
    return HealthAnswer(
        status=overall(parts),
        version=call.parts.version,
        parts=parts,
        cross_poll_status=call.parts.hub_api.status(),
        timestamp=call.parts.clock.now(),
    )


def _may_read(client: Client | None) -> bool:
    """Return True if the caller may read; agents and runs may only ask, and are told as little as a stranger."""
    return client is not None and "read" in client.scopes


def overall(parts: Sequence[HealthPart]) -> Health:
    """Return the worst of all parts; one that is not known yet worries nobody."""
    seen = {part.status for part in parts}
    if "down" in seen:
        return "down"
    return "degraded" if "degraded" in seen else "ok"


async def prometheus(call: Call[Nothing, Nothing]) -> Response:
    """Return the figures in Prometheus' text format 0.0.4."""
    waiting = await call.parts.store.read(OutboxDepth())
    text = "".join(_lines(call, waiting))
    return Response(text, media_type=PROMETHEUS_TYPE)


def _lines(call: Call[Nothing, Nothing], outbox: int) -> Iterator[str]:
    status, broadcaster, counts = call.parts.hub_api.status(), call.to.broadcaster, call.to.counts
    yield from gauge("pulse_up", "Whether the API answers.", {"": 1})
    parts = {f'part="{escape(part.name)}"': int(part.status == "ok") for part in call.parts.hub_api.health()}
    yield from gauge("pulse_part_ok", "Whether a part is well; 0 also while that is not known.", parts)
    states = {f'state="{state}"': int(state is status.state) for state in Autonomy}
    yield from gauge("pulse_autonomy_state", "Whether Pulse acts alone: 1 for the state that holds.", states)
    yield from gauge("pulse_suggestions_pending", "Open suggestions.", {"": status.pending})
    yield from gauge("pulse_outbox_messages", "Messages that wait for the broker or a receipt.", {"": outbox})
    spent = {"hour": status.cost_this_hour, "day": status.cost_today, "month": status.cost_this_month}
    caps = {
        "hour": status.cost_cap_per_hour,
        "day": status.cost_cap_per_day,
        "month": status.cost_cap_per_month,
    }
    yield from gauge("pulse_cost_dollars", "Cost booked in a window.", _windows(spent))
    yield from gauge("pulse_cost_cap_dollars", "The most that a window may cost.", _windows(caps))
    yield from counter("pulse_triggers_total", "Triggers that ran.", {"": status.total_triggers})
    yield from counter("pulse_loop_detections_total", "Loops that were stopped.", {"": status.loop_detections})
    yield from counter("pulse_events_total", "Events since the start.", {"": broadcaster.seq})
    answered = {f'status="{kind}"': count for kind, count in sorted(counts.answers.items())}
    yield from counter("pulse_api_answers_total", "HTTP answers by class of status.", answered)
    yield from gauge("pulse_api_waiting", "Requests that wait for a person's answer.", {"": len(call.to.waiting)})
    yield from gauge("pulse_api_sockets", "Open WebSockets.", {"": len(broadcaster)})
    yield from counter(
        "pulse_api_sockets_dropped_total", "WebSockets that could not keep up.", {"": broadcaster.dropped}
    )


def gauge(name: str, about: str, values: Mapping[str, float]) -> Iterator[str]:
    """Yield one metric that goes up and down; `values` are by label text, empty for none."""
    yield from _metric(name, "gauge", about, values)


def counter(name: str, about: str, values: Mapping[str, float]) -> Iterator[str]:
    """Yield one metric that only grows."""
    yield from _metric(name, "counter", about, values)


def escape(text: str) -> str:
    """Return a label's value as the format wants it."""
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _metric(name: str, kind: str, about: str, values: Mapping[str, float]) -> Iterator[str]:
    yield f"# HELP {name} {about}\n# TYPE {name} {kind}\n"
    for labels, value in values.items():
        yield f"{name}{{{labels}}} {value}\n" if labels else f"{name} {value}\n"


def _windows(values: dict[str, float]) -> dict[str, float]:
    return {f'window="{window}"': value for window, value in values.items()}


def _own(call: Call[Nothing, Nothing]) -> HealthPart:
    return HealthPart(name="api", status="ok", detail=f"{len(call.to.broadcaster)} WebSockets")
