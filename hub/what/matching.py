"""Does a free text (a model's guess, a person's hint) ask for the same as an idea, or for a playbook?

A wrong match would run a playbook in place of what was asked, so a match must never promise more than it keeps: a text
with an action word that the other side does not have ("run the tests and deploy") matches nothing, and neither does
one that names another repository. What remains is compared by its words.
"""

import re
import unicodedata

from hub.contract.base import Value
from hub.contract.words import Risk
from hub.domain.provenance import untrusted
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Work
from hub.what.sighting import repositories

OVERLAP_MIN = 0.5
SHARED_WORDS_MIN = 2
PLURAL_CHARS_MIN = 4
WORD = re.compile(r"[^\W_]+")

# fmt: off
STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "do", "for", "from", "has", "have", "how", "in",
    "into", "is", "it", "its", "last", "lately", "me", "most", "my", "now", "of", "on", "one", "our",
    "please", "recent", "recently", "since", "so", "that", "the", "their", "them", "then", "they", "this",
    "those", "to", "today", "was", "were", "what", "when", "which", "will", "with", "you", "your",
})
# fmt: on

# fmt: off
ACTIONS = frozenset({
    "add", "answer", "approve", "book", "brainstorm", "build", "buy", "call", "change", "check", "clean", "commit",
    "compare", "continue", "copy", "create", "delete", "deploy", "destroy", "disable", "discard", "draft",
    "draw", "drop", "edit", "email", "enable", "erase", "execute", "explain", "export", "fetch", "find",
    "fix", "force", "format", "gather", "generate", "import", "install", "investigate", "kill", "list",
    "mail", "merge", "message", "migrate", "modify", "move", "open", "pay", "plan", "post", "prepare",
    "print", "publish", "pull", "purge", "push", "put", "rebase", "refactor", "refresh", "reject", "release", "remove",
    "rename", "reply", "research", "reset", "restart", "revert", "review", "rewrite", "run", "send", "share",
    "show", "shut", "start", "stop", "summarise", "sync", "text", "transfer", "truncate", "tweet",
    "uninstall", "update", "upgrade", "upload", "wipe", "work", "write",
})
# fmt: on

SAME = {
    "rerun": "run",
    "running": "run",
    "runs": "run",
    "execute": "run",
    "pytest": "test",
    "vitest": "test",
    "jest": "test",
    "tests": "test",
    "testing": "test",
    "summarize": "summarise",
    "summary": "summarise",
    "summaries": "summarise",
    "branches": "branch",
    "dependencies": "dependency",
    "todo": "todos",
    "show": "list",
    "update": "refresh",
}

NO_WORDS: frozenset[str] = frozenset()

CUES: dict[str, frozenset[str]] = {
    "run-tests": frozenset({"run", "test"}),
    "summarise-commits": frozenset({"summarise", "commit"}),
    "stale-branches": frozenset({"list", "stale", "branch"}),
    "list-todos": frozenset({"list", "todos"}),
    "dependency-graph": frozenset({"refresh", "dependency", "graph"}),
}
"""The words that together ask for a playbook."""


class Text(Value):
    """A text as its set of words, and those of them that are actions."""

    words: frozenset[str]

    @property
    def actions(self) -> frozenset[str]:
        """The actions that the text asks for."""
        return self.words & ACTIONS


def read(text: str) -> Text:
    """Return the words of a text, folded: case, endings and synonyms; without numbers and fillers."""
    found = WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    folded = (_fold(word) for word in found if not word.isnumeric() and word not in STOP_WORDS)
    return Text(words=frozenset(word for word in folded if len(word) > 1))


def same_idea(text: str, ideas: tuple[Candidate, ...], situation: Situation) -> Candidate | None:
    """Return the idea that the text asks for, the most similar one first; None when it asks for something else."""
    asked = read(text)
    named = named_workspaces(asked, situation)
    best, best_overlap = None, 0.0
    for idea in ideas:
        overlap = _overlap(asked, idea)
        elsewhere = bool(named) and idea.work.workspace not in {None, *named}
        if overlap > best_overlap and not elsewhere:
            best, best_overlap = idea, overlap
    return best


def playbook_for(text: str, situation: Situation) -> Work | None:
    """Return the playbook that the text asks for, in the repository that it names or the first that has it."""
    asked = read(text)
    named = named_workspaces(asked, situation)
    for playbook, cue in CUES.items():
        if not (cue <= asked.words and asked.actions <= cue):
            continue
        for repository in repositories(situation):
            if playbook in repository.playbooks and (not named or repository.path in named):
                return Work(playbook=playbook, workspace=repository.path)
    return None


def workspace_for(text: str, situation: Situation) -> str | None:
    """Return the one repository that the text names, or the only one there is; None when that is not clear."""
    paths = named_workspaces(read(text), situation) or tuple(found.path for found in repositories(situation))
    return paths[0] if len(paths) == 1 else None


def work_for(text: str, situation: Situation) -> Work:
    """Return the work that the text asks for: a playbook, or an agent's in the repository that it is about."""
    return playbook_for(text, situation) or Work(workspace=workspace_for(text, situation))


def risk_in_others_words(work: Work) -> Risk:
    """Return the risk of words that are wholly somebody else's: an agent obeys them, a playbook does what it does."""
    return Risk.LOW if work.playbook else Risk.MEDIUM


def named_workspaces(asked: Text, situation: Situation) -> tuple[str, ...]:
    """Return the paths of the repositories whose whole name stands in the text."""
    found = ((repository.path, names_of(repository)) for repository in repositories(situation))
    return tuple(path for path, name in found if name and name <= asked.words)


def names_of(repository: Repository) -> frozenset[str]:
    """Return the words of a repository's name."""
    return read(untrusted(repository.name)).words


def _overlap(asked: Text, idea: Candidate) -> float:
    words = read(f"{idea.kind} {idea.prompt.text}").words
    if idea.is_exact and not asked.words <= words:
        return 0.0  # another environment than this one is meant
    shared = asked.words & words
    # What a playbook does is fixed; a folder called "deploy" in its prompt does not make it deploy.
    done = read(idea.kind).words | CUES.get(idea.kind, NO_WORDS) if idea.work.playbook else words
    if len(shared) < SHARED_WORDS_MIN or not asked.actions or not asked.actions <= done:
        return 0.0
    overlap = len(shared) / min(len(asked.words), len(words))
    return overlap if overlap >= OVERLAP_MIN else 0.0


def _fold(word: str) -> str:
    known = SAME.get(word)
    if known:
        return known
    singular = word.removesuffix("s") if len(word) >= PLURAL_CHARS_MIN and not word.endswith("ss") else word
    return SAME.get(singular, singular)
