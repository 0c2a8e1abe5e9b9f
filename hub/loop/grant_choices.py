"""What a card offers to let an agent do, and what a person makes of it: another end, fewer files. Pure.

Theory: an option's id stands for its pattern and its end, which are the bound of what may be chosen: files only out of
the pattern, an end up to the bound of the settings. What is shown before a yes and what the yes keeps are made by one
function, so nobody says yes to another grant than they saw.
"""

import posixpath
from collections.abc import Sequence
from datetime import datetime

from hub.contract.grants import GrantPreview
from hub.contract.permission import Permission, PermissionAnswer
from hub.contract.phrasing import Phrasing
from hub.contract.words import GRANTING, MoveReason, Verb
from hub.domain.canonical import digest, visible
from hub.domain.permission_grant import FORM, OPTION_PREFIX, GrantOption, PermissionPattern
from hub.domain.policy import Policy
from hub.domain.suggestion import Card
from hub.domain.worded import Worded
from hub.loop.grant_words import covered_words, label_of
from hub.loop.standing_views import end_of
from hub.loop.views import seconds
from hub.may import covers, narrowed, paths_proposed, patterns_for

ANSWERS_COUNTED = 20
"""The latest answers to agents that a pattern is held against before it is offered."""
ANSWERS_READ_MAX = 40
"""So many are read to find those."""
_OVER = Worded(text="That time has already passed.", wording=Phrasing(code="grant_end.over"))
_OLDER = Worded(
    text=(
        "This was offered by an earlier version of Pulse, which allowed more than it says. "
        "The next card offers it again."
    ),
    wording=Phrasing(code="grant_path.older"),
)
_TOO_MUCH = Worded(text="That does not fit on one line.", wording=Phrasing(code="grant_path.too_much"))


def options_for(asked: Permission, answered: Sequence[Card], policy: Policy, now: datetime) -> tuple[GrantOption, ...]:
    """Return the grants that a card offers; none where what was asked cannot be shown as it is."""
    if any(visible(text) != text for text in (asked.text, asked.target, asked.folder, asked.tool)):
        return ()
    until = now + seconds(policy.earning.permission_grant_s)
    found = (_option(pattern, until, answered, policy, now) for pattern in patterns_for(asked))
    return tuple(one for one in found if one is not None)


def chosen(
    option: GrantOption, said: PermissionAnswer, answered: Sequence[Card], policy: Policy, now: datetime
) -> GrantOption | Worded:
    """Return what was offered as the person chose it, or why it cannot be had; `option` itself where nothing was."""
    if option.pattern.form != FORM:
        return _OLDER
    if said.until is None and not said.paths:
        return option
    until = option.expires_at if said.until is None else said.until
    if until <= now:
        return _OVER
    last = last_end(option, policy, now)
    if until > last:
        end = end_of(last, now, policy.zone)
        wording = Phrasing(code="grant_end.too_late", parts={"end": end.wording})
        return Worded(text=f"The latest possible end is {end.text}.", wording=wording)
    pattern = narrowed(option.pattern, said.paths)
    if isinstance(pattern, Worded):
        return pattern
    return _option(pattern, until, answered, policy, now) or _TOO_MUCH


def last_end(option: GrantOption, policy: Policy, now: datetime) -> datetime:
    """Return the latest end that may be chosen: never before the one that was offered."""
    return max(option.expires_at, now + seconds(policy.earning.permission_grant_s_max))


def preview(
    option: GrantOption, said: PermissionAnswer, answered: Sequence[Card], policy: Policy, now: datetime
) -> GrantPreview:
    """Return in words what a yes with this choice would keep."""
    found = chosen(option, said, answered, policy, now)
    why = found if isinstance(found, Worded) else None
    shown = option if isinstance(found, Worded) else found
    note = covered_words(*history(answered, shown.pattern, now))
    place = shown.pattern.place
    return GrantPreview(
        label=shown.label,
        label_worded=shown.label_worded,
        note="" if note is None else note.text,
        note_worded=None if note is None else note.wording,
        until=shown.expires_at,
        until_max=last_end(option, policy, now),
        proposed=tuple(posixpath.relpath(one, place) for one in paths_proposed(option.pattern)),
        why_not="" if why is None else why.text,
        why_not_worded=None if why is None else why.wording,
    )


def history(answered: Sequence[Card], pattern: PermissionPattern, now: datetime) -> tuple[int, int, int]:
    """Return how many of the latest answers the pattern would have given: yeses, noes; and how many there are.

    A no that the agent overtook counts as the no that it was; a yes that was refused at its own dialog is none. What
    ran with other words was no yes to what was asked.
    """
    latest = [card for card in answered if card.permission is not None and not _was_refused_there(card)]
    latest = latest[:ANSWERS_COUNTED]
    covered = [
        card.settled.verb is Verb.APPROVE
        for card in latest
        if card.permission is not None and card.settled is not None and covers(pattern, card.permission, now)
    ]
    return sum(covered), len(covered) - sum(covered), len(latest)


def _was_refused_there(card: Card) -> bool:
    settled = card.settled
    return card.status_reason is MoveReason.OVERRULED and settled is not None and settled.verb in GRANTING


def _option(
    pattern: PermissionPattern, until: datetime, answered: Sequence[Card], policy: Policy, now: datetime
) -> GrantOption | None:
    label = label_of(pattern, end_of(until, now, policy.zone))
    if label is None:
        return None
    note = covered_words(*history(answered, pattern, now))
    return GrantOption(
        id=f"{OPTION_PREFIX}{digest(pattern, until)}",
        label=label.text,
        note="" if note is None else note.text,
        pattern=pattern,
        expires_at=until,
        label_worded=label.wording,
        note_worded=None if note is None else note.wording,
    )
