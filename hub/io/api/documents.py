"""The documents of the contract: AsyncAPI and OpenAPI, kept in docs/contract, and a schema for each message."""

import errno
import json
from pathlib import Path

from hub import __version__
from hub.contract.documents import asyncapi, messages, schema_of
from hub.domain.provenance import described
from hub.domain.readings import Reading
from hub.io.api.openapi import openapi_json
from hub.kit.files import replace_file


def documents() -> dict[str, bytes]:
    """Return the two documents that name everything, by their file names."""
    return {
        "asyncapi.json": _text(asyncapi(__version__, Reading, described)),
        "openapi.json": openapi_json(__version__),
    }


def schemas() -> dict[str, bytes]:
    """Return the JSON Schema of each message by the message's name; every schema stands alone."""
    return {name: _text(schema_of(message)) for name, message in messages().items()}


def write(folder: Path, *, with_schemas: bool) -> tuple[Path, ...]:
    """Write the documents into a folder, and the schemas into its folder `schemas`; return what was written.

    Raises:
        OSError: they cannot be written, or that folder is a link.
    """
    files = {folder / name: text for name, text in documents().items()}
    if with_schemas:
        files |= {folder / "schemas" / f"{name}.json": text for name, text in schemas().items()}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent != folder and path.parent.is_symlink():
            raise NotADirectoryError(errno.ENOTDIR, "It is a link", str(path.parent))
        replace_file(path, text)  # a link of that name is replaced and not followed
    return tuple(files)


def _text(document: object) -> bytes:
    return json.dumps(document, indent=2).encode() + b"\n"
