"""What a commit would hold, in lines: its message, each file with its size, and the diff. The same everywhere. Pure."""

from typing import Literal

from hub.contract.base import Value
from hub.contract.runs import CommitPlan, FileToCommit
from hub.kit.line_diff import lines_of
from hub.kit.phrasebook import Phrases
from hub.kit.text import file_size

MARKS = {"added": "+", "changed": "~", "deleted": "-", "renamed": "→"}
Tone = Literal["plain", "added", "removed", "place"]


class CommitLine(Value):
    """One line, and what it is of a diff; `plain` outside of it."""

    text: str
    tone: Tone = "plain"


def commit_lines(commit: CommitPlan, words: Phrases) -> tuple[CommitLine, ...]:
    """Return everything of a commit in lines."""
    head = words.title("commit.message", text=commit.message).split("\n")
    files = (_file_line(file, words) for file in commit.files)
    diff = (CommitLine(text=text, tone=_tone(text)) for text in lines_of(commit.diff))
    more = (CommitLine(text=words.say("commit.more")),) if commit.diff_cut else ()
    return (*(CommitLine(text=text) for text in (*head, *files)), *diff, *more)


def _file_line(file: FileToCommit, words: Phrases) -> str:
    name = f"{file.was} → {file.path}" if file.was else file.path
    size = file.size_before if file.became == "deleted" else file.size
    told = "" if size is None else file_size(size).replace(".", words.say("decimal"))
    lines = "" if file.added is None else f"+{file.added} -{file.removed or 0}"
    is_binary = file.added is None and file.became != "renamed"
    kind = words.say("commit.binary") if is_binary else ""
    facts = ", ".join(filter(None, (words.say(f"commit.{file.became}"), kind, told, lines)))
    return f"{MARKS[file.became]} {name}  ({facts})"


def _tone(text: str) -> Tone:
    if text.startswith(("@@", "diff --git ", "--- ", "+++ ")):
        return "place"
    return "added" if text.startswith("+") else "removed" if text.startswith("-") else "plain"
