import msgspec
import pytest

from hub.domain.provenance import CiText, RepositoryText
from hub.what import ideas
from hub.what.matching import playbook_for, read, same_idea, workspace_for
from hub.what.reasons import is_known, state
from hub.what.text import clean, clean_lines, listed
from tests.fakes.plain_words import plain
from tests.rooms.what.scenes import AFTERNOON, HOUR, MIND, modules, quiet_repository, situation

change = msgspec.structs.replace
PULSE = change(
    quiet_repository(),
    changed_modules=modules("hub/deploy", "hub/store"),
    last_test_run_at=AFTERNOON - HOUR,
    commits_today=3,
)
SHOP = change(quiet_repository("/home/mo/shop", "shop"), uncommitted=(RepositoryText("package.json"),))
SCENE = situation(AFTERNOON, PULSE, SHOP)
IDEAS = ideas(SCENE, MIND)


@pytest.mark.parametrize(
    "text",
    [
        "Run tests on the most recently changed modules",
        "Run the test suite of pulse",
        "Rerun pytest for the changed modules",
        "Run vitest on hub/store — 2 test files changed since last run",
    ],
)
def test_other_words_for_running_the_tests(text: str) -> None:
    found = same_idea(text, IDEAS, SCENE)
    assert found is not None
    assert found.kind == "run-tests"


@pytest.mark.parametrize(
    "text",
    [
        "Run the tests and deploy",
        "Run the tests, then push the changed modules",
        "Delete the tests of the changed modules",
        "Update CROSSPOLL-SPEC.md with test results",
        "Summarise the test runs",
        "Run the tests of shop",
        "Brainstorm 3 alternative approaches to the caching problem",
        "tests",
        "",
        "!!!",
    ],
)
def test_whoever_asks_for_more_or_for_something_else_matches_nothing(text: str) -> None:
    assert same_idea(text, IDEAS, SCENE) is None


def test_a_folder_called_deploy_does_not_make_a_test_run_deploy() -> None:
    scene = situation(AFTERNOON, change(PULSE, changed_modules=modules("hub/deploy")))
    found = ideas(scene, MIND)
    assert "hub/deploy" in found[0].reasoning.text
    assert same_idea("Run the tests of pulse", found, scene) is found[0]
    assert same_idea("Run the tests and deploy the hub", found, scene) is None


def test_the_graph_of_the_right_repository() -> None:
    found = same_idea("Update the project dependency graph", IDEAS, SCENE)
    assert found is not None
    assert found.kind == "dependency-graph"
    assert found.work.workspace == "/home/mo/shop"


@pytest.mark.parametrize(
    ("text", "playbook"),
    [
        ("run the tests", "run-tests"),
        ("Please summarize my commits", "summarise-commits"),
        ("show stale branches", "stale-branches"),
        ("list all TODOs", "list-todos"),
        ("update the dependency graph", "dependency-graph"),
    ],
)
def test_asking_for_a_playbook(text: str, playbook: str) -> None:
    work = playbook_for(text, SCENE)
    assert work is not None
    assert (work.playbook, work.workspace) == (playbook, "/home/mo/pulse")


def test_asking_for_a_playbook_of_a_named_repository() -> None:
    work = playbook_for("run the tests of the shop", SCENE)
    assert work is not None
    assert work.workspace == "/home/mo/shop"
    assert playbook_for("delete stale branches", SCENE) is None
    assert playbook_for("run the tests", situation(AFTERNOON, change(PULSE, playbooks=()))) is None


def test_the_workspace_is_the_named_or_the_only_one() -> None:
    assert workspace_for("tidy the shop", SCENE) == "/home/mo/shop"
    assert workspace_for("tidy the shed", SCENE) is None
    assert workspace_for("tidy the shed", situation(AFTERNOON, PULSE)) == "/home/mo/pulse"


def test_words_are_folded() -> None:
    assert read("Ｒｕｎ the TESTS, 3 modules!").words == {"run", "test", "module"}  # noqa: RUF001  full-width letters are the point


def test_signatures_know_growth_from_shrinking() -> None:
    assert is_known(state("b", "xyz"), state("b", "xyz"))
    assert is_known(state("b", "x"), state("b", "xyz"))
    assert not is_known(state("b", "xyzw"), state("b", "xyz"))
    assert not is_known(state("c", "x"), state("b", "x"))
    assert not is_known(state("b", ""), state("b", "x"))
    assert not is_known(state("b", "x"), None)
    assert not is_known(state("b", (str(n) for n in range(200))), state("b", (str(n) for n in range(199))))
    assert len(state("b", (str(n) for n in range(10_000)))) < 40


def test_clean_text() -> None:
    assert plain(clean(CiText("a\u202eb\u200bc\x00 \n\t d"))) == "abc d"
    assert plain(clean(CiText("x" * 100), 10)) == "x" * 9 + "…"
    assert plain(clean(CiText("\ud800ok"))) == "ok"
    assert plain(clean_lines(CiText("a \u202e b\r\n\nc"), 100)) == "a b\n\nc"
    assert plain(clean_lines(CiText("x" * 100), 10)) == "x" * 9 + "…"
    assert isinstance(clean(CiText("x")), CiText)


def test_names_of_the_world_are_listed() -> None:
    assert listed(tuple(map(RepositoryText, "abcde"))).text == "a, b, c and 2 more"
