"""What a repository's state gives reason for: conflicts, commits that are ready, both sides of a branch, lock files."""

from functools import partial

import msgspec
import pytest

from hub.contract.words import Origin
from hub.domain.mind import Mind, Tally
from hub.domain.provenance import RepositoryText
from hub.domain.situation import LeftOut, PullRequest, Repository, StaleLock, WorkFile
from hub.domain.suggestion import Proposal
from hub.what import has_passed, ideas, propose
from hub.what.ideas import is_welcome
from hub.what.news import news, seen_after
from hub.what.reasons import is_known
from tests.rooms.what.scenes import (
    AFTERNOON,
    HOUR,
    MIND,
    ONLY_PLAYBOOKS,
    POLICY,
    modules,
    quiet_repository,
    situation,
)

change = msgspec.structs.replace
GIT_PLAYBOOKS = ("run-tests", "commit-work", "push-work", "catch-up", "update-lock", "review-work")


def repository(**more: object) -> Repository:
    return change(quiet_repository(), playbooks=GIT_PLAYBOOKS, **more)


def files(*names: str) -> tuple[RepositoryText, ...]:
    return tuple(map(RepositoryText, names))


def proposed(found: Repository, *, agent: bool) -> Proposal:
    policy = POLICY if agent else ONLY_PLAYBOOKS
    made = propose(situation(AFTERNOON, found), policy, MIND, known={}, open_keys=())
    assert made is not None
    assert made.ideas == 1, "two ways to do one thing are one matter"
    return made.proposal


def kinds(found: Repository) -> set[str]:
    return {idea.kind for idea in ideas(situation(AFTERNOON, found), MIND) if is_welcome(idea, MIND)}


CONFLICT = repository(conflicts=files("a.py", "b.py"), operation="merge", uncommitted=files("a.py", "b.py"))
FAILED = repository(last_test_run_at=AFTERNOON - HOUR, last_test_run_passed=False, failed_tests=files("t.py::a"))
APART = repository(upstream=RepositoryText("origin/main"), unpushed=2, behind=3)


@pytest.mark.parametrize(
    ("found", "with_agent", "without", "playbook"),
    [
        (CONFLICT, "Resolve the conflict in 2 files of pulse, and leave the result uncommitted",
         "Show the conflict in 2 files of pulse", "review-work"),
        (FAILED,
         "Find out why the tests of pulse fail, and fix the cause",
         "See why the tests of pulse fail", "review-work"),
        (APART, "Merge new upstream commits into pulse: 2 commits here, 3 commits there",
         "Compare the branch of pulse with its upstream", "review-work"),
    ],
)  # fmt: skip
def test_an_agent_mends_it_and_without_one_a_playbook_helps(
    found: Repository, with_agent: str, without: str, playbook: str
) -> None:
    one, other = proposed(found, agent=True), proposed(found, agent=False)
    assert (one.prompt, one.work.playbook) == (with_agent, None)
    assert (other.prompt, other.work.playbook) == (without, playbook)
    assert (one.reason_key, one.signature) == (other.reason_key, other.signature)


def test_the_reason_of_failed_tests_names_them() -> None:
    card = proposed(FAILED, agent=True)
    assert card.reasoning == "1 test failed at 13:30: t.py::a; no module has changed since."
    assert card.details == "t.py::a"


def test_amid_a_conflict_there_is_no_other_reason() -> None:
    scene = change(CONFLICT, changed_modules=modules("a"), uncommitted_since=AFTERNOON - 9 * HOUR, behind=2, unpushed=1)
    assert kinds(change(scene, upstream=RepositoryText("origin/main"))) == {"merge-conflict"}


READY = repository(
    uncommitted=files("cart.py", "t.log"),
    uncommitted_since=AFTERNOON - 2 * HOUR,
    to_commit=files("cart.py"),
    message=RepositoryText("Add empty to cart.py"),
    diff=RepositoryText("+def empty():"),
    added=4,
    removed=1,
    last_test_run_at=AFTERNOON - HOUR,
    last_test_run_passed=True,
)


def test_tested_work_is_ready_to_commit() -> None:
    card = proposed(READY, agent=False)
    assert card.prompt == "Commit 1 file of pulse"
    assert card.reasoning == "The tests passed with these changes at 13:30: cart.py (+4 -1)."
    assert card.work.args == ("", "cart.py"), "the message is proposed from what is there when the plan is made"
    assert card.origin is Origin.WORLD, "it quotes file names, so it always asks"


def test_a_commit_by_an_agent_comes_with_a_message_and_the_diff() -> None:
    card = proposed(change(READY, playbooks=()), agent=True)
    assert card.reasoning.endswith(" Proposed message: “Add empty to cart.py”.")
    assert card.details == "+def empty():"


def test_the_title_says_what_else_becomes_of_files_and_the_reason_what_is_left_out() -> None:
    work = (
        WorkFile(path=RepositoryText("news.md"), became="changed", added=1, removed=0),
        WorkFile(path=RepositoryText("hero.png"), became="deleted", size_before=631_000),
    )
    left_out = (
        LeftOut(path=RepositoryText(".env"), reason="private", size=20),
        LeftOut(path=RepositoryText("draft.psd"), reason="kind", size=2_100_000),
        LeftOut(path=RepositoryText("node_modules/"), reason="tools"),
    )
    paths = files("hero.png", "news.md")
    card = proposed(change(READY, work=work, left_out=left_out, to_commit=paths), agent=False)
    assert card.prompt == "Commit 2 files of pulse (1 deleted)"
    assert card.reasoning.endswith(
        " Left out: .env (20 B, may hold secrets), draft.psd (2.1 MB, of a kind that is not suggested), "
        "node_modules/ (made by tools)."
    )
    many = proposed(change(READY, work=work, left_out=left_out * 3, to_commit=paths), agent=False)
    assert "and 5 more." in many.reasoning


@pytest.mark.parametrize(
    "now",
    [
        change(READY, changed_modules=modules("a")),
        change(READY, last_test_run_passed=False),
        change(READY, last_test_run_passed=None),
        change(READY, uncommitted_since=AFTERNOON - HOUR / 2),
        change(READY, operation="rebase"),
        change(READY, operation="bisect"),
        change(READY, to_commit=()),
    ],
    ids=["changed since", "failed", "unknown", "begun after the run", "amid a rebase", "amid a bisect", "clean"],
)
def test_what_is_not_ready(now: Repository) -> None:
    assert "commit-work" not in kinds(now)


def test_work_on_no_branch_is_given_one_by_an_agent() -> None:
    card = proposed(change(READY, branch=None), agent=True)
    assert card.prompt == "Commit 1 file of pulse on a branch of their own, with a message that says what they do"
    assert not card.work.playbook


@pytest.mark.parametrize(
    ("operation", "said"), [("merge", "A merge stopped: "), ("am", "git am stopped: "), ("", "There is a conflict: ")]
)
def test_what_stopped_is_called_by_its_name(operation: str, said: str) -> None:
    assert proposed(change(CONFLICT, operation=operation), agent=True).reasoning.startswith(said)


def test_young_work_is_committed_for_a_person_who_asks_and_is_no_news() -> None:
    young = change(READY, last_test_run_at=None, last_test_run_passed=None, uncommitted_since=AFTERNOON - HOUR / 4)
    scene, liked = situation(AFTERNOON, young), Mind(tallies={"commit-work": Tally(approved=9)})
    choose = partial(propose, scene, ONLY_PLAYBOOKS, liked, known={}, open_keys=())
    assert choose() is None
    for asked in (choose(asked=True), choose(asked=True, hint="Commit my work")):
        assert asked is not None
        assert (asked.proposal.work.playbook, asked.proposal.work.args[1:]) == ("commit-work", ("cart.py",))
    found = ideas(scene, liked)
    assert [idea.kind for idea in found] == ["commit-work"]
    assert news(found, {}) == ()
    assert seen_after(found, {}, ()) == {}


def test_that_the_tests_pass_is_news_for_work_that_lay_there() -> None:
    lying = change(READY, last_test_run_passed=None, uncommitted_since=AFTERNOON - 5 * HOUR)
    before, after = proposed(lying, agent=False), proposed(READY, agent=False)
    assert before.reasoning.startswith("Not committed; the oldest change was made at 09:30: cart.py (+4 -1).")
    assert not is_known(after.signature, before.signature)
    assert is_known(before.signature, after.signature)


def test_too_much_for_one_commit_is_for_an_agent() -> None:
    many = change(READY, to_commit=files(*(f"{number}.py" for number in range(21))))
    card = proposed(many, agent=True)
    assert card.work.playbook is None
    assert card.prompt.endswith("of pulse on a branch of their own, with a message that says what they do")


def test_a_branch_that_is_behind_waits_until_nothing_is_uncommitted() -> None:
    behind = repository(upstream=RepositoryText("origin/main"), unpushed=0, behind=3)
    card = proposed(behind, agent=True)
    assert (card.prompt, card.work.playbook) == ("Pull 3 new commits into pulse", "catch-up")
    assert kinds(change(behind, uncommitted=files("a.py"))) == set()
    assert kinds(change(behind, behind=0)) == set()


def test_a_push_that_would_be_refused_is_not_proposed() -> None:
    assert kinds(repository(unpushed=2, behind=0, head_at=AFTERNOON - 2 * HOUR)) == {"push-work"}
    assert "push-work" not in kinds(change(APART, head_at=AFTERNOON - 2 * HOUR))


def test_a_lock_file_is_updated_by_its_name() -> None:
    stale = repository(stale_locks=(StaleLock(manifest="package.json", lock="package-lock.json"),))
    card = proposed(stale, agent=True)
    assert card.prompt == "Update package-lock.json of pulse"
    assert (card.work.playbook, card.work.args) == ("update-lock", ("package-lock.json",))
    assert card.is_our_own


def asked_about(**more: object) -> Repository:
    request = PullRequest(
        number=12, title=RepositoryText("Faster carts"), checks="passed", can_merge=False, is_mine=True
    )
    return repository(pull_requests=(change(request, **more),))


@pytest.mark.parametrize(
    ("more", "wanted", "shown"),
    [
        ({"checks": "failed"}, "Find out why the checks of pull request 12 of pulse fail, and fix the cause",
         "Show pull request 12 of pulse: its checks failed"),
        ({"can_merge": True}, "Merge pull request 12 of pulse",
         "Show pull request 12 of pulse: it is approved and can be merged"),
        ({"is_mine": False}, "Review pull request 12 of pulse, and write down what you find",
         "Show pull request 12 of pulse: your review is asked for"),
    ],
)  # fmt: skip
def test_a_pull_request_that_waits_for_the_person(more: dict[str, object], wanted: str, shown: str) -> None:
    found = change(asked_about(**more), playbooks=("show-pull-request",))
    one, other = proposed(found, agent=True), proposed(found, agent=False)
    assert (one.prompt, other.prompt) == (wanted, shown)
    assert (other.work.playbook, other.work.args) == ("show-pull-request", ("12",))
    assert "“Faster carts”" in one.reasoning


def test_a_pull_request_has_passed_once_github_says_so_and_not_at_a_start() -> None:
    asked = asked_about(is_mine=False)
    card = proposed(asked, agent=True)
    for now, is_over in (
        (asked, False),
        (change(asked, pull_requests=None), False),
        (repository(pull_requests=()), True),
    ):
        scene = situation(AFTERNOON, now)
        assert has_passed(card, ideas(scene, MIND), scene) is is_over


def test_a_pull_request_that_waits_for_others_is_no_reason() -> None:
    assert kinds(asked_about()) == set()
    assert kinds(asked_about(can_merge=True, checks="running")) == set()
