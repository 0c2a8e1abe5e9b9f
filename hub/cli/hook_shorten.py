"""Leaves out what is long of what an agent said, so that the rest can be handed on; run by hook_client.py alone."""

import json

NEEDLESS = ("tool_response", "last_assistant_message", "background_tasks", "session_crons", "prompt", "toolResult")
"""What nobody asks for; the result of a tool is often longer than all the rest."""
TEXT_CHARS = (12_000, 4_000, 1_000, 100)
"""How much is left of each text, tried one after the other until it fits."""
LIST_MAX = 64
DEPTH_MAX = 20


def shorten(given: bytes, bytes_max: int) -> bytes:
    """Return what was said with long texts cut, in at most so many bytes.

    Raises:
        ValueError: it is no JSON object, or stays too long.
    """
    try:
        said = json.loads(given)
    except RecursionError as error:  # the hub says the same of it
        raise ValueError("It is nested too deep.") from error
    if not isinstance(said, dict):
        raise ValueError("It is not a JSON object.")  # noqa: TRY004  what was read is wrong, not how this was called
    said = {name: value for name, value in said.items() if name not in NEEDLESS}
    for chars in TEXT_CHARS:
        left = json.dumps(_cut(said, chars, DEPTH_MAX), ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(left) <= bytes_max:
            return left
    raise ValueError("It is too long.")


def _cut(value: object, chars: int, depth: int) -> object:
    if isinstance(value, str):
        return value if len(value) <= chars else f"{value[:chars]} … {len(value) - chars} more characters"
    if depth == 0:
        return None
    if isinstance(value, dict):
        return {name[:chars]: _cut(one, chars, depth - 1) for name, one in list(value.items())[:LIST_MAX]}
    if isinstance(value, list):
        return [_cut(one, chars, depth - 1) for one in value[:LIST_MAX]]
    return value
