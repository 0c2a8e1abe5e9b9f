"""The glasses as a process: link, microphone, ear, mouth and speaker around one conversation."""

import asyncio
import contextlib
import fcntl
import os
import signal
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec.structs import replace

from edge.audio.ducking import Ducker
from edge.audio.sound import Speaker, portaudio
from edge.body import find_battery, look
from edge.engines.choice import make_ear, make_mouth
from edge.engines.ear import Ear, missing_words
from edge.engines.mouth import Mouth
from edge.hearing import Hearer
from edge.link import SURFACE, Body, GlassesLink, Kept
from edge.phrase_files import phrasebook, sentences
from edge.settings import EdgeSettings
from edge.sound_life import SoundLife
from edge.speaker.verification import SpeakerLock
from edge.speaker_files import lock_for
from edge.speech.choices import book_for
from edge.speech.own_words import own_words
from edge.speech.questions import listened_for
from edge.speech.turn import (
    AnyHappened,
    Heard,
    Manner,
    OtherSound,
    Passed,
    Pressed,
    Spoken,
    Unrecognised,
    VoiceBegan,
    Worn,
)
from edge.talking import Talker
from edge.voice import Voice
from hub.contract.access import Login
from hub.contract.api import CrossPollStatus
from hub.contract.errors import UserError, WorldError
from hub.contract.events import StatusChanged
from hub.contract.topics import DeviceAddress
from hub.kit.called import as_called
from hub.kit.hub_api import NotPairedError, find_hub, pair
from hub.kit.mqtt.device import LinkChanged
from hub.kit.mqtt.reading import read

TICK_S = 0.1
BODY_S = 2.0
"""How often the wear sensor and the battery are looked at."""
OTHERS_S = 1.0
"""How often it is looked whether another sound, for which something waits, still plays."""
OWN_WORDS_S = 3.0
"""A word that is understood was said this long ago at most: its end is waited for, and it is decoded."""
HAPPENINGS_MAX = 1_000
PAIR_FIX = (
    "Beside a running hub (`pulse up`) `pulse edge run` pairs them. "
    "For a hub elsewhere: `pulse devices pair` there, and its output here as login.json (docs/howto/glasses.md)."
)


class RunningError(UserError):
    """These glasses are already running on this machine. Stop that process first, or use another home folder."""

    code = "edge-running"


class NoEdgeFolderError(WorldError):
    """The folder of these glasses' login and answers cannot be written."""

    code = "no-edge-folder"


def manner_of(settings: EdgeSettings) -> Manner:
    """Return how the conversation is held."""
    book = phrasebook(settings.language)
    return Manner(
        sentences=sentences(settings.language),
        check_words=book.check_words,
        ordinals=book.questions.ordinals,
        verbosity=settings.verbosity,
        confirming=settings.confirming,
    )


def now() -> datetime:
    """Return the time in the person's zone: the one we were told, else this machine's."""
    with contextlib.suppress(ZoneInfoNotFoundError, ValueError):
        if os.environ.get("PULSE_ZONE"):
            return datetime.now(ZoneInfo(os.environ["PULSE_ZONE"]))
    return datetime.now().astimezone()


def login_for(settings: EdgeSettings, kept: Kept) -> Login:
    """Return the kept login, or pair with the hub that `PULSE_API` names and keep that.

    Over a network that takes a `PULSE_TOKEN`; the hub's own socket needs none.

    Raises:
        NotPairedError: there is neither.
        NotRunningError: the hub is not running.
    """
    hub = find_hub(os.environ)
    os.environ.pop("PULSE_TOKEN", None)
    if hub is not None:
        login = pair(hub, DeviceAddress(surface=SURFACE, device=settings.device), SURFACE)
        kept.keep_login(login)
        return login
    login_kept = kept.login()
    if login_kept is None:
        raise NotPairedError("These glasses are not paired yet.", fix=PAIR_FIX)
    return login_kept


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder's lock while the block lasts; the kernel lifts it when its holder dies.

    Raises:
        RunningError: another process holds it.
        NoEdgeFolderError: it does not exist, and cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        opened = (folder / "running").open("ab")
    except OSError as error:
        fix = "Is the disk full, or the folder not yours? PULSE_EDGE_HOME names another one."
        raise NoEdgeFolderError(f"{folder}: {error.strerror or error}.", fix=fix) from error
    with opened as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            fix = "Stop them, or name another folder as PULSE_EDGE_HOME."
            raise RunningError("These glasses are already running here.", fix=fix) from error
        yield


class Glasses:
    """Everything of one running pair of glasses."""

    def __init__(
        self,
        settings: EdgeSettings,
        link: GlassesLink,
        ear: Ear,
        mouth: Mouth,
        tell: Callable[[str], None],
        *,
        show: bool,
        lock: SpeakerLock | None = None,
    ) -> None:
        """Take the parts. `tell` is given lines: whether there is sound and a way to the hub; all else with `show`."""
        self._tell = tell
        self._show = tell if show else _nobody
        self._settings = settings
        self._link = link
        self._happened: asyncio.Queue[AnyHappened | CrossPollStatus | bytes] = asyncio.Queue(HAPPENINGS_MAX)
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._book = phrasebook(settings.language)
        self._mouth = mouth
        self._speaker = Speaker(mouth.rate)
        self._speaker.volume = settings.volume
        self._ducker = Ducker()
        self._ducking: set[asyncio.Task[None]] = set()
        self._talker = Talker(
            mouth, self._speaker, lambda number: self._note(Spoken(number=number)), self._break, self._duck
        )
        self._hearer = Hearer(ear, self._book, self._heard, lock=lock)
        self._sound = SoundLife(settings, self._speaker, self._hearer.hear, self._sound_changed)
        self._battery = find_battery() if settings.battery is None else settings.battery
        self._is_there = False
        self._manner = replace(manner_of(settings), answers=ear.answers)
        self.voice = Voice(link, self._talker, self._listen, self._manner, now)

    def _note(self, event: AnyHappened) -> None:
        """Queue what happened; when nobody keeps up, time that passed is what may be forgotten."""
        if not self._happened.full():
            self._happened.put_nowait(event)
        elif not isinstance(event, Passed):
            self._happened.get_nowait()
            self._happened.put_nowait(event)

    async def run(self) -> None:
        """Run until cancelled, or until the voice breaks."""
        self._look_at_body()
        self.voice.tell(Worn(on=False))  # until there is sound; a card that is already on its way waits
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._converse())
            tasks.create_task(self._from_hub())
            tasks.create_task(self._sound.run())
            tasks.create_task(self._keep_time())
            tasks.create_task(self._watch_body())
            tasks.create_task(self._wait_for_others())
            tasks.create_task(self._until_broken())

    async def _converse(self) -> None:
        while True:
            event = await self._happened.get()
            before = self.voice.turn.phase
            if isinstance(event, bytes):
                await self._look_for_others()
                self.voice.take(event)
            elif isinstance(event, CrossPollStatus):
                self.voice.hear_status(event)
            else:
                self.voice.tell(event)
            if isinstance(event, Spoken):
                self._show(f"said {event.number}")
            if before != self.voice.turn.phase:
                self._show(f"{before} → {self.voice.turn.phase}")

    async def _from_hub(self) -> None:
        told: set[str] = set()
        async for item in self._link.items():
            if isinstance(item, LinkChanged):
                self._tell_link(item, told)
            elif item.topic != self._link.state_topic:
                await self._happened.put(item.payload)
            elif (told_now := read(item.payload, StatusChanged)) is not None:
                await self._happened.put(told_now.data.status)

    def _tell_link(self, item: LinkChanged, told: set[str]) -> None:
        """Say how the link is; while it is away, which is tried every few seconds, each thing once."""
        line = f"link {item.state}"
        if item.state == "refused":
            line = f"no link: {item.note}. {as_called('Do what `pulse edge doctor` says.')}"
        if item.state == "up":
            told.clear()
        if line not in told:
            told.add(line)
            self._tell(line)

    def _listen(self, on: bool) -> None:  # noqa: FBT001  a callback's one argument
        """Open or close the ear. While we speak it stays open only where our own voice is taken out of the sound."""
        barge_in = self._sound.is_echo_cancelled and self.voice.turn.phase == "speaking"
        question = listened_for(self.voice.turn, self._manner)
        asked = None if question is None else book_for(question, self._book, self._manner.sentences)
        self._hearer.listen(on=on or barge_in, asked=asked)

    def _heard(self, event: AnyHappened) -> None:
        """Take what the ear understood; our own words, that our own voice has just said, never count."""
        if isinstance(event, VoiceBegan):
            self._show("someone is speaking")
        if isinstance(event, Unrecognised):
            self._show(f"voice not recognised: {event.why}")
        if isinstance(event, Heard) and self.voice.turn.phase == "speaking":
            own = own_words(self._talker.heard_lately(OWN_WORDS_S), self._hearer.book)
            if event.command.word in own:
                return
        self._note(event)

    def _sound_changed(self, why: str) -> None:
        """Say once that there is no sound; cards wait until there is."""
        self._tell(f"no sound: {why}" if why else "sound")
        can_say = why and self._speaker.is_open
        self._tell_body(manner_of(self._settings).sentences.say("no_microphone") if can_say else "")

    async def _keep_time(self) -> None:
        """While the ear is closed no audio counts the time; what waits for the hub's verdict still needs it."""
        while True:
            await asyncio.sleep(TICK_S)
            if self.voice.turn.phase == "sending" or not self._sound.hears:
                self._note(Passed(seconds=TICK_S))

    async def _watch_body(self) -> None:
        while True:
            await asyncio.sleep(BODY_S)
            self._tell_body()

    def _look_at_body(self) -> Body:
        body = look(self._settings.wear_sensor, self._battery, has_sound=self._sound.has_sound)
        self._link.set_body(body)
        return body

    def _tell_body(self, text: str = "") -> None:
        """Tell the hub how we are, and the conversation when that means another thing for it than before."""
        body = self._look_at_body()
        said = "" if body.worn is False else text
        if said or body.is_there != self._is_there:
            self._is_there = body.is_there
            self._note(Worn(on=body.is_there, text=said))

    async def _look_for_others(self) -> None:
        """Before the hub's news may break a silence, see whether it is one."""
        turn = self.voice.turn
        if self._settings.other_sound != "wait" or turn.phase != "idle" or turn.others_play:
            return
        if await asyncio.to_thread(self._ducker.others_play):
            self._show("another sound plays")
            self.voice.tell(OtherSound(on=True))

    async def _wait_for_others(self) -> None:
        """While something waits for another sound, see whether that has paused. It is waited for so long, no longer."""
        waited_s = 0.0
        while True:
            await asyncio.sleep(OTHERS_S)
            waited_s = waited_s + OTHERS_S if self.voice.turn.others_play else 0.0
            if not waited_s:
                continue
            if waited_s >= self._settings.wait_s_max or not await asyncio.to_thread(self._ducker.others_play):
                self._show("no other sound is waited for")
                self._note(OtherSound(on=False))

    def _duck(self, speaking: bool) -> None:  # noqa: FBT001  a callback's one argument
        if self._settings.other_sound == "leave":
            return
        move = self._ducker.lower if speaking else self._ducker.restore
        task = asyncio.get_running_loop().create_task(asyncio.to_thread(move))
        self._ducking.add(task)
        task.add_done_callback(self._ducking.discard)

    def _break(self, error: BaseException) -> None:
        """The voice cannot go on: the process ends, and whatever runs it starts it anew."""
        if not self._broken.done():
            self._broken.set_exception(error)

    async def _until_broken(self) -> None:
        await self._broken

    def press(self) -> None:
        """The button was pressed: whatever drives it sends this process SIGUSR1."""
        self._note(Pressed())

    def close(self) -> None:
        """Let the speaker go."""
        self._talker.hush()
        self._speaker.close()
        self._mouth.close()
        self._ducker.restore()


def _nobody(_line: str) -> None:
    """Show nothing."""


async def run(settings: EdgeSettings, folder: Path, tell: Callable[[str], None], *, show: bool) -> None:
    """Pair where needed, connect, and hold the conversation until cancelled; `tell` and `show` as in `Glasses`.

    Raises:
        NotPairedError, NotRunningError: there is no way to a hub.
        NoEarError, NoMouthError, NoSoundError: a part is missing; says which.
        RunningError: these glasses run already.
    """
    with only_one(folder):
        await asyncio.to_thread(portaudio)  # a device may come later, this library does not
        kept = Kept(folder)
        login = await asyncio.to_thread(login_for, settings, kept)
        lock = await asyncio.to_thread(lock_for, settings, folder, tell)
        ear = await asyncio.to_thread(make_ear, settings)
        if ear.missing:
            tell(missing_words(ear.missing))
        mouth = await asyncio.to_thread(make_mouth, settings)
        tell(f"These are {login.surface}/{login.device} of {login.url}.")
        async with GlassesLink(login, kept) as link:
            glasses = Glasses(settings, link, ear, mouth, tell, show=show, lock=lock)
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, glasses.press)
            try:
                await glasses.run()
            finally:
                await asyncio.to_thread(glasses.close)
