"""New errors of a project's own checker: seen, said with their numbers, and said once."""

from msgspec.structs import replace

from hub.domain.provenance import RepositoryText
from hub.domain.situation import CodeError
from hub.sense.checkers import FoundError, new_errors, ruff_errors, used
from hub.what import ideas
from hub.what.reasons import is_known
from tests.rooms.what.scenes import AFTERNOON, MIND, quiet_repository, situation

FOUND = (
    b'[{"filename":"/w/a.py","message":"`os` imported but unused","code":"F401","location":{"row":1,"column":8}},'
    b'{"filename":"/w/a.py","message":"Expected an expression","code":null,"location":{"row":3,"column":1}}]'
)


def error(path: str, text: str) -> CodeError:
    return CodeError(tool="ruff", path=RepositoryText(path), line=7, text=RepositoryText(text))


def test_which_checkers_a_project_uses() -> None:
    names = [each.name for each in used({"pyproject.toml", "tsconfig.json", "go.mod"}, "[tool.ruff.lint]\n")]
    assert names == ["ruff", "tsc", "go"]
    assert used({"pyproject.toml", "README.md"}, "[project]\n") == ()


def test_what_ruff_says_is_read_and_anything_else_says_nothing() -> None:
    first, second = ruff_errors(FOUND, "/w")
    assert (first.path, first.line, first.text) == ("a.py", 1, "F401 `os` imported but unused")
    assert second.text.startswith("syntax ")
    assert ruff_errors(b"error: unknown key", "/w") == ruff_errors(b'{"a": 1}', "/w") == ()


def test_only_what_the_last_commit_had_not_is_new() -> None:
    old = FoundError(path="a.py", line=3, text="E711 x")
    now = (replace(old, line=9), replace(old, line=12), FoundError(path="b.py", line=1, text="E711 x"))
    assert [(each.line, each.tool) for each in new_errors(now, (old,), "ruff")] == [(12, "ruff"), (1, "ruff")]


def test_new_errors_are_a_card_with_their_words_and_another_one_is_news() -> None:
    errors = (error("shop/cart.py", "F821 Undefined name `totl`"),)
    repository = replace(quiet_repository(), new_errors=errors, playbooks=("check-code",))
    agent, shown = ideas(situation(AFTERNOON, repository), MIND)
    assert {idea.prompt.text for idea in (agent, shown)} == {
        "Fix 1 new error that ruff finds in pulse",
        "Check pulse with ruff",
    }
    assert agent.reasoning.text == "1 new error since the last commit: F821 Undefined name `totl` (shop/cart.py)."
    assert agent.details.text == "shop/cart.py:7: F821 Undefined name `totl`"
    assert {idea.work.playbook for idea in (agent, shown)} == {None, "check-code"}
    more = replace(repository, new_errors=(*errors, error("shop/price.py", "E999 syntax")))
    after = ideas(situation(AFTERNOON, more), MIND)[0]
    assert not is_known(after.signature, agent.signature)
    assert is_known(agent.signature, after.signature)
