"""`pulse connect AGENT --test`: say to the agent's hook what the agent would, by the program that the agent starts."""

import os
import subprocess
import time

import click
import msgspec

from hub.cli import connecting
from hub.cli.api import open_api
from hub.cli.command import EXIT_FAILED, CommandContext
from hub.contract.errors import UserError
from hub.io.agents.hooks.connections import AgentConnection

TRIES = 5
QUICK_S_MAX = 10.0
ANSWER_S_MAX = 300.0
WORKS_IN = "/"
"""Where the samples say that they work; elsewhere their card would say that this is not so."""
TEST_ASKS = (
    "A card now asks you to allow a test. Answer it on any surface, or press Ctrl-C. It has no “Always allow …”, "
    "which only appears for an agent working in a project."
)
NOTHING_RAN = "This was a test: nothing ran."
WANTED_MS = 60
"""Slower than this is noticed at every step of an agent."""


class NotConnectedError(UserError):
    """This agent is not connected to this Pulse. To connect it: `pulse connect AGENT`."""

    code = "agent-not-connected"


def run_test(context: CommandContext, which: AgentConnection) -> int:
    """Ask as the agent would: something harmless, which must not be noticed, then for leave, which waits for you.

    Raises:
        NotRunningError: Pulse is not running.
        NotConnectedError: the program that the agent starts does not exist.
    """
    open_api(context.home)
    program = connecting.program_of(context.home, which)
    if not os.access(program, os.X_OK):
        raise NotConnectedError(f"{which.title} is not connected.", fix=f"Run this first: pulse connect {which.agent}")
    took_ms = sorted(_harmless(str(program), which) for _ in range(TRIES))
    slow = "" if took_ms[TRIES // 2] <= WANTED_MS else ", which is slow; is this machine busy?"
    context.say(f"✓ A harmless request was allowed without asking, in {took_ms[TRIES // 2]:.0f} ms{slow}", "green")
    context.say(TEST_ASKS)
    began = time.monotonic()
    said = _say(str(program), which.sample_ask, ANSWER_S_MAX)
    if not said.strip() and which.yes_is_silent:
        context.say(f"✓ {which.title} would go ahead: it is only told about a no. {NOTHING_RAN}", "green")
        return 0
    if not said.strip():
        context.say("✗ Nobody answered.", "red")
        return EXIT_FAILED
    answer = msgspec.json.format(said, indent=2).decode()
    context.say(f"✓ Answered after {time.monotonic() - began:.1f} s. {which.title} would be told:", "green")
    context.say(answer)
    context.say(NOTHING_RAN)
    return 0


def _harmless(program: str, which: AgentConnection) -> float:
    began = time.perf_counter()
    if _say(program, which.sample_harmless, QUICK_S_MAX):
        raise click.ClickException("A harmless request was not allowed.")
    return (time.perf_counter() - began) * 1_000


def _say(program: str, said: bytes, within_s: float) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603  our own
            [program], input=said, stdout=subprocess.PIPE, check=False, timeout=within_s, cwd=WORKS_IN
        )
    except subprocess.TimeoutExpired:
        return b""
    return done.stdout
