"""The OpenAPI 3.1 document, made from the table of endpoints and the types of the contract."""

import json
import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus

import msgspec

from hub.contract.api import Problem
from hub.contract.base import Message
from hub.io.api.call import Nothing
from hub.io.api.endpoint import API, Endpoint, Handler, LateHandler
from hub.io.api.endpoints import ENDPOINTS
from hub.io.http.problems import MEDIA_TYPE

Json = dict[str, object]
REF = "#/components/schemas/{name}"
WORD: Json = {"type": "string", "pattern": "^[A-Za-z0-9_-]+$", "minLength": 1, "maxLength": 64}
KEY_HEADER: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Makes sending the same request again harmless.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 128},
}
ALWAYS = (421, 431, 500, 503)
"""Statuses that every endpoint may answer with, whatever is asked."""
WITH_TOKEN = (401, 403)
WITH_BODY = (400, 403, 408, 413, 415, 422)
WITH_QUERY = (422,)
WITH_PATH = (404,)
"""For what is named in the path, or as a channel in the query."""
CHANGES = (404, 409, 410, 422, 429, 504, 507)
"""What the loop may refuse with."""


def openapi_json(version: str) -> bytes:
    """Return the document as JSON text."""
    return json.dumps(openapi(version), indent=2).encode() + b"\n"


def openapi(version: str) -> Json:
    """Return the document."""
    types = tuple(dict.fromkeys(_types()))
    _, schemas = msgspec.json.schema_components(types, ref_template=REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pulse",
            "version": version,
            "description": "Suggestions, answers, and what follows from them. Live events are in asyncapi.json.",
        },
        "servers": [{"url": "http://127.0.0.1:8420"}],
        "security": [{"token": []}],
        "paths": _paths(types),
        "components": {
            "schemas": schemas,
            "responses": {"Problem": _problem()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _types() -> Iterator[type[Message]]:
    yield Problem
    for endpoint in ENDPOINTS:
        yield from endpoint.answers
        if endpoint.body is not Nothing:
            yield endpoint.body
        if endpoint.query is not Nothing:
            yield endpoint.query


def _paths(types: Iterable[type[Message]]) -> Json:
    refs = dict(zip(types, msgspec.json.schema_components(types, ref_template=REF)[0], strict=True))
    paths: dict[str, Json] = {}
    for endpoint in ENDPOINTS:
        for method in endpoint.methods:
            paths.setdefault(endpoint.path, {})[method.lower()] = _operation(endpoint, method, refs)
    paths[f"{API}/openapi.json"] = {"get": _own_operation()}
    return dict(paths)


def _operation(endpoint: Endpoint, method: str, refs: dict[type[Message], Json]) -> Json:
    operation: Json = {
        "operationId": f"{method.lower()}_{re.sub(r'[^a-z0-9]+', '_', endpoint.path.lower()).strip('_') or 'index'}",
        "summary": _summary(endpoint.handler),
        "parameters": [*_path_parameters(endpoint.path), *_query_parameters(endpoint.query)],
        "responses": _responses(endpoint, refs),
    }
    if endpoint.scope is None:
        operation["security"] = [{}, {"token": []}]
    else:
        operation["description"] = f"Needs a token with the scope `{endpoint.scope}`."
    if method in {"POST", "PUT", "PATCH"}:
        operation["parameters"] = [*operation["parameters"], KEY_HEADER]  # type: ignore[misc]  # it is the list above
    if endpoint.body is not Nothing:
        content = {"application/json": {"schema": refs[endpoint.body]}}
        operation["requestBody"] = {"required": not endpoint.body_may_be_empty, "content": content}
    return operation


def _summary(handler: Handler) -> str:
    told = handler.load() if isinstance(handler, LateHandler) else handler
    return (told.__doc__ or "").strip().splitlines()[0]


def _own_operation() -> Json:
    document = {"description": "This document.", "content": {"application/json": {"schema": {"type": "object"}}}}
    refused = {str(status): {"$ref": "#/components/responses/Problem"} for status in (*WITH_TOKEN, *ALWAYS)}
    return {
        "operationId": "get_openapi",
        "summary": "Return this document.",
        "responses": {"200": document, **refused},
    }


def _path_parameters(path: str) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": WORD} for name in re.findall(r"\{([a-z]+)\}", path)
    ]


def _query_parameters(query: type[Message]) -> list[Json]:
    if query is Nothing:
        return []
    (_,), schemas = msgspec.json.schema_components((query,), ref_template=REF)
    properties: dict[str, Json] = schemas[query.__name__]["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": _given(p)} for name, p in properties.items()]


def _given(schema: Json) -> Json:
    """Return a parameter's schema without null, which a query string cannot say."""
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return schema
    kept: list[Json] = [option for option in options if option.get("type") != "null"]
    return kept[0] if len(kept) == 1 else {"anyOf": kept}


def _responses(endpoint: Endpoint, refs: dict[type[Message], Json]) -> Json:
    answers = [refs[answer] for answer in endpoint.answers]
    if answers:
        schema = answers[0] if len(answers) == 1 else {"anyOf": answers}
        content: Json = {"application/json": {"schema": schema}}
    else:
        content = {media_type: {"schema": {"type": "string"}} for media_type in endpoint.media_types}
    done: Json = {"description": HTTPStatus(endpoint.status).phrase, "content": content}
    refused = {str(status): {"$ref": "#/components/responses/Problem"} for status in sorted(_refusals(endpoint))}
    return {str(endpoint.status): done, **refused}


def _refusals(endpoint: Endpoint) -> set[int]:
    statuses = {*ALWAYS, *WITH_TOKEN, *WITH_QUERY}
    if set(endpoint.methods) & {"POST", "PUT", "PATCH"}:
        statuses.update(WITH_BODY)
    if "GET" not in endpoint.methods:
        statuses.update(CHANGES)
    if "{" in endpoint.path or "channel" in endpoint.query.__struct_fields__:
        statuses.update(WITH_PATH)
    return statuses


def _problem() -> Json:
    schema = {"$ref": REF.format(name=Problem.__name__)}
    return {"description": "A problem document (RFC 9457).", "content": {MEDIA_TYPE: {"schema": schema}}}
