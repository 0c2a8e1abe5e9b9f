"""Agents that have a server of their own: each is spoken with by a process beside the hub, over the hub's own API."""
