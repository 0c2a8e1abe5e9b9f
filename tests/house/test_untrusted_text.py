"""The doors out of the world's text are few, and each has a reason: whoever opens one more must write it here."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.source import nodes, python_files, short

MAY_LOOK_AT_BARE_WORDS = {
    "hub/domain/provenance.py": "defines them",
    "hub/domain/world_lines.py": "writes them into the world log, as data, and knows a session's id and place there",
    "hub/what/reasons.py": "hashes them into keys and signatures",
    "hub/what/sighting.py": "tells a folder's plain name from a sentence",
    "hub/what/asked.py": "compares a model's words with the ideas",
    "hub/what/matching.py": "compares a repository's name with what was asked",
    "hub/what/signals/suggested.py": "looks for the playbook or the repository that is meant",
    "hub/what/signals/foreseen.py": "compares and hashes what was foreseen",
    "hub/what/signals/run_tests.py": "compares a project's folder with those of changed files",
    "hub/what/signals/dependencies.py": "compares file names with those of manifests",
    "hub/what/signals/unpushed.py": "compares a remote's name with origin",
    "hub/what/signals/todos.py": "hashes paths into a signature",
    "hub/learn/pairs/context.py": "tells a model that learns, as data",
    "hub/io/agents/playbook/look_at_folder.py": "writes them into a note for the person, as data",
    "hub/sense/world_day.py": "looks for what a person searches in a day of the world log",
    "hub/loop/world_day_views.py": "shows a person a day of the world log",
    "hub/may/gate.py": "looks for words of production in a branch's name",
    "hub/loop/views.py": "shows a person what a run said",
    "hub/loop/mended.py": "compares a command that ended with one that had failed",
    "hub/loop/world.py": "measures how long a line is that somebody wants to say",
    "hub/loop/world_views.py": "shows a person their sessions",
    "hub/loop/today.py": "tells a person what their day brings, by the titles of its meetings and tasks",
    "hub/loop/reminders.py": "asks a person whether their task is done, by its title",
    "hub/loop/world_words.py": "asks a person about a session, in its words",
    "hub/loop/world_record.py": "writes what an agent said into the world log, as data",
    "hub/loop/drive_words.py": "shows a person why a model saw no need",
    "hub/verify/world_judgement.py": "looks for a verdict in a model's answer",
    "hub/verify/world_needs.py": "reads a need part by part, and looks for a pattern in what a session said",
    "hub/verify/world_commands.py": "splits a command into words, for a person to say yes to",
    "hub/when/drives/model.py": "looks for a yes or a no of a model",
    "hub/io/agents/twin_context.py": "tells a model, as data",
    "hub/io/api/repositories.py": "shows a person their repositories",
    "hub/io/api/situation_text.py": "shows a person what was seen",
    "hub/io/api/story.py": "shows a person what a model said",
    "hub/io/api/tasks.py": "shows a person their tasks",
    "hub/io/world/shown.py": "shows a person what stands in the world log",
    "hub/io/api/twins.py": "hands a program what a model said to it",
    "hub/io/world/proof_files.py": "looks for the files that a need names, within bounds",
    "hub/io/world/proof_urls.py": "asks for the address that a need names, on this machine only",
}
MAY_LOOK_AT_AN_AGENTS_OUTPUT = {
    "hub/domain/world_bodies.py": "takes what is called so in a line of the world log, and no run's",
    "hub/verify/__init__.py": "looks for the proof that was asked for",
    "hub/verify/world_commands.py": "keeps a command's last lines, as words of the log",
    "hub/verify/outcome.py": "says what came of it, as words of the agent",
    "hub/io/api/attempts.py": "shows it",
    "hub/io/api/story.py": "shows it",
}
MAKES_THE_WORKS_ARGUMENTS = {
    "hub/what/choosing.py",
    "hub/what/waking.py",
    "hub/what/sighting.py",  # the candidate's own, made of wordings
    "hub/loop/world_commands.py",
    "hub/loop/commits.py",  # the id of a commit that Pulse made
    "hub/loop/reworded.py",  # the message that a person gave a commit, beside paths that are quoted already
}


def parts() -> Iterator[tuple[str, ast.AST]]:
    """Every syntax node of the hub, with the file that it stands in."""
    for path in python_files("hub"):
        for node in nodes(path):
            yield short(path), node


@pytest.mark.slow
def test_bare_words_are_looked_at_only_where_a_reason_is_given() -> None:
    users = {
        name
        for name, node in parts()
        if (isinstance(node, ast.Name) and node.id == "untrusted")
        or (isinstance(node, ast.FunctionDef) and node.name == "untrusted")
        or (isinstance(node, ast.Attribute) and node.attr == "_words")
    }
    assert users == set(MAY_LOOK_AT_BARE_WORDS)


@pytest.mark.slow
def test_what_an_agent_printed_is_shown_and_checked_and_goes_nowhere_else() -> None:
    """It is a plain string in `RunResult`, so this says where it may be read; the agents' own adapters make it."""
    readers = {
        name
        for name, node in parts()
        if not name.startswith("hub/io/agents/")
        if isinstance(node, ast.Attribute) and node.attr == "output"
    }
    assert readers == set(MAY_LOOK_AT_AN_AGENTS_OUTPUT)


@pytest.mark.slow
def test_no_signal_makes_a_sentence_by_itself() -> None:
    """A `Wording` built by hand would not know what it quotes; only an empty one says nothing."""
    built = [
        f"{name}:{node.lineno}"
        for name, node in parts()
        if name != "hub/domain/provenance.py"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Wording" and (node.args or node.keywords)
    ]
    assert built == []
    said = {name for name, node in parts() if isinstance(node, ast.Name) and node.id == "as_said"}
    assert not [name for name in said if name.startswith(("hub/what/", "hub/sense/", "hub/when/"))]


@pytest.mark.slow
def test_templates_are_written_out() -> None:
    """What is filled in must never be the template itself: the first argument of `say` is a literal."""
    composed = [
        f"{name}:{node.lineno}"
        for name, node in parts()
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say" and not _is_literal(node.args[0])
    ]
    assert composed == []


@pytest.mark.slow
def test_the_works_arguments_are_filled_in_in_one_place() -> None:
    """They come from `Candidate.args`, which know what they quote; `Work(args=…)` elsewhere would not."""
    filled = {
        name
        for name, node in parts()
        if name.startswith(("hub/what/", "hub/loop/", "hub/may/"))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"Work", "replace"}
        for keyword in node.keywords
        if keyword.arg == "args"
    }
    assert filled == MAKES_THE_WORKS_ARGUMENTS


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_literal(node.body) and _is_literal(node.orelse)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
