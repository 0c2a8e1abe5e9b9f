"""What TRL and Together publish about preference data, as checks: they run where neither is installed.

TRL ("Dataset formats and types", preference with an explicit prompt): the columns `prompt`, `chosen` and `rejected` are
text in every row (standard format), or lists of messages with a role and a content in every row (conversational
format); other columns are left aside. Together ("Preference fine-tuning"): each
line is an object with `input` (whose `messages` have a role and a content), `preferred_output` and
`non_preferred_output`, each of these exactly one message of the assistant.
"""

import json
from collections.abc import Iterator

ROLES = {"system", "user", "assistant"}
TOGETHER_KEYS = {"input", "preferred_output", "non_preferred_output"}


def trl_faults(lines: bytes) -> list[str]:
    """Say what TRL could not train on; nothing where all is well."""
    return list(_trl_faults(_rows(lines)))


def trl_chat_faults(lines: bytes) -> list[str]:
    """Say what TRL could not train on in its conversational format; nothing where all is well."""
    return list(_trl_chat_faults(_rows(lines)))


def together_faults(lines: bytes) -> list[str]:
    """Say what Together would refuse; nothing where all is well."""
    return list(_together_faults(_rows(lines)))


def _rows(lines: bytes) -> list[dict[str, object]]:
    rows = [json.loads(line) for line in lines.decode().splitlines()]
    assert all(isinstance(row, dict) for row in rows)
    return rows


def _trl_faults(rows: list[dict[str, object]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        if row.keys() != rows[0].keys():
            yield f"row {number}: other columns than the first"
        for column in ("prompt", "chosen", "rejected"):
            if not isinstance(row.get(column), str) or not row[column]:
                yield f"row {number}: {column} is no text"
        if row.get("chosen") == row.get("rejected"):
            yield f"row {number}: nothing is preferred"


def _trl_chat_faults(rows: list[dict[str, object]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        if row.keys() != {"prompt", "chosen", "rejected"}:
            yield f"row {number}: keys {sorted(row)}"
        elif not all(_are_messages(said) for said in row.values()):
            yield f"row {number}: no messages"
        elif row["chosen"] == row["rejected"]:
            yield f"row {number}: nothing is preferred"


def _together_faults(rows: list[dict[str, object]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        if row.keys() != TOGETHER_KEYS:
            yield f"row {number}: keys {sorted(row)}"
            continue
        outer = row["input"]
        messages = outer.get("messages") if isinstance(outer, dict) else None
        if not _are_messages(messages):
            yield f"row {number}: no messages"
        for side in ("preferred_output", "non_preferred_output"):
            said = row[side]
            if not _are_messages(said) or [one["role"] for one in said] != ["assistant"]:  # type: ignore[attr-defined]  # checked just before
                yield f"row {number}: {side} is not one message of the assistant"


def _are_messages(found: object) -> bool:
    return (
        isinstance(found, list)
        and bool(found)
        and all(
            isinstance(one, dict) and one.get("role") in ROLES and isinstance(one.get("content"), str) for one in found
        )
    )
