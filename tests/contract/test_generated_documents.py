"""docs/contract is what the code says; `python -m tests.contract` writes it anew."""

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from hub.contract import topics
from hub.contract.documents import messages
from hub.contract.events import AnyEvent
from hub.contract.topics import DeviceAddress
from hub.io.api.documents import documents, schemas, write
from hub.io.api.endpoints import ENDPOINTS

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "contract"
PHONE = DeviceAddress(surface="phone", device="pixel")
NAMES = ("asyncapi.json", "openapi.json", *(f"schemas/{name}.json" for name in messages()))
"""Of all documents; that there are no others is a test of its own."""


def on_disk() -> dict[str, bytes]:
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.json")}


@functools.cache
def fresh() -> dict[str, bytes]:
    return documents() | {f"schemas/{name}.json": text for name, text in schemas().items()}


def loaded(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(fresh()[name])
    return document


def references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


@pytest.mark.slow
def test_the_documents_are_up_to_date() -> None:
    there = on_disk()
    stale = sorted(name for name, text in documents().items() if there.get(name) != text)
    assert (stale, sorted(there.keys() - documents().keys())) == ([], []), "run: python -m tests.contract"


@pytest.mark.slow
def test_all_documents_are_written_for_who_asks(tmp_path: Path) -> None:
    written = write(tmp_path / "new", with_schemas=True)
    assert {path.relative_to(tmp_path / "new").as_posix() for path in written} == fresh().keys()
    assert (tmp_path / "new" / "schemas" / "Decision.json").read_bytes() == fresh()["schemas/Decision.json"]


def test_all_documents_are_looked_at() -> None:
    assert set(NAMES) == fresh().keys()


def leads_somewhere(reference: str, document: dict[str, Any]) -> bool:
    node = document
    for part in reference.removeprefix("#/").split("/"):
        if (name := part.replace("~1", "/")) not in node:
            return False
        node = node[name]
    return True


def test_every_reference_leads_somewhere() -> None:
    all_of = {name: loaded(name) for name in NAMES}
    found = [(name, reference) for name, document in all_of.items() for reference in references(document)]
    assert found
    assert [(name, reference) for name, reference in found if not leads_somewhere(reference, all_of[name])] == []


def test_every_message_has_a_schema_in_camel_case() -> None:
    assert {"Prediction", "AskRequest", "Decision", "PredictionNew", "Subscribe"} <= messages().keys()
    prediction = loaded("schemas/Prediction.json")["$defs"]["Prediction"]
    assert {"targetChannel", "createdAt", "cardHash"} <= prediction["properties"].keys()
    assert "additionalProperties" not in prediction
    assert loaded("schemas/Decision.json")["$defs"]["Decision"]["additionalProperties"] is False


def test_asyncapi_names_the_topics_that_are_used() -> None:
    channels = loaded("asyncapi.json")["channels"]
    addresses = {channel["address"] for channel in channels.values()}
    assert re.fullmatch(r"3\.\d+\.\d+", loaded("asyncapi.json")["asyncapi"])
    assert topics.state("{user}".strip("{}")).replace("/user/", "/{user}/") in addresses
    for make in (topics.deliver, topics.receipt, topics.decision, topics.presence):
        used = make("anna", PHONE).replace("anna", "{user}").replace("phone", "{surface}").replace("pixel", "{device}")
        assert used in addresses
    kinds = {f"event/{kind.__struct_config__.tag}".replace(".", "/") for kind in get_args(AnyEvent)}
    assert kinds == {address.partition("{user}/")[2] for address in addresses if "/event/" in address}


def test_every_payload_is_an_envelope() -> None:
    components = loaded("asyncapi.json")["components"]
    for message in components["messages"].values():
        schema = components["schemas"][message["payload"]["$ref"].rpartition("/")[2]]
        assert {"id", "source", "type", "time", "data"} <= set(schema["required"])


def test_openapi_has_every_endpoint_with_its_problems_and_its_token() -> None:
    document = loaded("openapi.json")
    assert document["openapi"].startswith("3.1")
    for endpoint in ENDPOINTS:
        for method in endpoint.methods:
            operation = document["paths"][endpoint.path][method.lower()]
            assert operation["summary"]
            assert {str(endpoint.status), "401", "500"} <= operation["responses"].keys()
            assert ("security" in operation) is (endpoint.scope is None)
    ids = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(ids) == len(set(ids))


def test_openapi_covers_the_source_document() -> None:
    paths = loaded("openapi.json")["paths"]
    assert {
        "/api/v1/twin/predict",
        "/api/v1/twin/serve",
        "/api/v1/crosspoll/trigger",
        "/api/v1/predictions/{id}/confirm",
        "/api/v1/predictions/{id}/reject",
        "/api/v1/crosspoll/metrics",
        "/api/v1/crosspoll/config",
        "/api/v1/health",
    } <= paths.keys()
    assert paths["/api/v1/crosspoll/config"].keys() == {"get", "patch", "post"}
    predict = {one["name"]: one for one in paths["/api/v1/twin/predict"]["get"]["parameters"]}
    assert (predict["count"]["schema"]["default"], predict["count"]["schema"]["maximum"]) == (3, 10)


def test_events_keep_the_names_of_the_source_document() -> None:
    names = {str(kind.__struct_config__.tag) for kind in get_args(AnyEvent)}
    assert {
        "prediction.new",
        "prediction.executed",
        "prediction.expired",
        "crosspoll.status",
        "crosspoll.paused",
        "crosspoll.resumed",
    } <= names
