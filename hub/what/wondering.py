"""A person's question that a playbook of ours answers: "What changed?", "Do the tests pass?", "What did I do today?".

Theory: a question is taken for a playbook's only when nothing in it is left over. "What changed in the login page?"
asks more than a note on the repository says, so it is somebody else's to answer. All that is done for a question is
to look (and to run the tests, where it is about them), and the person sees what would run before it does.
"""

import re
from datetime import UTC, datetime

from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Work
from hub.what.matching import named_workspaces, names_of, read
from hub.what.sighting import REVIEW, repositories

LONG_AGO = datetime.min.replace(tzinfo=UTC)
_BEGINS = re.compile(r"\s*(?:what|where|which|who|how|did|do|does|is|are|have|has|was|were|any)\b", re.IGNORECASE)
FILLERS = read("all any anything does here okay project repo repository still there things we where yet").words
"""Words that change nothing of what is asked, beside those that no text is known by."""
ANSWERS = (
    ("run-tests", read("tests pass passing fail failing failed green red broken").words),
    ("list-todos", read("todos fixme left open").words),
    ("stale-branches", read("branches stale old unused").words),
    ("summarise-commits", read("did done happened commits committed achieved").words),
    ("dependency-graph", read("depends dependencies imports").words),
    (
        REVIEW,
        read("not did change changed diff different modified new uncommitted committed unpushed pushed branch").words
        | read("conflicts stand status state").words,
    ),
)
"""Each playbook that tells something, and the words by which it is asked about; the first that covers all wins."""


def is_question(text: str) -> bool:
    """Say whether a text asks to be told something."""
    return text.rstrip().endswith("?") or _BEGINS.match(text) is not None


def answer_to(text: str, situation: Situation) -> Work | None:
    """Return the playbook whose result answers a question, in the repository that it names or else the latest one."""
    if not is_question(text):
        return None
    asked = read(text)
    named = named_workspaces(asked, situation)
    places = [each for each in repositories(situation) if not named or each.path in named]
    words = asked.words.difference(FILLERS, *(names_of(each) for each in places if named))
    for playbook, about in ANSWERS:
        able = [each for each in places if playbook in each.playbooks]
        if words and words <= about and able:
            return Work(playbook=playbook, workspace=max(able, key=_latest).path)
    return None


def _latest(repository: Repository) -> tuple[bool, datetime]:
    """Order repositories by what a person is likely to mean: uncommitted work first, then the latest commit."""
    return bool(repository.to_commit), repository.head_at or LONG_AGO
