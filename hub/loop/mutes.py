"""What a person wants less of, never, or always to be asked about: kept in the mind, and taken back again.

The choice of suggestions looks at it (`hub/what/appetite.py`). What was learnt from dismissals in a row is on the same
list, and can be taken back there as well.
"""

from msgspec.structs import replace

from hub.contract.phrasing import Phrasing
from hub.contract.words import Breadth, Origin, Source, Verb
from hub.domain.mind import Mind, Mute, Tally
from hub.domain.requests import AddMute, DropMute, Noted, Refused
from hub.domain.suggestion import Answer, Card
from hub.kit.text import one_line
from hub.loop import earned
from hub.loop.autonomy import EXAMPLE_CHARS_MAX
from hub.loop.draft import Draft
from hub.loop.mute_views import LEARNT, effect_of, summary_of
from hub.loop.refusals import unknown_card
from hub.loop.tell import tell_status
from hub.loop.views import status_of
from hub.what import QUIET, rest_after_dismissals

MUTES_MAX = 100
CARDS_PER_MUTE_MAX = 20
QUIET_CODE = "wish.quiet"
QUIET_NOW = "Quiet from now on. To bring it back, use Settings or `pulse muted`."
USUALLY = {Verb.LESS: Breadth.KIND, Verb.NEVER: Breadth.HERE}
"""How far each verb reaches where nothing else is said."""


def on_add(draft: Draft, request: AddMute, reply_to: str) -> None:
    """Keep a wish that was made without a card."""
    card = draft.facts.card if request.card_id is not None else None
    if (refused := _about_no_kind(request, card)) is not None:
        draft.reply(reply_to, refused)
        return
    kind = request.kind if card is None else card.proposal.kind
    example = "" if card is None else one_line(card.prompt, EXAMPLE_CHARS_MAX)
    if kind is request.repository is request.channel is None:
        draft.reply(reply_to, _nothing_meant())
        return
    wish = Mute(
        id="",
        degree=request.degree,
        made_at=draft.now,
        last_at=draft.now,
        kind=kind,
        repository=request.repository,
        channel=request.channel,
        example=example,
    )
    full = _full(draft.mind, wish)
    if full is None:
        _keep(draft, wish, in_person=request.in_person)
        if wish.degree == "ask":
            earned.end_meant(draft, wish)
    draft.reply(reply_to, full or _noted(draft))


def on_drop(draft: Draft, request: DropMute, reply_to: str) -> None:
    """Take a wish back, or forget a row of dismissals; what is not there (any more) is refused."""
    mind, kind = draft.mind, request.mute_id.removeprefix(LEARNT)
    if request.mute_id.startswith(LEARNT) and kind in mind.tallies:
        forgotten = replace(mind.tallies[kind], in_row=0)
        draft.set_mind(replace(mind, tallies={**mind.tallies, kind: forgotten}))
    elif any(mute.id == request.mute_id for mute in mind.mutes):
        draft.set_mind(replace(mind, mutes=tuple(mute for mute in mind.mutes if mute.id != request.mute_id)))
    else:
        draft.reply(reply_to, _unknown(request.mute_id))
        return
    draft.reply(reply_to, _noted(draft))


def unfit(draft: Draft, card: Card, answer: Answer) -> Refused | None:
    """Return why an answer cannot be taken as a wish, or None; one that only dismisses is none."""
    if answer.verb not in USUALLY:
        return None
    if (refused := _of_nobody(card)) is not None:
        return refused
    if _breadth(answer) is Breadth.REPOSITORY and card.proposal.work.workspace is None:
        return _no_repository()
    return _full(draft.mind, _wish(draft, card, answer))


def wish_of(draft: Draft, card: Card, answer: Answer) -> Mute:
    """Keep the wish of an answer that is fit, and return it."""
    return _keep(draft, _wish(draft, card, answer), in_person=answer.in_person)


def told(mute: Mute) -> str:
    """Say what follows from a wish."""
    return f"{summary_of(mute).text}: {effect_of(mute)}"


def rarer(draft: Draft, card: Card) -> str:
    """Say, after a dismissal, how often its kind still comes where dismissals in a row have made it rarer."""
    tally = draft.mind.tallies.get(card.proposal.kind)
    rest = (
        None
        if tally is None or card.proposal.source is Source.ASK
        else rest_after_dismissals(card.proposal.kind, tally)
    )
    return "" if rest is None or rest == QUIET else f"These come at most {rest.at_most.text} now."


def in_view_of_no(draft: Draft, card: Card) -> Card:
    """Return a card that is being dismissed, with what follows where its kind is quiet from now on."""
    proposal = card.proposal
    tally = draft.mind.tallies.get(proposal.kind, Tally())
    counts = proposal.source is not Source.ASK and proposal.origin is not Origin.PERSON
    rest = rest_after_dismissals(proposal.kind, replace(tally, in_row=tally.in_row + 1)) if counts else None
    return replace(card, outcome=QUIET_NOW, outcome_worded=Phrasing(code=QUIET_CODE)) if rest == QUIET else card


def without_quiet(card: Card) -> Card:
    """Return a card that is opened again without what `in_view_of_no` said on it."""
    is_said = card.outcome_worded is not None and card.outcome_worded.code == QUIET_CODE
    return replace(card, outcome="", outcome_worded=None) if is_said else card


def take_back(draft: Draft, card: Card) -> None:
    """Take back the wish that came of an answer to this card, once, if one did."""
    left = tuple(mute for one in draft.mind.mutes if (mute := _without(one, card.id)) is not None)
    if left != draft.mind.mutes:
        draft.set_mind(replace(draft.mind, mutes=left))
        tell_status(draft)


def _breadth(answer: Answer) -> Breadth:
    return answer.about or USUALLY[answer.verb]


def _wish(draft: Draft, card: Card, answer: Answer) -> Mute:
    """Return what an answer means. Where a card is of no repository, here is its channel."""
    proposal, breadth = card.proposal, _breadth(answer)
    place = proposal.work.workspace
    is_here = breadth is Breadth.HERE
    return Mute(
        id="",
        degree="less" if answer.verb is Verb.LESS else "never",
        made_at=draft.now,
        last_at=draft.now,
        kind=proposal.kind if breadth is Breadth.KIND or is_here else None,
        repository=place if breadth is Breadth.REPOSITORY or is_here else None,
        channel=proposal.channel if breadth is Breadth.CHANNEL or (is_here and place is None) else None,
        example=one_line(card.prompt, EXAMPLE_CHARS_MAX),
        example_worded=proposal.prompt_worded,
        card_ids=(card.id,),
    )


def _keep(draft: Draft, wish: Mute, *, in_person: bool) -> Mute:
    """Keep a wish; one that was made before counts once more, and one that says the opposite of the same goes.

    It goes by the person's word in person: taking a wish back loosens, and making another one must be no way around
    that, nor must a button on a device, which somebody else may hold.
    """
    if in_person:
        _drop_opposite(draft, wish)
    before = _same(draft.mind, wish)
    if before is None:
        kept = replace(wish, id=draft.new_id("mute"))
        others = draft.mind.mutes
    else:
        kept = replace(
            before,
            times=before.times + 1,
            last_at=draft.now,
            example=wish.example or before.example,
            example_worded=wish.example_worded if wish.example else before.example_worded,
            card_ids=(*before.card_ids, *wish.card_ids)[-CARDS_PER_MUTE_MAX:],
        )
        others = tuple(mute for mute in draft.mind.mutes if mute.id != before.id)
    draft.set_mind(replace(draft.mind, mutes=(*others, kept)))
    tell_status(draft)
    return kept


def _drop_opposite(draft: Draft, wish: Mute) -> None:
    """Let the newest word hold: who wants less of something does not want to be asked about it always, and so on."""
    meant = (wish.kind, wish.repository, wish.channel)
    left = tuple(
        mute
        for mute in draft.mind.mutes
        if (mute.kind, mute.repository, mute.channel) != meant or (mute.degree == "ask") == (wish.degree == "ask")
    )
    if left != draft.mind.mutes:
        draft.set_mind(replace(draft.mind, mutes=left))


def _without(mute: Mute, card_id: str) -> Mute | None:
    if card_id not in mute.card_ids:
        return mute
    left = tuple(one for one in mute.card_ids if one != card_id)
    return replace(mute, times=mute.times - 1, card_ids=left) if mute.times > 1 else None


def _same(mind: Mind, wish: Mute) -> Mute | None:
    meant = (wish.degree, wish.kind, wish.repository, wish.channel)
    same = (mute for mute in mind.mutes if (mute.degree, mute.kind, mute.repository, mute.channel) == meant)
    return next(same, None)


def _full(mind: Mind, wish: Mute) -> Refused | None:
    if len(mind.mutes) < MUTES_MAX or _same(mind, wish) is not None:
        return None
    return Refused(
        code="too-many-mutes",
        status=409,
        detail=f"{MUTES_MAX} muted kinds are already stored; this one was not added.",
        fix="`pulse muted` lists them; undo what you no longer need.",
    )


def _noted(draft: Draft) -> Noted:
    return Noted(status=status_of(draft.state, draft.now))


def _nothing_meant() -> Refused:
    return Refused(
        code="nothing-meant",
        status=422,
        detail="The request does not say what to mute.",
        fix="Name a kind, a repository or a channel.",
    )


def _unknown(mute_id: str) -> Refused:
    return Refused(
        code="unknown-mute",
        status=404,
        detail=f"Nothing muted has the id {mute_id!r}.",
        fix="`pulse muted` lists it all.",
    )


def _about_no_kind(request: AddMute, card: Card | None) -> Refused | None:
    """Return why a wish by a card names no kind of suggestion; None where it does, or names no card."""
    if request.card_id is None:
        return None
    if card is None:
        return unknown_card(request.card_id)
    refused = _of_nobody(card)
    return _always_reaches() if refused is not None and request.degree == "ask" else refused


def _of_nobody(card: Card) -> Refused | None:
    """Return the refusal of a wish about what Pulse did not suggest by itself; None where it did."""
    is_asked = card.proposal.source is Source.ASK or card.proposal.origin is Origin.PERSON
    return _no_suggestion() if is_asked else None


def _no_suggestion() -> Refused:
    return Refused(
        code="not-a-suggestion",
        status=409,
        detail="You or someone else asked for this. Pulse did not suggest it, so there is nothing to mute.",
        fix="Dismiss it.",
    )


def _always_reaches() -> Refused:
    return Refused(
        code="not-a-suggestion",
        status=409,
        detail="You or someone else asked for this. Pulse did not suggest it, and you are always asked about it.",
        fix="Name one of Pulse's own suggestions; `pulse cards` lists them.",
    )


def _no_repository() -> Refused:
    return Refused(
        code="no-repository",
        status=409,
        detail="This suggestion has no repository.",
        fix="Mute its kind or its channel instead.",
    )
