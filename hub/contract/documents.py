"""The contract as documents: a JSON Schema for every message, and the MQTT topics as AsyncAPI 3.0. All generated."""

import re
from collections.abc import Callable, Mapping
from types import GenericAlias
from typing import Any, get_args

import msgspec

from hub.contract import (
    access,
    address,
    alone,
    api,
    attention,
    coding_agents,
    control,
    drives,
    events,
    grants,
    insight,
    live,
    mutes,
    permission,
    profile,
    repositories,
    rerun,
    runs,
    story,
    suggestions,
    surface,
    training,
    world_api,
    world_day,
)
from hub.contract.base import Message, Value
from hub.contract.envelope import Envelope
from hub.contract.topics import ROOT

Json = dict[str, object]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
REF = "#/components/schemas/{name}"
MODULES = (
    access,
    address,
    alone,
    api,
    attention,
    coding_agents,
    control,
    drives,
    events,
    grants,
    insight,
    live,
    mutes,
    permission,
    profile,
    repositories,
    rerun,
    runs,
    story,
    suggestions,
    surface,
    training,
    world_api,
    world_day,
)
SEGMENT: Json = {"description": "Letters, digits, _ and -, 64 at most."}

SchemaHook = Callable[[type], Json]


class Topic(Value):
    """One kind of topic: its address, what travels there, and which way."""

    name: str
    address: str
    payload: Any
    about: str
    from_hub: bool
    retained: bool = False


def messages() -> dict[str, type[Message]]:
    """Return every message of the contract by its name."""
    found = {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Message) and value.__module__ == module.__name__
    }
    return {name: found[name] for name in sorted(found)}


def schema_of(message: type[Message]) -> Json:
    """Return one message as a JSON Schema that stands alone."""
    return {"$schema": DIALECT, **msgspec.json.schema(message)}


def topics(reading: type) -> tuple[Topic, ...]:
    """Return every kind of topic; `reading` is what outside sensors report (it belongs to the layer above)."""
    each = tuple(
        Topic(
            name=re.sub(r"\W", "_", f"event_{kind}"),
            address=f"{ROOT}/{{user}}/event/{kind.replace('.', '/')}",
            payload=event,
            about=(event.__doc__ or "").strip(),
            from_hub=True,
        )
        for event in get_args(events.AnyEvent)
        if (kind := str(event.__struct_config__.tag))
    )
    return (*each, *_of_devices(), *_of_world(), *_around(reading))


def asyncapi(version: str, reading: type, schema_hook: SchemaHook | None) -> Json:
    """Return the AsyncAPI 3.0 document of the MQTT topics; `schema_hook` knows the types of the layer above."""
    every = topics(reading)
    schemas, refs = _schemas(every, schema_hook)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Pulse over MQTT",
            "version": version,
            "description": "Each payload is a CloudEvent 1.0 in structured JSON. Receivers drop repeats by its `id`.",
        },
        "defaultContentType": "application/cloudevents+json",
        "servers": {"local": {"host": "127.0.0.1:1883", "protocol": "mqtt", "protocolVersion": "3.1.1"}},
        "channels": {topic.name: _channel(topic) for topic in every},
        "operations": {topic.name: _operation(topic) for topic in every},
        "components": {
            "messages": {
                topic.name: {"name": topic.name, "summary": topic.about, "payload": refs[topic.name]} for topic in every
            },
            "schemas": schemas,
        },
    }


def _of_devices() -> tuple[Topic, ...]:
    own = f"{ROOT}/{{user}}/{{kind}}/{{surface}}/{{device}}"
    return (
        Topic(
            name="deliver",
            address=own.replace("{kind}", "deliver"),
            payload=surface.AnyDelivered,
            about="A card, an event or a verdict for one device.",
            from_hub=True,
        ),
        Topic(
            name="receipt",
            address=own.replace("{kind}", "receipt"),
            payload=surface.Receipt,
            about="What became of a delivery.",
            from_hub=False,
        ),
        Topic(
            name="decision",
            address=own.replace("{kind}", "decision"),
            payload=surface.Decision,
            about="A person's answer.",
            from_hub=False,
        ),
        Topic(
            name="presence",
            address=own.replace("{kind}", "presence"),
            payload=surface.Presence,
            about="Whether a device is there; its last will says that it is not.",
            from_hub=False,
            retained=True,
        ),
    )


def _of_world() -> tuple[Topic, ...]:
    """Lines of the world log, which two types of envelopes carry on one topic."""
    each = (
        ("world_event", world_api.WorldEventBody, "A fact."),
        ("world_agent", world_api.WorldAgentBody, "A status."),
    )
    return tuple(
        Topic(
            name=name,
            address=f"{ROOT}/{{user}}/world/{{surface}}/{{device}}",
            payload=body,
            about=f"{about} For the world log, in an envelope of the type {name.replace('_', '.')}; "
            "a sensor's surface is sensor.",
            from_hub=False,
        )
        for name, body, about in each
    )


def _around(reading: type) -> tuple[Topic, ...]:
    return (
        Topic(
            name="state",
            address=f"{ROOT}/{{user}}/state",
            payload=events.StatusChanged,
            about="The autonomous state and its budgets, always the latest.",
            from_hub=True,
            retained=True,
        ),
        Topic(
            name="signal",
            address=f"{ROOT}/{{user}}/signal/{{sensor}}",
            payload=reading,
            about="What a sensor outside the hub has seen.",
            from_hub=False,
        ),
    )


def _schemas(every: tuple[Topic, ...], schema_hook: SchemaHook | None) -> tuple[Json, Mapping[str, Json]]:
    """Return all schemas, with the envelope of each topic under a name that may be a key."""
    enveloped = tuple(GenericAlias(Envelope, (topic.payload,)) for topic in every)
    refs, schemas = msgspec.json.schema_components(enveloped, schema_hook=schema_hook, ref_template=REF)
    names = [str(ref["$ref"]).removeprefix(REF.format(name="")) for ref in refs]
    keys: dict[str, str] = {}
    for topic, name in zip(every, names, strict=True):
        keys.setdefault(name, f"Envelope_{topic.name}")  # two topics may carry the same type
    named = {keys.get(name, name): schema for name, schema in schemas.items()}
    return named, {topic.name: {"$ref": REF.format(name=keys[name])} for topic, name in zip(every, names, strict=True)}


def _channel(topic: Topic) -> Json:
    names = re.findall(r"\{([a-z]+)\}", topic.address)
    return {
        "address": topic.address,
        "description": topic.about,
        "parameters": dict.fromkeys(names, SEGMENT),
        "messages": {topic.name: {"$ref": f"#/components/messages/{topic.name}"}},
    }


def _operation(topic: Topic) -> Json:
    return {
        "action": "send" if topic.from_hub else "receive",
        "channel": {"$ref": f"#/channels/{topic.name}"},
        "bindings": {"mqtt": {"qos": 1, "retain": topic.retained}},
    }
