"""docs/api.md names every endpoint, and no page names one that there is not."""

import re

import pytest

from hub.io.api.endpoints import ENDPOINTS
from tests.house.source import ROOT

DOCS = ROOT / "docs"
NAMED = re.compile(r"/api/v1/[\w/{}$.-]*[\w}]")
OPEN_PART = re.compile(r"\$\w+|\{[^}]*\}")


def in_code(text: str) -> str:
    """Return what stands between backticks, or in an indented block."""
    blocks = [line for line in text.splitlines() if line.startswith("    ")]
    return "\n".join([*re.findall(r"`[^`]+`", text), *blocks])


def last_word(path: str) -> str:
    """Return the last fixed part of a path: the page writes rows as `…/{id}/undo`."""
    return [part for part in path.split("/") if part and not part.startswith("{")][-1]


@pytest.mark.parametrize("path", sorted({one.path for one in ENDPOINTS}))
def test_every_endpoint_is_named(path: str) -> None:
    code = in_code((DOCS / "api.md").read_text(encoding="utf-8"))
    assert re.search(rf"(?<![\w-]){re.escape(last_word(path))}(?![\w-])", code), f"docs/api.md lacks {path}"


def test_no_page_names_an_endpoint_that_there_is_not() -> None:
    known = [re.compile(OPEN_PART.sub("[^/]+", one.path)) for one in ENDPOINTS]
    pages = [*DOCS.glob("*.md"), *DOCS.glob("howto/*.md")]
    named = {(page.name, path) for page in pages for path in NAMED.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 100, "the pattern finds them"
    unknown = [one for one in named if not any(each.fullmatch(OPEN_PART.sub("x", one[1])) for each in known)]
    assert sorted(unknown) == []
