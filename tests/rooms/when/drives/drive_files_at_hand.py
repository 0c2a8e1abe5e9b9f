"""Files of what the drives remember, as tests need them, and how to read some of them."""

import json

from hub.domain.drives import Wake
from hub.domain.mutations import Mutation, MutationRecord
from hub.when.drives import DrivesImported, imported
from hub.when.drives.portable import AUDIT, QUEUE, STATE, THEIR_AUDIT, WAKES
from tests.rooms.when.drives.drives_at_hand import NOW, RULES

WAKE = Wake(id="w1", at=NOW, rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0, ended="success")
ASKED = Mutation(kind="adjust_weight", drive="curiosity", value=1.5, reason="I want to explore more")
RECORD = MutationRecord(id="m1", at=NOW, by="opencode", mutation=ASKED, status="applied", before=1.0, after=1.5)


def state(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def read(*, threshold: float | None = None, **files: bytes) -> DrivesImported:
    names = {"state": STATE, "wakes": WAKES, "queue": QUEUE, "audit": AUDIT, "their_audit": THEIR_AUDIT}
    return imported({names[name]: body for name, body in files.items()}, RULES, NOW, threshold=threshold)
