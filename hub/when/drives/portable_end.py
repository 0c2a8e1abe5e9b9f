"""Whether the file of an audit ends where the state that lies beside it says: a chain does not tell that of itself."""

import msgspec

from hub.when.drives.portable_reading import JsonObject


def wrong_end(state: JsonObject, audit: bytes) -> str:
    """Return what is wrong with the end of an audit, or nothing; whether its records hold is not looked at here.

    Args:
        state: what the state's file holds, with how many changes there were and the last one's hash; a state without
            (a part of one, or the public implementation's) tells nothing.
        audit: the content of the audit's file, one change a line.
    """
    remembered = state.get("pulse")
    count = remembered.get("audit_count") if isinstance(remembered, dict) else None
    if not isinstance(remembered, dict) or not isinstance(count, int):
        return ""
    lines = [line for line in audit.split(b"\n") if line.strip()]
    if len(lines) < count:
        return f"its end is missing: {len(lines):,} of {count:,} changes are there."
    if count > 0 and _hash_in(lines[count - 1]) != remembered.get("audit_hash"):
        return f"change {count:,} is not the one named in the state: all of them may have been rewritten."
    return ""  # more of them may have been made between the writing of the two files


def _hash_in(line: bytes) -> object:
    try:
        found = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return None
    return found.get("hash") if isinstance(found, dict) else None
