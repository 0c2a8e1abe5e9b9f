"""A card with other words in the place of its own, as a person's edit means it: what it says then, and its risk."""

from msgspec.structs import replace

from hub.contract.permission import Permission
from hub.domain.canonical import card_hash, visible
from hub.domain.plan import Plan
from hub.domain.suggestion import Card
from hub.loop.permissions import risk_of, screen_questions
from hub.screening import screen
from hub.screening.acts import dangerous_parts, deleted_by, read_act


def with_words(card: Card, words: str) -> Card:
    """Return a card as a person is to look at it before other words count; an answer to it is bound to the card itself.

    What Pulse itself would run, the rails judge once more: an edit of it is never over the content filter's word.
    """
    if words == card.edit_text:
        return card
    if card.commit is not None:
        return replace(with_message(card, words), card_hash=card.card_hash)
    if card.permission is None:
        return replace(card, prompt=words)
    return _with_command(card, card.permission, words)


def with_message(card: Card, message: str) -> Card:
    """Return the card of a commit with another message; any other card as it is."""
    plan, proposal = card.plan, card.proposal
    if not isinstance(plan, Plan) or plan.commit is None:
        return card
    now = plan.with_message(message)
    work = replace(proposal.work, args=(message, *proposal.work.args[1:]))
    bound = card_hash(card.prompt, proposal.channel, work, proposal.need, now)
    return replace(card, plan=now, proposal=replace(proposal, work=work), card_hash=bound)


def _with_command(card: Card, permission: Permission, command: str) -> Card:
    asked = replace(permission, text=command)
    reading = read_act(asked.act, command, asked.target, asked.folder, asked.tool)
    shown = replace(
        asked,
        text=visible(command),
        target=visible(deleted_by(command)),
        effects=reading.effects,
        marks=dangerous_parts(asked.act, visible(command)),
    )
    risk = risk_of(asked, reading, screen(asked.reason), screen_questions(asked.questions))
    return replace(card, prompt=command, permission=shown, proposal=replace(card.proposal, risk=risk))
