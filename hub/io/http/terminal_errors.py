"""What can be wrong with a terminal as the person's. docs/errors.md lists the codes."""

from hub.contract.errors import UserError


class TerminalNotLetInError(UserError):
    """Agents are connected, so only a terminal that you let in answers them and loosens what they may do."""

    code = "terminal-not-let-in"
    status = 403
    FIX = "Let it in once: `pulse devices let-in`. Or answer on your page, phone or watch."


class NotAtATerminalError(UserError):
    """Agents are connected, so this counts only where you typed it yourself, at the prompt of a terminal of yours."""

    code = "not-at-a-terminal"
    status = 403
    FIX = "Type it at the prompt of a terminal, not in a script, a pipe of another program or the background."


class AgentInThisTerminalError(UserError):
    """An agent runs in this terminal, so what comes from it does not count as yours while it does."""

    code = "agent-in-this-terminal"
    status = 403
    FIX = "Use another terminal, your page or your phone; or end the agent first."


class TokenIsNoPersonError(UserError):
    """Agents are connected, and a token may have been read by one: it answers none of them and loosens nothing."""

    code = "token-is-no-person"
    status = 403
    FIX = "Do it on your page, on a paired phone, or at a terminal that you let in."


class UnknownTerminalError(UserError):
    """There is no terminal of this id that was let in. `pulse devices` lists them."""

    code = "unknown-terminal"
    status = 404


class TooManyTerminalsError(UserError):
    """Too many terminals are let in. `pulse devices` lists them; remove one."""

    code = "too-many-terminals"
    status = 409
