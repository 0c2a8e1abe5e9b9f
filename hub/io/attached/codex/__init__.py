"""Codex, by its app-server: a second client of what a person works with in their terminal or editor."""
