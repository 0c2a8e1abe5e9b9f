"""What came of a run, said for a person: the one line of it, what was counted, what failed, what was changed."""

from hub.contract.base import Value
from hub.contract.runs import CountedTests, RunEnding, TextForm
from hub.contract.words import TextSource
from hub.domain.provenance import AgentText, RepositoryText, Wording, as_worded, say
from hub.domain.worded import Worded


class FileLines(Value):
    """A file that a run changed, seen from its folder; lines added and removed, None where nobody can count them."""

    path: RepositoryText
    added: int | None = None
    removed: int | None = None


class WorkOutcome(Value):
    """The end of a run, as a card keeps it; the fields are those of the contract's `WorkResult`.

    What programs said and what files are called keeps its type: it is shown, and never run or obeyed.
    """

    execution_id: str
    ended: RunEnding
    summary: Wording
    tests: CountedTests | None = None
    duration_s: float | None = None
    proven_by: str = ""
    advice: str = ""
    trouble: tuple[AgentText, ...] = ()
    said: AgentText = AgentText("")
    form: TextForm = "text"
    note: str = ""
    files: tuple[FileLines, ...] = ()
    files_changed: int = 0
    has_diff: bool = False
    handed_over: bool = False
    commit: str = ""
    proven_by_worded: Worded | None = None
    advice_worded: Worded | None = None

    @property
    def in_one_line(self) -> Wording:
        """The line for surfaces that show no more: what came of it, and how to mend what kept it from running."""
        return (
            say("{summary}. {advice}", summary=self.summary, advice=as_worded(self.advice, self.advice_worded))
            if self.advice
            else self.summary
        )

    @property
    def quotes(self) -> tuple[TextSource, ...]:
        """Where the words of others in it came from."""
        agent = {AgentText.source} if self.said or self.trouble else set()
        repository = {RepositoryText.source} if self.files else set()
        return tuple(sorted(agent | repository | self.summary.quotes))
