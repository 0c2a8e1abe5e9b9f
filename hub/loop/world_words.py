"""What a person is asked about a session, in words: its own words, cut to size, within sentences of the hub's.

Each sentence is told in English and as a code, as all of the hub's own are; what the session said goes in as it is.
"""

import shlex
from datetime import timedelta

from hub.contract.phrasing import Phrasing
from hub.contract.world import AgentStatus
from hub.domain.canonical import visible
from hub.domain.provenance import LogText, untrusted
from hub.domain.worded import Worded
from hub.domain.world import WorldSession
from hub.domain.world_commands import OfferedCommand
from hub.kit.text import ELLIPSIS, one_line

TASK_CHARS_MAX = 80
SHOWN_CHARS_MAX = 240
NEED_CHARS_MAX = 400
DETAIL_CHARS_MAX = 400
COMMAND_CHARS_MAX = 2_000
"""All of a command is shown: one that is longer, with its paths, is not offered."""
HOURS_SAID_MAX = 48

TRY_AGAIN = Worded(text="Try again", wording=Phrasing(code="session.try_again"))
IS_DONE = Worded(text="Yes, it's done", wording=Phrasing(code="session.is_done"))
RUN_IT = Worded(text="Run it and check", wording=Phrasing(code="session.run_it"))
NOT_YET = Worded(text="Not yet", wording=Phrasing(code="session.not_yet"))
KEEP_WAITING = Worded(text="Keep waiting", wording=Phrasing(code="session.keep_waiting"))
GIVE_UP = Worded(text="Give up", wording=Phrasing(code="session.give_up"))


def stuck(session: WorldSession) -> Worded:
    """Say that a session failed, and what it needs; where it needs nothing, only another try can be offered."""
    if session.asks:
        values = {"asks": _part(session.asks, NEED_CHARS_MAX)}
        return _told(session, "stuck", "{name} is stuck: {said}. It needs: {asks}.", **values)
    return _told(session, "failed", "{name} has failed: {said}. What should it do?")


def unproven(session: WorldSession, offered: OfferedCommand | None) -> Worded:
    """Say that a session claims to be done, which nobody could prove, and what could be run to see that."""
    values = {"need": _part(session.need, NEED_CHARS_MAX)}
    if offered is not None:
        sentence = (
            "{name} says it is done: {said}. You asked for: {need}. Is it done? "
            "Pulse can run this to check: {runs}, in {folder}."
        )
        plan = offered.plan
        runs = one_line(visible(shlex.join(plan.argv)), COMMAND_CHARS_MAX)
        return _told(session, "claims_run", sentence, runs=runs, folder=visible(plan.folder), **values)
    if session.need:
        return _told(
            session, "claims_need", "{name} says it is done: {said}. You asked for: {need}. Is it done?", **values
        )
    return _told(session, "claims", "{name} says it is done: {said}. Is it done?")


def overdue(session: WorldSession, detail: Worded | str) -> Worded:
    """Say that a session takes long, and why somebody is told."""
    text, about = (detail, None) if isinstance(detail, str) else (detail.text, detail.wording)
    why = one_line(visible(text), DETAIL_CHARS_MAX) or ELLIPSIS
    told = _told(session, "slow", "{name} is taking a long time: {detail} It last said: {said}.", detail=why)
    if about is None:
        return told
    values = {name: value for name, value in told.wording.values.items() if name != "detail"}
    return Worded(text=told.text, wording=Phrasing(code="session.overdue", values=values, about=about))


def stays(status: AgentStatus, why: str, span: timedelta) -> Worded:
    """Say why somebody is told of a session that stays where it is, and for how long it has."""
    long = _long(span)
    wording = Phrasing(code=f"overdue.{status.value}", about=long.wording)
    return Worded(text=f"{why} It has been like that for {long.text}.", wording=wording)


def _long(span: timedelta) -> Worded:
    """Say a span of time in whole minutes below an hour, then in hours, and from two days on in days."""
    hours = span // timedelta(hours=1)
    if hours < 1:
        number, unit, one = span // timedelta(minutes=1), "minutes", "a minute"
    else:
        number, unit, one = (hours, "hours", "an hour") if hours < HOURS_SAID_MAX else (hours // 24, "days", "")
    if number <= 1:
        return Worded(text=one, wording=Phrasing(code=f"so_long.{unit.removesuffix('s')}"))
    return Worded(text=f"{number} {unit}", wording=Phrasing(code=f"so_long.{unit}", values={"number": str(number)}))


def name_of(session: WorldSession) -> str:
    """Return how a session is called before a person: its id, and what it is to do."""
    task = one_line(visible(untrusted(session.task)), TASK_CHARS_MAX)
    name = visible(session.id)
    return f"{name} ({task})" if task else name


def _told(session: WorldSession, form: str, sentence: str, /, **values: str) -> Worded:
    name = visible(session.id) if session.said == session.task else name_of(session)  # what it began with, not twice
    values = {"name": name, "said": _part(session.said, SHOWN_CHARS_MAX), **values}
    slots = {name: value for name, value in values.items() if f"{{{name}}}" in sentence}
    return Worded(text=sentence.format_map(slots), wording=Phrasing(code=f"session.{form}", values=slots))


def _part(text: LogText, most: int) -> str:
    """Return a session's words as a part of a sentence, which ends them itself."""
    return one_line(visible(untrusted(text)), most).rstrip(". ") or ELLIPSIS
