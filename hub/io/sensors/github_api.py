"""Asks GitHub's API by GitHub's own program, which keeps the person's login; we never hold a token of theirs.

One question at a time, all repositories together. What was answered before is asked for by its ETag: as long as it has
not changed, the answer costs nothing of the person's limit. Told to wait, nothing is asked until then.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from hub.contract.base import Value
from hub.domain.deploying import HOST
from hub.io.sensors.command import run
from hub.io.sensors.guard import UnreadableError
from hub.kit.bounded import BoundedMap
from hub.sense.github_answers import NO_ANSWER, NOT_CHANGED, REST, GithubAnswer, read_answer, rests_until

ASK_S_MAX = 30.0
ANSWER_BYTES_MAX = 4 * 1024 * 1024
KEPT_MAX = 200
LOGIN = ("GH_TOKEN", "GITHUB_TOKEN", "GH_CONFIG_DIR", "XDG_CONFIG_HOME")
"""What the program finds the person's login by, beside their home."""
QUIET: Mapping[str, str] = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}


def handed_on(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what the program sees of our environment: nothing of Pulse's, and nothing that leads git elsewhere."""
    return {key: value for key, value in environ.items() if not key.startswith(("PULSE_", "GIT_"))} | dict(QUIET)


class _AnsweredBefore(Value):
    etag: str
    body: bytes


class GithubApi:
    """GitHub's API for reading; the program is started in a folder of ours, and reads nothing of a repository."""

    def __init__(self, program: str, folder: Path, environ: Mapping[str, str]) -> None:
        """Take the program, a folder to start it in, and its environment."""
        self._argv = (program, "api", "--hostname", HOST, "--include")
        self._folder = folder
        self._environ = handed_on(environ)
        self._kept: BoundedMap[str, _AnsweredBefore] = BoundedMap(KEPT_MAX)
        self._rests_until: datetime | None = None
        self._one_at_a_time = asyncio.Lock()

    async def get(self, path: str, now: datetime) -> bytes | None:
        """Return what is at a path of the API; None where it was not asked, or not answered.

        Args:
            path: without a slash in front, made of our own words and numbers.
            now: the present moment.
        """
        async with self._one_at_a_time:
            if self._rests_until is not None and now < self._rests_until:
                return None
            kept = self._kept.get(path)
            answer = await self._ask(path, kept.etag if kept else "")
            self._rests_until = now + REST if answer is NO_ANSWER else rests_until(answer, now)
            if kept is not None and answer.status == NOT_CHANGED:
                return kept.body
            return self._keep(path, answer) if answer.is_well else None

    def _keep(self, path: str, answer: GithubAnswer) -> bytes:
        self._kept.pop(path, None)
        if answer.etag:
            self._kept[path] = _AnsweredBefore(etag=answer.etag, body=answer.body)
        return answer.body

    async def _ask(self, path: str, etag: str) -> GithubAnswer:
        known = ("--header", f"If-None-Match: {etag}") if etag else ()
        try:
            said = await run(
                (*self._argv, *known, path),
                cwd=self._folder,
                env=self._environ,
                timeout_s=ASK_S_MAX,
                limit_bytes=ANSWER_BYTES_MAX,
            )
        except UnreadableError:
            return NO_ANSWER
        return NO_ANSWER if said.cut else read_answer(said.out)
