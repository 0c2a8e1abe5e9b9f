"""Real git repositories for tests."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)


class Repo:
    """A real repository whose clock is the test's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, at: datetime = NOW, cwd: Path | None = None) -> str:
        when = at.isoformat()
        env = {**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
        who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always")
        done = subprocess.run(
            ("git", *who, *arguments), cwd=cwd or self.path, env=env, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def write(self, name: str, content: str | bytes = "x\n", *, at: datetime | None = None) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if at is not None:
            os.utime(path, (at.timestamp(), at.timestamp()))
        return path

    def commit(self, name: str, content: str | bytes = "x\n", *, at: datetime = NOW) -> str:
        self.write(name, content, at=at)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", f"change {name}", at=at)
        return self.git("rev-parse", "HEAD")
