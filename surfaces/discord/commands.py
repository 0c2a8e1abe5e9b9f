"""`/pulse status|pause|resume|kill|ask|task|cards`: deferred at once, and answered to the asker alone."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import discord
from discord import app_commands

from hub.contract.api import TASK_TITLE_CHARS_MAX, CrossPollStatus, Prediction, TaskView
from hub.contract.errors import PulseError
from hub.kit.kept_task import kept_said
from hub.kit.naming import place_of, sure_of
from surfaces.discord.bot import Bot, person_of
from surfaces.discord.card import SAY
from surfaces.discord.hub_client import HubClient, in_words
from surfaces.discord.people import is_owner, may_vote_somewhere
from surfaces.discord.pressing import STRANGER, refuse
from surfaces.discord.render import render_status
from surfaces.discord.settings import Config
from surfaces.discord.text import moment, one_line
from surfaces.discord.wire import embeds

QUESTION_CHARS_MAX = 1_000
CARD_UNITS, PLACE_UNITS, SAID_UNITS = 140, 40, 600
OWNER_ONLY = "Only the owner of this Pulse can loosen a restriction. Nothing was done."
OWNERS_TASKS = "Only the owner of this Pulse can add tasks. Nothing was done."
UNDO_S = 840.0
"""How long the button works: an interaction's token lasts 15 minutes, less one to spare."""
Say = Callable[[], Awaitable[str | CrossPollStatus | TaskView]]


class Commands:
    """The commands, in terms of the hub's HTTP API. What loosens (`resume`) is the owner's."""

    def __init__(self, config: Config, hub: HubClient) -> None:
        self._config = config
        self._hub = hub

    def register(self, bot: Bot) -> None:
        """Add the group to the bot's tree, for the one server."""
        group = app_commands.Group(name="pulse", description="See and control Pulse", guild_only=True)
        for made in (self._status, self._pause, self._resume, self._kill, self._ask, self._task, self._cards):
            group.add_command(made())
        bot.tree.add_command(group, guild=discord.Object(id=int(self._config.guild_id)))

    async def sync(self, bot: Bot) -> bool:
        """Tell Discord about the commands, only if it does not know them yet; return whether it was told."""
        guild = discord.Object(id=int(self._config.guild_id))
        there = await bot.tree.fetch_commands(guild=guild)
        known = {(one.name, tuple(sorted(option.name for option in one.options))) for one in there}
        wanted = {
            (one.name, tuple(sorted(child.name for child in one.commands)))
            for one in bot.tree.get_commands(guild=guild)
            if isinstance(one, app_commands.Group)
        }
        if wanted <= known:
            return False
        await bot.tree.sync(guild=guild)
        return True

    def _status(self) -> app_commands.Command[app_commands.Group, ..., None]:
        @app_commands.command(name="status", description="What Pulse is doing, and what it has spent")
        async def status(interaction: discord.Interaction) -> None:
            await self._answer(interaction, self._hub.status)

        return status

    def _pause(self) -> app_commands.Command[app_commands.Group, ..., None]:
        @app_commands.command(name="pause", description="Pause Pulse")
        @app_commands.describe(reason="Why; everyone sees it")
        async def pause(interaction: discord.Interaction, reason: app_commands.Range[str, 0, 400] = "") -> None:
            told = reason or f"paused on Discord by {interaction.user.name}"
            await self._answer(interaction, lambda: self._hub.pause(told))

        return pause

    def _resume(self) -> app_commands.Command[app_commands.Group, ..., None]:
        @app_commands.command(name="resume", description="Resume Pulse after a pause")
        async def resume(interaction: discord.Interaction) -> None:
            await self._answer(interaction, self._hub.resume, owner=OWNER_ONLY)

        return resume

    def _kill(self) -> app_commands.Command[app_commands.Group, ..., None]:
        @app_commands.command(name="kill", description="Emergency stop: end every run, start nothing more")
        async def kill(interaction: discord.Interaction) -> None:
            await self._answer(interaction, self._killed)

        return kill

    def _ask(self) -> app_commands.Command[app_commands.Group, ..., None]:
        @app_commands.command(name="ask", description="Ask everyone who may vote, as a card")
        @app_commands.describe(question="What to approve or dismiss")
        async def ask(
            interaction: discord.Interaction, question: app_commands.Range[str, 1, QUESTION_CHARS_MAX]
        ) -> None:
            await self._answer(interaction, lambda: self._asked(interaction, question))

        return ask

    def _task(self) -> app_commands.Command[app_commands.Group, ..., None]:
        @app_commands.command(name="task", description="Add a task; end it with a time to be reminded")
        @app_commands.describe(sentence="Such as: call the bank tomorrow at 10")
        async def task(
            interaction: discord.Interaction, sentence: app_commands.Range[str, 1, TASK_TITLE_CHARS_MAX]
        ) -> None:
            await self._answer(interaction, lambda: self._hub.keep(" ".join(sentence.split())), owner=OWNERS_TASKS)

        return task

    def _cards(self) -> app_commands.Command[app_commands.Group, ..., None]:
        @app_commands.command(name="cards", description="The cards that are open")
        async def cards(interaction: discord.Interaction) -> None:
            await self._answer(interaction, self._listed)

        return cards

    async def _answer(self, interaction: discord.Interaction, say: Say, *, owner: str = "") -> None:
        person = person_of(interaction.user)
        if not may_vote_somewhere(self._config, person):
            await refuse(interaction, STRANGER)
            return
        if owner and not is_owner(self._config, person):
            await refuse(interaction, owner)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        try:
            said = await say()
        except PulseError as error:
            said = in_words(error)
        nobody = discord.AllowedMentions.none()
        if isinstance(said, TaskView):
            view = TakeBack(self._hub, said)
            await interaction.followup.send(kept(said), ephemeral=True, allowed_mentions=nobody, view=view)
        elif isinstance(said, str):
            await interaction.followup.send(said, ephemeral=True, allowed_mentions=nobody)
        else:
            shown = embeds(render_status(said, connected=True).embeds)
            await interaction.followup.send(embeds=shown, ephemeral=True, allowed_mentions=nobody)

    async def _killed(self) -> str:
        await self._hub.kill()
        return "Stopped: every run has ended and nothing starts. `pulse resume --emergency` lifts it."

    async def _asked(self, interaction: discord.Interaction, question: str) -> str:
        reply = await self._hub.ask(question, f"dsc-{interaction.id}")
        return f"Asked. The card expires {moment(reply.prediction.expires_at)}."

    async def _listed(self) -> str:
        cards = (await self._hub.cards()).predictions
        if not cards:
            return "No card is open."
        return "\n".join(f"🔮 {_placed(one)} · {one_line(one.prompt, CARD_UNITS)}" for one in cards)


class TakeBack(discord.ui.View):
    """The button that takes back a task just kept; only the person who kept it sees it."""

    def __init__(self, hub: HubClient, task: TaskView) -> None:
        super().__init__(timeout=UNDO_S)
        self._hub = hub
        self._task = task
        button: discord.ui.Button[TakeBack] = discord.ui.Button(label=SAY.title("undo"), emoji="↩️")
        button.callback = self._take_back  # type: ignore[method-assign]  # as discord.py has it
        self.add_item(button)

    async def _take_back(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        try:
            await self._hub.drop(self._task.id)
            said = SAY.title("task.taken_back")
        except PulseError as error:
            said = in_words(error)
        self.stop()
        await interaction.edit_original_response(content=said, view=None)


def kept(task: TaskView) -> str:
    """Return how a sentence was understood; its moment is in the zone in which the hub read it."""
    now = datetime.now(UTC)
    there = now if task.deadline is None else now.astimezone(task.deadline.tzinfo)
    return f"**{one_line(task.title, CARD_UNITS)}**\n{one_line(kept_said(task, SAY, there), SAID_UNITS)}"


def _placed(card: Prediction) -> str:
    sure = sure_of(card)
    return f"{one_line(place_of(card, SAY), PLACE_UNITS)}{'' if sure is None else f', {SAY.written(sure)}'}"
