"""What goes over the wire to OpenClaw and back, without the wire: the body, and what an answer means."""

from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.do import clip_line
from hub.domain.execution import Job, RunResult
from hub.domain.suggestion import WAKE_AGENT

BODY_BYTES_MAX = 262_144
KEY_CHARS_MAX = 256
CONVERSATION = "{conversation}"
OK, ACCEPTED = 200, 202
UNAUTHORISED, FORBIDDEN, NOT_FOUND, TIMED_OUT, TOO_LARGE, TOO_MANY = 401, 403, 404, 408, 413, 429
PASSING = frozenset({TIMED_OUT, 502, 503, 504})
"""Answers that say: not admitted this time."""

REDIRECTS = range(300, 400)
SERVER_ERROR = 500


class _Body(msgspec.Struct, rename="camel", kw_only=True):
    """The request, as OpenClaw's hook reference names its fields."""

    message: str
    name: str
    wake_mode: str = "now"
    deliver: bool = False
    timeout_seconds: int
    idempotency_key: str
    session_key: str | msgspec.UnsetType = msgspec.UNSET
    wait_for_completion: bool = True


class _Wake(msgspec.Struct, rename="camel", kw_only=True):
    """A message that only has to arrive: what is then done, and within which bounds, is the agent's."""

    message: str
    name: str = "Pulse"
    wake_mode: str = "now"
    deliver: bool = False
    idempotency_key: str


class _Completion(msgspec.Struct, rename="camel"):
    """How the agent's turn ended."""

    status: Literal["ok", "error", "skipped"]
    delivered: bool | None = None
    delivery_error: str = ""
    reply_disposition: str = ""


class Reply(msgspec.Struct, rename="camel"):
    """An answer to an admitted request; no `completion` means accepted, and nothing more is known."""

    ok: bool = True
    run_id: str = ""
    completion: _Completion | None = None


class AttemptRefused(Value):
    """An answer that ends the attempt for good; `begun` says that the work may have been begun all the same."""

    detail: str
    begun: bool = False


class Retry(Value):
    """Worth another try with the same key; `begun` says that the work may have been begun already."""

    detail: str
    begun: bool = False
    after_s: float | None = None


def body_of(job: Job) -> bytes | str:
    """Return the request's body; or, as a string, why it cannot be sent."""
    key = key_of(job)
    if len(key) > KEY_CHARS_MAX:
        return f"The execution's id is longer than the {KEY_CHARS_MAX} characters that OpenClaw takes as a key."
    body = msgspec.json.encode(_Wake(message=job.prompt, idempotency_key=key) if is_wake(job) else _work(job, key))
    if len(body) > BODY_BYTES_MAX:
        return f"The prompt is too long for OpenClaw ({len(body)} of {BODY_BYTES_MAX} bytes). Shorten it."
    return body


def is_wake(job: Job) -> bool:
    """Return True if the message only has to arrive (`drives.agent`), instead of being worked off within this run."""
    return job.playbook == WAKE_AGENT


def key_of(job: Job) -> str:
    """Return the idempotency key: the execution's id; of a message that wakes, its own, the same at each attempt."""
    return job.args[0] if is_wake(job) and job.args else job.execution_id


def _work(job: Job, key: str) -> _Body:
    return _Body(
        message=_message(job),
        name=f"Pulse {job.session_id}",
        timeout_seconds=max(1, int(job.bounds.duration_s_max)),
        idempotency_key=key,
        session_key=session_key_of(job),
    )


def session_key_of(job: Job) -> str | msgspec.UnsetType:
    """Return the key by which the gateway knows the conversation again, where the settings say how it is made."""
    if not job.agent.resume or not job.conversation:
        return msgspec.UNSET
    return job.agent.resume[0].replace(CONVERSATION, job.conversation)


def _message(job: Job) -> str:
    """Write the prompt as it was approved, and below it the session's bounds."""
    place = (f"Work in {job.workspace}.",) if job.workspace else ()
    bounds = (
        f"Use only these tools: {', '.join(job.bounds.allowed_tools)}.",
        f"Never use these tools: {', '.join(job.bounds.blocked_tools)}.",
        f"Use at most {job.bounds.tokens_max} tokens and {job.bounds.duration_s_max:g} seconds.",
        f"It is done when: {job.need.text}",
    )
    return "\n".join((job.prompt, "", "Bounds of this session:", *place, *bounds))


def judge(
    status: int, retry_after: str, body: bytes, token_env: str, *, is_wake: bool = False
) -> Reply | AttemptRefused | Retry:
    """Say what an HTTP answer means for the work.

    Args:
        status: the HTTP status.
        retry_after: the header of that name, empty if there is none; only seconds are understood.
        body: what was answered, cut to a bounded length; need not be JSON.
        token_env: the environment variable that holds the token, for the advice.
        is_wake: the message only had to arrive, so that the status says all.
    """
    if status in (OK, ACCEPTED):
        try:
            return msgspec.json.decode(body, type=Reply)
        except (msgspec.DecodeError, UnicodeDecodeError):
            if is_wake:
                return Reply()
            return AttemptRefused(
                detail="OpenClaw accepted the work, but its response is not one of its hooks'", begun=True
            )
    said = clip_line(body.decode("utf-8", "replace").strip().partition("\n")[0])
    if status == TOO_MANY:
        seconds = float(retry_after) if retry_after.isdecimal() else None
        return Retry(detail=f"OpenClaw refuses for a while (429). Check the token in {token_env}", after_s=seconds)
    if status in PASSING:
        return Retry(detail=f"OpenClaw could not accept the work now ({status} {said})")
    if status >= SERVER_ERROR:
        return AttemptRefused(detail=f"OpenClaw failed ({status} {said}). Its logs say why", begun=True)
    if status in REDIRECTS:
        return AttemptRefused(detail=f"{_ELSEWHERE} ({status})")
    return AttemptRefused(
        detail=_ADVICE.get(status, "OpenClaw refused the request").format(token_env) + f" ({status} {said})"
    )


_ELSEWHERE = (
    "The agent's url points elsewhere, and the token is not accepted there. Set the url to where OpenClaw's gateway is"
)
_ADVICE = {
    UNAUTHORISED: "OpenClaw does not accept the token. Put the one of its `hooks.token` into {}",
    FORBIDDEN: "OpenClaw does not allow this. Check `hooks.allowedAgentIds` there, and the token in {}",
    NOT_FOUND: "OpenClaw has no hooks at this address. Set `hooks.enabled` there, and check the agent's url here",
    TOO_LARGE: "OpenClaw finds the prompt too long. Shorten it",
}


def result_of_reply(reply: Reply, changed_files: tuple[str, ...]) -> RunResult:
    """Make the result of a session from an answer.

    `ok` becomes exit code 0, `error` 1; `skipped` did not start. Accepted without a completion has no exit code, so
    it meets no need that asks for one: acceptance is not proof.
    """
    run = f"OpenClaw run {clip_line(reply.run_id)}" if reply.run_id else "OpenClaw run"
    if not reply.ok:
        return _ended("failed-to-start", None, run, "OpenClaw answered that it did not accept the work")
    if reply.completion is None:
        return _ended("exited", None, f"{run}: accepted", "OpenClaw accepted the work and did not report how it ended")
    status = reply.completion.status
    facts = [f"{run}: {status}"]
    facts += [f"reply: {clip_line(reply.completion.reply_disposition)}"] if reply.completion.reply_disposition else []
    facts += [f"delivery: {clip_line(reply.completion.delivery_error)}"] if reply.completion.delivery_error else []
    if status == "skipped":
        return _ended("failed-to-start", None, "\n".join(facts), "OpenClaw skipped the work. Its logs say why")
    failed = status == "error"
    detail = "OpenClaw's agent ended with an error; its logs say which" if failed else ""
    return _ended("exited", int(failed), "\n".join(facts), detail, changed_files)


def result_of_wake(reply: Reply) -> RunResult:
    """Make the result of a message that wakes: accepted is exit code 0, whatever becomes of it afterwards."""
    if not reply.ok:
        refused = _ended("failed-to-start", None, "", "OpenClaw answered that it did not accept the message")
        return msgspec.structs.replace(refused, cost_microusd=0)
    run = f"OpenClaw run {clip_line(reply.run_id)}" if reply.run_id else "OpenClaw"
    return _ended("exited", 0, f"{run}: accepted", "")


def _ended(
    ended: Literal["exited", "failed-to-start"],
    exit_code: int | None,
    output: str,
    detail: str,
    changed_files: tuple[str, ...] = (),
) -> RunResult:
    """Build a result."""
    return RunResult(ended=ended, exit_code=exit_code, output=output, changed_files=changed_files, detail=detail)
