"""Buttons and the form to edit: each is answered at once, or deferred, well within Discord's three seconds."""

from collections.abc import Callable, Iterator
from typing import Any

import discord
from msgspec.structs import replace

from hub.contract.api import PROMPT_CHARS_MAX
from hub.contract.errors import PulseError
from hub.contract.surface import Decision
from hub.contract.words import Verb
from hub.kit.chat.card import ChatCard
from hub.kit.shown import asks_twice
from surfaces.discord.asked import Asked
from surfaces.discord.ballot import Entry
from surfaces.discord.ballots import Ballots
from surfaces.discord.bot import person_of
from surfaces.discord.buttons import SAY, VOTES, Action, Pressed, read_custom_id, short
from surfaces.discord.card import voted
from surfaces.discord.card_messages import CardMessages
from surfaces.discord.found import SIGNS
from surfaces.discord.hub_client import HubClient, in_words
from surfaces.discord.limits import CONTENT_CHARS_MAX, INPUT_CHARS_MAX
from surfaces.discord.menus import Picked, read_menu_id
from surfaces.discord.message_sync import FAILURES, now
from surfaces.discord.people import Person, may_vote_somewhere
from surfaces.discord.render import render_again, render_details
from surfaces.discord.settings import Config
from surfaces.discord.tally_text import BUTTON_VOTES_MAX
from surfaces.discord.text import plain
from surfaces.discord.together import ItemPressed, Together, may_approve, read_item_id
from surfaces.discord.vote_counter import No, VoteCounter
from surfaces.discord.wire import embeds, files, mentions, view

SETTLED = "This card can no longer be answered: it was settled, or its text has changed. See its newest message."
OWN_MESSAGE = "It now has its own message below, with all its details and any votes."
VOTED = "That is your vote."
STRANGER = (
    "Only people named in this Pulse's settings may answer here, and you are not one of them, so nothing was done. "
    "To be added, ask its owner to put you in `[discord] voters`."
)
NOT_YOURS = (
    "You have no vote on this one, so nothing was counted. "
    "The owner of this Pulse can change that under `[discord] policies`."
)
FULL = "Too many people have voted by button. Use the reaction below the card instead."


class Pressing:
    """Answers interactions with a card. `hand_in` sends a decision; `think` looks at the votes."""

    def __init__(
        self,
        config: Config,
        card_messages: CardMessages,
        ballots: Ballots,
        counter: VoteCounter,
        hub: HubClient,
        *,
        hand_in: Callable[[Decision], bool],
        think: Callable[[], None],
    ) -> None:
        self._config = config
        self._card_messages = card_messages
        self._ballots = ballots
        self._counter = counter
        self._hub = hub
        self._hand_in = hand_in
        self._think = think
        self._asked = Asked(ballots, counter)

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answer one press or one form; what is none of ours is left alone."""
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        pressed = read_custom_id(custom_id)
        if pressed is None:
            await self._listed(interaction, custom_id, data)
            return
        person = person_of(interaction.user)
        self._ballots.meet(person, now())
        if not may_vote_somewhere(self._config, person):
            await refuse(interaction, STRANGER)
        elif pressed.action == "words":
            await self._words(interaction, pressed, person, data)
        elif interaction.type is discord.InteractionType.modal_submit:
            await self._edited(interaction, pressed, person, next((text for _, text in _fields(data)), ""))
        elif pressed.action == "confirm":
            await self._confirmed(interaction, pressed, person)
        elif pressed.action in VOTES:
            await self._vote(interaction, pressed, person, pressed.action)
        elif pressed.action == "details":
            await self._details(interaction, pressed)
        elif pressed.action == "edit":
            await self._edit(interaction, pressed, person)
        elif pressed.action == "retry":
            await self._retry(interaction, pressed, person)
        else:
            await self._wish(interaction, pressed, person)

    async def _listed(self, interaction: discord.Interaction, custom_id: str, data: Any) -> None:  # noqa: ANN401  as Discord sends it
        """Answer a menu, or a press at one line of several."""
        picked, item = read_menu_id(custom_id), read_item_id(custom_id)
        if picked is not None:
            await self._picked(interaction, picked, [str(one) for one in data.get("values", ())])
        elif item is not None:
            await self._item(interaction, item)

    async def _item(self, interaction: discord.Interaction, pressed: ItemPressed) -> None:
        """Answer a press at one line of several; where one person's word is not enough, its own message takes votes."""
        person, card = person_of(interaction.user), self._card_messages.card(pressed.card_id)
        self._ballots.meet(person, now())
        digest = self._card_messages.digest_of(str(interaction.message.id)) if interaction.message is not None else None
        if not may_vote_somewhere(self._config, person):
            await refuse(interaction, STRANGER)
        elif (
            card is None
            or digest is None
            or card.id not in digest.card_ids
            or short(card.prediction.card_hash) != pressed.hash
        ):
            await refuse(interaction, SETTLED)
        elif pressed.action == "show" or not self._may_decide(card, digest, pressed, person):
            self._card_messages.show_alone(card)
            self._think()
            await refuse(interaction, OWN_MESSAGE)
        else:
            await self._decided(interaction, pressed.action, card, person, None)

    def _may_decide(self, card: ChatCard, digest: Together, pressed: ItemPressed, person: Person) -> bool:
        is_read = pressed.action != "approve" or may_approve(card, is_alike=bool(digest.event.alike))
        return is_read and self._ballots.alone(card, person.id)

    async def _confirmed(self, interaction: discord.Interaction, pressed: Pressed, person: Person) -> None:
        """Take the second press of an approval, below a message that only that person sees."""
        card = self._card_messages.card(pressed.card_id)
        known = self._card_messages.known.get(card.key) if card is not None else None
        is_open = card is not None and card.phase == "open" and short(card.prediction.card_hash) == pressed.hash
        if card is None or known is None or not is_open or Verb.APPROVE not in voted(card):
            await refuse(interaction, SETTLED)
        elif self._ballots.weight(card, person.id) <= 0:
            await refuse(interaction, NOT_YOURS)
        elif self._is_full(card, entry := Entry(voter=person.id, sign="approve", via="button")):
            await refuse(interaction, FULL)
        else:
            self._ballots.put(card, known.message_id, entry)
            self._card_messages.dirty.add(card.key)
            await interaction.response.edit_message(content=VOTED, embeds=[], view=None)
            self._counter.undecided.add(card.id)
            self._think()

    def _is_full(self, card: ChatCard, entry: Entry) -> bool:
        ballot = self._ballots.ballot(card.key)
        by_button = sum(one.via == "button" and one.sign == entry.sign for one in ballot)
        return entry not in ballot and by_button >= BUTTON_VOTES_MAX

    async def _ask_again(self, interaction: discord.Interaction, card: ChatCard) -> None:
        rendered = render_again(card)
        await interaction.response.send_message(
            embeds=embeds(rendered.embeds),
            view=view(rendered.buttons, rendered.menus) or discord.utils.MISSING,
            ephemeral=True,
            allowed_mentions=mentions(rendered),
        )

    async def _vote(self, interaction: discord.Interaction, pressed: Pressed, person: Person, action: Action) -> None:
        card = self._shown(interaction, pressed)
        if card is None or VOTES[action] not in voted(card):
            await refuse(interaction, SETTLED)
            return
        if self._ballots.weight(card, person.id) <= 0:
            await refuse(interaction, NOT_YOURS)
            return
        ballot = self._ballots.ballot(card.key)
        entry = Entry(voter=person.id, sign=SIGNS[action], via="button")
        if self._is_full(card, entry):
            await refuse(interaction, FULL)
            return
        if action == "approve" and asks_twice(card.prediction) and entry not in ballot:
            await self._ask_again(interaction, card)
            return
        before = tuple(one for one in ballot if one.voter == person.id and one.via == "button")
        if entry in ballot:
            self._ballots.take(card, entry)
        else:
            self._ballots.put(card, self._card_messages.known[card.key].message_id, entry)
        try:
            await self._show(interaction, card)
        except FAILURES:
            # They saw "this interaction failed", so their vote must be what it was before they pressed.
            ballot.take(entry)
            for one in before:
                ballot.put(one, may_vote=True)
        self._counter.undecided.add(card.id)
        self._think()

    async def _show(self, interaction: discord.Interaction, card: ChatCard) -> None:
        """Answer a vote with the card as it is with that vote: the message is where votes by button are kept."""
        wanted, known = self._card_messages.wanted(card.key, now()), self._card_messages.known.get(card.key)
        if wanted is None or known is None:
            await refuse(interaction, SETTLED)
            return
        rendered = wanted.rendered
        await interaction.response.edit_message(
            embeds=embeds(rendered.embeds),
            view=view(rendered.buttons, rendered.menus),
            allowed_mentions=mentions(rendered),
        )
        known = self._card_messages.known.get(card.key)
        if known is not None:
            self._card_messages.learn(card.key, replace(known, digest=rendered.digest, face=wanted.face))
            self._card_messages.dirty.add(card.key)

    async def _details(self, interaction: discord.Interaction, pressed: Pressed) -> None:
        card = self._card_messages.card(pressed.card_id)
        if card is None:
            await refuse(interaction, f"`pulse why {pressed.card_id}` shows everything about this card.")
            return
        rendered = render_details(card)
        await interaction.response.send_message(
            embeds=embeds(rendered.embeds),
            files=files(rendered.files),
            view=view(rendered.buttons, rendered.menus) or discord.utils.MISSING,
            ephemeral=True,
            allowed_mentions=mentions(rendered),
        )

    async def _edit(self, interaction: discord.Interaction, pressed: Pressed, person: Person) -> None:
        card = self._shown(interaction, pressed)
        if card is None or Verb.EDIT not in card.verbs:
            await refuse(interaction, SETTLED)
        elif not self._ballots.alone(card, person.id):
            await refuse(
                interaction, SAY.fill("Votes decide here, so the text cannot be changed. {=Reject} it instead.")
            )
        else:
            await interaction.response.send_modal(_form(interaction, card))

    async def _edited(self, interaction: discord.Interaction, pressed: Pressed, person: Person, text: str) -> None:
        card = self._card_messages.card(pressed.card_id)
        if card is None or card.phase != "open" or short(card.prediction.card_hash) != pressed.hash:
            await refuse(interaction, SETTLED)
        elif not text.strip():
            await refuse(interaction, "The text is empty, so there is nothing to run. The card is unchanged.")
        else:
            await self._decided(interaction, "edit", card, person, text[:PROMPT_CHARS_MAX])

    async def _picked(self, interaction: discord.Interaction, picked: Picked, values: list[str]) -> None:
        """Take what somebody picked in a menu."""
        person, card = person_of(interaction.user), self._card_messages.card(picked.card_id)
        self._ballots.meet(person, now())
        if not may_vote_somewhere(self._config, person):
            await refuse(interaction, STRANGER)
        elif card is None or card.phase != "open" or short(card.prediction.card_hash) != picked.hash:
            await refuse(interaction, SETTLED)
        else:
            wish = (str(interaction.id), now())
            await self._handed_in(interaction, self._asked.picked(card, picked, values, person, wish))

    async def _words(self, interaction: discord.Interaction, pressed: Pressed, person: Person, data: Any) -> None:  # noqa: ANN401  a form as Discord nests it
        """Open the form for own words, or take what was written into it."""
        card = self._card_messages.card(pressed.card_id)
        if card is None or card.phase != "open" or short(card.prediction.card_hash) != pressed.hash:
            await refuse(interaction, SETTLED)
        elif interaction.type is not discord.InteractionType.modal_submit:
            await interaction.response.send_modal(self._asked.form(card, str(data.get("custom_id", ""))))
        else:
            said = {int(name[1:]): text for name, text in _fields(data) if name[1:].isdecimal()}
            wish = (str(interaction.id), now())
            await self._handed_in(interaction, self._asked.written(card, said, person, wish))

    async def _handed_in(self, interaction: discord.Interaction, wish: Decision | No | None) -> None:
        """Hand in what somebody decided alone; nothing while one of several questions waits."""
        if isinstance(wish, No):
            await refuse(interaction, wish.text)
        elif wish is not None and not self._hand_in(wish):
            await refuse(interaction, "Pulse is not reachable right now, so nothing was sent. Try again in a moment.")
        else:
            await interaction.response.defer()

    async def _wish(self, interaction: discord.Interaction, pressed: Pressed, person: Person) -> None:
        card = self._card_messages.card(pressed.card_id)
        if card is not None and card.token:
            await self._decided(interaction, pressed.action, card, person, None)
            return
        if pressed.action == "fix":  # without its card nobody knows who may decide alone
            await refuse(interaction, SETTLED)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        try:
            reply = await self._hub.answer(Verb(pressed.action), pressed.card_id, f"dsc-{interaction.id}")
            said = plain(reply.message or SAY.fill("{=Executed}."), CONTENT_CHARS_MAX)
        except PulseError as error:
            said = in_words(error)
        await interaction.followup.send(said, ephemeral=True)

    async def _decided(
        self, interaction: discord.Interaction, action: Action, card: ChatCard, person: Person, prompt: str | None
    ) -> None:
        wish = self._counter.wish(action, card, person, wish_id=str(interaction.id), now=now(), prompt=prompt)
        await self._handed_in(interaction, wish)

    async def _retry(self, interaction: discord.Interaction, pressed: Pressed, person: Person) -> None:
        """Run it again at the word of somebody who may decide alone; else propose it again, to be voted on."""
        card = self._card_messages.card(pressed.card_id)
        is_one_press = card is not None and Verb.RETRY in card.verbs and not asks_twice(card.prediction)
        if card is not None and is_one_press and self._ballots.alone(card, person.id):
            await self._decided(interaction, "retry", card, person, None)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        try:
            told = await self._hub.told(pressed.card_id)
            said = "Pulse no longer knows this work."
            if told is not None:
                proposed = await self._hub.propose(told.prompt)
                said = plain(proposed.message or "It is suggested again.", CONTENT_CHARS_MAX)
        except PulseError as error:
            said = in_words(error)
        await interaction.followup.send(said, ephemeral=True, allowed_mentions=discord.AllowedMentions.none())

    def _shown(self, interaction: discord.Interaction, pressed: Pressed) -> ChatCard | None:
        """Return the card, if the message that was pressed shows it as it is now and it can still be answered."""
        card = self._card_messages.card(pressed.card_id)
        known = self._card_messages.known.get(card.key) if card is not None else None
        if card is None or known is None or card.phase != "open" or short(card.prediction.card_hash) != pressed.hash:
            return None
        message = interaction.message
        return card if message is not None and str(message.id) == known.message_id else None


async def refuse(interaction: discord.Interaction, why: str) -> None:
    """Say why not, to nobody else."""
    await interaction.response.send_message(why, ephemeral=True, allowed_mentions=discord.AllowedMentions.none())


def _form(interaction: discord.Interaction, card: ChatCard) -> discord.ui.Modal:
    data: Any = interaction.data or {}
    form = discord.ui.Modal(
        title=SAY.fill("{=Edit} it, then {=approve}"), custom_id=str(data.get("custom_id", "")), timeout=None
    )
    form.add_item(
        discord.ui.TextInput(
            label="What should be done",
            style=discord.TextStyle.paragraph,
            default=card.prediction.prompt,
            max_length=INPUT_CHARS_MAX,
        )
    )
    form.stop()
    return form


def _fields(part: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401  a form's parts as Discord nests them
    """Yield each field of a form with its name, however they are nested."""
    if isinstance(part, dict):
        if isinstance(part.get("value"), str):
            yield str(part.get("custom_id", "")), part["value"]
        for inner in ("components", "component"):
            yield from _fields(part.get(inner))
    elif isinstance(part, list):
        for one in part:
            yield from _fields(one)
