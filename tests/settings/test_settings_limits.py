"""Each setting with a limit takes the limit itself and refuses the next value beyond it."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import msgspec
import pytest
from msgspec import Meta, Struct

from hub.app.surfaces import SURFACES
from hub.settings import SettingsError
from hub.settings.read import parse_settings
from hub.settings.schema import with_surfaces

PATH = Path("config.toml")
RISING = "show_threshold = 0\nsuggest_threshold = 0\nauto_execute_threshold = 0\n"
"""So that a threshold under test can stand alone."""


GUILD = 'guild_id = "123456789012345678"\nowner = "anna"\nvoters = [{ name = "anna", id = "123456789012345679" }]\n'
"""Without a server nothing else may be said of Discord, and its owner is a voter."""


APPLE = 'team_id = "ABCDE12345"\nkey_id = "ABCDE12345"\nkey_file = "key.p8"\ntopic = "org.example.acc"\n'
WHOLE_DAY = {"day_start_hour": "day_end_hour = 24\n", "day_end_hour": "day_start_hour = 0\n"}


def bounded(kind: type[Struct], table: str) -> Iterator[tuple[str, str, type, Meta]]:
    """Every setting with limits: table, key, number type, limits."""
    for one in msgspec.structs.fields(kind):
        if isinstance(one.type, type) and issubclass(one.type, Struct):
            yield from bounded(one.type, f"{table}.{one.name}".lstrip("."))
        elif get_origin(one.type) is dict and isinstance(get_args(one.type)[1], type):
            yield from bounded(get_args(one.type)[1], f"{one.name}.mine")
        elif get_origin(one.type) is dict:
            number = get_args(one.type)[1]
            yield f"{table}.{one.name}", "mine", get_args(number)[0], get_args(number)[1]
        else:
            parts = [one.type, *get_args(one.type)]
            numbers = [part for part in parts if get_origin(part) is Annotated and get_args(part)[0] in (int, float)]
            for number in numbers[:1]:
                yield table, one.name, get_args(number)[0], get_args(number)[1]


ALL = list(bounded(with_surfaces(SURFACES), ""))
IDS = [f"{table}.{key}" for table, key, _, _ in ALL]


def parse(table: str, key: str, value: float) -> Any:  # noqa: ANN401  a number of either kind
    is_band = table == "crosspoll" and key.endswith("threshold")
    lead = "".join(line for line in RISING.splitlines(keepends=True) if is_band and key not in line)
    if key == "show_threshold":  # the lowest of the three: the others go up with it
        lead = lead.replace("= 0", f"= {value!r}")
    elif key == "suggest_threshold":
        lead = lead.replace("execute_threshold = 0", f"execute_threshold = {value!r}")
    lead = f"{lead}{GUILD}" if table == "discord" else lead
    lead = f"{lead}{APPLE}{WHOLE_DAY[key]}" if table == "apns" else lead
    above = f"[discord]\n{GUILD}" if table.startswith("discord.") else ""
    settings: Any = parse_settings(f"{above}[{table}]\n{lead}{key} = {value!r}", PATH, SURFACES)
    for name in table.split("."):
        settings = settings[name] if isinstance(settings, dict) else getattr(settings, name)
    return settings[key] if isinstance(settings, dict) else getattr(settings, key)


def refused(table: str, key: str, value: float) -> bool:
    with pytest.raises(SettingsError) as caught:
        parse_settings(f"[{table}]\n{key} = {value!r}", PATH, SURFACES)
    return any(f"`{table}.{key}`" in mistake for mistake in caught.value.mistakes)


def beyond(value: float, kind: type, direction: int) -> float:
    return value + direction if kind is int else math.nextafter(value, direction * math.inf)


def test_there_are_settings_with_limits() -> None:
    assert {"api.port", "costs.hour_usd", "channels.mine.cost_per_run_usd", "quiet.end_hour"} <= set(IDS)


def test_every_number_has_both_limits() -> None:
    assert [f"{table}.{key}" for table, key, _, meta in ALL if meta.le is None or meta.ge is meta.gt is None] == []


def test_the_upper_limits_hold() -> None:
    for table, key, kind, meta in ALL:
        assert meta.le is not None, (table, key)
        assert parse(table, key, kind(meta.le)) == meta.le, (table, key)
        assert refused(table, key, beyond(kind(meta.le), kind, 1)), (table, key)


def test_the_lower_limits_hold() -> None:
    for table, key, kind, meta in ALL:
        if meta.ge is not None:
            assert parse(table, key, kind(meta.ge)) == meta.ge, (table, key)
            assert refused(table, key, beyond(kind(meta.ge), kind, -1)), (table, key)
        else:
            assert meta.gt is not None, (table, key)
            assert refused(table, key, kind(meta.gt)), (table, key)
            assert parse(table, key, beyond(kind(meta.gt), kind, 1)) > meta.gt, (table, key)
