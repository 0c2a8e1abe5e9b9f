"""Reading the settings files again when one was edited, and saying what of it waits for a restart."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from hub.app.surfaces import settings_at
from hub.app.throttle import Later, Throttle, in_this_loop
from hub.domain.moment import Change
from hub.domain.policy import Policy
from hub.io.home.settings_file import SettingsFiles
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.io.sensors.watchers import Watcher
from hub.loop.events import Event, SettingsEdited
from hub.may import taken_over, without_silencing
from hub.settings import Settings, policy_of
from hub.settings.read import SettingsError

OF_THE_POLICY = ("crosspoll", "autonomous", "quiet", "costs", "attention", "drives")
"""The tables whose settings can hold at once; of the others each is handed to a part when that starts."""

OF_OTHER_TABLES = ("channels", "agents", "twins", "twin", "dpo_export")
"""What of the policy comes from the other tables, which are named by themselves."""

DRIVE_FILES = ("files", "processes", "feedback_file", "mutations_file")
"""What of `[drives]` is handed to sensors, so that it waits for a start."""

ALL_OF = "all of "


class EditedSettings:
    """Hears of edits of the settings files; `post` hands the loop what they mean.

    `runs` is told what held at the start and what is written, and returns the former with what was changed since
    otherwise than by a start.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        zone: str,
        files: SettingsFiles,
        post: Callable[[Event], None],
        connected: Callable[[], bool],
        runs: Callable[[Settings, Settings], Settings] = lambda started, _written: started,
        later: Later = in_this_loop,
    ) -> None:
        self._connected, self._runs = connected, runs
        self._zone, self._files, self._post = zone, files, post
        self._started, self._running = settings, policy_of(settings, zone)
        self._held = self._running
        self._waits: dict[str, object] = {}
        self._told: dict[str, object] = {}
        self._throttle = Throttle(later)

    def begun(self, table: str, config: object) -> None:
        """Note that a table which is handed to a part at the start holds as it is now: that part was begun anew."""
        self._started = msgspec.structs.replace(self._started, **{table: config})

    def watcher(self) -> Watcher:
        """Return what calls `look` when a file changes; call it inside the event loop."""
        watched = [WatchedFile(file=path, change=Change.READING) for path in self._files.paths]
        return traces_watcher(watched, lambda _change: self.look())

    async def follow(self) -> Watcher:
        """Begin to hear of edits; who is handed the watcher closes it."""
        watcher = self.watcher()
        await asyncio.get_running_loop().run_in_executor(None, watcher.start)
        watcher.listen()
        return watcher

    def look(self) -> None:
        """Read the files again, if one is another one than before; mistakes in one change nothing."""
        if not self._files.is_edited():
            return
        self._files.take()
        try:
            written = settings_at(self._files.paths[0])
        except SettingsError as error:
            wrong = error.mistakes[0]
            self._files.waits(
                lambda: f"has mistakes, so the previous settings stay in effect ({wrong}); see `pulse config check`"
            )
            return
        policy = policy_of(written, self._zone)
        self._held = without_silencing(self._running, policy) if self._connected() else policy
        self._running = taken_over(self._running, self._held)
        names = self._waiting(written, policy)
        self._waits = {name: getattr(written, name.removeprefix(ALL_OF), None) for name in names}
        self._files.waits(lambda: self._rest(written, policy))
        self._post(SettingsEdited(written=self._held, waits=self._untold()))

    def _rest(self, written: Settings, policy: Policy) -> str:
        names = self._waiting(written, policy)
        return f"was edited; restart Pulse to use {', '.join(names)}" if names else ""

    def _untold(self) -> str:
        """Return what waits, if the devices were not told of all of it and may be now; an agent may have written it.

        They are told again of a table that says something else by now: the person may have made the edit before.
        """
        if not self._connected():
            return ""
        self._told = {name: value for name, value in self._told.items() if (name, value) in self._waits.items()}
        if self._told == self._waits or not self._throttle.passes(self._tell_rest):
            return ""
        self._told = self._waits
        return ", ".join(self._waits)

    def _tell_rest(self) -> None:
        if waits := self._untold():
            self._post(SettingsEdited(written=self._held, waits=waits))

    def _waiting(self, written: Settings, policy: Policy) -> list[str]:
        """Return what waits for a restart."""
        started = self._runs(self._started, written)
        same: dict[str, Any] = {name: getattr(started, name) for name in OF_THE_POLICY}
        same["drives"] = msgspec.structs.replace(
            started.drives, **{name: getattr(written.drives, name) for name in DRIVE_FILES}
        )
        rest = msgspec.structs.replace(written, **same)
        names = [name for name in rest.__struct_fields__ if getattr(rest, name) != getattr(started, name)]
        now = {name: getattr(self._running, name) for name in OF_OTHER_TABLES}
        if msgspec.structs.replace(policy, **now) != self._running:
            edited = [name for name in OF_THE_POLICY if getattr(written, name) != getattr(started, name)]
            names += [f"{ALL_OF}{name}" for name in edited] or ["what it said at the start"]
        return names
