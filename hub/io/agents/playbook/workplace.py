"""What a playbook works with: its folder, its arguments, git, programs in bounds, and a place for notes.

Notes go to `$PULSE_HOME/notes`, never into the workspace, so that looking at a repository leaves no trace in it.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from hub.do import clip_line
from hub.domain.execution import Job, RunResult
from hub.domain.provenance import say
from hub.io.agents.containment import contained, inside
from hub.io.agents.environment import marked, scrubbed
from hub.io.agents.git import GitFolder
from hub.io.agents.process import Ending, Processes
from hub.io.agents.supervised import Program
from hub.kit.files import replace_file

NOTES_FOLDER = "notes"
NOTE_CHARS_MAX = 262_144
NAME_CHARS_MAX = 60
PATH_MARK_CHARS = 8

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Workplace:
    """One playbook's work place. `now` is the person's local time at the start."""

    def __init__(
        self,
        *,
        job: Job,
        workspace: Path,
        home: Path,
        environ: Mapping[str, str],
        now: datetime,
        processes: Processes,
        progress: Callable[[str], None],
    ) -> None:
        self.job = job
        self.workspace = workspace
        self.home = home
        self.environ = environ
        self.now = now
        self.git = GitFolder(home, environ, workspace)
        self._processes = processes
        self._progress = progress

    @property
    def name(self) -> str:
        """The workspace's name, fit for a file name."""
        return file_name(self.workspace.resolve().name) or "workspace"

    def say(self, line: str) -> None:
        """Tell the person how far the work is."""
        self._progress(clip_line(line))

    async def run(self, argv: tuple[str, ...], extra: Mapping[str, str]) -> Ending:
        """Run a program in the workspace, inside the session's bounds; its lines are progress."""
        kept = scrubbed(self.environ, self.job.agent.environment)
        program = Program(
            argv=argv,
            cwd=str(self.workspace),
            environment={**kept, **marked(self.home, self.job.execution_id), **extra},
            duration_s_max=self.job.bounds.duration_s_max,
            output_bytes_max=self.job.bounds.output_bytes_max,
        )
        started = await asyncio.to_thread(contained, program, self.job.agent, self.home)
        if isinstance(started, str):
            return Ending(ended="failed-to-start", exit_code=None, detail=started)
        return inside(await self._processes.run(started, self._progress), started)

    def note(self, title: str, lines: tuple[str, ...], *, topic: str = "", form: str = "md") -> RunResult:
        """Write a note in one step and end the work with it.

        Args:
            title: its first line.
            lines: what follows; beyond `NOTE_CHARS_MAX` characters it is cut, and says so.
            topic: distinguishes the notes of one day; the file is `<date>-<name>[-<topic>].<form>`.
            form: `md` for Markdown, `mmd` for a bare Mermaid diagram (title and folder become its comments).
        """
        sign = "%% " if form == "mmd" else ""
        heading = f"{sign}{'' if sign else '# '}{clip_line(title)}"
        origin = f"{sign}Folder: {clip_line(str(self.workspace.resolve()))}"
        text = "\n".join((heading, origin, "", *lines)) + "\n"
        if len(text) > NOTE_CHARS_MAX:
            text = f"{text[:NOTE_CHARS_MAX]}\n{sign}(the rest was left out)\n"
        path = self._note_path(topic, form, origin)
        write_whole(path, text)
        self.say(f"Wrote {path}")
        return done(text, (str(path),))

    def _note_path(self, topic: str, form: str, origin: str) -> Path:
        """Find the note's place; another repository of the same name keeps its own."""
        stem = "-".join(part for part in (f"{self.now:%Y-%m-%d}", self.name, topic) if part)
        folder = self.home / NOTES_FOLDER
        path = folder / f"{stem}.{form}"
        if not path.exists() or origin in path.read_text(encoding="utf-8").splitlines()[:2]:
            return path
        mark = hashlib.sha256(origin.encode()).hexdigest()[:PATH_MARK_CHARS]
        return folder / f"{stem}-{mark}.{form}"


def file_name(text: str) -> str:
    """Return the part of a text that is safe in a file name; may be empty."""
    return _UNSAFE.sub("-", text)[:NAME_CHARS_MAX].strip(".-")


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step, readable by its owner only."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(path, text.encode(errors="replace"))


def done(text: str, files: tuple[str, ...] = ()) -> RunResult:
    """End the work well."""
    return RunResult(ended="exited", exit_code=0, output=text, changed_files=files)


NO_GIT = say("This needs a git repository with a commit, and git itself. Check the workspace, or run `git init`.")
