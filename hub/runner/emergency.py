"""The emergency stop: it waits for nothing, and holds until a person lifts it.

Theory: two facts must both allow that something begins. One is stored (`ledger.emergency`) and known to the loop. The
other is a file outside the store (`Arming`), which goes at once when somebody stops, before the stop is even queued. So
a full disk, a full inbox, a broken database or a restart can only leave Pulse stopped. Lifting is the reverse: first it
is stored, then the file is made, and a stop that came meanwhile wins.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from msgspec.structs import replace

from hub.contract.api import ConfigPatch, CrossPollStatus
from hub.contract.errors import PulseError
from hub.contract.topics import DeviceAddress
from hub.domain.delivery import Device
from hub.domain.execution import Job
from hub.domain.mind import AutonomyState, Mind
from hub.domain.requests import Configure, Noted, Refused, RegisterDevice, RevokeDevice
from hub.loop import State
from hub.loop.events import Event, Opened, RequestArrived, RunEnded
from hub.loop.runs import never_began
from hub.runner.runs import AgentRuns

BY_FILE = "removal of the file `armed`"
NEVER_BEGAN = "not started, Pulse is stopped: `pulse resume --emergency` lifts it"
BY_HUB = "Pulse, which could not keep it before"
AGAIN = Refused(
    code="still-off",
    status=409,
    detail="The emergency stop was pressed again in the meantime, so it stays on.",
    fix="`pulse status` shows it; `pulse resume --emergency` lifts it.",
)


class Arming(Protocol):
    """The fact outside the store."""

    def is_armed(self) -> bool:
        """Say whether runs may begin."""

    def disarm(self) -> bool:
        """Let nothing begin any more; False if that cannot be kept."""

    def arm(self) -> None:
        """Let runs begin again.

        Raises:
            PulseError: it cannot be kept.
        """


class Emergency:
    """The stop of one hub. `post` queues an event of the loop's own; `show` publishes the status, without the store."""

    def __init__(
        self, arming: Arming, runs: AgentRuns, post: Callable[[Event], None], show: Callable[[], None]
    ) -> None:
        self._arming = arming
        self._runs = runs
        self._post = post
        self._show = show
        self._holds = False
        self._is_kept = True
        self._is_stored = True
        self._was_lifted = False
        """Whether another program had made the file again before the start."""
        self._revoked: frozenset[DeviceAddress] = frozenset()
        self.presses = 0

    def revoke(self, *devices: DeviceAddress) -> None:
        """Take these for revoked, though the store could not be told so."""
        self._revoked |= frozenset(devices)

    def press(self) -> None:
        """Stop: from here on nothing begins, and what runs is ended."""
        self.presses += 1
        self._is_kept = self._arming.disarm()
        self._holds = True
        self._runs.stop_all()
        self._show()

    def stop_now(self, who: str) -> None:
        """Stop, whatever the disk and the inbox say; it is stored and told as soon as that can be."""
        self.press()
        self._post(stop_by(who))

    def over(self, state: State) -> State:
        """Return the loop's state with what holds although the store does not have it: the stop, and revocations."""
        if self._revoked:
            devices = (_revoked(one) if _address(one) in self._revoked else one for one in state.devices)
            state = replace(state, devices=tuple(devices))
        return replace(state, mind=_stopped(state.mind)) if self._holds else state

    def opened(self, opened: Opened, now: datetime) -> Opened:
        """Return what a start takes up, stopped if runs may not begin; a stop that is stored takes the file away."""
        mind = opened.mind or Mind(autonomy=AutonomyState(since=now))
        if mind.ledger.emergency or not self._arming.is_armed():
            self._was_lifted = self._arming.is_armed()
            self.press()
            self._is_stored = mind.ledger.emergency
        return replace(opened, mind=_stopped(mind)) if self._holds else opened

    def begin(self, card_id: str, job: Job) -> None:
        """Start a job, if runs may begin; the file is looked at each time, and its loss is a stop like any other."""
        if self._may_begin():
            self._runs.start(card_id, job, self._post)
        else:
            self._post(RunEnded(execution_id=job.execution_id, result=never_began(NEVER_BEGAN)))

    def settle(self, event: Event, presses: int) -> Refused | None:
        """Let the file follow a stop or a lift that is now stored; say why a lift fails, and stop again.

        `presses` is how often the stop had been pressed when the event was taken: a later one wins.
        """
        if stops(event):
            self.press()
            self._is_stored = True
        elif isinstance(event, RequestArrived) and isinstance(event.request, RegisterDevice | RevokeDevice):
            self._revoked -= {event.request.address}
        elif lifts(event) and (refused := self._lift(presses)) is not None:
            self.stop_now(BY_HUB)
            return refused
        return None

    def missed(self, event: Event) -> None:
        """Note what the store did not take, where it has to hold all the same."""
        if isinstance(event, RequestArrived) and isinstance(event.request, RevokeDevice):
            self.revoke(event.request.address)

    def told(self, refused: Refused, now: CrossPollStatus) -> Noted | Refused:
        """Return what somebody who stops is told when the store refuses: without the file it would not last."""
        self._is_stored = False
        if self._is_kept:
            return Noted(status=now)
        detail = f"Running work was ended, but the stop itself could not be saved: {refused.detail}"
        fix = f"Stop Pulse (Ctrl-C) to be sure that nothing starts. {refused.fix}"
        return replace(refused, detail=detail, fix=fix)

    def keep(self) -> bool:
        """Take the file away if it came back though nobody lifted the stop; return True if so.

        Raises:
            OSError: it cannot be taken away.
        """
        came, self._was_lifted = self._was_lifted, False
        if self._holds and self._arming.is_armed():
            came = True
            if not self._arming.disarm():
                raise OSError("The emergency stop is on, and it cannot be removed.")
        return came

    def tick(self) -> None:
        """Look whether the file was taken away, and try again to store what could not be stored."""
        if not self._may_begin() and not self._is_stored:
            self._is_stored = True
            self._post(stop_by(BY_HUB))

    def _may_begin(self) -> bool:
        if not self._holds and not self._arming.is_armed():
            self.stop_now(BY_FILE)
        return not self._holds

    def _lift(self, presses: int) -> Refused | None:
        if self.presses != presses:
            return AGAIN
        try:
            self._arming.arm()
        except PulseError as error:
            return Refused(code=error.code, status=507, detail=f"Pulse stays stopped: {error.detail}", fix=error.fix)
        self._holds = False
        return None


def _stopped(mind: Mind) -> Mind:
    """Return a mind that knows of the stop."""
    return mind if mind.ledger.emergency else replace(mind, ledger=replace(mind.ledger, emergency=True))


def _address(device: Device) -> DeviceAddress:
    return DeviceAddress(surface=device.surface, device=device.device)


def _revoked(device: Device) -> Device:
    return replace(device, revoked=True, online=False)


def stop_by(who: str) -> RequestArrived:
    """Return the event that stores the stop and tells everybody."""
    return RequestArrived(request=Configure(patch=ConfigPatch(emergency_stop=True), by=who))


def stops(event: Event) -> bool:
    """Say whether somebody presses the emergency stop."""
    return _stop_of(event) is True


def lifts(event: Event) -> bool:
    """Say whether somebody lifts it."""
    return _stop_of(event) is False


def _stop_of(event: Event) -> bool | None:
    match event:
        case RequestArrived(request=Configure(patch=patch)):
            return patch.emergency_stop
        case _:
            return None
