"""A person's answers to an agent by menu and by form: of those whose word is enough by itself."""

from datetime import datetime

import discord
from msgspec.structs import replace

from hub.contract.permission import REASON_CHARS_MAX, PermissionAnswer
from hub.contract.surface import Decision
from hub.contract.words import Verb
from hub.kit.chat.card import ChatCard
from hub.kit.questions import questions_of
from surfaces.discord.ballots import Ballots
from surfaces.discord.buttons import SAY, Action
from surfaces.discord.menus import GivenAnswers, Picked, can_ask, chosen, form_fields, may_take, verb_of
from surfaces.discord.people import Person
from surfaces.discord.vote_counter import No, VoteCounter

Answers = dict[int, tuple[str, ...]]
Wish = tuple[str, datetime]
"""The interaction's id, and when it came."""
ALONE_ONLY = "Votes decide here, so questions cannot be answered. Answer it on another device."


class Asked:
    """Takes menus and forms; what they come to is a decision, or why there is none."""

    def __init__(self, ballots: Ballots, counter: VoteCounter) -> None:
        self._ballots = ballots
        self._counter = counter
        self._given = GivenAnswers()

    def picked(
        self, card: ChatCard, picked: Picked, values: list[str], person: Person, wish: Wish
    ) -> Decision | No | None:
        """Take what was picked in a menu; None while a question waits."""
        permission = card.prediction.permission
        if permission is None:
            return No(text=SAY.title("chat.settled"))
        if not self._ballots.alone(card, person.id):
            return No(text=ALONE_ONLY)
        if picked.question is None:
            places = [int(one) for one in values if one.isdecimal() and int(one) < len(permission.options)]
            if not places:
                return No(text=SAY.title("chat.settled"))
            option = permission.options[places[0]]
            if not may_take(card, option):
                return No(text=SAY.title("chat.settled"))
            action: Action = "reject" if verb_of(option) is Verb.REJECT else "approve"
            return self._wish(card, action, person, wish, PermissionAnswer(option=option.id))
        asked = questions_of(permission)
        if not can_ask(card) or picked.question >= len(asked):
            return No(text=SAY.title("chat.settled"))
        labels = [one.label for one in asked[picked.question].choices]
        return self._answered(card, person, wish, {picked.question: chosen(labels, values)})

    def written(self, card: ChatCard, said: dict[int, str], person: Person, wish: Wish) -> Decision | No | None:
        """Take what was written into the form; an empty field answers nothing."""
        if not can_ask(card):
            return No(text=SAY.title("chat.settled"))
        if not self._ballots.alone(card, person.id):
            return No(text=ALONE_ONLY)
        answers: Answers = {place: (text.strip(),) for place, text in said.items() if text.strip()}
        return self._answered(card, person, wish, answers)

    def form(self, card: ChatCard, custom_id: str) -> discord.ui.Modal:
        """Return the form for own words."""
        form = discord.ui.Modal(title=SAY.title("chat.own_words"), custom_id=custom_id, timeout=None)
        for one in form_fields(card):
            form.add_item(
                discord.ui.TextInput(
                    label=one.label,
                    custom_id=f"q{one.question}",
                    style=discord.TextStyle.paragraph,
                    required=one.is_needed,
                    max_length=REASON_CHARS_MAX,
                )
            )
        form.stop()
        return form

    def _answered(self, card: ChatCard, person: Person, wish: Wish, answers: Answers) -> Decision | No | None:
        answer = self._given.add(card, person.id, answers)
        return None if answer is None else self._wish(card, "approve", person, wish, answer)

    def _wish(
        self, card: ChatCard, action: Action, person: Person, wish: Wish, answer: PermissionAnswer
    ) -> Decision | No:
        decision = self._counter.wish(action, card, person, wish_id=f"{wish[0]}-asked", now=wish[1])
        return decision if isinstance(decision, No) else replace(decision, permission=answer)
