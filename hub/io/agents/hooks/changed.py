"""What a person had run in the place of what an agent asked, until the model has been told. Pure.

Theory: a hook can give a tool another text, and the model's record of its call stays as the model wrote it; unless it
is told, it believes that its own text ran. An agent says after each tool what the tool was given. Where that is what
the person wrote, in the same session and by the same agent, the model is told; where its own text ran after all, which
was allowed at its own dialog, there is nothing to tell.
"""

from typing import TypeAlias

from hub.io.agents.hooks.step import At, Dialect, HookStep, Word
from hub.kit.bounded import BoundedMap

KEPT = 512
"""So many changes wait at once for the end of their tool."""
ChangedCall: TypeAlias = tuple[str, str, str, str, str, str]
"""Whose it is, by process or token; the agent's name, its session, the subagent, its tool, the text that runs."""


class ChangedCalls:
    """The changes of which the model has not been told."""

    def __init__(self) -> None:
        self._told: BoundedMap[ChangedCall, str] = BoundedMap(KEPT)

    def gave(self, whose: str, dialect: Dialect, step: HookStep, word: Word) -> None:
        """Note what a person had run instead; what is told at once, before the tool, needs no second word."""
        if word.input is not None and word.context and not (step.at is At.BEFORE and dialect.tells_before):
            self._told[_ran(whose, dialect, step, str(word.input.get(dialect.wanted(step).text_in, "")))] = word.context

    def tells(self, whose: str, dialect: Dialect, step: HookStep) -> Word:
        """Return what the model is told of a tool that it has used."""
        return Word(context=self._told.pop(_ran(whose, dialect, step, dialect.wanted(step).text), ""))


def _ran(whose: str, dialect: Dialect, step: HookStep, text: str) -> ChangedCall:
    return (whose, dialect.name, step.session, step.subagent, step.tool, text)
