"""The message that wakes an agent outside, as DRIVES 4 has it: Pulse's words, a few numbers, the name of a drive.

Theory: it says why it comes, with the numbers that it went by, and of what stands open how much it is, by names that
are digests: the words are the world's, and what the world wrote never goes out without a person. A drive that an agent
added has its name from that agent, so it is not called by it. So whether a text is such a message can be told to the
letter, by `is_message`. Where the hub is and the token for it are put below it as it is sent (`with_pass`): a card, a
log or a database never has them.
"""

import re

from hub.domain.canonical import digest
from hub.domain.drives import BUILT_IN_DRIVES, DriveRules, Wake

MESSAGE = """[PULSE] Self-initiated turn.
Trigger reason: {reason}
Top drive: {drive} (pressure: {pressure})
Open there: {open}

Run your CORTEX.md loop: look at what stands open there, and take the step that matters most.
Then report what came of it to Pulse at POST /api/v1/drives/feedback: drives_addressed, outcome (success, partial or \
blocked) and a summary.
Pulse's address follows as this is sent, with a token for this wake alone: for 15 minutes it reads what stands open in \
this drive (GET /api/v1/drives) and takes one report."""
WAY_BACK = "\n\nPULSE_ADDRESS={address}\nPULSE_TOKEN={token}"
NO_WAY_BACK = "\n\nThis Pulse cannot be reached from where you run."
NAMED_MAX = 8
"""So many of the needs are named; the others are counted."""
NEED_CHARS = 8
ADDED = "one that an agent added"
"""Stands for the name of a drive that is neither built in nor the person's own."""
_REASONS = (
    "{drive} drive pressure {pressure} > threshold {line}",
    "{drive} drive pressure {pressure} has reached threshold {line}",
    "pressure of all drives {pressure} > threshold {line}, most of it {drive}",
    "pressure of all drives {pressure} has reached threshold {line}, most of it {drive}",
    "{drive} drive: something matters so much that it cannot wait",
    "a model was asked and chose the {drive} drive",
)
OVER, AT, OVER_ALL, AT_ALL, ALERT, MODEL = _REASONS
_NUMBER = r"[0-9]{1,9}[.][0-9]"
_NEED = rf"need-[0-9a-f]{{{NEED_CHARS}}}"
_MORE = rf"(?:, {_NEED}){{0,{NAMED_MAX - 1}}}(?: and [0-9]{{1,4}} more)?"
_STANDING = rf"no need is known to stand open|1 need stands open: {_NEED}|[0-9]{{1,4}} needs stand open: {_NEED}{_MORE}"


def need_id(key: str) -> str:
    """Return the name of a need that says nothing of it: its key may have others' words in it."""
    return f"need-{digest(key)[:NEED_CHARS]}"


def with_pass(message: str, address: str, token: str) -> str:
    """Return a message as it is sent: with the way back, or that there is none."""
    return message + (WAY_BACK.format(address=address, token=token) if address and token else NO_WAY_BACK)


def announces_pass(message: str) -> bool:
    """Return True if a message says that a way back follows; one that a person wrote otherwise gets none."""
    return message.endswith(MESSAGE.rpartition("\n")[2])


def message_of(wake: Wake, rules: DriveRules, needs: tuple[str, ...] = ()) -> str:
    """Return the message for a wake; `rules` name the person's own drives, `needs` are the keys of what stands open."""
    drive = wake.drive if wake.drive in _own(rules) else ADDED
    return MESSAGE.format(
        reason=reason_of(wake, drive), drive=drive, pressure=_number(wake.pressure), open=_standing(needs)
    )


def reason_of(wake: Wake, drive: str) -> str:
    """Return why it wakes, in one line with its numbers."""
    is_of_one = wake.rule == "single" or _number(wake.total) == _number(wake.pressure)
    pressure, line = _number(wake.pressure if is_of_one else wake.total), _number(wake.threshold)
    match wake.rule:
        case "alert":
            template = ALERT
        case "model":
            template = MODEL
        case _ if is_of_one:
            template = AT if pressure == line else OVER
        case _:
            template = AT_ALL if pressure == line else OVER_ALL
    return template.format(drive=drive, pressure=pressure, line=line)


def is_message(text: str, rules: DriveRules) -> bool:
    """Return True if a text is such a message to the letter; only its numbers and its drive may vary."""
    drive = "|".join(re.escape(name) for name in (*_own(rules), ADDED))
    reason = "|".join(_pattern(template, drive) for template in _REASONS)
    return re.fullmatch(_pattern(MESSAGE, drive, f"(?:{reason})"), text) is not None


def _pattern(template: str, drive: str, reason: str = "") -> str:
    pattern = re.escape(template)
    open_parts = {
        "drive": f"(?:{drive})",
        "pressure": _NUMBER,
        "line": _NUMBER,
        "reason": reason,
        "open": f"(?:{_STANDING})",
    }
    for name, part in open_parts.items():
        pattern = pattern.replace(re.escape(f"{{{name}}}"), part)
    return pattern


def _standing(needs: tuple[str, ...]) -> str:
    """Return what stands open, by count and name."""
    if not needs:
        return "no need is known to stand open"
    named, more = ", ".join(map(need_id, needs[:NAMED_MAX])), len(needs) - NAMED_MAX
    stand = "1 need stands" if len(needs) == 1 else f"{len(needs)} needs stand"
    return f"{stand} open: {named}{f' and {more} more' if more > 0 else ''}"


def _own(rules: DriveRules) -> tuple[str, ...]:
    return tuple(name for name, _ in (*BUILT_IN_DRIVES, *rules.weights))


def _number(value: float) -> str:
    return f"{value:.1f}"
