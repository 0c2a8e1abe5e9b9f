"""Reads JSON of others field by field: whatever is not as it should be counts as left out. Pure."""

from collections.abc import Mapping

LooseJson = Mapping[str, object]


def text_of(fields: LooseJson, *names: str) -> str:
    """Return the first of these fields that holds a text; empty if none does."""
    return next((found for name in names if isinstance(found := fields.get(name), str)), "")


def object_of(fields: LooseJson, *names: str) -> LooseJson:
    """Return the first of these fields that holds an object; an empty one if there is none."""
    return next((found for name in names if isinstance(found := fields.get(name), dict)), {})


def objects_of(fields: LooseJson, name: str) -> tuple[LooseJson, ...]:
    """Return the objects in a list; what is no object there is left out."""
    return tuple(one for one in _listed(fields, name) if isinstance(one, dict))


def texts_of(fields: LooseJson, name: str) -> tuple[str, ...]:
    """Return the texts in a list; what is no text there is left out."""
    return tuple(one for one in _listed(fields, name) if isinstance(one, str))


def _listed(fields: LooseJson, name: str) -> list[object]:
    found = fields.get(name)
    return found if isinstance(found, list) else []
