"""The contract's messages as TypeScript declarations, for the page's type check.

`python -m surfaces.web.page_types` writes page/js/types.d.ts anew; a golden test compares.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, get_args

from hub.contract.documents import messages, schema_of
from hub.contract.events import AnyEvent
from hub.contract.live import AnyFromClient, FromHub

TARGET = Path(__file__).parent / "page" / "js" / "types.d.ts"
HEAD = "// Generated from the contract by `python -m surfaces.web.page_types`; do not edit.\n"
LEFT_OUT = re.compile(r"Rpc.*|.*Params|Delivered.*|Authenticate|Event|FromClient|FromHub|Address")
"""Names that no page uses: JSON-RPC, deliveries over MQTT, and the bases of tagged unions."""
SENT_BY_CLIENTS = ("Request", "Body", "Patch", "Address", *(one.__name__ for one in get_args(AnyFromClient)))
"""Endings of names that a client sends: what has a default may be left out. The hub itself always sends every field."""
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def declarations() -> str:
    """Return the whole file."""
    found: dict[str, Schema] = {}
    for name, message in messages().items():
        if not LEFT_OUT.fullmatch(name):
            found.update(schema_of(message).get("$defs", {}))  # type: ignore[call-overload]  # documents give object
    parts = [_declared(name, found[name]) for name in sorted(found)]
    return "\n".join([HEAD, *parts, *_unions()])


def _unions() -> list[str]:
    events = " | ".join(one.__name__ for one in get_args(AnyEvent))
    hub = " | ".join(sorted(one.__name__ for one in FromHub.__subclasses__()))
    clients = " | ".join(one.__name__ for one in get_args(AnyFromClient) if one.__name__ != "Authenticate")
    return [
        "/** Every event; on the WebSocket each carries its place in the feed. */",
        f"export type AnyEvent = {events};",
        "export type LiveEvent = AnyEvent & { seq: number };",
        f"export type AnyFromHub = {hub};",
        f"export type AnyFromClient = {clients};\n",
    ]


def _declared(name: str, schema: Schema) -> str:
    about = f"/** {' '.join(str(schema['description']).split())} */\n" if "description" in schema else ""
    if "properties" not in schema:
        return f"{about}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    client = name.endswith(SENT_BY_CLIENTS)
    lines = [
        f"  {key}{'?' if client and key not in required else ''}: {_type(one)};"
        for key, one in schema["properties"].items()
    ]
    return "\n".join([f"{about}export interface {name} {{", *lines, "}\n"])


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    if schema.get("type") == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if schema.get("type") == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return SIMPLE[schema["type"]] if "type" in schema else "unknown"


def main() -> None:
    """Write the file."""
    TARGET.write_text(declarations(), encoding="utf-8")
    sys.stdout.write(f"written: {TARGET}\n")


if __name__ == "__main__":
    main()
