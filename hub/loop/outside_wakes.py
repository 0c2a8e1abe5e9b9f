"""The wakes that go to an agent outside, as they are remembered: under way, handed over, not delivered, reported.

Theory: that a gateway took a message says nothing of the work, so it lets no pressure fall; it only counts as having
brought the matter up. A message that did not arrive brought up nothing: what stands open is open again, and the same
message, by the same yes or the same setting, is tried again after a pause that doubles. Its key stays the same, so that
one which arrived after all is taken once. A person hears once of an outage.
"""

from collections.abc import Collection, Iterable
from datetime import timedelta

from msgspec.structs import replace

from hub.domain.drives import DriveRules, Drives, Feedback, Handed, PutWake, Wake
from hub.domain.execution import Execution
from hub.domain.provenance import Wording, as_said, counted, say
from hub.domain.suggestion import WAKE_AGENT, Answer, Card
from hub.kit.text import one_line
from hub.loop.commands import Start
from hub.loop.draft import Draft
from hub.may.ruling import length
from hub.when.drives import brought, changed, next_try, reopened, undelivered

OUTSIDE_MAX = 30
"""So many wakes outside are remembered for a report."""
NOTE_CHARS_MAX = 200
NOTHING = Wording()
REPORTABLE = frozenset({"sent", "interrupted", "partial", "blocked"})
"""A message that a stop cut short may have arrived all the same."""


def is_wake(card: Card) -> bool:
    """Say whether a card is about waking an agent outside."""
    return card.proposal.kind == WAKE_AGENT


def begun(draft: Draft, wake: Wake) -> None:
    """Remember a wake that has a card, or is on its way."""
    others = tuple(one for one in draft.mind.drives.outside if one.wake.id != wake.id)
    draft.set_drives(replace(draft.mind.drives, outside=(*others, Handed(wake=wake))[-OUTSIDE_MAX:]))


def note_yes(draft: Draft, card: Card, answer: Answer) -> None:
    """Keep the person's yes to a wake: the same yes is good for trying again, should it not arrive."""
    found = _of(draft.mind.drives, card)
    if found is not None:
        _put(draft, replace(found, answer=answer))


def to_try(draft: Draft, execution_id: str) -> Handed | None:
    """Return the wake that this execution did not deliver, if it may be tried again."""
    found = undelivered(draft.mind.drives, draft.now)
    return found if found is not None and found.execution_id == execution_id else None


def is_tried_again(draft: Draft, rules: DriveRules) -> bool:
    """Try a message that did not arrive again, if it is time to; say whether it is.

    It counts as a wake of this hour. A message whose need has gone meanwhile, or that was for another agent than the
    one that is woken now, is tried no more.
    """
    handed, at = undelivered(draft.mind.drives, draft.now), next_try(draft.mind.drives, rules, draft.now)
    if handed is None or at is None or draft.now < at:
        return False
    drive = draft.mind.drives.named(handed.wake.drive)
    if drive is None or not drive.wants or handed.wake.place != rules.agent:
        give_up(draft, handed)
        return False
    draft.set_drives(replace(draft.mind.drives, woke_at=(*draft.mind.drives.woke_at, draft.now), away_at=draft.now))
    draft.commands.append(Start(execution_id=handed.execution_id))
    return True


def tried(draft: Draft, handed: Handed, execution_id: str) -> None:
    """Remember which execution tries it now."""
    _put(draft, replace(handed, execution_id=execution_id))


def give_up(draft: Draft, handed: Handed) -> None:
    """Try a message no more."""
    _put(draft, replace(handed, until=None, answer=None))


def is_quiet(draft: Draft, card: Card, execution: Execution) -> bool:
    """Say whether nobody need hear of an attempt: Pulse tries again, in an outage that the person knows of."""
    handed = _of(draft.mind.drives, card) if is_wake(card) else None
    if handed is None or draft.mind.drives.away_since is None:
        return False
    return execution.autonomous or handed.execution_id == execution.id


def arrived(draft: Draft, card: Card) -> Wording:
    """The agent's gateway took the message: what stands open is brought up, and pressure is as it was.

    Return what is told: of an outage that is over, how long it was and how often it was tried.
    """
    drives, since, agent = draft.mind.drives, draft.mind.drives.away_since, card.proposal.agent
    line = say("Handed to {agent}.", agent=agent)
    if since is not None:
        line = say(
            "Handed to {agent}, which can be reached again after {time} ({tries}).",
            agent=agent,
            time=length(draft.now - since),
            tries=counted(drives.away_tries + 1, "try", "tries"),
        )
    draft.set_drives(replace(drives, away_since=None, away_tries=0, away_at=None))
    handed = _of(drives, card)
    if handed is not None:
        _end(draft, replace(handed, answer=None, until=None), "sent", line if since is not None else NOTHING)
        name = handed.wake.drive
        draft.set_drives(changed(draft.mind.drives, name, lambda one: brought(one, draft.now)))
    return line


def missed(draft: Draft, card: Card, execution: Execution, why: Wording, tried_for_s: float) -> None:
    """It did not arrive: nothing was brought up, pressure stays, and it is tried again for so long at most."""
    drives = draft.mind.drives
    since = draft.now if drives.away_since is None else drives.away_since
    draft.set_drives(replace(drives, away_since=since, away_tries=drives.away_tries + 1, away_at=draft.now))
    handed = _of(drives, card)
    if handed is None:
        return
    until = handed.until or draft.now + timedelta(seconds=tried_for_s)
    _end(draft, replace(handed, execution_id=execution.id, until=until), "undelivered", why)
    name, at = handed.wake.drive, handed.wake.at
    draft.set_drives(changed(draft.mind.drives, name, lambda one: reopened(one, at)))


def stopped(draft: Draft, card: Card) -> None:
    """The person stopped it: it is tried no more, and what it was about rests as after any answer."""
    handed = _of(draft.mind.drives, card)
    if handed is not None:
        _end(draft, replace(handed, until=None, answer=None), "undelivered", say("You stopped it."))


def end_interrupted(draft: Draft, wakes: Iterable[Wake], *, resumed: Collection[str]) -> None:
    """After a start: a wake that was under way, and goes on no more, has come to its end."""
    for wake in wakes:
        if wake.ended or wake.id in resumed:
            continue
        ended = replace(wake, ended="interrupted", ended_at=draft.now)
        draft.changes.append(PutWake(user=draft.state.user, wake=ended))
        found = next((one for one in draft.mind.drives.outside if one.wake.id == wake.id), None)
        if found is not None:
            _put(draft, replace(found, wake=ended))


def reported(draft: Draft, feedback: Feedback) -> None:
    """Note on the latest wake of each drive that was handed over what came of it."""
    for name in feedback.drives:
        outside = draft.mind.drives.outside
        meant = [one for one in outside if one.wake.drive == name and one.wake.ended in REPORTABLE]
        if meant:
            _end(draft, meant[-1], feedback.outcome, as_said(feedback.summary))


def _end(draft: Draft, handed: Handed, ended: str, note: Wording) -> None:
    text = one_line(note.text, NOTE_CHARS_MAX)
    worded = note.worded if text == note.text else None
    said = {"ended": ended, "ended_at": draft.now, "note": text, "note_worded": worded}
    wake = replace(handed.wake, **said)
    _put(draft, replace(handed, wake=wake))
    draft.changes.append(PutWake(user=draft.state.user, wake=wake))


def _of(drives: Drives, card: Card) -> Handed | None:
    return next((one for one in drives.outside if one.wake.id == card.proposal.signature), None)


def _put(draft: Draft, handed: Handed) -> None:
    drives = draft.mind.drives
    outside = tuple(handed if one.wake.id == handed.wake.id else one for one in drives.outside)
    draft.set_drives(replace(drives, outside=outside))
