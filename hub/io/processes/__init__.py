"""Processes of Pulse's own: its surfaces beside it, and itself begun anew as another user."""
