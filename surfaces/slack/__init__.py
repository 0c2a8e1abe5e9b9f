"""Slack: cards in a direct message with your own app, answered with its buttons, over Socket Mode."""
