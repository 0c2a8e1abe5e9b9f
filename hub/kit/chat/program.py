"""The program of a chat's process: `serve` carries cards and answers, `discover` finds out who is at the other end."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import UTC
from typing import Any, Generic
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.contract.words import HumanInput
from hub.kit.chat.heard import Sender
from hub.kit.chat.service import ChatService
from hub.kit.chat.serving import ChatPlace, serve_chat
from hub.kit.chat.writing import ChatWriter
from hub.kit.hub_api import hub_address_from
from hub.kit.phrase_files import phrases
from hub.kit.process import run, take_told
from hub.kit.surface import C, SurfaceSpec

DEVICE = "chat"
Say = Callable[[str], None]


class ChatProgram(Value, Generic[C]):
    """What one chat says of itself: its settings, the error for mistakes in them, and how it is reached.

    `room` is how much of a card's own text a message shows, `most` how much it may be in all, as `size` counts.
    `discover` returns what is to be kept.
    """

    spec: SurfaceSpec[C]
    bad_settings: type[UserError]
    no_secret: type[UserError]
    paired: Callable[[C], Sender]
    language: Callable[[C], str]
    opened: Callable[[C, Mapping[str, str]], AbstractAsyncContextManager[ChatService]]
    discover: Callable[[C, Mapping[str, str], Say], Awaitable[dict[str, Any]]]
    room: int
    most: int
    size: Callable[[str], int] = str.__len__
    choices_in_row: int = 3
    human_input: HumanInput = HumanInput.TAP


def chat_main(program: ChatProgram[C]) -> int:
    """Run a chat's process; return its exit status."""
    return run(lambda: asyncio.run(_main(program)))


async def _main(program: ChatProgram[C]) -> int:
    table = program.spec.table
    parser = argparse.ArgumentParser(prog=f"pulse surface {table}")
    parser.add_argument("what", nargs="?", choices=("serve", "discover"), default="serve")
    parser.add_argument("--name", default=DEVICE)
    arguments = parser.parse_args()
    told = take_told(*program.spec.secrets)
    secrets = {name: told.get(name, "").strip() for name in program.spec.secrets}
    missing = ", ".join(name for name, value in secrets.items() if not value)
    if missing:
        fix = f"Run `pulse {table} setup`, or set it in the environment; see {program.spec.howto}."
        raise program.no_secret(f"{missing} is not set.", fix=fix)
    text = told.get(f"PULSE_{table.upper()}_CONFIG", "")
    if arguments.what == "discover":
        config = msgspec.json.decode(text or "{}", type=program.spec.config)
        found = await program.discover(config, secrets, lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201  its output
        sys.stdout.buffer.write(msgspec.json.encode(found))
        return 0
    config = program.spec.read(text, program.bad_settings)
    if not program.spec.is_used(config):
        raise program.bad_settings(
            "Nobody is allowed to answer there yet.", fix=f"Set it up first: `pulse {table} setup`."
        )
    place = ChatPlace(
        surface=program.spec.name,
        device=arguments.name,
        paired=program.paired(config),
        folder=told.get(f"PULSE_{table.upper()}_STATE", table),
        human_input=program.human_input,
    )
    writer = ChatWriter(
        words=phrases(program.language(config)),
        zone=_zone(told.get("PULSE_ZONE", "")),
        room=program.room,
        most=program.most,
        size=program.size,
        choices_in_row=program.choices_in_row,
    )
    async with program.opened(config, secrets) as service:
        await serve_chat(hub_address_from(told), place, writer, service)
    return 0


def _zone(name: str) -> ZoneInfo | Any:  # noqa: ANN401  UTC is no ZoneInfo
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
