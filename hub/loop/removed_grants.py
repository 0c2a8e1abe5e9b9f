"""A permission that is removed from the list, and its way back.

Theory: a removal holds at once, since it may be made because of what an agent does right now. So its undo is no removal
that waits, but a new grant, and the API asks for it what it asks for any. It gives back what stood there, with its end
and its uses, and nothing that has expired since, was granted again or is always to be asked about. What was removed is
kept in memory only: a restart ends it, too. The card on which it was given says which of the two holds.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.phrasing import Phrasing
from hub.domain.judgement import StandingYes
from hub.domain.mind import Mind
from hub.domain.permission_grant import PermissionGrant
from hub.domain.provenance import Wording
from hub.domain.requests import DropGrant, Noted, Refused, RestoreGrant
from hub.domain.worded import Worded
from hub.loop import earned, permission_grants
from hub.loop.draft import Draft
from hub.loop.grant_record import record_autopilot
from hub.loop.state import RemovedGrant, State
from hub.loop.tell import tell_settled, tell_status
from hub.loop.views import status_of
from hub.may import after_standing_yes, meaning

RESTORABLE_FOR = timedelta(minutes=2)
"""As long as the page's offer stays at most, and time to confirm that it is you."""
REMOVED_MAX = 20
REMOVED = Worded(text="Removed. Pulse asks about this again.", wording=Phrasing(code="grant.removed"))
"""What the card says on which it was given."""


def on_drop(draft: Draft, request: DropGrant, reply_to: str) -> None:
    """Take back, from the list, what may run without asking."""
    held: tuple[StandingYes | PermissionGrant, ...] = (*draft.mind.ledger.standing, *draft.mind.grants)
    found = next((one for one in held if one.id == request.grant_id), None)
    if found is None:
        draft.reply(reply_to, _unknown(request.grant_id))
        return
    if isinstance(found, StandingYes):
        earned.end(draft, found, request.by)
        tell_status(draft)
    else:
        permission_grants.end(draft, found, request.by)
    _say(draft, REMOVED)
    removed = (*_lately(draft), RemovedGrant(grant=found, at=draft.now))
    draft.state = replace(draft.state, removed_grants=removed[-REMOVED_MAX:])
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def on_restore(draft: Draft, request: RestoreGrant, reply_to: str) -> None:
    """Give back what was removed a moment ago, where nothing was said since that goes against it."""
    lately = _lately(draft)
    found = next((one.grant for one in lately if one.grant.id == request.grant_id), None)
    if found is None or found.expires_at <= draft.now or _is_overtaken(draft.mind, found):
        draft.reply(reply_to, _unknown(request.grant_id))
        return
    if isinstance(found, StandingYes):
        draft.set_mind(replace(draft.mind, ledger=after_standing_yes(draft.mind.ledger, found)))
        record_autopilot(draft, found, "made", request.by)
        _say(draft, earned.given_words(found, draft.state.policy.zone))
    else:
        given = permission_grants.given_words(permission_grants.hold(draft, found, request.by))
        _say(draft, given)
    left = tuple(one for one in lately if one.grant.id != found.id)
    draft.state = replace(draft.state, removed_grants=left)
    tell_status(draft)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def card_of_grant(state: State, grant_id: str) -> str:
    """Return the id of the card on which a grant was given that holds or was just removed; empty where none was."""
    removed = (one.grant for one in state.removed_grants)
    held = (*state.mind.ledger.standing, *state.mind.grants, *removed)
    return next((one.card_id for one in held if one.id == grant_id), "")


def _say(draft: Draft, said: Wording | Worded) -> None:
    """Say it on the card on which the grant was given, unless that tells what came later."""
    card = draft.facts.card
    if card is None or card.undone:
        return
    code = "" if card.outcome_worded is None else card.outcome_worded.code
    if (
        card.offer is not None
        or card.grant_offer is not None
        or code in {permission_grants.GIVEN, REMOVED.wording.code}
    ):
        tell_settled(draft, draft.keep(replace(card, outcome=said.text, outcome_worded=said.wording)))


def _lately(draft: Draft) -> tuple[RemovedGrant, ...]:
    return tuple(one for one in draft.state.removed_grants if abs(draft.now - one.at) <= RESTORABLE_FOR)


def _is_overtaken(mind: Mind, removed: StandingYes | PermissionGrant) -> bool:
    """Return True if the same was granted since, or is always to be asked about."""
    if isinstance(removed, PermissionGrant):
        return any(one.pattern == removed.pattern for one in mind.grants)
    asks = any(one.degree == "ask" and earned.means(one, removed) for one in mind.mutes)
    return asks or any(meaning(one) == meaning(removed) for one in mind.ledger.standing)


def _unknown(grant_id: str) -> Refused:
    return Refused(
        code="unknown-grant",
        status=404,
        detail=f"There is no permission {grant_id!r}.",
        fix="`pulse grants` lists them all.",
    )
