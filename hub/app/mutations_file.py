"""Changes of the drives that an agent writes into a file, as the source has it (`mutations.json`): one, or a list.

They are an agent's changes like any that come over HTTP: the same limits, cards and audit. The file is only read; the
same content counts once for as long as it is not written anew.
"""

import hashlib
from pathlib import Path

from hub.app.handed_in import HandedIn, HandedInFile, body_of
from hub.domain.requests import HandInMutations
from hub.io.sensors.file_stamps import stamp_of
from hub.ports import HubApi
from hub.when.drives import mutations_in

BY = "an agent by its file"
"""Who asks, in cards and in the audit: whose the file is, nobody knows."""
TOLD_MAX = 3


class MutationsFile(HandedInFile):
    """Hears of changes of one file, and hands what it asks for to the loop."""

    def __init__(self, path: Path, hub_api: HubApi) -> None:
        super().__init__(path, hub_api, "mutations", read_mutations)


def read_mutations(path: Path) -> HandedIn:
    """Return the changes that a file asks for, as a request; an entry that is none is named, and the others count."""
    body = body_of(path, "a change or a list of changes, and nothing else")
    if isinstance(body, str):
        return HandedIn(wrong=body)
    raw, status = body
    mutations, problems = mutations_in(raw)
    wrong = " ".join(problems[:TOLD_MAX])
    if not mutations:
        return HandedIn(wrong=wrong)
    key = hashlib.sha256(raw + repr(stamp_of(status)).encode()).hexdigest()
    request = HandInMutations(mutations=mutations, by=BY, is_person=False, key=f"file/mutations/{key}")
    return HandedIn(request, wrong)
