"""The named SQL: each `-- name: x` in `sql/*.sql` begins a query that ends at the next name."""

import re
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("sql")
_NAME = re.compile(r"^-- name: ([a-z_]+)$", re.MULTILINE)


@cache
def named_queries() -> dict[str, str]:
    """Read all queries, by name.

    Raises:
        ValueError: two queries have one name.
    """
    queries: dict[str, str] = {}
    for file in sorted(FOLDER.glob("*.sql")):
        parts = _NAME.split(file.read_text(encoding="utf-8"))[1:]
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            if name in queries:
                raise ValueError(f"two queries are named {name}")
            queries[name] = _without_comments(text)
    return queries


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line and not line.startswith("--"))
