"""To-do comments in a repository."""

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult, not_started
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import NO_GIT, Workplace

WORDS = ("TODO", "FIXME", "XXX", "HACK")
LISTED_MAX = 500
NOTHING_FOUND = 1
"""git grep's exit code when there is no match."""


async def list_todos(place: Workplace) -> RunResult:
    """List lines with a to-do word, in tracked and new files, binary files left out."""
    place.say(f"Looking for {', '.join(WORDS)}")
    pattern = rf"\b({'|'.join(WORDS)})\b"
    found = await place.git.ask("grep", "-nIE", "--untracked", "--no-color", "--full-name", "-e", pattern)
    if not found.ok and found.exit_code != NOTHING_FOUND:
        return not_started(NO_GIT)
    entries = found.fields()
    place.say(f"Found {len(entries)}")
    lines = [f"- {_entry(line)}" for line in entries[:LISTED_MAX]] or ["None."]
    if len(entries) > LISTED_MAX:
        lines.append(f"- and {len(entries) - LISTED_MAX} more")
    return place.note(f"To-do comments in {place.name}", tuple(lines), topic="todos")


def _entry(line: str) -> str:
    """Make `path:line:text` readable."""
    path, _, rest = line.partition(":")
    number, _, text = rest.partition(":")
    return f"`{clip_line(path)}:{number}` {clip_line(text.strip())}"


PLAYBOOK = Playbook(
    name="list-todos",
    description="List the to-do comments of a repository in a note.",
    risk=Risk.LOW,
    needs="a git repository",
    work=list_todos,
)
