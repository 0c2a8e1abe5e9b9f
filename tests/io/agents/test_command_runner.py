import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from hub.domain.policy import Agent
from hub.domain.provenance import untrusted
from hub.io.agents.command import CommandRunner
from hub.io.agents.orphans import orphans
from hub.io.agents.process_table import PROC
from tests.io.agents.agent_work import Heard, commit, git, gone, is_there, job, python, repository, run, write

LONG_S = 60
"""Longer than anything here takes, and shorter than the programs would sleep."""
ENVIRON = {**os.environ, "SECRET_KEY": "hidden", "WANTED_KEY": "shown", "PULSE_MASTER": "hidden", "LC_TIME": "C"}


@pytest.fixture
async def runner(tmp_path: Path) -> AsyncIterator[CommandRunner]:
    runner = CommandRunner(tmp_path / "home", ENVIRON)
    yield runner
    await runner.close()


async def test_prompt_on_stdin_and_exit_code(runner: CommandRunner) -> None:
    code = "import sys; print('got', sys.stdin.read()); print('err', file=sys.stderr); sys.exit(3)"
    heard = Heard()
    result = await run(runner, job(*python(code), prompt="Grüße; $(touch x)"), heard)
    assert (result.ended, result.exit_code) == ("exited", 3)
    assert result.output == "got Grüße; $(touch x)\nerr\n"
    assert heard.lines == ["got Grüße; $(touch x)", "err"]


@pytest.mark.slow
async def test_placeholders_are_whole_arguments(runner: CommandRunner, tmp_path: Path) -> None:
    code = "import sys; print(sys.argv[1:], sys.stdin.read())"
    agent = Agent(name="a", kind="command", argv=(*python(code), "{prompt}", "{session}", "{workspace}"), stdin="none")
    work = job(agent=agent, prompt="--yolo; rm", workspace=tmp_path)
    result = await run(runner, work, Heard())
    assert result.output == f"{[' --yolo; rm', 'run_e1', str(tmp_path)]} \n"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("/bin/echo", "--say={prompt}"), "Make it its own argument"),
        (("/bin/echo", "{workspace}"), "names none"),
        ((), "names no program"),
        (("no-such-program-here",), "was not found"),
        (("./agent.sh",), "full path"),
    ],
)
async def test_what_cannot_start_says_why(runner: CommandRunner, argv: tuple[str, ...], words: str) -> None:
    result = await run(runner, job(*argv), Heard())
    assert (result.ended, result.exit_code) == ("failed-to-start", None)
    assert words in result.detail


async def test_program_that_may_not_be_executed(runner: CommandRunner, tmp_path: Path) -> None:
    write(tmp_path, {"agent.sh": "#!/bin/sh"})
    result = await run(runner, job(str(tmp_path / "agent.sh")), Heard())
    assert "chmod +x" in result.detail


@pytest.mark.parametrize(("prompt", "words"), [("a\0b", "null byte"), ("x" * 200_000, "too long")])
async def test_prompt_that_is_no_argument(runner: CommandRunner, prompt: str, words: str) -> None:
    result = await run(runner, job("/bin/echo", "{prompt}", prompt=prompt), Heard())
    assert result.ended == "failed-to-start"
    assert words in result.detail
    assert "stdin" in result.detail


async def test_script_without_an_interpreter(runner: CommandRunner, tmp_path: Path) -> None:
    script = tmp_path / "agent"
    script.write_bytes(b"\x00\x01garbage")
    script.chmod(0o700)
    result = await run(runner, job(str(script)), Heard())
    assert result.ended == "failed-to-start"
    assert "#!/bin/sh" in result.detail


async def test_workspace_must_be_there_and_full(runner: CommandRunner, tmp_path: Path) -> None:
    absent = await run(runner, job("/bin/true", workspace=tmp_path / "no"), Heard())
    relative = await run(runner, job("/bin/true", workspace=Path("somewhere")), Heard())
    assert "does not exist" in absent.detail
    assert "not a full path" in relative.detail


@pytest.mark.slow
async def test_environment_is_scrubbed(runner: CommandRunner) -> None:
    agent = Agent(
        name="a",
        kind="command",
        argv=python("import os; [print(k + '=' + v) for k, v in os.environ.items()]"),
        environment=("WANTED_KEY", "UNSET_KEY", "PULSE_MASTER"),
    )
    result = await run(runner, job(agent=agent), Heard())
    seen = dict(line.partition("=")[::2] for line in result.output.splitlines())
    assert "hidden" not in result.output
    assert seen["WANTED_KEY"] == "shown"
    assert seen["TERM"] == "dumb"
    assert seen["PULSE_SESSION"] == "run_e1"
    assert seen["PULSE_EXECUTION"] == "e1"
    assert seen["PULSE_ALLOWED_TOOLS"] == "read,write,edit,exec,web_search,web_fetch"
    assert seen["PULSE_BLOCKED_TOOLS"] == "message,tts,browser"
    assert seen["PULSE_MAX_TOKENS"] == "50000"
    allowed = {"PATH", "HOME", "LANG", "TMPDIR", "USER", "SHELL", "TERM", "WANTED_KEY", "PWD"}  # PWD: bubblewrap
    assert {name for name in seen if not name.startswith(("PULSE_", "LC_"))} <= allowed


@pytest.mark.slow
async def test_time_limit_ends_a_group_that_ignores_sigterm(runner: CommandRunner) -> None:
    child = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(99)"
    )
    code = f"""
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, '-c', {child!r}])
print('pids', os.getpid(), child.pid)
time.sleep(99)
"""
    heard = Heard()
    async with asyncio.timeout(LONG_S):
        result = await run(runner, job(*python(code), duration_s_max=1.5), heard)
    assert (result.ended, result.exit_code) == ("timeout", None)
    assert "1.5 s" in result.detail
    assert "pids" in result.output
    pids = [int(pid) for pid in (await heard.line("pids")).split()[1:]]
    assert all(gone(pid) for pid in pids)


@pytest.mark.slow
async def test_a_polite_program_may_end_by_itself(runner: CommandRunner, tmp_path: Path) -> None:
    code = f"""
import os, pathlib, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(pathlib.Path({str(tmp_path / "goodbye")!r}).touch()))
print('pid', os.getpid())
time.sleep(99)
"""
    heard = Heard()
    work = asyncio.create_task(run(runner, job(*python(code)), heard))
    pid = int((await heard.line("pid")).split()[1])
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert gone(pid)
    assert (tmp_path / "goodbye").exists()


async def test_cancelling_twice_kills_at_once(runner: CommandRunner) -> None:
    code = "import os, signal, time; signal.signal(15, signal.SIG_IGN); print('pid', os.getpid()); time.sleep(99)"
    heard = Heard()
    work = asyncio.create_task(run(runner, job(*python(code)), heard))
    pid = int((await heard.line("pid")).split()[1])
    work.cancel()
    await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert gone(pid)


@pytest.mark.slow
async def test_what_a_program_leaves_behind_is_ended(runner: CommandRunner) -> None:
    heard = Heard()
    async with asyncio.timeout(LONG_S):
        result = await run(runner, job("/bin/sh", "-c", "sleep 99 & echo pid $!; exit 0"), heard)
    assert (result.ended, result.exit_code) == ("exited", 0)
    assert gone(int((await heard.line("pid")).split()[1]))


AWAY = """
import os, signal, time
ready, tell = os.pipe()
child = os.fork()
if child:
    os.read(ready, 1)
    print("pid", child)
else:
    os.setsid()
    {deaf}
    for number in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    os.write(tell, b"x")
    time.sleep(99)
"""
THROUGH_PROC = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")


@pytest.mark.slow
@THROUGH_PROC
@pytest.mark.parametrize("deaf", ["pass", "signal.signal(signal.SIGTERM, signal.SIG_IGN)"], ids=["polite", "deaf"])
async def test_what_left_the_group_is_ended_with_its_run(runner: CommandRunner, deaf: str) -> None:
    heard = Heard()
    result = await run(runner, job(*python(AWAY.format(deaf=deaf))), heard)
    assert (result.ended, result.exit_code) == ("exited", 0)
    assert gone(int((await heard.line("pid")).split()[1]))


@pytest.mark.slow
@THROUGH_PROC
async def test_another_run_is_left_alone(runner: CommandRunner, tmp_path: Path) -> None:
    heard = Heard()
    other = asyncio.create_task(run(runner, job(*python("print('up'); import time; time.sleep(99)")), heard))
    await heard.line("up")
    await run(runner, job("/bin/true", execution_id="e2"), Heard())
    assert orphans(tmp_path / "home")
    other.cancel()
    with pytest.raises(asyncio.CancelledError):
        await other
    assert orphans(tmp_path / "home") == ()


@pytest.mark.slow
async def test_many_grandchildren_are_ended(runner: CommandRunner) -> None:
    script = "i=0; while [ $i -lt 40 ]; do (trap '' TERM; sleep 99) & echo pid $!; i=$((i+1)); done; echo all; wait"
    heard = Heard()
    work = asyncio.create_task(run(runner, job("/bin/sh", "-c", script), heard))
    await heard.line("all")
    await runner.close()
    result = await work
    assert result.ended == "stopped"
    pids = [int(line.split()[1]) for line in heard.lines if line.startswith("pid")]
    assert len(pids) == 40
    assert all(gone(pid) for pid in pids)


async def test_output_closed_early_is_no_end(runner: CommandRunner) -> None:
    code = "import os; print('last words'); os.close(1); os.close(2); os._exit(7)"
    result = await run(runner, job(*python(code)), Heard())
    assert (result.exit_code, result.output) == (7, "last words\n")


async def test_binary_output_and_endless_lines(runner: CommandRunner) -> None:
    code = "import sys; sys.stdout.buffer.write(b'\\xff\\x00\\x1b[31mred\\n' + b'z' * 300000 + b'\\nend\\n')"
    heard = Heard()
    result = await run(runner, job(*python(code), output_bytes_max=1000), heard)
    assert result.truncated
    assert result.output.startswith("\ufffd␀")
    assert result.output.endswith("zz\nend\n")
    assert "bytes left out" in result.output
    assert heard.lines[0] == "\ufffd⟨U+0000⟩red"
    assert all(len(line) <= 400 for line in heard.lines)
    assert heard.lines[-1] == "end"


@pytest.mark.slow
async def test_hundred_megabytes_stay_within_bounds(runner: CommandRunner) -> None:
    code = "import sys\nfor _ in range(1600): sys.stdout.write(('y' * 63 + '\\n') * 1024)\nprint('end')"
    heard = Heard()
    result = await run(runner, job(*python(code), output_bytes_max=65_536, duration_s_max=60), heard)
    assert (result.exit_code, result.truncated) == (0, True)
    assert len(result.output) < 66_000
    assert result.output.endswith("end\n")
    assert len(heard.lines) < 3_000
    assert heard.lines[-1].endswith("lines not shown)") or heard.lines[-1] == "end"


async def test_prompt_that_nobody_reads(runner: CommandRunner) -> None:
    result = await run(runner, job("/bin/sh", "-c", "exit 0", prompt="x" * 1_000_000), Heard())
    assert (result.ended, result.exit_code) == ("exited", 0)


async def test_signal_is_told_as_negative_exit_code(runner: CommandRunner) -> None:
    result = await run(runner, job("/bin/sh", "-c", "kill -9 $$"), Heard())
    assert (result.ended, result.exit_code) == ("exited", -9)


async def test_workspace_deleted_meanwhile(runner: CommandRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work")
    result = await run(runner, job("/bin/rm", "-rf", str(folder), workspace=folder), Heard())
    assert (result.ended, result.exit_code, result.changed_files) == ("exited", 0, ())


@pytest.mark.slow
async def test_changed_files_of_a_repository(runner: CommandRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work", {"a.txt": "a", "b.txt": "b", "sub/c.txt": "c", "dirty.txt": "d"})
    write(folder, {"dirty.txt": "changed before", "untracked.txt": "before"})
    make = "echo x > a.txt; rm b.txt; mkdir new; echo y > 'new/grün e.txt'"
    script = f"{make}; git add new; git commit -qm c -- new; touch -t 200001010000 a.txt"
    environ = {**ENVIRON, "GIT_CONFIG_COUNT": "0"}
    agent = Agent(name="a", kind="command", argv=("/bin/sh", "-c", script), environment=("GIT_CONFIG_COUNT",))
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.org")
    runner = CommandRunner(tmp_path / "home", environ)
    result = await run(runner, job(agent=agent, workspace=folder), Heard())
    assert result.exit_code == 0, result.output
    assert result.changed_files == ("a.txt", "b.txt", "new/grün e.txt")


@pytest.mark.slow
async def test_changed_files_below_a_repository_root(runner: CommandRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work", {"top.txt": "t", "sub/c.txt": "c"})
    work = job("/bin/sh", "-c", "echo x > c.txt; echo x > ../top.txt", workspace=folder / "sub")
    assert (await run(runner, work, Heard())).changed_files == ("c.txt",)


async def test_changed_files_without_git(runner: CommandRunner, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    write(folder, {"old.txt": "o", "kept.txt": "k"})
    result = await run(runner, job("/bin/sh", "-c", "echo x > old.txt; echo y > new.txt", workspace=folder), Heard())
    assert result.changed_files == ("new.txt", "old.txt")


@pytest.mark.slow
async def test_nothing_changed(runner: CommandRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work")
    write(folder, {"before.txt": "b"})
    commit(folder, "before")
    assert (await run(runner, job("/bin/true", workspace=folder), Heard())).changed_files == ()


@pytest.mark.parametrize(
    ("script", "cost"),
    [
        ('echo \'{"costUsd": 0.12}\' > "$PULSE_COST_FILE"', 120_000),
        ('echo talk; echo \'{"type":"result","total_cost_usd":0.0031}\'', 3_100),
        ('echo \'{"costUsd": 1}\' > "$PULSE_COST_FILE"; echo \'{"total_cost_usd": 9}\'', 1_000_000),
        ('echo \'{"costUsd": -1}\' > "$PULSE_COST_FILE"', None),
        ('echo \'{"costUsd": 1e999}\' > "$PULSE_COST_FILE"', None),
        ('echo garbage > "$PULSE_COST_FILE"', None),
        ('mkfifo "$PULSE_COST_FILE"', None),
        ('ln -s /dev/zero "$PULSE_COST_FILE"', None),
        ('echo \'{"total_cost_usd": "free"}\'', None),
        ("true", None),
    ],
)
async def test_reported_cost(runner: CommandRunner, script: str, cost: int | None) -> None:
    result = await run(runner, job("/bin/sh", "-c", script), Heard())
    assert (result.exit_code, result.cost_microusd) == (0, cost)


@pytest.mark.parametrize(
    ("script", "tokens"),
    [
        ("echo talk", None),
        ('echo \'{"usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":7}}\'', 22),
        ('echo \'{"tokens": 3200}\' > "$PULSE_COST_FILE"; echo \'{"usage": {"output_tokens": 1}}\'', 3_200),
        ('echo \'{"tokens": -1}\' > "$PULSE_COST_FILE"', None),
        ('echo \'{"tokens": "many"}\' > "$PULSE_COST_FILE"', None),
    ],
)
async def test_tokens_are_counted_as_the_agent_reports_them(
    runner: CommandRunner, script: str, tokens: int | None
) -> None:
    result = await run(runner, job("/bin/sh", "-c", script), Heard())
    assert (result.exit_code, result.tokens) == (0, tokens)


async def test_session_folder_is_gone_afterwards(runner: CommandRunner, tmp_path: Path) -> None:
    result = await run(runner, job("/bin/sh", "-c", 'touch x; echo 1 > "$PULSE_COST_FILE"; pwd'), Heard())
    assert not is_there(result.output.strip())
    assert {path.name for path in (tmp_path / "home").iterdir()} == {"mark"}


@pytest.mark.slow
async def test_nothing_tells_a_run_where_the_secrets_are(runner: CommandRunner, tmp_path: Path) -> None:
    work = job("/bin/sh", "-c", "env; pwd; cat /proc/self/cmdline /proc/$PPID/cmdline", workspace=tmp_path)
    for workspace in (None, str(tmp_path / "elsewhere")):
        (tmp_path / "elsewhere").mkdir(exist_ok=True)
        result = await run(runner, msgspec.structs.replace(work, workspace=workspace), Heard())
        assert "PULSE_MARK=" in result.output
        assert str(tmp_path / "home") not in result.output


async def test_a_run_holds_no_terminal_and_no_descriptor_of_ours(runner: CommandRunner) -> None:
    """Whoever holds the person's terminal can type into it, or read what is typed there."""
    code = "import os; print(sorted(os.listdir('/proc/self/fd'))); print(open('/proc/self/stat').read().strip())"
    master, slave = os.openpty()
    os.set_inheritable(slave, True)  # noqa: FBT003  as what a shell opened; it takes no keyword
    try:
        listed, stat = (await run(runner, job(*python(code)), Heard())).output.splitlines()
    finally:
        os.close(master)
        os.close(slave)
    assert listed == str(["0", "1", "2", "3"])  # the last one reads the list
    _, group, session, terminal = map(int, stat.rpartition(")")[2].split()[1:5])
    assert (session, terminal) == (group, 0)
    assert session != os.getsid(0)


async def test_home_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, not a folder")
    result = await run(CommandRunner(tmp_path / "home", ENVIRON), job("/bin/true"), Heard())
    assert result.ended == "failed-to-start"
    assert "Free some space" in result.detail


async def test_nothing_starts_after_close(runner: CommandRunner) -> None:
    await runner.close()
    result = await run(runner, job("/bin/true"), Heard())
    assert result.ended == "failed-to-start"


@pytest.mark.slow
async def test_what_was_changed_is_kept_line_by_line(runner: CommandRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work", {"a.txt": "one\ntwo\n", "gone.txt": "x\n"})
    commit(folder, "start")
    script = "printf 'one\\n2\\n3\\n' > a.txt; rm gone.txt; printf 'new\\n' > 'b c.txt'; printf '\\0\\1' > d.bin"
    result = await run(runner, job("sh", "-c", script, workspace=folder), Heard())
    found = {untrusted(one.path): (one.added, one.removed) for one in result.changes}
    assert found == {"a.txt": (2, 1), "b c.txt": (1, 0), "d.bin": (None, None), "gone.txt": (0, 1)}
    assert "-two\n+2\n+3\n" in result.diff
    assert "+++ b/b c.txt\n@@ -0,0 +1,1 @@\n+new\n" in result.diff
    assert not result.diff_cut
