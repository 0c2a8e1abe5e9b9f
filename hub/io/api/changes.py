"""What a card would commit, to be looked at: all of the diff, and its pictures, as they are while it is open.

Only what the card was made of is shown: where the files are others by now, its own beginning of the diff is all there
is, and a yes would be asked again anyway.
"""

import asyncio
import base64
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Literal

from hub.contract.insight import CommitChanges, CommitPicture
from hub.contract.words import Status
from hub.domain.lookalikes import reveal
from hub.domain.masking import mask
from hub.domain.plan import Plan, PlannedCommit
from hub.domain.requests import Refused
from hub.io.agents.defining import kept_digest, read_regular
from hub.io.agents.git import GitFolder
from hub.io.api import cards
from hub.io.api.call import Call, Nothing
from hub.loop.refusals import unknown_card

DIFF_CHARS_MAX = 262_144
PICTURES_MAX = 12
PICTURE_BYTES_MAX = 1_048_576
PICTURES_BYTES_MAX = 3_145_728
Media = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
MAGIC: dict[bytes, Media] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
"""Pictures by how they begin: what a browser draws without running anything; the name of a file says nothing."""
_RIFF_AT, _RIFF_END = 8, 12


async def changes(call: Call[Nothing, Nothing]) -> CommitChanges | Refused:
    """Return all of the diff of what a card would commit, and its pictures; nothing for a card of another kind."""
    parts, card_id = call.parts, call.path["id"]
    card = await cards.find(parts, card_id)
    if card is None:
        return unknown_card(card_id)
    plan = card.plan
    if not isinstance(plan, Plan) or plan.commit is None:
        return CommitChanges()
    told = CommitChanges(diff=await _shown(plan.commit.diff), diff_cut=plan.commit.is_cut)
    if card.status is not Status.PENDING or parts.home is None:
        return told
    git = GitFolder(parts.home, os.environ, Path(plan.folder))
    paths = plan.argv[plan.argv.index("--") + 1 :]
    work = await git.work(paths, DIFF_CHARS_MAX)
    is_same = work is not None and work.diff.startswith(plan.commit.diff)
    if work is None or not is_same or not await asyncio.to_thread(_are_as_they_were, plan, paths):
        return told
    pictures = [picture async for picture in _pictures(git, plan.commit, Path(plan.folder))]
    return CommitChanges(
        diff=await _shown(work.diff), diff_cut=work.is_cut, is_current=True, pictures=_within(pictures)
    )


async def _shown(diff: str) -> str:
    return await asyncio.to_thread(lambda: reveal(mask(diff)))


def _are_as_they_were(plan: Plan, paths: Sequence[str]) -> bool:
    """Return True if the files are still those of the card, byte for byte."""
    before = {file.path: file.sha256 for file in plan.defined_by}
    return all(kept_digest(Path(plan.folder) / path) == before.get(path) for path in paths)


async def _pictures(git: GitFolder, commit: PlannedCommit, folder: Path) -> AsyncIterator[CommitPicture]:
    for file in [one for one in commit.files if one.added is None][:PICTURES_MAX]:
        if file.size_before is not None and file.size_before <= PICTURE_BYTES_MAX:
            before = await git.content(file.was or file.path)
            if before and (media := media_of(before)):
                yield _picture(file.path, before, media, is_before=True)
        if file.size is not None and file.size <= PICTURE_BYTES_MAX:
            now = await asyncio.to_thread(read_regular, folder / file.path, PICTURE_BYTES_MAX)
            if now and (media := media_of(now)):
                yield _picture(file.path, now, media, is_before=False)


def _picture(path: str, content: bytes, media: Media, *, is_before: bool) -> CommitPicture:
    data = base64.b64encode(content).decode()
    return CommitPicture(path=reveal(mask(path)), is_before=is_before, media=media, data=data)


def _within(pictures: list[CommitPicture]) -> tuple[CommitPicture, ...]:
    """Return as many of them as an answer has room for, from the first on."""
    kept: list[CommitPicture] = []
    room = PICTURES_BYTES_MAX
    for picture in pictures:
        room -= len(picture.data)
        if room < 0:
            break
        kept.append(picture)
    return tuple(kept)


def media_of(content: bytes) -> Media | None:
    """Return which picture a content is; None for what is none that is shown."""
    if content.startswith(b"RIFF") and content[_RIFF_AT:_RIFF_END] == b"WEBP":
        return "image/webp"
    return next((media for magic, media in MAGIC.items() if content.startswith(magic)), None)
