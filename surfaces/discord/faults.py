"""What Discord's refusals mean for the step that was tried. The codes are Discord's own."""

import random

import aiohttp
import discord

from hub.contract.base import Value
from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.gateway.outcome import Gone, Misconfigured, RetryLater, Undeliverable
from hub.kit.setup_faults import SetupError, SetupNoNetworkError, SetupWrongTokenError
from surfaces.discord.permissions import GRANT
from surfaces.discord.plan import Open, Post, React, Step
from surfaces.discord.settings import DISCORD

UNAUTHORISED, BAD_REQUEST = 401, 400
TOKEN_CLOSE = 4_004
FORBIDDEN_S = 60.0
PAUSES = RetryPolicy(base_s=0.5, cap_s=30.0, spread=0.5)


class Done(Value):
    """Nothing more can be done about this step."""


class NoChannel(Value):
    """The channel does not exist."""


Consequence = RetryLater | Misconfigured | Gone | Undeliverable | Done | NoChannel
"""In the words of every push service; `Gone` is the message, and what is `Undeliverable` is ours to mend."""


BY_CODE: dict[int, Consequence] = {
    10_003: NoChannel(),
    10_008: Gone(),
    30_010: Done(),  # too many reactions
    90_001: Done(),  # the reaction is blocked
    160_004: Done(),  # the thread is there
    30_046: RetryLater(why="it was edited too often (error code 30046)", after_s=60.0),
}


def again_after_s(tries: int, policy: RetryPolicy = PAUSES) -> float:
    """Return how long to wait after `tries` failures."""
    return retry_delay_s(tries, policy, random.random)


def refuses_token(error: BaseException | None) -> bool:
    """Say whether Discord refused the token itself: there is no use in trying again."""
    match error:
        case discord.LoginFailure():
            return True
        case discord.ConnectionClosed(code=code):
            return code == TOKEN_CLOSE
        case discord.HTTPException(status=status):
            return status == UNAUTHORISED
        case _:
            return False


def setup_fault(error: Exception) -> SetupError:
    """Return what the failure of a first call means for the set-up."""
    if isinstance(error, discord.LoginFailure):
        field = DISCORD.asks[0]
        return SetupWrongTokenError("Discord does not accept the token.", fix=field.where, field=field.name)
    return SetupNoNetworkError(f"Discord does not answer: {error}.", fix="Check this machine's network.")


def judge(error: Exception, step: Step) -> Consequence:
    """Say what a failure means."""
    if isinstance(error, discord.RateLimited):
        return _later(error, error.retry_after)
    if not isinstance(error, discord.HTTPException):
        gone = isinstance(error, discord.ClientException | aiohttp.ClientConnectionError)
        return _later(error, 1.0 if gone else 0.0)
    if refuses_token(error):
        return Misconfigured(why=str(error), stops_all=True)
    if error.code in BY_CODE:
        return BY_CODE[error.code]
    if isinstance(error, discord.Forbidden):
        why = f"The bot may not write in its Discord channel ({error.text or error.code})"
        return Done() if isinstance(step, React | Open) else RetryLater(why=why, fix=GRANT, after_s=FORBIDDEN_S)
    return Undeliverable(why=str(error)) if error.status == BAD_REQUEST else _later(error, 0.0)


def goes_on(meant: Consequence, step: Step) -> bool:
    """Say whether the message's next step may follow at once."""
    return isinstance(meant, Done) or (isinstance(meant, Gone) and isinstance(step, Post))


def _later(error: Exception, after_s: float) -> RetryLater:
    return RetryLater(why=f"Discord does not accept it ({type(error).__name__}: {error})", after_s=after_s)
