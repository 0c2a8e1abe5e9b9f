"""The workplace that a trace tells of, as the sensors would read it at each moment."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.moment import Change
from hub.domain.provenance import CalendarText, ModelText, RepositoryText, TranscriptText
from hub.domain.readings import (
    AnyReading,
    CalendarReading,
    ConversationReading,
    GitReading,
    MessageReading,
    PredictorReading,
    Reading,
    TaskReading,
)
from hub.domain.situation import Conversation, Foreseen, Meeting, Repository, TodoLine
from hub.lab.replay.trace import TraceEvent, What
from hub.sense.modules import is_written, modules
from hub.sense.playbooks import GIT_PLAYBOOKS

PLAYBOOKS = ("run-tests", *GIT_PLAYBOOKS, "prepare-meeting")
CHANGES: Mapping[What, Change] = {
    "edit": Change.EDIT,
    "todo": Change.EDIT,
    "commit": Change.GIT,
    "push": Change.GIT,
    "pull": Change.GIT,
    "upstream": Change.GIT,
    "tests": Change.TESTS,
    "ci": Change.READING,
    "question": Change.AGENT,
    "message": Change.MESSAGE,
    "meeting": Change.READING,
    "foreseen": Change.READING,
    "here": Change.PRESENCE,
}
"""As which change each event reaches the loop."""
FILES_KEPT_MAX = 100
TODOS_KEPT_MAX = 20
MODULES_MAX = 20
MEETINGS_KEPT_MAX = 20
FORESEEN_CONFIDENCE = 0.8
"""How sure a predictor is said to be; a trace does not tell."""
ROOT = "/replay"
"""Where the repositories of a trace would be; nothing is there, and nothing is looked for."""


class RecordedWork:
    """Follows a trace. What Pulse does in a replay changes nothing here: what happened is written in the trace."""

    def __init__(self) -> None:
        self._repositories: dict[str, Repository] = {}
        self._saved: dict[str, tuple[str, ...]] = {}
        self._untested: dict[str, tuple[str, ...]] = {}
        self._talks: dict[str, Conversation] = {}
        self._meetings: tuple[Meeting, ...] = ()
        self._foreseen: Foreseen | None = None
        self._spoke_at: datetime | None = None
        self._commits = 0

    def take(self, event: TraceEvent) -> Change:
        """Let an event happen; return as which change the loop hears of it."""
        if event.repository and event.what not in {"question", "message", "meeting", "foreseen", "here"}:
            before = self._repositories.get(event.repository) or _new(event.repository)
            self._repositories[event.repository] = self._after(before, event)
        elif event.what == "question":
            self._ask(event)
        elif event.what == "message":
            self._spoke_at = event.at
            self._talks = {name: _answered(talk, event.at) for name, talk in self._talks.items()}
        elif event.what == "foreseen":
            self._foreseen = Foreseen(prompt=ModelText(event.text), confidence=FORESEEN_CONFIDENCE, at=event.at)
        elif event.what == "meeting":
            begins = event.at + timedelta(minutes=event.minutes)
            meeting = Meeting(
                uid=CalendarText(f"{event.text} {begins.isoformat()}"),
                title=CalendarText(event.text),
                starts_at=begins,
                ends_at=begins + timedelta(minutes=event.minutes),
            )
            self._meetings = (*self._meetings, meeting)[-MEETINGS_KEPT_MAX:]
        return CHANGES[event.what]

    def readings(self, now: datetime, last_message_at: datetime | None) -> dict[str, Reading]:
        """Return what each sensor would say now."""
        heard = [at for at in (self._spoke_at, last_message_at) if at is not None]
        bodies: dict[str, AnyReading] = {
            "messages": MessageReading(last_message_at=max(heard, default=None)),
            "tasks": TaskReading(tasks=()),
            "git": GitReading(repositories=tuple(self._repositories[name] for name in sorted(self._repositories))),
            "transcripts": ConversationReading(conversations=tuple(self._talks.values())),
            "predictor": PredictorReading(foreseen=() if self._foreseen is None else (self._foreseen,)),
            "calendar": CalendarReading(meetings=tuple(one for one in self._meetings if one.ends_at > now)),
        }
        return {name: Reading(sensor=name, at=now, body=body) for name, body in bodies.items()}

    def _after(self, before: Repository, event: TraceEvent) -> Repository:
        match event.what:
            case "edit" | "todo":
                return self._with_saved(before, event)
            case "commit":
                self._commits += 1
                self._saved[before.path] = ()
                clean = replace(before, uncommitted=(), to_commit=(), uncommitted_since=None, added=0)
                head = f"{self._commits:040x}"
                unpushed = (before.unpushed or 0) + 1
                return replace(clean, head=head, head_at=event.at, unpushed=unpushed, message=RepositoryText(""))
            case "push":
                return replace(before, unpushed=0, todos_added=())
            case "pull":
                return replace(before, behind=0)
            case "upstream":
                return replace(before, behind=(before.behind or 0) + event.commits)
            case "tests":
                self._untested[before.path] = ()
                failed = tuple(map(RepositoryText, event.files)) if not event.passed else ()
                run = replace(before, last_test_run_at=event.at, last_test_run_passed=event.passed)
                return replace(run, changed_modules=(), failed_tests=failed)
            case _:
                return replace(before, ci="passed" if event.passed else "failed")

    def _with_saved(self, before: Repository, event: TraceEvent) -> Repository:
        saved, untested = (_more(kept.get(before.path, ()), event) for kept in (self._saved, self._untested))
        self._saved[before.path], self._untested[before.path] = saved, untested
        todos = before.todos_added
        if event.what == "todo" and event.files:
            line = TodoLine(path=RepositoryText(event.files[0]), line=len(todos) + 1, text=RepositoryText(event.text))
            todos = (*todos, line)[-TODOS_KEPT_MAX:]
        return replace(
            before,
            uncommitted=tuple(map(RepositoryText, saved)),
            to_commit=tuple(RepositoryText(path) for path in saved if is_written(path)),
            uncommitted_since=before.uncommitted_since or event.at,
            changed_modules=modules(untested, limit=MODULES_MAX),
            message=RepositoryText(f"Change {len(saved)} files"),
            added=len(saved),
            todos_added=todos,
        )

    def _ask(self, event: TraceEvent) -> None:
        self._talks[event.repository] = Conversation(
            id=TranscriptText(f"replay {event.repository}"),
            source=TranscriptText("claude-code"),
            last_at=event.at,
            last_from="agent",
            open_question=TranscriptText(event.text),
            folder=f"{ROOT}/{event.repository}" if event.repository else "",
        )


def _more(before: tuple[str, ...], event: TraceEvent) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *event.files)))[-FILES_KEPT_MAX:]


def _new(name: str) -> Repository:
    return Repository(
        path=f"{ROOT}/{name}",
        name=RepositoryText(name),
        branch=RepositoryText("main"),
        head=None,
        head_at=None,
        upstream=RepositoryText("origin/main"),
        unpushed=0,
        behind=0,
        playbooks=PLAYBOOKS,
    )


def _answered(talk: Conversation, at: datetime) -> Conversation:
    return replace(talk, last_from="person", last_at=at, person_at=at, open_question=TranscriptText(""))
