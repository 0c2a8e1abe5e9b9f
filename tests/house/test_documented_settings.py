"""docs/settings.md lists every setting with its default and its limits, and none that is gone."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import pytest
from msgspec import Meta, Struct

from hub.app.surfaces import SURFACES
from hub.settings.schema import with_surfaces
from tests.house.source import ROOT

PAGE = ROOT / "docs" / "settings.md"
ROW = re.compile(r"^\| `([^`]+)` \| (.*?) \| (.*?) \| (.+) \|$", re.MULTILINE)

Fact = tuple[str, str]
"""Default and limits, as the page writes them."""


def settings_of(kind: type[Struct], prefix: str = "") -> Iterator[tuple[str, Fact]]:
    """Every leaf below a settings class: dotted name, default, limits; a table of named things is shown as NAME."""
    for one in msgspec.structs.fields(kind):
        named = get_args(one.type)
        if isinstance(one.type, type) and issubclass(one.type, Struct):
            yield from settings_of(one.type, f"{prefix}{one.name}.")
        elif get_origin(one.type) is dict and isinstance(named[1], type) and issubclass(named[1], Struct):
            yield from settings_of(named[1], f"{prefix}{one.name}.NAME.")
        else:
            default = one.default if one.default_factory is msgspec.NODEFAULT else one.default_factory()
            yield f"{prefix}{one.name}", (shown(default), limits(one.type))


def shown(default: Any) -> str:  # noqa: ANN401  any default
    """A default as TOML, which is JSON for these types; what has no TOML is a word."""
    return "none" if default is None else f"`{msgspec.json.encode(default).decode()}`"


def limits(kind: Any) -> str:  # noqa: ANN401  any annotation
    """The limits of a type in words, or nothing."""
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(str(member.value) for member in kind)
    if get_origin(kind) is Annotated:
        meta = next(part for part in get_args(kind) if isinstance(part, Meta))
        bounds = (("> ", meta.gt), ("≥ ", meta.ge), ("≤ ", meta.le))
        return ", ".join(f"{sign}{bound:,}" for sign, bound in bounds if bound is not None)
    return next((found for found in map(limits, get_args(kind)) if found), "")


def documented() -> dict[str, Fact]:
    return {name: (default, bounds) for name, default, bounds, _ in ROW.findall(PAGE.read_text(encoding="utf-8"))}


def expected() -> dict[str, Fact]:
    return dict(settings_of(with_surfaces(SURFACES)))


def test_there_are_settings() -> None:
    assert "crosspoll.interval_s" in expected()


@pytest.mark.slow
def test_every_setting_is_documented_with_its_default_and_limits() -> None:
    wrong = {name: fact for name, fact in expected().items() if documented().get(name) != fact}
    rows = "\n".join(f"| `{name}` | {default} | {bounds} | … |" for name, (default, bounds) in wrong.items())
    assert not wrong, f"put these rows into docs/settings.md:\n{rows}"


def test_no_setting_is_documented_that_is_gone() -> None:
    assert sorted(set(documented()) - set(expected())) == []
