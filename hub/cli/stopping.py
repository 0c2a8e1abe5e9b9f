"""`pulse kill`: the emergency stop. It rests on nothing that can be full, slow or gone.

What makes it certain needs neither the API nor a disk with room: the file without which nothing begins is taken away,
and the hub is told by a signal. Then the hub is asked, for the words and the record. If it does not answer, what its
runs left is looked for by their marks and ended from here.
"""

import os
import signal
import time
from pathlib import Path

import click

from hub.cli import draw
from hub.cli.api import not_running, open_api, read
from hub.cli.command import EXIT_FAILED, CommandContext, command
from hub.contract.api import ConfigPatch, CrossPollStatus
from hub.contract.base import Message
from hub.contract.control import ConfigAnswer
from hub.contract.errors import PulseError
from hub.io.agents.orphans import orphans
from hub.io.home.armed import ArmedFile
from hub.io.home.folder import Home, RunRecord
from hub.io.server.peer_credentials import started
from hub.kit.hub_api import NotRunningError

ANSWER_S_MAX = 1.0
HUB_S_MAX = 0.8
"""How long a hub may take to end its runs itself: their grace, and a little."""
KILLED_S_MAX = 0.5
POLL_S = 0.05


class Stopped(Message):
    """What a stop did where the hub did not answer; what `pulse kill --json` prints then.

    `armed` false: nothing can begin, also after a restart. `signalled`: the hub's process was told. `left` is how many
    processes of runs are still there, `why` what kept the hub from answering.
    """

    armed: bool
    signalled: bool
    left: int
    why: str

    @property
    def is_certain(self) -> bool:
        """Whether nothing of Pulse's runs and nothing can begin."""
        return not self.armed and not self.left


@command()
@click.pass_context
def kill(ctx: click.Context) -> None:
    """Emergency stop: end all runs and start nothing.

    Running work is ended and nothing new starts, even after a restart, until `pulse resume --emergency`. It works
    without the hub, too. Connected agents are refused their next risky tool; what they already run goes on.
    Exit status: 0 if nothing of Pulse's runs any more and nothing can start, else 1.
    """
    context: CommandContext = ctx.obj
    home = Home(context.home)
    record = home.record()
    if record is None and not home.format.exists():
        raise not_running(context.home)
    armed = ArmedFile(home)
    armed.disarm()
    signalled = record is not None and tell_by_signal(record)
    try:
        document = open_api(context.home).call(
            "PATCH", "/crosspoll/config", ConfigPatch(emergency_stop=True), timeout_s=ANSWER_S_MAX
        )
        told = read(document, ConfigAnswer).status
    except PulseError as error:
        why = "It is not running." if isinstance(error, NotRunningError) and not signalled else error.detail
        left = end_what_is_left(context.home, HUB_S_MAX if signalled else 0.0)
        outcome = Stopped(armed=not armed.disarm(), signalled=signalled, left=left, why=why)
        _say_without_the_hub(context, outcome, has_agents=home.agents_connected.exists())
        ctx.exit(0 if outcome.is_certain else EXIT_FAILED)
    _say(context, document, told, is_kept=armed.disarm())


def tell_by_signal(record: RunRecord) -> bool:
    """Send the hub the signal that stops everything; False if its process does not exist any more.

    Whoever has its process id now is never signalled: where there are handles on processes, one is taken before it is
    compared with the record.
    """
    handle = None
    try:
        handle = os.pidfd_open(record.pid) if hasattr(os, "pidfd_open") else None
        if not record.process_started or started(record.pid) != record.process_started:
            return False
        if handle is not None:
            signal.pidfd_send_signal(handle, signal.SIGUSR1)
        else:
            os.kill(record.pid, signal.SIGUSR1)
    except OSError:
        return False
    else:
        return True
    finally:
        if handle is not None:
            os.close(handle)


def end_what_is_left(home: Path, wait_s: float) -> int:
    """Give a hub that long to end its runs; end what is left of them, and return how much of it would not end."""
    if not _until_gone(home, wait_s):
        for pid in orphans(home):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        _until_gone(home, KILLED_S_MAX)
    return len(orphans(home))


def _until_gone(home: Path, wait_s: float) -> bool:
    deadline_s = time.monotonic() + wait_s
    while orphans(home):
        if time.monotonic() >= deadline_s:
            return False
        time.sleep(POLL_S)
    return True


def _say(context: CommandContext, document: bytes, told: CrossPollStatus, *, is_kept: bool) -> None:
    if context.printed(document):
        return
    context.hint("Stopped. `pulse resume --emergency` lifts it.")
    if not is_kept:
        context.say(
            f"! {context.home} cannot be written, so after a restart only the hub's own record holds it.", "yellow"
        )
    draw.show(draw.console(context), draw.table((), draw.status_lines(told)))


def _say_without_the_hub(context: CommandContext, outcome: Stopped, *, has_agents: bool) -> None:
    if context.printed(outcome):
        return
    context.say(
        "Stopped, without an answer from the hub." if outcome.is_certain else "Pulse may not be fully stopped.",
        bold=True,
    )
    if outcome.armed:
        context.say(f"✗ {context.home}/armed could not be removed: runs may start after a restart.", "red")
    else:
        context.hint("✓ Nothing can start, even after a restart, until `pulse resume --emergency`.", "green")
    if outcome.left:
        context.hint(f"✗ {outcome.left} processes of runs would not end: see `pulse doctor`.", "red")
    else:
        context.say("✓ All processes of runs have ended.", "green")
    if has_agents:
        context.say("! What connected agents already run goes on: end it where they run.", "yellow")
        context.hint("  Their hooks refuse the next tool. Codex, OpenCode and OpenClaw ask in their own dialogs now.")
    context.say("· The hub was notified by a signal." if outcome.signalled else "· No hub is running.")
    context.say(f"· Why it did not answer: {outcome.why}")
