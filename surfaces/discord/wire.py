"""From our values to discord.py's, and from its messages to ours."""

import io
from collections.abc import Sequence

import discord
import msgspec

from surfaces.discord.found import Seen
from surfaces.discord.limits import Attached, Button, Embed, Menu, Rendered

STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def embeds(rendered: Sequence[Embed]) -> list[discord.Embed]:
    """Return the embeds as discord.py sends them."""
    return [discord.Embed.from_dict(msgspec.to_builtins(embed)) for embed in rendered]


def view(buttons: Sequence[Button], menus: Sequence[Menu] = ()) -> discord.ui.View | None:
    """Return buttons and menus; discord.py need not remember them, for we know them by their ids."""
    if not buttons and not menus:
        return None
    made = discord.ui.View(timeout=None)
    for one in buttons:
        made.add_item(
            discord.ui.Button(
                label=one.label, custom_id=one.custom_id, style=STYLES[one.style], disabled=one.disabled, row=one.row
            )
        )
    for menu in menus:
        made.add_item(
            discord.ui.Select(
                custom_id=menu.custom_id, placeholder=menu.placeholder, max_values=menu.most, options=_options(menu)
            )
        )
    made.stop()
    return made


def _options(menu: Menu) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=one.label, value=one.value, description=one.description or None)
        for one in menu.options
    ]


def files(attached: Sequence[Attached]) -> list[discord.File]:
    """Return the attachments, each a text in UTF-8."""
    return [discord.File(io.BytesIO(one.text.encode()), filename=one.name) for one in attached]


def mentions(rendered: Rendered) -> discord.AllowedMentions:
    """Allow nobody to be alerted but the one who is meant."""
    users = [discord.Object(id=int(rendered.ping))] if rendered.ping else []
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


def seen(message: discord.Message) -> Seen:
    """Return what one of our own messages shows."""
    first = message.embeds[0] if message.embeds else discord.Embed()
    ids = [
        child.custom_id
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
        if isinstance(child, discord.Button) and child.custom_id
    ]
    return Seen(
        message_id=str(message.id),
        footer=first.footer.text or "",
        fields=tuple((field.name or "", field.value or "") for field in first.fields),
        custom_ids=tuple(ids),
        own=frozenset(
            str(one.emoji).strip("<:>") if one.is_custom_emoji() else str(one.emoji)
            for one in message.reactions
            if one.me
        ),
        threaded=message.flags.has_thread,
    )
