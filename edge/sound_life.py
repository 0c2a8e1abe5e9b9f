"""The microphone and the speaker for as long as the glasses run: busy, gone in the middle of a word, and back again.

While either is missing there is no sound, and the conversation rests. PortAudio lists devices once, so to look again
everything is closed first.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable

from edge.audio.sound import DeviceSeen, Microphone, NoSoundError, Speaker, choose, devices
from edge.engines.ear import Samples
from edge.settings import EdgeSettings
from hub.kit.backoff import RetryPolicy

LOOK_AGAIN = RetryPolicy(base_s=1.0, cap_s=30.0)
LOOK_S = 1.0
_CANCELLED = re.compile(r"echo.?cancel", re.IGNORECASE)


class SoundLife:
    """Keeps the sound going. `hear` is given blocks; `changed` why there is no sound, or nothing when there is."""

    def __init__(
        self, settings: EdgeSettings, speaker: Speaker, hear: Callable[[Samples], None], changed: Callable[[str], None]
    ) -> None:
        self._settings = settings
        self._speaker = speaker
        self._hear = hear
        self._changed = changed
        self.has_sound = False
        self._why = ""
        self.hears = False
        """Whether blocks arrive, so that time is counted by them."""
        self.is_echo_cancelled = False

    async def run(self) -> None:
        """Run until cancelled."""
        lost, why = 0, ""
        while True:
            try:
                self._speaker.open(self._device(is_input=False))
                if self._settings.ear == "null":
                    await self._rest_until_lost()
                else:
                    await self._listen_until_lost()
                lost, why = 0, "the microphone or speaker was disconnected"
            except NoSoundError as error:
                why = f"{error.detail} {error.fix}".strip()
            self._lose(why)
            await asyncio.sleep(LOOK_AGAIN.ceiling_s(lost))
            while self._speaker.left_s > 0 and self._speaker.is_open:  # noqa: ASYNC110  it still says what has gone
                await asyncio.sleep(LOOK_S)
            lost += 1
            self._speaker.close()
            with contextlib.suppress(NoSoundError):
                devices(anew=True)

    def _device(self, *, is_input: bool) -> DeviceSeen:
        wanted = self._settings.microphone if is_input else self._settings.speaker
        return choose(devices(), wanted, is_input=is_input)

    async def _rest_until_lost(self) -> None:
        self._gain()
        while self._speaker.is_open:  # noqa: ASYNC110  PortAudio tells of no moment when a device has gone
            await asyncio.sleep(LOOK_S)

    async def _listen_until_lost(self) -> None:
        device = self._device(is_input=True)
        microphone = Microphone(device, asyncio.get_running_loop())
        said = self._settings.echo_cancelled
        self.is_echo_cancelled = bool(_CANCELLED.search(device.name)) if said is None else said
        try:
            async for block in microphone.blocks():
                if not self.has_sound:
                    self.hears = True
                    self._gain()
                self._hear(block)
                if not self._speaker.is_open:
                    return
            if not self.hears:  # held by another program, or suspended for one: it opens, and nothing comes
                raise NoSoundError(f"The microphone {device.name} brings no sound.", fix="Is another program using it?")
        finally:
            self.hears = False
            microphone.close()

    def _gain(self) -> None:
        self.has_sound = True
        self._changed("")

    def _lose(self, why: str) -> None:
        """Say so, once for each reason."""
        if self.has_sound or why != self._why:
            self.has_sound, self._why = False, why
            self._changed(why)
