"""A terminal is a device that was let in: which shells count as the person's, once agents are connected.

Theory: to the system an agent is the person: the same user, the same files, and a process tree that it can leave. What
it cannot be is the interactive shell at which the person types. So a shell is let in once, by a word that only a page
or a phone of theirs, or the terminal of `pulse up`, has shown, or by the first `pulse connect`; and from then on what
counts is that a command is that very shell's child, in the foreground of its terminal. That a shell was let in is kept
in memory alone: what stood in a file could be written there. As long as no agent was ever connected nobody is asked.
"""

import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.domain.provenance import Wording, say
from hub.domain.storage import Client
from hub.io.access.codes import CODE_LASTS, BadCodeError, Codes, shown
from hub.io.access.shown_cards import ShownCards
from hub.io.agents.lineage import enter_agent
from hub.io.agents.own_screen import NoScreen, Screen
from hub.io.agents.process_table import called
from hub.io.agents.terminal_shell import (
    NotTyped,
    Process,
    Shell,
    beside,
    shell_of,
    still_is,
    still_waits,
    terminal_name,
)
from hub.io.home.agents_connected import AgentsConnected, HookTerms
from hub.io.home.redirect_file import remove_redirect_file
from hub.io.http.terminal_errors import (
    AgentInThisTerminalError,
    NotAtATerminalError,
    TerminalNotLetInError,
    TooManyTerminalsError,
    UnknownTerminalError,
)
from hub.kit.bounded import BoundedMap
from hub.kit.naming import agent_title
from hub.kit.phrase_files import phrases

TERMINALS_MAX = 64
ID_BYTES = 4
PURPOSE: Final = "terminal"
WRONG_WORD = "This code word is wrong, already used, or older than ten minutes. Show a new one."
SHOWN_EVERY = timedelta(seconds=15)
"""No program fills the hub's terminal with words."""


class LetIn(Value):
    """One shell that was let in: how, and when."""

    id: str
    shell: Shell
    how: Wording
    at: datetime

    @property
    def title(self) -> str:
        """What a person calls it."""
        return title_of(self.shell)


class Asking(Value):
    """A shell that asks to be let in, by a process that waits for the word, and until when that is shown."""

    shell: Shell
    process: Process
    until: datetime


class Terminals:
    """The shells that were let in since this hub was started."""

    def __init__(
        self, connected: AgentsConnected, codes: Codes, screen: Screen, redirect_file: Path | None = None
    ) -> None:
        self._connected = connected
        self._codes = codes
        self._screen = screen
        self._redirect_file = redirect_file
        self._asking: BoundedMap[str, Asking] = BoundedMap(TERMINALS_MAX)
        self._shown_again_at = datetime.min.replace(tzinfo=UTC)
        self._let_in: dict[str, LetIn] = {}
        self.shown = ShownCards()

    @property
    def are_needed(self) -> bool:
        """Whether an agent was ever connected; until then every caller on the hub's socket is the person."""
        return self._connected.ever

    def note_agent(self) -> None:
        """Take note that an agent is connected; from now on it takes a terminal that was let in.

        Codes that were shown before end: agents can read the file that leads a browser on, and what stands in a pane of
        tmux, a pipe or a journal. The one that the hub showed itself stays where nobody else reads its terminal. A
        terminal that was let in before is let in no more: until now any program passed for the person.
        """
        if not self.are_needed:
            self._let_in.clear()
            self._codes.end_all(but_by_hub=not self._screen.trouble())
            remove_redirect_file(self._redirect_file)
        self._connected.note()

    def note_hook(self, pid: int) -> None:
        """Take note of the agent whose hook speaks, found above the hook's process; no terminal of the person's is."""
        enter_agent(pid, tuple(one.shell.pid for one in self.all()))

    @property
    def may_show_here(self) -> bool:
        """Whether what the hub shows in its own terminal is seen by the person alone."""
        return not self._screen.trouble()

    def show_nothing_here(self) -> None:
        """Show no words in the hub's own terminal: a page or a phone does."""
        self._screen = NoScreen()

    def proves(self, process: Process) -> bool:
        """Return True if a process that calls over the socket counts as the person."""
        try:
            self.require(process)
        except UserError:
            return False
        return True

    def require(self, process: Process) -> LetIn | None:
        """Return the terminal at which this was typed; None where it takes none yet.

        Raises:
            TerminalNotLetInError, NotAtATerminalError, AgentInThisTerminalError: they do not count as the person.
        """
        if not self.are_needed:
            return None
        shell = _typed_at(process)
        found = next((one for one in self.all() if one.shell == shell), None)
        if found is None:
            raise TerminalNotLetInError(
                f"This terminal ({title_of(shell)}) is not let in.",
                fix=TerminalNotLetInError.FIX,
            )
        return found

    def place_of(self, process: Process) -> str:
        """Return what names the shell at which this was typed; empty where it was typed at none."""
        shell = shell_of(process)
        return _key(shell) if isinstance(shell, Shell) else ""

    def all(self) -> tuple[LetIn, ...]:
        """Return those that are there still; what has ended or executed something else is forgotten."""
        self._let_in = {name: one for name, one in self._let_in.items() if still_is(one.shell)}
        return tuple(self._let_in.values())

    def enter(self, process: Process, now: datetime, *, word: str) -> LetIn:
        """Let the terminal in at which this was typed, by a word that was shown elsewhere.

        Raises:
            BadCodeError: the word is not good, or not any more.
            NotAtATerminalError, AgentInThisTerminalError: it is no terminal of the person's.
            TooManyTerminalsError: there are too many.
        """
        shell = _typed_at(process)
        same = next((one for one in self.all() if one.shell == shell), None)
        if same is not None:
            return same
        _require_alone(process, shell)
        self._require_room()
        if self._taken(word, now) != _key(shell):
            raise BadCodeError("This code word is for another terminal.", fix="Run `pulse devices let-in` again.")
        return self._keep(shell, say("with a code"), now)

    def _taken(self, word: str, now: datetime) -> str:
        try:
            return self._codes.take(word, now, PURPOSE).title
        except BadCodeError as error:
            raise BadCodeError(WRONG_WORD, fix="pulse devices let-in") from error

    def enter_first(
        self, process: Process, agent: str, now: datetime, terms: HookTerms | None = None
    ) -> LetIn | UserError | None:
        """Let the terminal in that connects the first agent, and note that one is; None if it was typed at none.

        `terms` are what it is connected with everywhere.

        An agent that nobody knew of may have run there until now. So where something else runs at the prompt the first
        agent is noted, and what is to be said of it returned.

        Raises:
            TerminalNotLetInError, NotAtATerminalError, AgentInThisTerminalError: it is not the first, and this
                terminal was not let in.
            HomeError: it cannot be kept that there is one.
        """
        if self.are_needed:
            found = self.require(process)
            self._connected.comes(agent, terms)
            return found
        shell = shell_of(process)
        self._connected.comes(agent, terms)
        self.note_agent()
        if isinstance(shell, NotTyped):
            return None
        return _other_program(process, shell) or self._keep(shell, _first(agent), now)

    def note_leaving(self, process: Process, agent: str | None) -> LetIn | None:
        """Take note that an agent, or each of them, is being disconnected; return the terminal at which that was typed.

        Raises:
            TerminalNotLetInError, NotAtATerminalError, AgentInThisTerminalError: it does not count as the person.
        """
        found = self.require(process)
        self._connected.leaves(agent)
        return found

    def is_at(self, process: Process, one: LetIn) -> bool:
        """Return True if a process was typed at this terminal."""
        return shell_of(process) == one.shell

    def ask(self, process: Process, now: datetime) -> tuple[str, Shell, str]:
        """Note that the terminal at which this was typed asks to be let in, and show a word for it where the hub runs.

        Returns:
            The terminal's ID and shell, and why no word is shown there; nothing where one is.

        Raises:
            NotAtATerminalError, AgentInThisTerminalError: it is no terminal of the person's.
        """
        shell = _typed_at(process)
        _require_alone(process, shell)
        self._asking[_key(shell)] = Asking(shell=shell, process=process, until=now + CODE_LASTS)
        trouble = self._screen.trouble()
        if trouble:
            return _key(shell), shell, trouble
        if now < self._shown_again_at:
            return _key(shell), shell, "It showed another code word a moment ago. Try again in 15 s."
        self._shown_again_at = now + SHOWN_EVERY
        trouble = self._screen.show(
            f"pulse: to let {title_of(shell)} in, type there: {shown(self.word(_key(shell), now))}"
        )
        return _key(shell), shell, trouble

    def asking(self, now: datetime) -> dict[str, Shell]:
        """Return the terminals that ask to be let in and still wait for it, by their ids."""
        inside = {one.shell for one in self.all()}
        return {
            name: one.shell
            for name, one in self._asking.items()
            if now < one.until and one.shell not in inside and still_waits(one.process) and still_is(one.shell)
        }

    def word(self, terminal_id: str, now: datetime) -> str:
        """Return a new word for a terminal that asks; it is good there alone, so that no other can use what is typed.

        Raises:
            UnknownTerminalError: none of this id asks.
        """
        if terminal_id not in self.asking(now):
            raise UnknownTerminalError("This terminal is not asking to be let in.", fix="pulse devices let-in")
        return self._codes.mint(profile="", title=terminal_id, scopes=(), now=now, purpose=PURPOSE)[0]

    def let_other_in(self, process: Process, terminal_id: str, now: datetime) -> LetIn:
        """Let a terminal in that asks, by what was typed at one that counts as the person's.

        Raises:
            TerminalNotLetInError, NotAtATerminalError, AgentInThisTerminalError: it was typed at none that counts.
            UnknownTerminalError: none of this id asks.
            NotAtATerminalError: something else runs at that one by now.
            TooManyTerminalsError: there are too many.
        """
        here = self.require(process)
        shell = self.asking(now).get(terminal_id)
        if shell is None or here is None:
            raise UnknownTerminalError(
                "No terminal with this ID is asking to be let in.", fix="Run there: pulse devices let-in"
            )
        _require_alone(self._asking[terminal_id].process, shell)
        self._require_room()
        return self._keep(shell, say("from {terminal}", terminal=here.title), now)

    def drop(self, terminal_id: str) -> LetIn:
        """Let a terminal in no more.

        Raises:
            UnknownTerminalError: there is none.
        """
        found = self._let_in.pop(terminal_id, None)
        if found is None:
            raise UnknownTerminalError(fix="`pulse devices` lists them.")
        return found

    def _keep(self, shell: Shell, how: Wording, now: datetime) -> LetIn:
        same = next((one for one in self.all() if one.shell == shell), None)
        if same is not None:
            return same
        made = LetIn(id=secrets.token_hex(ID_BYTES), shell=shell, how=how, at=now)
        self._let_in[made.id] = made
        return made

    def _require_room(self) -> None:
        if len(self.all()) >= TERMINALS_MAX:
            raise TooManyTerminalsError(fix="pulse devices shut-out ID")


def _first(agent: str) -> Wording:
    return say("{agent} was connected here first", agent=agent_title(agent, phrases()))


def _key(shell: Shell) -> str:
    return f"{shell.pid}-{shell.started}"


def title_of(shell: Shell) -> str:
    """Return what a person calls a terminal."""
    return f"{shell.program} on {terminal_name(shell.terminal)}"


def _typed_at(process: Process) -> Shell:
    shell = shell_of(process)
    if isinstance(shell, Shell):
        return shell
    if shell.agent:
        raise AgentInThisTerminalError(f"{shell.why} (process {shell.agent})", fix=AgentInThisTerminalError.FIX)
    raise NotAtATerminalError(
        f"Agents are connected, so this works only when you type it yourself, at a terminal's prompt. {shell.why}",
        fix=NotAtATerminalError.FIX,
    )


def _require_alone(process: Process, shell: Shell) -> None:
    """Check that nothing runs at a shell that is let in, beside the command that asks: it could act as the person.

    Raises:
        NotAtATerminalError: something does.
    """
    trouble = _other_program(process, shell)
    if trouble is not None:
        raise trouble


def _other_program(process: Process, shell: Shell) -> NotAtATerminalError | None:
    """Return what is said of something that runs at a shell beside the command that asks; None where nothing does."""
    other = beside(process, shell)
    if other is None:
        return None
    return NotAtATerminalError(
        f"Something else is running at the prompt of {title_of(shell)} "
        f"({called(other.pid) or 'a program'}, process {other.pid}).",
        fix=f"End it (`kill {other.pid}`) or open another terminal, and type there: `pulse devices let-in`",
    )


def shows_words(client: Client | None) -> bool:
    """Return True if a client is the person's page or app, which may show a word that lets a terminal in."""
    return client is not None and bool(client.key or client.device)
