"""Views to test with: one moment, a status, and cards in every phase."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from hub.contract.api import CrossPollStatus, Prediction, Settlement
from hub.contract.events import AnyEvent
from hub.contract.surface import AnyDelivered, CardDelivery, DeliveredCard
from hub.contract.words import Autonomy, Badge, HumanInput, Risk, Source, Status, Verb
from surfaces.terminal.view import Shown, View

NOW = datetime(2025, 7, 29, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))
OPEN_VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def prediction(name: str = "abc", **changes: Any) -> Prediction:  # noqa: ANN401  any field of a prediction
    fields: dict[str, Any] = {
        "id": f"pred_{name}",
        "prompt": "Run the tests: 3 modules changed in hub/store since the last run, 2 h ago",
        "target_agent": "playbook",
        "target_channel": "koji-core",
        "confidence": 0.72,
        "confidence_learnt": True,
        "reasoning": "3 modules changed since the last test run; morning review pattern",
        "created_at": NOW - timedelta(minutes=2),
        "status": Status.PENDING,
        "source": Source.TEMPLATE,
        "expires_at": NOW + timedelta(hours=8),
        "risk": Risk.LOW,
        "card_hash": f"hash-{name}",
        "cost_estimate_usd": 0.05,
        "badges": (Badge.SUGGESTED,),
        "snoozes_left": 3,
    }
    return Prediction(**{**fields, **changes})


def settled_by_phone(verb: Verb) -> Settlement:
    return Settlement(verb=verb, by="me", surface="phone", device="pixel", human_input=HumanInput.TAP, at=NOW)


def status(**changes: Any) -> CrossPollStatus:  # noqa: ANN401  any field of a status
    fields: dict[str, Any] = {
        "enabled": True,
        "autonomous": False,
        "state": Autonomy.WATCHING,
        "reason": "",
        "last_trigger_at": None,
        "total_triggers": 47,
        "cost_this_hour": 0.15,
        "cost_cap_per_hour": 2.0,
        "cost_today": 0.4,
        "cost_cap_per_day": 20.0,
        "cost_this_month": 3.0,
        "cost_cap_per_month": 200.0,
        "quiet": False,
        "pending": 1,
        "loop_detections": 0,
    }
    return CrossPollStatus(**{**fields, **changes})


def shown(name: str = "abc", **changes: Any) -> Shown:  # noqa: ANN401  fields of the card or of its prediction
    own: dict[str, Any] = {
        key: changes.pop(key)
        for key in ("phase", "lines", "result", "verbs", "token", "since", "fold_at", "sending")
        if key in changes
    }
    fields: dict[str, Any] = {"verbs": OPEN_VERBS, "token": f"token-{name}", "since": NOW}
    fields.update(own)
    return Shown(prediction=prediction(name, **changes), opened_at=NOW, delivery_id=f"dlv_{name}", **fields)


def view(*cards: Shown, **changes: Any) -> View:  # noqa: ANN401  any field of a view
    fields: dict[str, Any] = {
        "device": "local",
        "link": "up",
        "broker": "mqtt://127.0.0.1:1883",
        "status": status(),
        "cards": cards,
        "focus": cards[0].id if cards else "",
    }
    return View(**{**fields, **changes})


def delivered(event: AnyEvent, name: str = "1", **changes: Any) -> AnyDelivered:  # noqa: ANN401  any field of a delivery
    fields: dict[str, Any] = {
        "delivery_id": f"dlv_new_{name}",
        "event": event,
        "loudness": "notify",
        "verbs": (),
        "token": "",
        "expires_at": later(3_600),
    }
    return DeliveredCard(card=CardDelivery(**{**fields, **changes}))
