"""Terminals as devices: which were let in, letting one more in by a word, and taking it back."""

from hub.contract.access import (
    AskingTerminal,
    TerminalAnswer,
    TerminalList,
    TerminalRequest,
    TerminalView,
    TerminalWord,
)
from hub.contract.errors import UserError
from hub.io.access.terminals import LetIn, shows_words, title_of
from hub.io.agents.terminal_shell import Process
from hub.io.api.call import Call, Nothing
from hub.io.home.agents_connected import HookTerms
from hub.io.http.terminal_errors import NotAtATerminalError

ONLY_HERE = "Only the command line on this machine can let its terminal in."


async def terminals(call: Call[Nothing, Nothing]) -> TerminalList:
    """Return the terminals that were let in and are there still."""
    known = call.to.terminals
    found = tuple(_view(call, one) for one in known.all())
    asking = known.asking(call.parts.clock.now()) if shows_words(call.client) else {}
    return TerminalList(
        terminals=found,
        count=len(found),
        needed=known.are_needed,
        links_end=_links_end(call),
        asking=tuple(AskingTerminal(id=name, title=title_of(shell)) for name, shell in asking.items()),
    )


async def let_in(call: Call[TerminalRequest, Nothing]) -> TerminalAnswer:
    """Let a terminal in: where this was typed, by a word or with the first agent, or another from one that counts."""
    process, now = _process(call), call.parts.clock.now()
    known = call.to.terminals
    links_end = _links_end(call)
    if call.body.removes:
        made: LetIn | UserError | None = known.note_leaving(process, call.body.agent)
    elif call.body.other:
        made = known.let_other_in(process, call.body.other, now)
    elif call.body.word or call.body.agent is None:
        made = known.enter(process, now, word=call.body.word)
    else:
        made = known.enter_first(process, call.body.agent, now, _terms(call.body))
    ended = links_end and known.are_needed
    call.to.broadcaster.look_again("terminals")
    if call.body.agent is not None or call.body.removes:
        call.to.broadcaster.look_again("coding-agents")
    if isinstance(made, UserError):
        return TerminalAnswer(links_ended=ended, trouble=made.detail, fix=made.fix)
    return TerminalAnswer(terminal=None if made is None else _view(call, made), links_ended=ended)


async def word(call: Call[Nothing, Nothing]) -> TerminalWord:
    """Have the hub show a word for this terminal where no program of the person's reads it, if it can."""
    name, shell, trouble = call.to.terminals.ask(_process(call), call.parts.clock.now())
    call.to.broadcaster.look_again("terminals")
    return TerminalWord(
        id=name,
        title=title_of(shell),
        shown_by_hub=not trouble,
        trouble=trouble,
        by_page=call.to.has_page_or_phone(),
        by_terminal=bool(call.to.terminals.all()),
    )


async def drop_terminal(call: Call[Nothing, Nothing]) -> TerminalView:
    """Let a terminal in no more."""
    dropped = call.to.terminals.drop(call.path["id"])
    call.to.broadcaster.look_again("terminals")
    return _view(call, dropped)


def _terms(body: TerminalRequest) -> HookTerms | None:
    return None if body.wait_s is None else HookTerms(wait_s=body.wait_s, closed=body.closed)


def _links_end(call: Call[TerminalRequest, Nothing] | Call[Nothing, Nothing]) -> bool:
    """Return True if connecting the first agent leaves nobody a link to sign in by."""
    known = call.to.terminals
    return not (known.are_needed or known.may_show_here or call.to.has_page_or_phone())


def _process(call: Call[TerminalRequest, Nothing] | Call[Nothing, Nothing]) -> Process:
    if call.caller is None or call.caller.standing != "person":
        raise NotAtATerminalError(ONLY_HERE, fix=NotAtATerminalError.FIX)
    return call.caller.process


def _view(call: Call[TerminalRequest, Nothing] | Call[Nothing, Nothing], one: LetIn) -> TerminalView:
    here = call.caller is not None and call.to.terminals.is_at(call.caller.process, one)
    return TerminalView(
        id=one.id, title=one.title, how=one.how.text, how_worded=one.how.wording, let_in_at=one.at, this=here
    )
