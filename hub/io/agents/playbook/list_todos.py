"""To-do comments in a repository."""

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult, not_started
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import NO_GIT, Workplace

WORDS = ("TODO", "FIXME", "XXX", "HACK")
LISTED_MAX = 500
FIELDS = 3
"""Of a match: path, line number and text."""
NOTHING_FOUND = 1
"""git grep's exit code when there is no match."""


async def list_todos(place: Workplace) -> RunResult:
    """List lines with a to-do word, in tracked and new files; without binary ones and those that a filter hides."""
    place.say(f"Looking for {', '.join(WORDS)}")
    pattern = rf"\b({'|'.join(WORDS)})\b"
    found = await place.git.ask("grep", "-nIE", "--untracked", "--no-color", "-z", "-e", pattern)
    if not found.ok and found.exit_code != NOTHING_FOUND:
        return not_started(NO_GIT)
    matches = [parts for line in found.fields() if len(parts := line.split("\0", 2)) == FIELDS]
    hidden = await place.git.unlike_stored(tuple(dict.fromkeys(path for path, _, _ in matches)))
    entries = [
        f"`{clip_line(path)}:{at}` {clip_line(text.strip())}" for path, at, text in matches if path not in hidden
    ]
    place.say(f"Found {len(entries)}")
    lines = [f"- {entry}" for entry in entries[:LISTED_MAX]] or ["None."]
    if len(entries) > LISTED_MAX:
        lines.append(f"- and {len(entries) - LISTED_MAX} more")
    return place.note(f"To-do comments in {place.name}", tuple(lines), topic="todos")


PLAYBOOK = Playbook(
    name="list-todos",
    description="List the to-do comments of a repository in a note.",
    risk=Risk.LOW,
    needs="a git repository",
    work=list_todos,
)
