"""What Discord's refusals mean for the step that was tried. The codes are Discord's own."""

import random
from typing import Literal

import aiohttp
import discord

from hub.contract.base import Value
from hub.kit.backoff import RetryPolicy, retry_delay_s
from surfaces.discord.plan import Open, Post, React, Step

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10_003, 10_008
TOO_MANY_REACTIONS, REACTION_BLOCKED = 30_010, 90_001
EDITED_TOO_OFTEN = 30_046
THREAD_THERE = 160_004
UNAUTHORISED, BAD_REQUEST = 401, 400
TOKEN_CLOSE = 4_004
FORBIDDEN_S = 60.0
EDITED_TOO_OFTEN_S = 60.0
PAUSES = RetryPolicy(base_s=0.5, cap_s=30.0, spread=0.5)


class Verdict(Value):
    """What follows.

    `lost`: the message is gone. `done`: nothing more can be done about this step. `never`: it is ours to mend. `later`:
    it is tried again after at least `pause_s`. `go_on`: the message's next step may follow at once.
    """

    what: Literal["lost", "no-channel", "done", "refused", "never", "later"]
    pause_s: float = 0.0
    go_on: bool = False


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


def judge(error: Exception, step: Step) -> Verdict:
    """Say what a failure means."""
    if isinstance(error, discord.RateLimited):
        return Verdict(what="later", pause_s=error.retry_after)
    if not isinstance(error, discord.HTTPException):
        gone = isinstance(error, discord.ClientException | aiohttp.ClientConnectionError)
        return Verdict(what="later", pause_s=1.0 if gone else 0.0)
    if refuses_token(error):
        return Verdict(what="refused")
    return _by_code(error.code, step) or _by_status(error, step)


def _by_code(code: int, step: Step) -> Verdict | None:
    if code == UNKNOWN_CHANNEL:
        return Verdict(what="no-channel")
    if code == UNKNOWN_MESSAGE:
        return Verdict(what="lost", go_on=isinstance(step, Post))
    if code in {TOO_MANY_REACTIONS, REACTION_BLOCKED, THREAD_THERE}:
        return Verdict(what="done", go_on=True)
    return Verdict(what="later", pause_s=EDITED_TOO_OFTEN_S) if code == EDITED_TOO_OFTEN else None


def _by_status(error: discord.HTTPException, step: Step) -> Verdict:
    if isinstance(error, discord.Forbidden):
        extra = isinstance(step, React | Open)
        return Verdict(what="done", go_on=True) if extra else Verdict(what="later", pause_s=FORBIDDEN_S)
    return Verdict(what="never" if error.status == BAD_REQUEST else "later")
