"""Telegram: cards in a private chat with your bot, answered with its buttons."""
