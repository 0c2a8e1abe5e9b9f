"""The hub: notices what is worth doing, asks, runs what is permitted, and proves it."""

__version__ = "0.1.0"
