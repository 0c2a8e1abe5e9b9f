"""JSON with comments and trailing commas, as settings often are: read as if neither were there. Pure."""

import json
import re

from hub.kit.loose_json import LooseJson

_STRING = r'"(?:[^"\\]|\\.?)*(?:"|\Z)'
"""An open one goes on to the end, and so does an open comment: each character is looked at once, whatever comes."""
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


def object_in(text: str) -> LooseJson:
    """Return the object that a text is; an empty text is an empty object.

    Raises:
        ValueError: it is no such object, or nested too deeply; its text says where.
    """
    plain = without_trailing_commas(_COMMENT.sub(_kept, text.removeprefix("\ufeff")))
    if not plain.strip():
        return {}
    try:
        found = json.loads(plain)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("it holds no object")  # noqa: TRY004  what is wrong is the text's content
    return found


def without_trailing_commas(text: str) -> str:
    """Return a text with a blank for each comma, outside of strings, that nothing follows."""
    return _COMMA.sub(_kept, text)


def _kept(match: re.Match[str]) -> str:
    """Return a string as it is, and a blank for all else."""
    return match[1] or " "
