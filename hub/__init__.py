"""The hub: notices what is worth doing, asks, runs what is permitted, and proves it."""

__version__ = "0.2.0"
