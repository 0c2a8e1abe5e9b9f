"""Programs that do what they can to outlive their run, and the kernel's word on whether any of them did.

Each holds the writing end of a pipe with a name, and all that it starts inherit it; whoever reads hears the end of the
pipe when the last of them is gone, wherever it went and whatever it calls itself.

The pipe works the other way round, too: who forks for ever looks, each time, whether anybody still reads, and how long
it has been at it. So none of them outlives a test that was interrupted, as a fault of Pulse's would let it.
"""

import asyncio
import os
import time
from contextlib import suppress
from pathlib import Path

from hub.domain.policy import Agent
from hub.io.agents.command import CommandRunner
from tests.io.agents.agent_work import Heard, job, python, run

FORKS_MAX = 100_000
ALIVE_S_MAX = 120
"""Longer than any test waits."""
BEGIN = f"""
import ctypes, os, select, signal, sys, time
held = os.open(sys.argv[1], os.O_WRONLY)
until = time.monotonic() + {ALIVE_S_MAX}
heard = select.poll()
heard.register(held, 0)
os.set_inheritable(held, True)
def away():
    for number in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
say = os.dup(1)
def up():
    os.write(say, b"up\\n")
    os.close(say)
def deaf():
    for number in (15, 1, 2, 3, 17):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
def supervisors():
    inner = os.getppid()
    outer = int(open(f"/proc/{{inner}}/stat").read().rpartition(")")[2].split()[1])
    return inner, outer
def chain():
    for _ in range({FORKS_MAX}):
        if heard.poll(0) or time.monotonic() > until or os.fork():
            os._exit(0)
        os.setsid()
"""
CHAIN = "away(); deaf(); up(); chain()"
CHAINS = """
away(); deaf(); up()
for _ in range(6):
    if os.fork() == 0:
        chain()
time.sleep(99)
"""
EXECUTING = """
again = '''
import os, select, sys, time
again, held, until = sys.argv[1:]
heard = select.poll()
heard.register(int(held), 0)
if heard.poll(0) or time.monotonic() > float(until) or os.fork():
    os._exit(0)
os.setsid()
os.execve(sys.executable, [sys.executable, "-S", "-c", again, again, held, until], {})
'''
away(); deaf(); up()
os.execve(sys.executable, [sys.executable, "-S", "-c", again, again, str(held), str(until)], {})
"""
DAEMONS = """
for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            deaf(); away()
            os.execve("/bin/sleep", ["a-daemon", "99"], {})
        os._exit(0)
up()
"""
KILLS = "inner, outer = supervisors(); away(); deaf(); os.kill({who}, signal.{how}); up(); chain()"
TRACES = """
inner, outer = supervisors()
away(); deaf()
ctypes.CDLL(None).ptrace(16, {who}, 0, 0)
up()
chain()
"""
ATTACKS = {
    "chain": CHAIN,
    "chains": CHAINS,
    "executing": EXECUTING,
    "daemons": DAEMONS,
    "kills-inner": KILLS.format(who="inner", how="SIGKILL"),
    "kills-outer": KILLS.format(who="outer", how="SIGKILL"),
    "stops-inner": KILLS.format(who="inner", how="SIGSTOP"),
    "stops-outer": KILLS.format(who="outer", how="SIGSTOP"),
    "traces-inner": TRACES.format(who="inner"),
    "traces-outer": TRACES.format(who="outer"),
}
QUICK = ("chain", "chains", "executing", "daemons", "kills-inner", "kills-outer")
"""Those after which the run is over at once; a supervisor that was stopped is first waited for."""


async def outlived(folder: Path, attack: str) -> tuple[bool, float]:
    """Run one attack, stop it, and say whether anything of it is alive, and how long its end took in seconds."""
    pipe = folder / "held"
    os.mkfifo(pipe)
    heard = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    runner = CommandRunner(folder / "home", {"PATH": os.environ["PATH"]})
    argv = (*python(BEGIN + ATTACKS[attack]), str(pipe))
    agent = Agent(name="attacker", kind="command", argv=argv, contain="none")
    lines = Heard()
    work = asyncio.create_task(run(runner, job(agent=agent, workspace=folder), lines))
    await asyncio.wait((work, asyncio.ensure_future(lines.line("up"))), return_when=asyncio.FIRST_COMPLETED)
    assert not work.done() or work.result().ended != "failed-to-start", work.result().detail
    began = time.monotonic()
    work.cancel()
    with suppress(asyncio.CancelledError):
        await work
    took_s = time.monotonic() - began
    try:
        alive = os.read(heard, 1) != b""
    except BlockingIOError:
        alive = True
    os.close(heard)
    return alive, took_s
