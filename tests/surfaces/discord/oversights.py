"""Discord's limits of a message, written down apart from the surface: which of them does one break?"""

from hub.kit.text import utf16_units
from surfaces.discord.limits import CONTENT_CHARS_MAX, Embed, Rendered

TITLE_CHARS_MAX = 256
DESCRIPTION_CHARS_MAX = 4_096
FIELDS_MAX = 25
FIELD_NAME_CHARS_MAX = 256
FIELD_VALUE_CHARS_MAX = 1_024
FOOTER_CHARS_MAX = 2_048
MESSAGE_CHARS_MAX = 6_000
EMBEDS_MAX = 10
BUTTONS_A_ROW_MAX = 5
ROWS_MAX = 5
CUSTOM_ID_CHARS_MAX = 100
LABEL_CHARS_MAX = 80
MENU_OPTIONS_MAX = 25
MENU_LABEL_CHARS_MAX = 100


def embed_size(embed: Embed) -> int:
    """Return what an embed counts towards the limit of a message."""
    texts = [embed.title, embed.description, embed.footer.text if embed.footer else ""]
    texts += [text for field in embed.fields for text in (field.name, field.value)]
    return sum(map(utf16_units, texts))


def oversights(message: Rendered) -> list[str]:
    """Name every limit that a message breaks; empty when Discord will take it."""
    found = [
        _over("content", utf16_units(message.content), CONTENT_CHARS_MAX),
        _over("embeds", len(message.embeds), EMBEDS_MAX),
        _over("all embeds", sum(map(embed_size, message.embeds)), MESSAGE_CHARS_MAX),
        _over("buttons", len(message.buttons), BUTTONS_A_ROW_MAX * ROWS_MAX),
    ]
    for embed in message.embeds:
        found += _embed_oversights(embed)
    for button in message.buttons:
        found.append(_over("custom_id", len(button.custom_id), CUSTOM_ID_CHARS_MAX))
        found.append(_over("label", utf16_units(button.label), LABEL_CHARS_MAX))
        found.append("" if button.label else "a button has no label")
    for menu in message.menus:
        found.append(_over("menu", len(menu.options), MENU_OPTIONS_MAX))
        found.append(_over("custom_id", len(menu.custom_id), CUSTOM_ID_CHARS_MAX))
        found.append("" if menu.options else "a menu has no options")
        found += [_over("option", utf16_units(one.label), MENU_LABEL_CHARS_MAX) for one in menu.options]
    if not message.content and not message.embeds:
        found.append("the message is empty")
    return [line for line in found if line]


def _embed_oversights(embed: Embed) -> list[str]:
    found = [
        _over("title", utf16_units(embed.title), TITLE_CHARS_MAX),
        _over("description", utf16_units(embed.description), DESCRIPTION_CHARS_MAX),
        _over("fields", len(embed.fields), FIELDS_MAX),
        _over("footer", utf16_units(embed.footer.text) if embed.footer else 0, FOOTER_CHARS_MAX),
    ]
    for field in embed.fields:
        found.append(_over("field name", utf16_units(field.name), FIELD_NAME_CHARS_MAX))
        found.append(_over("field value", utf16_units(field.value), FIELD_VALUE_CHARS_MAX))
        found.append("" if field.name.strip() and field.value.strip() else "a field is empty")
    return found


def _over(what: str, is_now: int, most: int) -> str:
    return f"{what}: {is_now}, at most {most}" if is_now > most else ""
