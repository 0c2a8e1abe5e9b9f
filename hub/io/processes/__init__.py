"""Processes of Pulse's own: its surfaces beside it, and itself restarted as another user."""
