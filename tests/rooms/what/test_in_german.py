"""Everything that Pulse suggests is said in the reader's language: every kind, with every reason that it gives."""

import ast
import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from hub.contract.mentions import OpenMentions
from hub.domain.deploying import APPROVE_DEPLOYMENT, REJECT_DEPLOYMENT
from hub.domain.mind import Mind, Mute, Tally
from hub.domain.provenance import (
    AgentText,
    CalendarText,
    CiText,
    ModelText,
    NoteText,
    RepositoryText,
    TaskText,
    TranscriptText,
    Wording,
    own,
)
from hub.domain.situation import (
    Branch,
    CodeError,
    Deployment,
    DocumentFolder,
    DriveItem,
    FinishedCommand,
    Foreseen,
    LeftOut,
    Meeting,
    MissingLink,
    Module,
    NotInstalled,
    NotSetUp,
    OldVersion,
    PullRequest,
    Repository,
    SeenCertificate,
    SinceBackup,
    Situation,
    StaleLock,
    SystemLoad,
    TodoLine,
    Unversioned,
    WatchedProgram,
    WorkFile,
)
from hub.domain.suggested import Suggested
from hub.domain.suggestion import Candidate
from hub.kit.phrase_files import phrases, sentences
from hub.kit.phrasebook import sentence_code
from hub.kit.wordings import worded
from hub.what import why_nothing
from hub.what.appetite import in_view_of
from hub.what.signals import ALL, foreseen, suggested
from tests.fakes.masked import masked
from tests.rooms.what.scenes import AFTERNOON, EVENING, HOUR, MORNING, situation, talk, task

ROOT = Path(__file__).parents[3]
SLOT = re.compile(r"\{[a-z_]+\}")
DAY = timedelta(days=1)
PLAYBOOKS = ("review-work", "check-code", "show-pull-request", APPROVE_DEPLOYMENT, REJECT_DEPLOYMENT, "commit-work")
HERE = "/home/mo/X1"
NAMES = re.compile(r"pyproject\.toml|uv\.lock|ruff|merge|Claude Code|\bkB\b|\bmin\b")
"""What is called so in every language."""
WHY_NOTHING = ("when/decide.py", "loop/cycle.py", "loop/timers.py", "loop/waking.py")
"""Where it is said why a look comes to nothing, beside `hub/what`."""
NOT_CODED = {
    "io/world/proof_files.py": "a line of the world log, a file that is English",
    "io/world/proof_urls.py": "a line of the world log",
    "loop/world_checks.py": "a line of the world log",
    "loop/world_runs.py": "a prompt",
    "verify/world_commands.py": "a line of the world log",
    "verify/world_judgement.py": "a prompt",
    "verify/world_needs.py": "a line of the world log",
    "when/drives/portable_import.py": "what an agent wants, in its words",
}
"""Modules whose sentences have no code, and what becomes of them."""
NOT_SHOWN = {"backup", "links", "versions", "program", "disk", "memory", "the meeting"}
"""Arguments of playbooks."""
NOT_YET = re.compile(r"^(git init|Repository: )")
"""What is to be looked at before a yes: commands, and facts from GitHub."""


def _text(name: str) -> RepositoryText:
    return RepositoryText(name)


QUIET = Repository(path=HERE, name=_text("X1"), branch=_text("X2"), head="c0ffee1", head_at=AFTERNOON - DAY)
ABLE = replace(QUIET, playbooks=PLAYBOOKS)
LIES = replace(
    ABLE,
    to_commit=(_text("X3"),),
    uncommitted=(_text("X3"), _text("pyproject.toml")),
    uncommitted_since=AFTERNOON - 2 * DAY,
    added=3,
    left_out=tuple(
        LeftOut(path=_text("X4"), reason=reason, size=9)
        for reason in ("private", "kind", "size", "tools", "name", "size")
    ),
    message=_text("X5"),
    work=tuple(WorkFile(path=_text("X3"), became=one) for one in ("added", "renamed", "deleted")),
    last_test_run_at=AFTERNOON - 3 * DAY,
)
RAN = AFTERNOON - 2 * HOUR
ERROR = CodeError(tool="ruff", path=_text("X3"), line=3, text=_text("X6"))
PULL = PullRequest(number=7, title=_text("X7"), checks="failed", can_merge=True, is_mine=True)
DEPLOYMENT = Deployment(
    repository="X1/X2", run=1, attempt=1, commit="X8", environment=CiText("X9"), environment_id=1,
    branch=CiText("X2"), workflow=CiText("X3"), title=CiText("X4"), actor=CiText("X5"), fork=CiText("X6"),
)  # fmt: skip
MODULES = (Module(path=_text("X3"), files=1), Module(path=_text("X4"), files=2))
TESTED = replace(QUIET, playbooks=("run-tests", "commit-work"), last_test_run_at=RAN)
OLD = OldVersion(
    name=_text("X1"), count=3, newest=_text("X2"), newest_at=RAN, older=_text("X3"), older_at=AFTERNOON - DAY
)
LINK = MissingLink(text=_text("X1"), written_at=AFTERNOON - DAY, line=1, target=_text("X2"), path=_text("X2"))
FOLDER = DocumentFolder(path=HERE, name=_text("X1"))
TALK = replace(talk(2 * HOUR, ""), folder=HERE, is_done=True, source=TranscriptText("claude-code"))
ASKED = replace(talk(2 * HOUR, "X1"), topic=TranscriptText("X2"))
FAILED = FinishedCommand(at=RAN, folder=HERE, command=TranscriptText("X1"), status=1, seconds=300)
REPOSITORIES = (
    replace(TESTED, changed_modules=MODULES[:1]),
    replace(TESTED, changed_modules=(Module(path=_text("."), files=1), *MODULES)),
    replace(TESTED, changed_modules=MODULES, tests_in=_text("X3"), last_test_run_passed=True),
    replace(TESTED, changed_modules=MODULES, last_test_run_passed=False),
    replace(TESTED, changed_modules=MODULES, last_test_run_at=None),
    replace(QUIET, last_test_run_at=RAN, last_test_run_passed=False),
    replace(QUIET, last_test_run_at=AFTERNOON - DAY, last_test_run_passed=False, failed_tests=(_text("X3"),)),
    replace(QUIET, last_test_run_at=RAN, last_test_run_passed=False, failed_tests=tuple(map(_text, ("X3",) * 5))),
    *(replace(QUIET, conflicts=(_text("X3"),), operation=one) for one in ("", "am", "merge")),
    replace(ABLE, conflicts=(_text("X3"), _text("X4")), operation="merge"),
    replace(QUIET, ci="failed"),
    replace(QUIET, ci="failed", ci_detail=CiText("X6"), branch=None),
    replace(ABLE, new_errors=(ERROR,)),
    replace(ABLE, new_errors=(ERROR, ERROR)),
    replace(ABLE, deployments=(DEPLOYMENT,)),
    replace(ABLE, pull_requests=(PULL, replace(PULL, checks="passed"), replace(PULL, is_mine=False))),
    LIES,
    replace(LIES, playbooks=(), work=(), uncommitted_since=RAN - 8 * HOUR),
    replace(LIES, last_test_run_at=RAN, last_test_run_passed=True),
    replace(QUIET, unpushed=1, upstream=_text("origin/X2")),
    replace(QUIET, unpushed=2, branch=None),
    replace(QUIET, behind=1, upstream=_text("X2")),
    replace(QUIET, behind=2, upstream=_text("X2")),
    replace(QUIET, behind=2, unpushed=1, upstream=_text("X2")),
    replace(QUIET, stale_locks=(StaleLock(manifest="pyproject.toml", lock="uv.lock"),)),
    replace(QUIET, not_installed=(NotInstalled(manifest="pyproject.toml", names=(_text("X1"),)),)),
    replace(QUIET, not_installed=(NotInstalled(manifest="pyproject.toml", names=(_text("X1"), _text("X2"))),)),
    replace(QUIET, set_up=NotSetUp(manifest="pyproject.toml", makes_environment=True)),
    replace(QUIET, set_up=NotSetUp(manifest="", makes_environment=False)),
    replace(QUIET, stale_branches=(Branch(name=_text("X1"), last_commit_at=AFTERNOON - 40 * DAY),)),
    replace(QUIET, stale_branches=(Branch(name=_text("X1"), last_commit_at=AFTERNOON - 40 * DAY),) * 2),
    *(replace(QUIET, todos_added=(TodoLine(path=_text("X1"), line=1, text=_text("X2")),) * count) for count in (1, 2)),
    replace(QUIET, uncommitted=(_text("pyproject.toml"),), uncommitted_since=RAN),
    replace(QUIET, uncommitted=(_text("pyproject.toml"), _text("X1/pyproject.toml")), uncommitted_since=RAN),
    replace(QUIET, name=_text("X1 «X2»"), ci="failed"),
)
OTHER = replace(QUIET, path="/home/mo/X2", name=_text("X2"))
PLAIN = situation(AFTERNOON, ABLE, OTHER)
MEETING = Meeting(
    uid=CalendarText("X"), title=CalendarText("X1"), starts_at=AFTERNOON + HOUR / 2, ends_at=AFTERNOON + HOUR
)


def _items() -> Iterator[DriveItem]:
    for kind in ("goals", "curiosity", "emotions", "hypotheses", "deadlines"):
        for due in (None, AFTERNOON + HOUR, AFTERNOON - HOUR):
            item = DriveItem(kind=kind, path="/X", id=NoteText(f"X{due}"), text=NoteText("X1"), weight=0.95, due_at=due)
            yield item


def _code() -> Iterator[Situation]:
    for each in REPOSITORIES:
        yield situation(AFTERNOON, each, OTHER)
    for each in (replace(LIES, left_out=()), replace(LIES, to_commit=(_text("X3"), _text("X4")))):
        for source in ("claude-code", "X"):
            talks = (replace(TALK, source=TranscriptText(source)),)
            yield replace(situation(AFTERNOON, each, OTHER), conversations=talks)
    yield situation(EVENING, replace(QUIET, commits_today=4))
    for status, seconds in ((0, 300), (1, 60)):
        yield replace(PLAIN, commands=(replace(FAILED, status=status, seconds=seconds),))


def _day() -> Iterator[Situation]:
    waits = replace(task(age=2 * DAY), title=TaskText("X1"))
    dues = (AFTERNOON + HOUR, AFTERNOON - HOUR)
    yield from (situation(AFTERNOON, tasks=(replace(waits, deadline=due),)) for due in dues)
    yield situation(AFTERNOON, tasks=(replace(waits, status="running"),))
    yield from (situation(MORNING, tasks=(waits,) * count) for count in (1, 2))
    yield from (replace(PLAIN, drive_items=(item,)) for item in _items())
    yield from (replace(PLAIN, conversations=(replace(ASKED, folder=folder),)) for folder in ("", HERE))
    yield from (situation(AFTERNOON, meetings=(replace(MEETING, title=CalendarText(title)),)) for title in ("X1", ""))
    mention = OpenMentions(channel="100000000000000001", count=1, last_at=RAN)
    yield from (replace(PLAIN, mentions=(mention,) * channels) for channels in (1, 2))
    for remark in ("X1", ""):
        idea = Suggested(id="X", agent=AgentText("X2"), prompt=AgentText("X3"), why=AgentText(remark), at=AFTERNOON)
        guess = Foreseen(prompt=ModelText("X3"), confidence=0.5, at=AFTERNOON, reasoning=ModelText(remark))
        yield replace(PLAIN, suggested=(idea,), foreseen=(guess,))


def _machine() -> Iterator[Situation]:
    yield situation(AFTERNOON, system=SystemLoad(load_per_core=9.0, memory_used=0.97, disk_used=0.97))
    yield replace(PLAIN, programs=(WatchedProgram(name="X1", is_running=False),))
    for ends in (AFTERNOON + DAY, AFTERNOON - DAY):
        certificate = SeenCertificate(path=_text("X1"), workspace=HERE, name=_text("X1"), ends_at=ends)
        yield replace(PLAIN, certificates=(certificate,))
    for old in (OLD, replace(OLD, linked_in=_text("X4"), line=3), replace(OLD, is_many=True, count=9)):
        yield replace(PLAIN, folders=(replace(FOLDER, old_versions=(old,)),))
    moved, others = replace(LINK, perhaps=_text("X5")), [replace(LINK, path=_text(f"X{number}")) for number in range(9)]
    for links in ((LINK,), (moved,), (moved, *others[:2]), tuple(others)):
        yield replace(PLAIN, folders=(replace(FOLDER, missing_links=links),))
    backup = SinceBackup(backup_at=AFTERNOON - 8 * DAY, files=40, size=4_000)
    yield replace(PLAIN, folders=(replace(FOLDER, since_backup=backup),))
    many = replace(QUIET, head_at=AFTERNOON - 8 * DAY, uncommitted=tuple(_text(f"X{number}") for number in range(30)))
    yield replace(situation(AFTERNOON, many), folders=(FOLDER,))
    loose = Unversioned(files=9, size=4_000, days=9, oldest_at=AFTERNOON - 40 * DAY, newest_at=AFTERNOON)
    yield replace(PLAIN, folders=(replace(FOLDER, unversioned=loose),))


def _found() -> list[Candidate]:
    return [idea for scene in chain(_code(), _day(), _machine()) for signal in ALL for idea in signal.look(scene)]


def _german(sentence: Wording) -> str:
    return worded(sentence.wording, sentence.text, phrases("de"))


def _ours(idea: Candidate) -> tuple[Wording, ...]:
    others = {foreseen.KIND, suggested.KIND}
    return (idea.reasoning,) if idea.kind in others else (idea.prompt, idea.reasoning)


def test_every_kind_is_looked_at() -> None:
    assert {idea.kind for idea in _found()} == {signal.KIND for signal in ALL}


def test_each_suggestion_and_its_reason_are_german() -> None:
    english = [one.text for idea in _found() for one in _ours(idea) if _german(one) == one.text]
    assert english == []


def test_no_english_is_left_within_a_german_sentence() -> None:
    for one in chain.from_iterable(map(_ours, _found())):
        said = worded(one.wording, one.text, masked())
        left = re.findall(r"[a-z]+", NAMES.sub("", said))
        assert not left, f"{one.text!r}: {left}"


def test_what_makes_a_kind_rarer_is_german() -> None:
    idea = next(idea for idea in _found() if idea.kind == "fix-ci")
    disk = next(idea for idea in _found() if idea.kind == "free-disk")
    minds = [(idea, Mind(tallies={idea.kind: Tally(approved=0, rejected=9, in_row=count)})) for count in range(3, 12)]
    minds += [(disk, Mind(tallies={disk.kind: Tally(approved=0, rejected=9, in_row=2)}))]
    minds += [(idea, Mind(mutes=(Mute(id="m", kind=idea.kind, degree="less", made_at=AFTERNOON, last_at=AFTERNOON),)))]
    for of, mind in minds:
        said = in_view_of(mind, of)
        assert said.text != of.reasoning.text
        assert _german(said).startswith(_german(of.reasoning))
        assert not re.findall(r"[a-z]+", worded(said.wording, said.text, masked()))


def _said() -> Iterator[tuple[str, str]]:
    """Yield each sentence that the hub says, with its module; what a condition chooses between is two of them."""
    for path in (ROOT / "hub").rglob("*.py"):
        tree = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        ours = {
            name.name
            for node in tree
            if isinstance(node, ast.ImportFrom) and node.module == "hub.domain.provenance"
            for name in node.names
        } & {"say", "counted", "own"}
        for node in tree if ours else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ours:
                yield from ((path.relative_to(ROOT / "hub").as_posix(), text) for text in _templates(node))


def _plain() -> Iterator[str]:
    """Yield each text that is told as a whole: when work is done, and why nothing is suggested."""
    for path in chain((ROOT / "hub" / "what").rglob("*.py"), *((ROOT / "hub" / one,) for one in WHY_NOTHING)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    yield from (why_nothing(hint, Situation(at=AFTERNOON, local=AFTERNOON)) for hint in ("Is it late?", "Write a poem"))


def _templates(call: ast.Call) -> list[str]:
    words = [[text.value for text in ast.walk(one) if isinstance(text, ast.Constant)] for one in call.args]
    if getattr(call.func, "id", "") in {"say", "own"}:
        return [one for one in words[0] if isinstance(one, str)]
    nouns = [one for one in chain.from_iterable(words[1:]) if isinstance(one, str)]
    return [f"{{number}} {noun}" for noun in ([*nouns, f"{nouns[0]}s"] if len(nouns) == 1 else nouns)]


def test_each_sentence_of_the_hub_has_its_german() -> None:
    """One that lacks it leaves the sentence around it in English, too: also where it is only a blank before a slot."""
    said, told = list(_said()), sentences("de")
    assert NOT_CODED.keys() <= {module for module, _ in said}
    missing = {
        (module, text)
        for module, text in said
        if text not in told and module not in NOT_CODED and text not in NOT_SHOWN and not SLOT.fullmatch(text)
    }
    assert {one for one in missing if not NOT_YET.match(one[1])} == set()


def test_each_need_of_a_suggestion_is_german() -> None:
    told = sentences("de")
    assert {idea.need.text for idea in _found()} - set(told) == set()
    needs = [own(idea.need.text) for idea in _found()]
    assert [need.text for need in needs if worded(need.wording, need.text, phrases("de")) == need.text] == []


def test_each_german_sentence_is_of_one_that_is_said_and_fills_the_same_slots() -> None:
    told = sentences("de")
    assert set(told) - {text for _, text in _said()} - set(_plain()) == set()
    assert [one for one, text in told.items() if sorted(SLOT.findall(one)) != sorted(SLOT.findall(text))] == []
    assert len({sentence_code(one) for one in told}) == len(told), "two sentences have one code"
