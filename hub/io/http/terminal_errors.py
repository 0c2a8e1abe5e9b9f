"""Why a terminal does not count as the person's. docs/errors.md lists the codes."""

from hub.contract.errors import UserError


class TerminalNotLetInError(UserError):
    """Agents are connected, so only a terminal that you let in can answer them or loosen what they may do."""

    code = "terminal-not-let-in"
    status = 403
    FIX = "Let it in once: `pulse devices let-in`. Or answer on your page, phone or watch."


class NotAtATerminalError(UserError):
    """Agents are connected, so this only counts if you type it yourself at a terminal's prompt."""

    code = "not-at-a-terminal"
    status = 403
    FIX = "Type it at the prompt of a terminal, not in a script, in another program's pipe or in the background."


class AgentInThisTerminalError(UserError):
    """An agent is running in this terminal, so nothing from it counts as yours until the agent ends."""

    code = "agent-in-this-terminal"
    status = 403
    FIX = "Use another terminal, your page or your phone; or end the agent first."


class TokenIsNoPersonError(UserError):
    """Agents are connected and could have read this token: it cannot answer them, loosen anything or change tasks."""

    code = "token-is-no-person"
    status = 403
    FIX = "Do it on your page, on a paired phone, or in a terminal that you let in."


class NotLookedAtError(UserError):
    """The suggestion was not shown as it is now, or with the words that the answer brings, so nothing was sent."""

    code = "not-looked-at"
    status = 409
    FIX = "Look at it (`pulse why ID`), and answer it at the prompt of this terminal."


class UnknownTerminalError(UserError):
    """No terminal with this id is let in. `pulse devices` lists them."""

    code = "unknown-terminal"
    status = 404


class TooManyTerminalsError(UserError):
    """Too many terminals are let in. `pulse devices` lists them; remove one."""

    code = "too-many-terminals"
    status = 409
