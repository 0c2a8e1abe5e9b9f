"""Packages that a manifest asks for and that are not there."""

from msgspec.structs import replace

from hub.contract.words import Risk
from hub.domain.provenance import RepositoryText
from hub.domain.situation import NotInstalled, NotSetUp, StaleLock
from hub.domain.suggestion import SET_UP
from hub.sense.installed import not_installed, npm_names, python_names
from hub.what import ideas
from hub.what.signals.packages import look
from tests.rooms.what.scenes import AFTERNOON, MIND, quiet_repository, situation


def test_what_a_manifest_asks_for_at_any_rate() -> None:
    assert npm_names('{"dependencies": {"@a/b": "1", "../x": "1"}, "devDependencies": {"tap": "1"}}') == ("@a/b", "tap")
    assert npm_names("[]") == npm_names('{"dependencies": ["a"]}') == npm_names("{") == ()
    pyproject = '[project]\ndependencies = ["Rich_Text>=1", "x; python_version < \'3\'", "y @ file:///y", "a[b]~=2"]\n'
    asked = python_names(pyproject, "-r more.txt\nflask==3 # web\nhttps://x/y.whl\n# no\n")
    assert asked == {"pyproject.toml": ("rich-text", "a"), "requirements.txt": ("flask",)}
    assert python_names("[", "")["pyproject.toml"] == ()


def test_only_what_is_not_there_is_missing() -> None:
    assert not_installed("package.json", ("a", "b"), {"a", "b", "c"}) == ()
    (missing,) = not_installed("package.json", ("a", "b"), {"a"})
    assert missing == NotInstalled(manifest="package.json", names=(RepositoryText("b"),))


def test_missing_packages_are_a_card_unless_the_lock_file_lacks_them_too() -> None:
    missing = (NotInstalled(manifest="package.json", names=(RepositoryText("left-pad"),)),)
    repository = replace(quiet_repository(), not_installed=missing, playbooks=("install-packages",))
    (idea,) = ideas(situation(AFTERNOON, repository), MIND)
    assert idea.prompt.text == "Install 1 package that package.json of pulse asks for"
    assert idea.reasoning.text == "package.json asks for left-pad, which is not installed here."
    assert (idea.work.playbook, [arg.text for arg in idea.args]) == ("install-packages", ["package.json"])
    stale = replace(repository, stale_locks=(StaleLock(manifest="package.json", lock="package-lock.json"),))
    assert [idea.kind for idea in ideas(situation(AFTERNOON, stale), MIND)] == ["update-lock"]


def test_a_clone_whose_tests_need_something_is_offered_to_be_set_up() -> None:
    missing = NotSetUp(manifest="pyproject.toml", makes_environment=True)
    clone = replace(quiet_repository(), set_up=missing, playbooks=("install-packages",))
    (idea,) = look(situation(AFTERNOON, clone))
    assert idea.prompt.text == "Create .venv and install what pyproject.toml of pulse asks for"
    assert (idea.work.playbook, [arg.text for arg in idea.args]) == ("install-packages", [SET_UP])
    assert idea.risk is Risk.MEDIUM
    assert "Packages may run code" in idea.reasoning.text
    bare = replace(clone, set_up=NotSetUp(manifest="", makes_environment=True))
    assert next(look(situation(AFTERNOON, bare))).prompt.text == "Create .venv and install what the tests of pulse need"
    tested = replace(clone, last_test_run_at=AFTERNOON)
    assert list(look(situation(AFTERNOON, tested))) == [], "somebody has what they need elsewhere"
