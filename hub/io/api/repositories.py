"""The person's repositories: what Pulse sees in each of them now, and how much waits there."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from hub.contract.repositories import FolderView, RepositoryList, RepositoryView
from hub.domain.canonical import visible
from hub.domain.provenance import untrusted
from hub.domain.readings import BrokenReading, GitReading
from hub.domain.situation import Repository
from hub.domain.storage import OpenCards
from hub.domain.suggestion import Card
from hub.io.api.call import Call, Nothing
from hub.io.api.overview import OPEN_MAX

SENSOR = "git"


async def repositories(call: Call[Nothing, Nothing]) -> RepositoryList:
    """Look at every workspace's repository now; a workspace without one is a folder."""
    parts = call.parts
    reading = await parts.glance(SENSOR)
    asked = OpenCards(user=parts.user, limit=OPEN_MAX, now=parts.clock.now())
    cards = await parts.store.read(asked)
    waiting = waiting_in(cards)
    folders = tuple(folder_view(one, waiting) for one in await asyncio.to_thread(parts.without_git))
    match reading.body if reading is not None else None:
        case GitReading(repositories=found, broken=broken):
            views = tuple(view(one, waiting[one.path]) for one in found)
            problems = tuple(map(visible, broken))
            return RepositoryList(repositories=views, count=len(views), problems=problems, folders=folders)
        case BrokenReading(detail=detail):
            return RepositoryList(repositories=(), count=0, problems=(visible(detail),), folders=folders)
        case _:
            return RepositoryList(repositories=(), count=0, folders=folders)


def waiting_in(cards: Iterable[Card]) -> Counter[str]:
    """Count the cards of each folder; those whose work has no folder are not counted."""
    return Counter(card.proposal.work.workspace for card in cards if card.proposal.work.workspace is not None)


def view(found: Repository, waiting: int) -> RepositoryView:
    """Return one repository as everybody outside sees it."""
    return RepositoryView(
        path=visible(found.path),
        name=visible(untrusted(found.name)),
        branch=None if found.branch is None else visible(untrusted(found.branch)),
        changed_files=len(found.uncommitted),
        changed_modules=len(found.changed_modules),
        unpushed=found.unpushed,
        last_commit_at=found.head_at,
        last_test_run_at=found.last_test_run_at,
        last_test_run_passed=found.last_test_run_passed,
        ci=found.ci,
        waiting=waiting,
    )


def folder_view(folder: Path, waiting: Counter[str]) -> FolderView:
    """Return a watched folder without git as everybody outside sees it."""
    return FolderView(path=visible(str(folder)), name=visible(folder.name), waiting=waiting[str(folder)])
