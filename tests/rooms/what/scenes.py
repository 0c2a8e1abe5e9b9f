"""A person's day to test suggestions with: channels, agents, and situations with one thing going on."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hub.domain.judgement import Ledger
from hub.domain.mind import Mind, Tally
from hub.domain.policy import Agent, Channel, Policy
from hub.domain.provenance import CalendarText, RepositoryText, TaskText, TranscriptText
from hub.domain.situation import (
    Branch,
    Conversation,
    FilesReading,
    Meeting,
    Module,
    Repository,
    Situation,
    SystemLoad,
    Task,
    TodoLine,
)

BERLIN = ZoneInfo("Europe/Berlin")
AFTERNOON = datetime(2026, 3, 3, 13, 30, tzinfo=UTC)
MORNING = datetime(2026, 3, 3, 7, 30, tzinfo=UTC)
EVENING = datetime(2026, 3, 3, 18, 30, tzinfo=UTC)
NIGHT = datetime(2026, 3, 3, 23, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLAYBOOKS = (
    "run-tests",
    "summarise-commits",
    "stale-branches",
    "list-todos",
    "dependency-graph",
    "prepare-meeting",
)
CHANNELS = (
    Channel(name="koji-core", specialty="Code", agent="main", affinities=("code",)),
    Channel(name="chronicle-hub", specialty="Docs", agent="main", affinities=("docs",)),
    Channel(name="dream-weaver", specialty="Creative", agent="main", affinities=("creative",)),
    Channel(name="research", specialty="Research", agent="main", affinities=("research",)),
    Channel(name="garden", specialty="Memory", agent="main", affinities=("memory",)),
)
COMMAND = Agent(name="main", kind="command", argv=("agent",))
PLAYBOOK = Agent(name="main", kind="playbook")
POLICY = Policy(zone="Europe/Berlin", channels=CHANNELS, agents=(COMMAND,))
ONLY_PLAYBOOKS = Policy(zone="Europe/Berlin", channels=CHANNELS, agents=(PLAYBOOK,))
MIND = Mind()


def situation(at: datetime = AFTERNOON, *repositories: Repository, **more: object) -> Situation:
    tasks, meetings, conversations = more.get("tasks"), more.get("meetings"), more.get("conversations")
    files, system = more.get("files"), more.get("system")
    assert tasks is None or isinstance(tasks, tuple)
    assert meetings is None or isinstance(meetings, tuple)
    assert conversations is None or isinstance(conversations, tuple)
    assert files is None or isinstance(files, FilesReading)
    assert system is None or isinstance(system, SystemLoad)
    return Situation(
        at=at,
        local=at.astimezone(BERLIN),
        repositories=repositories,
        tasks=tasks,
        meetings=meetings,
        conversations=conversations,
        files=files,
        system=system,
    )


def quiet_repository(path: str = "/home/mo/pulse", name: str = "pulse") -> Repository:
    return Repository(
        path=path,
        name=RepositoryText(name),
        branch=RepositoryText("main"),
        head="c0ffee1",
        head_at=AFTERNOON - timedelta(days=1),
        playbooks=PLAYBOOKS,
    )


def modules(*paths: str) -> tuple[Module, ...]:
    return tuple(Module(path=RepositoryText(path), files=2) for path in paths)


def task(task_id: str = "t1", *, age: timedelta, channel: str | None = None, deadline: datetime | None = None) -> Task:
    return Task(
        id=task_id,
        title=TaskText(f"Task {task_id}"),
        status="queued",
        created_at=AFTERNOON - timedelta(days=30),
        updated_at=AFTERNOON - age,
        channel=channel,
        deadline=deadline,
    )


def meeting(starts_in: timedelta, *, lasts: timedelta = HOUR, title: str = "Design review") -> Meeting:
    start = AFTERNOON + starts_in
    return Meeting(uid=CalendarText("m1"), title=CalendarText(title), starts_at=start, ends_at=start + lasts)


def talk(age: timedelta, question: str = "Which cache shall I use?") -> Conversation:
    return Conversation(
        id=TranscriptText("c1"),
        source=TranscriptText("claude"),
        last_at=AFTERNOON - age,
        last_from="agent",
        open_question=TranscriptText(question),
        topic=TranscriptText("caching"),
    )


def branch(name: str, days: int) -> Branch:
    return Branch(name=RepositoryText(name), last_commit_at=AFTERNOON - timedelta(days=days))


def todo(path: str, line: int, text: str = "handle the empty case") -> TodoLine:
    return TodoLine(path=RepositoryText(path), line=line, text=RepositoryText(text))


def answered(kind: str, approved: int, rejected: int = 0) -> Mind:
    tally = Tally(approved=approved, rejected=rejected)
    return Mind(tallies={kind: tally}, ledger=Ledger(decisions=approved + rejected))
