"""All that the drives remember, as the files of the source, to be moved to another machine."""

import asyncio

import msgspec
from starlette.responses import Response

from hub.domain.mind import Mind
from hub.domain.reports import DriveMutations, Wakes
from hub.domain.storage import MindOf
from hub.io.api.call import Call, Nothing
from hub.when.drives import exported

ROWS_MAX = 100_000
"""So many wakes, the latest, and so many changes are in the files."""
JSON_MEDIA_TYPE = "application/json"


async def export(call: Call[Nothing, Nothing]) -> Response:
    """Return the text of each file by its name."""
    parts, now = call.parts, call.parts.clock.now()
    mind = await parts.store.read(MindOf(user=parts.user)) or Mind()
    wakes = await parts.store.read(Wakes(user=parts.user, limit=ROWS_MAX))
    limit = min(mind.drives.audit_count, ROWS_MAX)  # those that the state remembers, and none that came meanwhile
    records = await parts.store.read(DriveMutations(user=parts.user, limit=limit))
    return Response(
        await asyncio.to_thread(lambda: _document(exported(mind.drives, wakes[::-1], (), records, now))),
        media_type=JSON_MEDIA_TYPE,
        headers={"cache-control": "no-store"},
    )


def _document(files: dict[str, bytes]) -> bytes:
    return msgspec.json.encode({name: content.decode() for name, content in files.items()})
