"""The event by surface matrix of CROSSPOLL 6.2: which row an event is, and what each device's profile says to it.

The matrix itself is data: each row's loudness stands in the profile of each kind of device (device_profiles/*.toml).
Whatever happens to a card goes to every device that may show it, silently where its profile has no row for it: a card
that a person could never see there would be no card, and one that is settled elsewhere is settled in place.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import get_args

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    Resumed,
    StatusChanged,
)
from hub.contract.permission import Act
from hub.contract.profile import Column, DeviceProfile
from hub.contract.surface import Loudness, Privacy
from hub.contract.words import AFTER_FAILURE, GRANTING, LOOSENING, Origin, Risk, Source, Status, Verb
from hub.domain.delivery import Device, Routed
from hub.domain.policy import Bands
from hub.domain.suggestion import OUR_OWN
from hub.kit.shown import yes_text

LOUDER: tuple[Loudness, ...] = get_args(Loudness)
"""From the quietest on, as the vocabulary has them."""
BESIDE_CARDS: frozenset[Column] = frozenset({"cost", "paused"})
"""The rows that are about no card: only these may be kept from a device altogether."""
HEARD: Loudness = "notify"
_RISKS = (Risk.LOW, Risk.MEDIUM, Risk.HIGH)
_SAID_IN_PERSON = frozenset({Verb.APPROVE, Verb.RETRY})
"""What a device's button cannot say where a yes has to be the person's own; other words are screened again."""
_CANNOT_RUN = frozenset({*_SAID_IN_PERSON, Verb.EDIT})
"""What no device offers while nothing can be started: the page and `pulse approve` have it looked at again."""
_UNDOABLE = frozenset({Status.CONFIRMED, Status.REJECTED, Status.EXECUTED})
"""An answer can be taken back while the loop's own rules allow it; a device needs a token to ask for that."""


OfferingEvent = (
    ExecutionStarted | ExecutionFailed | PredictionSettled | PredictionExecuted | PredictionNew | PredictionReturned
)
"""The events with which answers are offered; each has its card."""


def route(
    event: AnyEvent,
    devices: Sequence[Device],
    profiles: Mapping[str, DeviceProfile],
    *,
    bands: Bands,
    now: datetime,
    quiet: bool,
    urgent: bool = False,
) -> tuple[Routed, ...]:
    """Say who is told, how loudly, and with which verbs. In quiet hours nobody is disturbed: cards wait silently.

    What is urgent was told before and nobody answered: it is heard on every device, also on those that were told
    silently, and as loudly as that device tells of a failure.
    """
    routed = []
    for device in devices:
        profile = profiles.get(device.profile)
        if profile is None or not _is_reached(device, profile):
            continue
        loudness = _loudness(event, profile, bands)
        if loudness is not None and urgent:
            loudness = max(loudness, profile.matrix.get("failed", "silent"), HEARD, key=LOUDER.index)
        if loudness is not None:
            routed.append(
                Routed(
                    surface=device.surface,
                    device=device.device,
                    loudness="silent" if quiet else loudness,
                    verbs=_verbs(event, profile, now, privacy := device.privacy or profile.privacy),
                    privacy=privacy,
                    pairing=device.pairing,
                    each=_verbs_of_each(event, profile, now, privacy),
                )
            )
    return tuple(routed)


def _is_reached(device: Device, profile: DeviceProfile) -> bool:
    """Return True if a message is of any use to this device now."""
    if device.revoked or (profile.needs_address and device.address is None):
        return False
    if profile.live_while_present and device.online:  # it reads the live feed
        return False
    return device.online or not profile.only_while_present


def _row(event: AnyEvent, bands: Bands) -> Column | None:
    match event:
        case PredictionNew(prediction=prediction) | PredictionReturned(prediction=prediction):
            return "new-high" if prediction.confidence >= bands.suggest else "new-medium"
        case DigestReady(cards=cards, day=day) if cards or day is not None:
            return "new-medium"
        case ExecutionStarted(autonomous=True):
            return "auto-executed"
        case PredictionExecuted():
            return "completed"
        case ExecutionFailed():
            return "failed"
        case CostApproaching():
            return "cost"
        case Paused() | Resumed():
            return "paused"
        case _:
            return None


def _loudness(event: AnyEvent, profile: DeviceProfile, bands: Bands) -> Loudness | None:
    if isinstance(event, StatusChanged | ExecutionProgress):
        return None
    row = _row(event, bands)
    if row in BESIDE_CARDS:
        return profile.matrix.get(row)
    return "silent" if row is None else profile.matrix.get(row, "silent")


def beside_agents(profiles: Mapping[str, DeviceProfile]) -> dict[str, DeviceProfile]:
    """Return the profiles as they hold once an agent of the hub's user is connected, which could answer there too."""
    return {
        name: replace(profile, own_ideas_only=True) if profile.login_in_files else profile
        for name, profile in profiles.items()
    }


def _verbs(event: AnyEvent, profile: DeviceProfile, now: datetime, privacy: Privacy) -> tuple[Verb, ...]:
    """Return what is offered there; where an agent could answer, no more than it may say."""
    found = _verbs_of(event, profile, now, privacy)
    if not profile.own_ideas_only or not isinstance(event, OfferingEvent):
        return found
    is_own = _is_own_idea(event.prediction)
    return tuple(verb for verb in found if may_say(verb, profile, is_own_idea=is_own))


def _verbs_of(event: AnyEvent, profile: DeviceProfile, now: datetime, privacy: Privacy) -> tuple[Verb, ...]:
    if isinstance(event, ExecutionStarted):
        return tuple(verb for verb in profile.verbs if verb is Verb.STOP)
    if isinstance(event, ExecutionFailed):
        is_open, offers = may_grant(event.prediction, profile, privacy), event.prediction.offers
        own = _SAID_IN_PERSON if event.prediction.in_person else frozenset()
        ended = (verb for verb in profile.verbs if verb in offers and verb not in own)
        return tuple(verb for verb in ended if is_open or verb is Verb.IGNORE)
    if isinstance(event, PredictionSettled | PredictionExecuted):
        return tuple(verb for verb in profile.verbs if verb is Verb.UNDO and _undoable(event.prediction))
    if not isinstance(event, PredictionNew | PredictionReturned) or event.prediction.expires_at <= now:
        return ()
    is_open = may_grant(event.prediction, profile, privacy)
    no_edit = set() if event.prediction.editable else {Verb.EDIT}
    no_wish = {Verb.LESS, Verb.NEVER} if _is_asked(event.prediction) else set()
    no_yes = _SAID_IN_PERSON if event.prediction.in_person or _wants_words(event.prediction, profile) else set()
    no_run = _CANNOT_RUN if event.prediction.cannot_run or _is_for_dialog(event.prediction) else set()
    never = {Verb.UNDO, Verb.STOP, *AFTER_FAILURE} | no_edit | no_wish | no_yes | no_run
    open_verbs = (verb for verb in profile.verbs if verb not in never)
    return tuple(verb for verb in open_verbs if is_open or verb not in GRANTING)


def _verbs_of_each(
    event: AnyEvent, profile: DeviceProfile, now: datetime, privacy: Privacy
) -> tuple[tuple[Verb, ...], ...]:
    cards = event.cards if isinstance(event, DigestReady) else ()
    return tuple(_verbs(PredictionNew(prediction=card), profile, now, privacy) for card in cards)


def _is_asked(prediction: Prediction) -> bool:
    """Return True if somebody asked for this, so that Pulse has suggested nothing that could come less often."""
    return prediction.source is Source.ASK or prediction.origin is Origin.PERSON


def _wants_words(prediction: Prediction, profile: DeviceProfile) -> bool:
    """Return True if an agent asks a question that nobody can answer on that kind of device."""
    permission = prediction.permission
    return permission is not None and permission.act is Act.QUESTION and not profile.answers_questions


def may_grant(prediction: Prediction, profile: DeviceProfile, privacy: Privacy) -> bool:
    """Return True if a yes may be given there: it is not too risky, and all that it lets run can be shown."""
    if not profile.unfolds and privacy != "full":
        return False
    if profile.shows_chars_max and len(yes_text(prediction)) > profile.shows_chars_max:
        return False
    return _RISKS.index(prediction.risk) <= _RISKS.index(profile.approve_up_to)


def may_say(verb: Verb, profile: DeviceProfile, *, is_own_idea: bool) -> bool:
    """Return True if an answer counts there although an agent could have given it: it loosens nothing.

    A yes counts as a mere token's does: to what Pulse itself worded, as it stands and at low risk.
    """
    return not profile.own_ideas_only or verb not in LOOSENING or (is_own_idea and verb in _SAID_IN_PERSON)


def _is_own_idea(prediction: Prediction) -> bool:
    """Return what `Card.is_own_idea` says, as far as a card shows it; the answer is judged by the card itself."""
    is_asked = prediction.permission is not None or prediction.source is Source.ASK
    is_worded = prediction.origin in OUR_OWN and not prediction.quotes
    return prediction.risk is Risk.LOW and is_worded and not is_asked


def _is_for_dialog(prediction: Prediction) -> bool:
    """Return True if only the agent's own dialog says yes."""
    return prediction.permission is not None and prediction.permission.dialog_only


def _undoable(prediction: Prediction) -> bool:
    """Whoever asked has acted on an approval already, and an agent on a refusal: neither can be taken back here."""
    is_told = prediction.status is Status.CONFIRMED or prediction.permission is not None
    acted_on = prediction.source is Source.ASK and is_told
    return prediction.status in _UNDOABLE and not acted_on
