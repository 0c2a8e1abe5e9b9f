"""What OpenClaw's gateway asks of its person, and what it is told. Pure.

Written after OpenClaw 2026.9.6 (protocol 4). It has three kinds: `exec` (a command), `plugin` (whatever a plugin wants
approved), and questions with choices. Each is announced by an event and listed while it waits; unknown fields are
passed over, and what nobody could be shown stays with the gateway's own clients.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.contract.control import PermissionReply
from hub.contract.permission import (
    FIELD_CHARS_MAX,
    REASON_CHARS_MAX,
    WAIT_S_MAX,
    Act,
    CallField,
    Lasts,
    PermissionRequest,
    request_in,
)
from hub.io.attached.openclaw.kept_device import AGENT
from hub.kit.forms import has_own_words, question_of
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of
from hub.kit.text import cut
from hub.screening.commands.run import INSTALLED

ALWAYS, ONCE, DENY = "allow-always", "allow-once", "deny"
QUESTION = "question"
ENVIRONMENT = ("env", "envKeys")
APPROVALS = ("exec", "plugin")
NO_SESSION = "gateway"
"""What is asked outside of any session."""
SECOND_MS = 1_000
NAME_CHARS_MAX = 128
How = Literal["allowed", "refused", "ended"]


class GatewayAsk(Value):
    """One open question of the gateway's; `until_ms` is when it gives up, in milliseconds of its clock."""

    id: str
    kind: str
    session: str
    until_ms: int
    about: LooseJson


class GatewayCall(Value):
    """A method to call at the gateway."""

    method: str
    params: dict[str, object]


def asked_in(event: str, payload: LooseJson) -> GatewayAsk | None:
    """Read what an event asks; None for one that asks nothing."""
    kind = next(
        (one for one in (*APPROVALS, QUESTION) if event in {f"{one}.approval.requested", f"{one}.requested"}), ""
    )
    return ask_of(kind, payload) if kind else None


def ask_of(kind: str, listed: LooseJson) -> GatewayAsk | None:
    """Read one open question as an event or a list tells of it; None where it is none that can be answered."""
    about = listed if kind == QUESTION else object_of(listed, "request")
    until_ms, ask_id = listed.get("expiresAtMs"), text_of(listed, "id")
    if not ask_id or len(ask_id) > NAME_CHARS_MAX or not isinstance(until_ms, int):
        return None
    return GatewayAsk(
        id=ask_id, kind=kind, session=_name(about, "sessionKey") or NO_SESSION, until_ms=until_ms, about=about
    )


def over_in(event: str, payload: LooseJson) -> tuple[str, How] | None:
    """Read which question an event ends, and how; None for an event that ends none."""
    if event not in {*(f"{one}.approval.resolved" for one in APPROVALS), f"{QUESTION}.resolved"}:
        return None
    ask_id = text_of(payload, "id")
    if event.startswith(QUESTION):
        answers: Mapping[str, How] = {"answered": "allowed", "cancelled": "refused"}
        return ask_id, answers.get(text_of(payload, "status"), "ended")
    if text_of(payload, "decision").startswith("allow"):
        return ask_id, "allowed"
    by_somebody = bool(text_of(payload, "resolvedBy"))  # nobody: its time was up, or its run has ended
    return ask_id, "refused" if by_somebody else "ended"


def request_of(one: GatewayAsk, now_ms: int, key: str) -> PermissionRequest | None:
    """Return the question for the person; None for what cannot be put to them: too long, secret, or over."""
    left_s = (one.until_ms - now_ms) // SECOND_MS
    shown = {QUESTION: _question, "exec": _command}.get(one.kind, _plugin)(one.about)
    if left_s < 1 or shown is None:
        return None
    wait_s = min(left_s, WAIT_S_MAX)
    said = {
        "agent": AGENT,
        "session": one.session,
        "call": one.id,
        "timeoutS": wait_s,
        "waitS": wait_s,
        "withdrawWhenGone": True,
        "idempotencyKey": key,
        **shown,
    }
    return request_in(said)


def call_for(one: GatewayAsk, reply: PermissionReply) -> GatewayCall | None:
    """Return what the gateway is told; None where the person did not answer."""
    settled = reply.prediction.settled
    if not reply.answered or settled is None:
        return None
    if one.kind == QUESTION:
        answers = {} if reply.answer is None else {name: list(said) for name, said in reply.answer.answers.items()}
        said: dict[str, object] = {"answers": {"answers": answers}} if reply.approved else {"cancel": True}
        return GatewayCall(method="question.resolve", params={"id": one.id, **said})
    yes = ALWAYS if reply.answer is not None and reply.answer.option == ALWAYS else ONCE
    decision = yes if reply.approved else DENY
    return GatewayCall(method="approval.resolve", params={"id": one.id, "kind": one.kind, "decision": decision})


def _command(about: LooseJson) -> dict[str, object] | None:
    node = _name(about, "nodeId")
    return {
        "tool": f"exec on {node}"[:NAME_CHARS_MAX] if node else "exec",
        "act": Act.COMMAND,
        "text": text_of(about, "command"),
        "folder": text_of(about, "cwd"),
        "reason": text_of(about, "warningText")[:REASON_CHARS_MAX],
        "unknownFields": msgspec.to_builtins(_beside(about)),
        "options": _always(about, "Always allow this program, in OpenClaw's own list"),
    }


def _beside(about: LooseJson) -> tuple[CallField, ...]:
    """Return what the command alone does not say of how it runs: its environment, a program from no usual place."""
    found = {name: about[name] for name in ENVIRONMENT if about.get(name)}
    program = text_of(about, "resolvedPath")
    if program and not INSTALLED.match(program):
        found["resolvedPath"] = program
    shown = {name: msgspec.json.encode(value).decode() for name, value in found.items()}
    return tuple(CallField(name=name, value=cut(value, FIELD_CHARS_MAX)) for name, value in shown.items())


def _plugin(about: LooseJson) -> dict[str, object] | None:
    said = (text_of(about, name) for name in ("title", "description", "detail"))
    return {
        "tool": _name(about, "toolName") or _name(about, "pluginId") or "plugin",
        "act": Act.OTHER,
        "text": "\n".join(filter(None, said)),
        "target": text_of(about, "pluginId"),
        "options": _always(about, "Always allow this, in OpenClaw's own list"),
    }


def _question(about: LooseJson) -> dict[str, object] | None:
    asked = objects_of(about, "questions")
    if any(one.get("isSecret") is True or one.get("secretStore") for one in asked):
        return None  # what is secret is typed where it is kept, not on every surface
    return {
        "tool": QUESTION,
        "act": Act.QUESTION,
        "questions": [
            msgspec.to_builtins(question_of(one, text_of(one, "questionId"), own_words=has_own_words(one)))
            for one in asked
        ],
    }


def _always(about: LooseJson, label: str) -> list[dict[str, object]]:
    """Offer "always" where the gateway would take it; what it does not say of a plugin, it takes."""
    allowed = about.get("allowedDecisions")
    is_offered = ALWAYS in allowed if isinstance(allowed, list) else True
    return [{"id": ALWAYS, "label": label, "lasts": Lasts.ALWAYS}] if is_offered else []


def _name(about: LooseJson, name: str) -> str:
    return text_of(about, name)[:NAME_CHARS_MAX]
