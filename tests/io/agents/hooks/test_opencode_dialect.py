"""What OpenCode's plugin hands on, and what it is told: requests, questions, answers given elsewhere, and nonsense."""

import json

import pytest

from hub.contract.permission import Act
from hub.io.agents.hooks.opencode import OPENCODE
from hub.io.agents.hooks.step import At, HookStep, Unreadable, Word

ASKED = {
    "id": "per_1",
    "sessionID": "ses_1",
    "permission": "bash",
    "patterns": ["git push origin main"],
    "metadata": {"command": "git push origin main"},
    "always": ["git push *"],
    "tool": {"messageID": "msg_1", "callID": "call1"},
}
QUESTIONS = [
    {"question": "Which library?", "header": "Library", "options": [{"label": "arrow", "description": "old"}]},
    {"question": "Which parts?", "header": "Parts", "options": [{"label": "a"}, {"label": "b"}], "multiple": True},
]


def read(event: str, properties: object) -> HookStep:
    step = OPENCODE.read(json.dumps({"event": event, "folder": "/home/me/shop", "properties": properties}).encode())
    assert isinstance(step, HookStep)
    return step


def told(step: HookStep, word: Word) -> object:
    output = OPENCODE.write(step, word)
    assert output.status == 0
    return json.loads(output.text) if output.text else None


def test_a_command_is_asked_for_with_the_offer_that_opencode_makes() -> None:
    step = read("permission.asked", ASKED)
    wanted = OPENCODE.wanted(step)
    assert (step.at, step.session, step.folder, step.call) == (At.LEAVE, "ses_1", "/home/me/shop", "per_1")
    assert (wanted.act, wanted.text, wanted.text_in) == (Act.COMMAND, "git push origin main", "")
    (offer,) = step.offers
    assert (offer.lasts, offer.label) == ("session", "Always allow git push *, in this session")
    assert told(step, Word(says="allow")) == {"reply": "once"}
    assert told(step, Word(says="allow", echoes=(offer.echo,))) == {"reply": "always"}
    assert told(step, Word(says="deny", reason="Not yet")) == {"reply": "reject", "message": "Not yet"}
    assert told(step, Word()) is None


def test_the_offer_names_every_pattern_or_is_not_made() -> None:
    (offer,) = read("permission.asked", {**ASKED, "always": ["ls *", "cat *", "pwd *", "rm *"]}).offers
    assert offer.label == "Always allow ls *, cat *, pwd *, rm *, in this session"
    assert read("permission.asked", {**ASKED, "always": ["ls " + "x" * 200, "rm *"]}).offers == ()


@pytest.mark.parametrize(("patterns", "act"), [(["/etc/*"], Act.READ), (["~/x/*"], Act.READ), (["*"], Act.OTHER)])
def test_a_servers_tool_is_no_look_at_a_folder_outside(patterns: list[str], act: Act) -> None:
    """OpenCode 1.18.34 asks so for the tool `directory` of a server called `external`: for all that it is given."""
    asked = {**ASKED, "permission": "external_directory", "patterns": patterns, "metadata": {}}
    assert OPENCODE.wanted(read("permission.asked", asked)).act is act


@pytest.mark.parametrize(
    ("permission", "metadata", "act", "target", "text"),
    [
        ("edit", {"filepath": "/home/me/shop/.env", "diff": "-1\n+2"}, Act.EDIT, "/home/me/shop/.env", "-1\n+2"),
        ("webfetch", {"url": "https://example.org"}, Act.FETCH, "https://example.org", ""),
        ("external_directory", {"filepath": "/etc/hosts"}, Act.READ, "/etc/hosts", ""),
        ("read", {}, Act.READ, ".env", ""),
        ("task", {"description": "x"}, Act.OTHER, "", '{"description":"x","patterns":[".env"]}'),
    ],
)
def test_each_kind_of_request(permission: str, metadata: object, act: Act, target: str, text: str) -> None:
    about = {**ASKED, "permission": permission, "metadata": metadata, "patterns": [".env"]}
    wanted = OPENCODE.wanted(read("permission.asked", about))
    assert (wanted.act, wanted.target, wanted.text) == (act, target, text)


def test_a_search_names_the_files_that_it_looks_into() -> None:
    about = {**ASKED, "permission": "grep", "metadata": {"pattern": "KEY", "include": ".env"}, "patterns": ["KEY"]}
    wanted = OPENCODE.wanted(read("permission.asked", about))
    assert (wanted.act, wanted.text, wanted.others) == (Act.READ, "KEY", (".env",))


def test_a_patch_of_several_files_is_judged_by_the_riskiest_and_names_all() -> None:
    patterns = ["src/a.py", "../x.py", ".git/hooks/pre-commit"]
    moved = {"filePath": "/home/me/shop/src/a.py", "movePath": "/home/me/shop/src/b.py"}
    metadata = {"filepath": ", ".join(patterns), "diff": "-1\n+2", "files": [moved]}
    about = {**ASKED, "permission": "edit", "metadata": metadata, "patterns": patterns}
    wanted = OPENCODE.wanted(read("permission.asked", about))
    assert (wanted.act, wanted.target) == (Act.EDIT, "/home/me/shop/.git/hooks/pre-commit")
    assert wanted.others == ("/home/me/shop/src/a.py", "/home/me/shop/src/b.py", "/home/me/shop/../x.py")


def test_questions_are_answered_in_their_order() -> None:
    step = read("question.asked", {"id": "q", "sessionID": "ses_1", "questions": QUESTIONS})
    first, second = OPENCODE.questions(step)
    assert (first.text, [one.label for one in first.choices], second.several) == ("Which library?", ["arrow"], True)
    given = OPENCODE.answered(step, {second.id: ("a", "b"), first.id: ("arrow",)})
    assert told(step, Word(says="allow", input=given)) == {"answers": [["arrow"], ["a", "b"]]}
    assert told(step, Word(says="deny")) == {"reject": True}


def test_an_answer_given_in_its_own_dialog_is_about_the_same_call() -> None:
    asked, replied = read("permission.asked", ASKED), read("permission.replied", ASKED)
    assert replied.at is At.AFTER
    assert (replied.tool, replied.input) == (asked.tool, asked.input)
    assert told(replied, Word(says="allow")) is None


@pytest.mark.parametrize(
    "raw",
    [b"", b"[]", b"\xff", b"{}", b'{"event": 3}', b'{"event":"permission.asked"}', b"[" * 5_000],
)
def test_nonsense_is_unreadable(raw: bytes) -> None:
    assert isinstance(OPENCODE.read(raw), Unreadable)


def test_fields_of_a_wrong_kind_are_as_good_as_missing() -> None:
    about = {"permission": "bash", "metadata": [], "patterns": "x", "always": [1, None], "tool": 4, "sessionID": {}}
    step = read("permission.asked", about)
    assert (step.session, step.offers, OPENCODE.wanted(step).text) == ("", (), "")
    assert read("tea.time", {}).at is At.ELSE
