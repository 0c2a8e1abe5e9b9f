"""Writes the documents of the contract: `python -m hub.io.http.documents docs/contract`; a golden test compares."""

import json
import sys
from pathlib import Path

from hub import __version__
from hub.contract.documents import asyncapi, messages, schema_of
from hub.domain.provenance import described
from hub.domain.situation import Reading
from hub.io.http.openapi import openapi_json


def documents() -> dict[str, bytes]:
    """Return every document by its path below docs/contract."""
    schemas = {f"schemas/{name}.json": _text(schema_of(message)) for name, message in messages().items()}
    return {
        **schemas,
        "asyncapi.json": _text(asyncapi(__version__, Reading, described)),
        "openapi.json": openapi_json(__version__),
    }


def write(folder: Path) -> None:
    """Write every document, and remove schemas of messages that are gone."""
    fresh = documents()
    for old in folder.glob("schemas/*.json"):
        if f"schemas/{old.name}" not in fresh:
            old.unlink()
    for name, text in fresh.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def _text(document: object) -> bytes:
    return json.dumps(document, indent=2).encode() + b"\n"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
