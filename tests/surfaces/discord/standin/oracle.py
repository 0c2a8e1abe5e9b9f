"""Checks every request body against Discord's own OpenAPI description, and what that does not say by hand.

The description beside this file is a part of https://github.com/discord/discord-api-spec (MIT licence, Copyright
Discord Inc.): the request bodies of the routes that are used here, without their texts.
"""

import functools
import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs

SPEC = Path(__file__).parent / "discord-openapi-requests.json"
MESSAGE_CHARS_MAX = 6_000
LARGEST_OF_OTHERS = 10**14


class Oracle:
    """Knows the routes and what their bodies must be."""

    def __init__(self) -> None:
        self._spec: Any = json.loads(SPEC.read_text(encoding="utf-8"))
        routes = [(path, re.compile("^" + re.sub(r"\{[^}]+\}", "([^/]+)", path) + "$")) for path in self._spec["paths"]]
        self._routes = sorted(routes, key=lambda route: route[0].count("{"))

    def route(self, method: str, path: str) -> str | None:
        """Return the description's name of a path, if it has such a request."""
        found = (
            name for name, form in self._routes if form.match(path) and method.lower() in self._spec["paths"][name]
        )
        return next(found, None)

    def complaints(self, method: str, path: str, body: Any) -> list[str]:  # noqa: ANN401  whatever JSON came
        """Name what is wrong with a request; empty when Discord would take it."""
        name = self.route(method, path)
        if name is None:
            return [f"no such route: {method} {path}"]
        operation = self._spec["paths"][name][method.lower()]
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None:
            return [] if body in (None, {}, []) or method == "PUT" else [f"unexpected body: {method} {path}"]
        errors = self._validator(name, method.lower()).iter_errors(_ids_as_text(body))
        found = [f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}" for error in errors]
        return found + list(_unsaid(body))

    @functools.lru_cache(maxsize=64)  # noqa: B019  one oracle lives as long as the tests
    def _validator(self, name: str, method: str) -> jsonschema_rs.Draft202012Validator:
        schema = self._spec["paths"][name][method]["requestBody"]["content"]["application/json"]["schema"]
        return jsonschema_rs.Draft202012Validator({**schema, "components": self._spec["components"]})


def _ids_as_text(part: Any, key: str = "") -> Any:  # noqa: ANN401  whatever JSON came
    """Discord takes ids as numbers as well, and discord.py sends them so in places; the description knows text only."""
    if isinstance(part, dict):
        return {name: _ids_as_text(value, name) for name, value in part.items()}
    if isinstance(part, list):
        return [_ids_as_text(value, key) for value in part]
    if isinstance(part, int) and not isinstance(part, bool) and (part > LARGEST_OF_OTHERS or key == "id"):
        return str(part)
    return part


def _unsaid(body: Any) -> list[str]:  # noqa: ANN401  whatever JSON came
    """The limits that the description does not know: empty fields, and 6,000 characters over all embeds."""
    message = body.get("data") or body if isinstance(body, dict) else {}
    embeds = message.get("embeds") or [] if isinstance(message, dict) else []
    fields = [field for embed in embeds for field in embed.get("fields") or []]
    found = ["an empty field" for field in fields if not field["name"].strip() or not field["value"].strip()]
    texts = [text for field in fields for text in (field["name"], field["value"])]
    for embed in embeds:
        texts += [
            embed.get("title") or "",
            embed.get("description") or "",
            (embed.get("footer") or {}).get("text") or "",
        ]
    total = sum(len(text.encode("utf-16-le")) // 2 for text in texts)
    return found + ([f"{total} characters in all embeds"] if total > MESSAGE_CHARS_MAX else [])
