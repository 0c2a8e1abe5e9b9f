"""Commands in the need of a session: whether one can be started as it stands, and what its run says of the need.

Theory: a need is somebody's words, so a command in it is only ever shown to a person, and started by their yes. What
they are shown has to be all of what is started. So there is no shell: words that only a shell understands are not
guessed at, and neither is what the eye cannot see.
"""

import re
import shlex

from hub.domain.canonical import visible
from hub.domain.execution import RunResult
from hub.domain.provenance import LogText, say, untrusted
from hub.domain.world import WorldSession
from hub.domain.world_commands import RanCommand
from hub.domain.world_proof import CommandNeed, ProofFinding
from hub.kit.text import one_line
from hub.verify.world_needs import needs_of

COMMAND_CHARS_MAX = 1_000
WORDS_MAX = 64
LAST_LINES, LAST_CHARS_MAX = 5, 600
"""Of what a command printed, what whoever tries again is told."""
NEED_CHARS_MAX = 2_000
"""Sessions keep little more of a need."""
_IN_QUOTES = re.compile(r"'[^']*'|\"(?:[^\"\\$`]|\\.)*\"|\\.")
_FOR_A_SHELL = re.compile(r"[|&;<>()$`*?{}\[\]~!#\"']")
"""Signs that mean something to a shell where nothing quotes them."""
_WHY = {
    "timeout": "timed out and was stopped",
    "stopped": "was stopped",
    "failed-to-start": "could not be started",
    "changed": "was not run: it has changed",
    "lost": "ended in an unknown way",
}


def args_of(command: LogText) -> tuple[str, ...]:
    """Return the words of a command as it would be started; none where that takes a shell, or cannot be seen."""
    text = untrusted(command)
    if len(text) > COMMAND_CHARS_MAX or not text.isprintable() or _FOR_A_SHELL.search(_IN_QUOTES.sub("", text)):
        return ()
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        return ()
    is_one = bool(words) and len(words) <= WORDS_MAX and words[0] != "" and "=" not in words[0]
    return words if is_one else ()


def ran_of(command: LogText, folder: str, retries: int, result: RunResult) -> RanCommand:
    """Return what came of a run of a command, as its session keeps it; what it printed may be anybody's."""
    lines = [line for line in result.output.splitlines() if line.strip()][-LAST_LINES:]
    last = LogText(one_line(visible(" / ".join(lines)), LAST_CHARS_MAX))
    return RanCommand(
        command=command, folder=folder, retries=retries, ended=result.ended, exit_code=result.exit_code, last=last
    )


def next_command(need: LogText, session: WorldSession | None = None) -> CommandNeed | None:
    """Return the first command of a need; of a session's, the first that was not run at the end at which it stands.

    None where there is none, and where the need is so long that its end may have been left out.
    """
    if len(untrusted(need)) > NEED_CHARS_MAX:
        return None
    commands = (one for one in needs_of(need) if isinstance(one, CommandNeed))
    return next((one for one in commands if session is None or not _was_run(one, session)), None)


def tried(part: CommandNeed, session: WorldSession) -> ProofFinding:
    """Say what is known of a command: whether it ended as it should, or that nobody has run it at this end."""
    run = next((one for one in session.ran if _is_of(one, part, session)), None)
    if run is None:
        words = say("Whether “{it}” ends with {code} was not tried", it=part.command, code=part.exit_code)
        return ProofFinding(part=part, state="unknown", words=LogText(words.text))
    if run.ended != "exited" or run.exit_code is None:
        words = say("“{it}” {how}", it=part.command, how=_WHY.get(run.ended, _WHY["lost"]))
        return ProofFinding(part=part, state="unknown", words=LogText(words.text))
    ended = say("“{it}” ended with {code}", it=part.command, code=run.exit_code)
    if run.exit_code == part.exit_code:
        return ProofFinding(part=part, state="there", words=LogText(ended.text))
    words = say("{ended}: {last}", ended=ended, last=run.last) if run.last else ended
    return ProofFinding(part=part, state="missing", words=LogText(words.text))


def _was_run(part: CommandNeed, session: WorldSession) -> bool:
    return any(_is_of(one, part, session) for one in session.ran)


def _is_of(run: RanCommand, part: CommandNeed, session: WorldSession) -> bool:
    return (run.command, run.folder, run.retries) == (part.command, session.folder, session.retries)
