"""What is shipped is used by what is shipped: a function that only tests call belongs to the tests, or nowhere.

Looked for in the text, without docstrings, imports and `__all__`: what stands only where it is defined.
"""

import functools
import re
from collections import Counter

import pytest

from tests.house.source import SHIPPED, python_files, short

pytestmark = pytest.mark.slow
CALLED_FROM_OUTSIDE = {
    "enum": {"_missing_"},
    "click": {"list_commands", "get_command", "format_commands"},
    "asyncio": {"get_buffer", "buffer_updated", "pipe_data_received", "pipe_connection_lost", "process_exited"},
    "httptools": {"on_response_complete", "on_body"},
    "h2": {"open_outbound_streams", "_receive_goaway_frame"},
    "websockets": {"process_redirect"},
}
FOR_TESTS = {
    "group_counts": "how many requests shared a transaction shows nowhere else",
    "process_words": "the other half of `process_of`; scripts write these lines",
    "folder_words": "the other half of `folder_of`",
    "diagram": "drawn from the turn table, beside it",
    "ranking": "the benchmarks' measure, beside the product's",
}
ASIDE = re.compile(r'"""[\s\S]*?"""|^ *(?:from \S+ )?import [^\n(]*(?:\([^)]*\))?|^__all__ = \[[^\]]*\]', re.MULTILINE)
DEFINED = re.compile(r"((?:^ *@[^\n]*\n(?:[^\n]*\n)*?)?)^ *(?:async def|def|class) (\w+)", re.MULTILINE)
WORD = re.compile(r"\w+")
KEPT_DECORATORS = re.compile(r"@(?:property|staticmethod|classmethod|\w*cache|abstractmethod|override)")


@functools.cache
def shipped() -> dict[str, str]:
    return {short(path): ASIDE.sub("", path.read_text(encoding="utf-8")) for path in python_files(*SHIPPED)}


def called_by_nobody(texts: dict[str, str]) -> dict[str, str]:
    """Return the functions and classes that are named where they are defined alone, with their file.

    What a decorator hands to somebody is not among them.
    """
    words = Counter(word for text in texts.values() for word in WORD.findall(text))
    defined = Counter(name for text in texts.values() for _, name in DEFINED.findall(text))
    return {
        name: file
        for file, text in texts.items()
        for decorators, name in DEFINED.findall(text)
        if words[name] == defined[name]
        and not name.startswith("__")
        and (not decorators or KEPT_DECORATORS.search(decorators))
    }


def test_nothing_is_shipped_that_only_tests_call() -> None:
    found = called_by_nobody(shipped()).keys() - set().union(*CALLED_FROM_OUTSIDE.values())
    assert found == FOR_TESTS.keys(), "take it out, or move it to the tests that need it"


def test_what_nobody_calls_is_found() -> None:
    source = "from x import used_here, lost\n\ndef used_here():\n    ...\n\n@property\ndef lost():\n    used_here()\n"
    assert called_by_nobody({"a.py": ASIDE.sub("", source)}) == {"lost": "a.py"}
